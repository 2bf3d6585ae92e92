//! Which upstreams stand at which address, and in which variables a program finds them.

use std::fmt;

use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::tape::Tape;
use cassette_test::_cli_support::{KEYS, KNOWN, Served};

use super::ServeError;

/// Under which name the head of a cassette holds the upstreams that were named when it was recorded.
const META: &str = "upstreams";

/// An upstream that was named: its name and its base URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upstream {
    name: String,
    url: String,
}

/// An address, as a program finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A variable that holds it.
    Variable(String, String),
    /// A key that a client wants to have before it starts, though nobody looks at it.
    Key(&'static str, String),
    /// A server that no client's variable is known for.
    Bare(String, String),
}

impl fmt::Display for Address {
    /// Writes a line for a shell. What stands in a variable of a key already stays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Variable(name, value) => write!(f, "export {name}={value}"),
            Address::Key(name, value) => write!(f, "export {name}=\"${{{name}:-{value}}}\""),
            Address::Bare(upstream, address) => write!(f, "# {upstream} is {address}"),
        }
    }
}

impl Upstream {
    /// Reads `NAME=URL`.
    pub(super) fn read(text: &str) -> Result<Upstream, ServeError> {
        let is_name = |name: &str| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word)
        };
        let split = text.split_once('=').filter(|(name, url)| is_name(name) && !url.is_empty());
        let (name, url) = split.ok_or_else(|| ServeError::Upstream(text.to_owned()))?;
        Ok(Upstream { name: name.to_ascii_lowercase(), url: url.to_owned() })
    }

    /// Returns the variables in which a program looks for this upstream.
    fn variables(&self) -> Vec<String> {
        let known: &[&str] = match self.name.as_str() {
            "openai" => &["OPENAI_API_BASE", "OPENAI_BASE_URL"],
            "anthropic" => &["ANTHROPIC_BASE_URL"],
            "cohere" => &["CO_API_URL"],
            "gemini" | "google" => &["GOOGLE_GEMINI_BASE_URL"],
            "ollama" => &["OLLAMA_HOST"],
            _ => return vec![format!("{}_BASE_URL", self.name.to_ascii_uppercase().replace('-', "_"))],
        };
        known.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Returns the name under which it is recorded: its own, where the address is one of this machine's.
    fn alias(&self) -> Option<String> {
        let host = host(&self.url)?;
        let host = host.strip_prefix('[').map_or_else(
            || host.rsplit_once(':').map_or(host, |(host, _)| host),
            |rest| rest.split(']').next().unwrap_or_default(),
        );
        let is_here = host == "localhost" || host.starts_with("127.") || host == "::1";
        is_here.then(|| self.name.replace('_', "-"))
    }
}

/// Returns the addresses that stand for the upstreams: those that were named, those that were named when the cassette was
/// recorded, the providers', and whatever else it holds.
pub(super) fn of(asked: &[Upstream], tape: &Tape, served: &Served) -> Result<Vec<Address>, ServeError> {
    let recorded = recorded(tape);
    let remembered = remembered(tape).into_iter().filter(|old| !asked.iter().any(|new| new.name == old.name));
    let named: Vec<_> = asked.iter().cloned().chain(remembered).collect();
    let mut found = Vec::new();
    let mut covered: Vec<String> = Vec::new();
    for upstream in &named {
        let alias = upstream.alias();
        let address = served.base_url(alias.as_deref(), &upstream.url)?;
        let scheme = upstream.url.split("://").next().unwrap_or_default();
        covered.push(alias.map_or_else(|| server(&upstream.url), |alias| format!("{scheme}://{alias}")));
        found.extend(upstream.variables().into_iter().map(|name| (name, address.clone())));
    }
    for (name, url) in KNOWN {
        let is_wanted = served.mode() != Mode::Replay || recorded.contains(&server(url));
        if is_wanted && !found.iter().any(|(known, _)| known == name) {
            found.push((name.to_owned(), served.base_url(None, url)?));
            covered.push(server(url));
        }
    }
    found.sort();
    let mut addresses: Vec<_> = found.iter().map(|(name, url)| Address::Variable(name.clone(), url.clone())).collect();
    if served.mode() == Mode::Replay {
        let mut keys: Vec<_> =
            KEYS.iter().filter(|(base, _)| found.iter().any(|(name, _)| name == base)).map(|(_, key)| *key).collect();
        keys.dedup();
        let stand_in = |key: &'static str| {
            Address::Key(key, format!("stand-in-for-{}", key.to_ascii_lowercase().replace('_', "-")))
        };
        addresses.extend(keys.into_iter().map(stand_in));
    }
    for other in recorded.into_iter().filter(|server| !covered.contains(server)) {
        let address = served.base_url(None, &other)?;
        addresses.push(Address::Bare(other, address));
    }
    if served.mode().records() && !asked.is_empty() {
        let members = named.iter().map(|upstream| {
            let scheme = upstream.url.split("://").next().unwrap_or_default();
            let path = &upstream.url[server(&upstream.url).len()..];
            let url =
                upstream.alias().map_or_else(|| upstream.url.clone(), |alias| format!("{scheme}://{alias}{path}"));
            (upstream.name.as_str().into(), url.as_str().into())
        });
        served.meta(META, Json::Object(members.collect()));
    }
    Ok(addresses)
}

/// Returns the servers of a cassette, `https://host`, in order.
fn recorded(tape: &Tape) -> Vec<String> {
    let names = tape.interactions.iter().map(|interaction| interaction.asked().name());
    let mut servers: Vec<_> = names
        .filter_map(|name| name.split_once(' ').map(|(_, url)| server(url)))
        .filter(|server| server.contains("://"))
        .collect();
    servers.sort();
    servers.dedup();
    servers
}

/// Returns the upstreams that were named when the cassette was recorded.
fn remembered(tape: &Tape) -> Vec<Upstream> {
    let meta = tape.head.meta.iter().find(|(name, _)| name.is(META)).map(|(_, value)| value);
    let Some(Json::Object(members)) = meta else { return Vec::new() };
    let upstream = |(name, url): &(cassette_core::json::Text, Json)| {
        Some(Upstream { name: name.value().into_owned(), url: url.as_str()?.into_owned() })
    };
    members.iter().filter_map(upstream).collect()
}

/// Returns the server of a URL, `https://host:port`.
fn server(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    format!("{scheme}://{}", rest.split(['/', '?', '#']).next().unwrap_or_default())
}

fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#']).next()
}

#[cfg(test)]
mod tests {
    use super::{Address, Upstream};

    #[test]
    fn an_upstream_of_this_machine_is_recorded_under_its_name() {
        let alias = |text: &str| Upstream::read(text).unwrap().alias();
        assert_eq!(alias("openai=http://127.0.0.1:8000/v1").as_deref(), Some("openai"));
        assert_eq!(alias("my_llm=http://[::1]:8000").as_deref(), Some("my-llm"));
        assert_eq!(alias("local=http://localhost/v1").as_deref(), Some("local"));
        assert_eq!(alias("openai=https://router.example/v1"), None);
        for wrong in ["openai", "=http://a", "9=http://a", "a b=http://a", "a="] {
            assert!(Upstream::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_that_is_set_stays() {
        let key = Address::Key("OPENAI_API_KEY", "stand-in".into());
        assert_eq!(key.to_string(), "export OPENAI_API_KEY=\"${OPENAI_API_KEY:-stand-in}\"");
        let base = Address::Variable("OPENAI_BASE_URL".into(), "http://127.0.0.1:1/v1".into());
        assert_eq!(base.to_string(), "export OPENAI_BASE_URL=http://127.0.0.1:1/v1");
    }
}
