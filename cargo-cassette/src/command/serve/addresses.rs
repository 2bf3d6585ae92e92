//! Which upstreams of a cassette stand at which address, and in which variables a program finds them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::tape::Tape;
use cassette_test::_cli_support::{KEYS, KNOWN, Served};

use super::ServeError;
use super::upstream::{self, Upstream};
use crate::output::quoted;

/// A variable, as a program finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// The address of an upstream.
    Variable(String, String, Holds),
    /// A key that a client wants to have before it starts, though nobody looks at it.
    Key(&'static str, String),
}

/// Whether a cassette has anything to answer at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holds {
    /// It has, or whatever is asked there goes live.
    Answers,
    /// The upstream was named when it was recorded, and not asked: what is asked there now is missed, instead of going live.
    Nothing,
}

impl fmt::Display for Address {
    /// Writes a line for a shell, which takes each value for this value and nothing else: an upstream may stand in a cassette of
    /// somebody else's. What stands in a variable of a key already stays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Variable(name, value, _) => write!(f, "export {name}={}", quoted(value)),
            Address::Key(name, value) => write!(f, "export {name}=\"${{{name}:-{value}}}\""),
        }
    }
}

/// Returns the addresses that stand for the upstreams: those that were named, those that were named when the cassette was
/// recorded, the providers', and whatever else it holds.
pub(super) fn of(asked: &[Upstream], tape: &Tape, served: &Served) -> Result<Vec<Address>, ServeError> {
    let recorded = upstream::recorded(tape);
    let remembered = upstream::remembered(tape).into_iter().filter(|old| !asked.iter().any(|new| new.name == old.name));
    let named: Vec<_> = asked.iter().cloned().chain(remembered).collect();
    let mut found = Vec::new();
    let mut covered: Vec<String> = Vec::new();
    for upstream in &named {
        // What a test has recorded stands under the address itself.
        let alias = upstream.alias().filter(|_| !recorded.contains(&upstream::server(&upstream.url)));
        let address = served.base_url(alias.as_deref(), &upstream.url)?;
        let scheme = upstream.url.split("://").next().unwrap_or_default();
        let server = alias.map_or_else(|| upstream::server(&upstream.url), |alias| format!("{scheme}://{alias}"));
        let is_asked = served.mode() != Mode::Replay || recorded.contains(&server);
        let holds = if is_asked { Holds::Answers } else { Holds::Nothing };
        covered.push(server);
        found.extend(upstream.variables().into_iter().map(|name| (name, address.clone(), holds)));
    }
    // What goes live goes where the recording did, and not to a provider whose language another server has spoken.
    let (own, spoken) = upstream::of_servers(&upstream::strangers(&named, tape), tape);
    let elsewhere: Vec<_> = own.iter().chain(&spoken).flat_map(Upstream::variables).collect();
    let may_be_asked = |name: &str| served.mode() != Mode::Replay && !elsewhere.iter().any(|taken| taken == name);
    for (name, url) in KNOWN {
        let is_wanted = may_be_asked(name) || recorded.contains(&upstream::server(url));
        if is_wanted && !found.iter().any(|(known, ..)| known == name) {
            found.push((name.to_owned(), served.base_url(None, url)?, Holds::Answers));
            covered.push(upstream::server(url));
        }
    }
    let others: Vec<_> = recorded.iter().filter(|server| !covered.contains(server)).cloned().collect();
    let (own, spoken) = upstream::of_servers(&others, tape);
    for upstream in &own {
        let address = served.base_url(None, &upstream.url)?;
        found.extend(upstream.variables().into_iter().map(|name| (name, address.clone(), Holds::Answers)));
    }
    // A client of a provider looks where it always does, whichever server it was sent to.
    for upstream in &spoken {
        let mut variables = upstream.variables();
        variables.retain(|name| !found.iter().any(|(known, ..)| known == name));
        if !variables.is_empty() {
            let address = served.base_url(None, &upstream.url)?;
            found.extend(variables.into_iter().map(|name| (name, address.clone(), Holds::Answers)));
        }
    }
    let mut addresses = variables(found);
    if served.mode() == Mode::Replay {
        let names: BTreeSet<_> = addresses.iter().map(Address::name).collect();
        let mut keys: Vec<_> = KEYS.iter().filter(|(base, _)| names.contains(base)).map(|(_, key)| *key).collect();
        keys.dedup();
        addresses.extend(keys.into_iter().map(stand_in));
    }
    if served.mode().records() && !asked.is_empty() {
        let members =
            named.iter().map(|upstream| (upstream.name.as_str().into(), upstream.as_recorded().as_str().into()));
        served.meta(upstream::META, Json::Object(members.collect()));
    }
    Ok(addresses)
}

/// Returns variables of different names; what has a name that is taken gets a number.
fn variables(found: Vec<(String, String, Holds)>) -> Vec<Address> {
    let mut taken = BTreeSet::new();
    let mut variables: Vec<_> =
        found.into_iter().map(|(name, url, holds)| (free(&name, &mut taken), url, holds)).collect();
    variables.sort();
    variables.into_iter().map(|(name, url, holds)| Address::Variable(name, url, holds)).collect()
}

/// Returns the name, or the first with a number that is not taken, and takes it.
fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = |n: usize| if n == 1 { name.to_owned() } else { format!("{name}_{n}") };
    let free = (1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

fn stand_in(key: &'static str) -> Address {
    Address::Key(key, format!("stand-in-for-{}", key.to_ascii_lowercase().replace('_', "-")))
}

impl Address {
    /// Returns the variable's name.
    pub(super) fn name(&self) -> &str {
        match self {
            Address::Variable(name, ..) => name,
            Address::Key(name, _) => name,
        }
    }
}

/// Returns the ports that so many cassettes may take, from this one on; none where it may be any that is free.
pub(super) fn ports(first: u16, cassettes: usize) -> Range<u16> {
    let many = u16::try_from(KNOWN.len() * cassettes).unwrap_or(u16::MAX);
    if first == 0 { 0..0 } else { first..first.saturating_add(many) }
}

/// Returns how many listeners stand behind these addresses.
pub(super) fn listeners(addresses: &[Address]) -> u16 {
    let servers = addresses.iter().filter_map(|address| match address {
        Address::Variable(_, url, _) => Some(upstream::server(url)),
        Address::Key(..) => None,
    });
    u16::try_from(servers.collect::<BTreeSet<_>>().len()).unwrap_or(u16::MAX)
}

/// Returns the variables of several cassettes: each cassette's own begin with its name, and an upstream of which only one of them
/// holds anything keeps the name that clients know too. Returned beside them are the names that several would have.
pub(super) fn together(cassettes: Vec<(String, Vec<Address>)>) -> (Vec<Address>, Vec<String>) {
    let mut taken = BTreeSet::new();
    let (mut all, mut keys) = (Vec::new(), Vec::new());
    // Of each name that clients know the addresses, those that hold something first.
    let mut plain: BTreeMap<String, Vec<(Holds, String)>> = BTreeMap::new();
    for (cassette, addresses) in cassettes {
        let (own_keys, variables): (Vec<_>, Vec<_>) =
            addresses.into_iter().partition(|address| matches!(address, Address::Key(..)));
        keys.extend(own_keys);
        let prefix = unique(&prefix(&cassette), &variables, &taken);
        for address in variables {
            let Address::Variable(name, url, holds) = address else { continue };
            let own = format!("{prefix}_{name}");
            taken.insert(own.clone());
            plain.entry(name).or_default().push((holds, url.clone()));
            all.push(Address::Variable(own, url, holds));
        }
    }
    let mut ambiguous = Vec::new();
    for (name, mut addresses) in plain {
        addresses.sort();
        match addresses.as_slice() {
            [(first, _), (second, _), ..] if first == second => ambiguous.push(name),
            [(holds, url), ..] if taken.insert(name.clone()) => all.push(Address::Variable(name, url.clone(), *holds)),
            _ => {}
        }
    }
    keys.sort_by(|a, b| a.name().cmp(b.name()));
    keys.dedup();
    all.extend(keys);
    (all, ambiguous)
}

/// Returns the prefix, or the first with a number, with which no variable has a name that is taken.
fn unique(prefix: &str, variables: &[Address], taken: &BTreeSet<String>) -> String {
    let is_free = |prefix: &String| !variables.iter().any(|own| taken.contains(&format!("{prefix}_{}", own.name())));
    let numbered = |n: usize| if n == 1 { prefix.to_owned() } else { format!("{prefix}_{n}") };
    (1..).map(numbered).find(is_free).unwrap_or_default()
}

/// Returns what the variables of a cassette begin with.
fn prefix(cassette: &str) -> String {
    let name: String =
        cassette.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, value: &str) -> Address {
        Address::Variable(name.into(), value.into(), Holds::Answers)
    }

    #[test]
    fn a_key_that_is_set_stays() {
        let key = Address::Key("OPENAI_API_KEY", "stand-in".into());
        assert_eq!(key.to_string(), "export OPENAI_API_KEY=\"${OPENAI_API_KEY:-stand-in}\"");
        let base = variable("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
        assert_eq!(base.to_string(), "export OPENAI_BASE_URL=http://127.0.0.1:1/v1");
    }

    #[test]
    fn a_shell_takes_no_value_for_a_command() {
        let told = |value: &str| variable("A", value).to_string();
        assert_eq!(told("http://127.0.0.1:1/$(id)"), "export A='http://127.0.0.1:1/$(id)'");
        assert_eq!(told("http://127.0.0.1:1/a b;'`"), r"export A='http://127.0.0.1:1/a b;'\''`'");
    }

    #[test]
    fn two_of_one_name_have_a_number() {
        let found = [("A", "1"), ("B", "2"), ("A", "3")];
        let found = found.map(|(name, url)| (name.to_owned(), url.to_owned(), Holds::Answers));
        assert_eq!(variables(found.into()), [variable("A", "1"), variable("A_2", "3"), variable("B", "2")]);
    }

    #[test]
    fn the_names_of_several_cassettes_differ_whatever_they_are_called() {
        let cassette = |name: &str, urls: &[(&str, &str)]| {
            (name.to_owned(), urls.iter().map(|(name, url)| variable(name, url)).collect::<Vec<_>>())
        };
        let (all, ambiguous) = together(vec![
            cassette("x", &[("Y_Z_BASE_URL", "1"), ("A_BASE_URL", "2")]),
            cassette("x/y", &[("Z_BASE_URL", "3")]),
            cassette("x-y", &[("Z_BASE_URL", "4")]),
            cassette("4", &[("B_BASE_URL", "5")]),
        ]);
        let told: Vec<_> = all.iter().map(|address| address.to_string().replace("export ", "")).collect();
        assert_eq!(
            told,
            [
                "X_Y_Z_BASE_URL=1",
                "X_A_BASE_URL=2",
                "X_Y_2_Z_BASE_URL=3",
                "X_Y_3_Z_BASE_URL=4",
                "_4_B_BASE_URL=5",
                "A_BASE_URL=2",
                "B_BASE_URL=5",
                "Y_Z_BASE_URL=1",
            ]
        );
        assert_eq!(ambiguous, ["Z_BASE_URL"]);
    }

    #[test]
    fn who_holds_nothing_of_an_upstream_takes_no_name_from_who_does() {
        let cassette = |name: &str, holds| (name.to_owned(), vec![Address::Variable("X".into(), name.into(), holds)]);
        let plain = |cassettes| {
            let (all, ambiguous) = together(cassettes);
            (all.iter().find(|address| address.name() == "X").map(ToString::to_string), ambiguous.len())
        };
        assert_eq!(
            plain(vec![cassette("a", Holds::Nothing), cassette("b", Holds::Answers)]),
            (Some("export X=b".into()), 0)
        );
        assert_eq!(plain(vec![cassette("a", Holds::Nothing), cassette("b", Holds::Nothing)]), (None, 1));
    }
}
