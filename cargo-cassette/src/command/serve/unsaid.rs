//! Which upstreams are to be said where a cassette is recorded anew: what is advised goes live where the recording did, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use cassette_core::tape::Tape;
use cassette_test::_cli_support::KNOWN;

use super::upstream::{
    TO_FILL_IN, Upstream, as_host, host, is_name, of_servers, recorded, remembered, server, strangers,
};
use super::whose::is_a_tests;
use crate::output::note;

/// Returns the upstreams, as they are to be named, that this command line does not name. Where a recording is made under another name
/// than the one that was read, no file says where the servers of that one are; and no cassette knows the address of what was recorded
/// under a name, since that is one of the machine on which it was recorded: `openai=<URL>`.
pub(super) fn unsaid(asked: &[Upstream], tapes: &[&Tape]) -> Vec<String> {
    let mut addresses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for tape in tapes {
        let old = remembered(tape);
        let is_alias = |old: &&Upstream| host(&old.url).is_some_and(|host| host == as_host(&old.name));
        for Upstream { name, .. } in old.iter().filter(is_alias) {
            addresses.entry(name.clone()).or_default().insert(TO_FILL_IN.to_owned());
        }
        let named: Vec<_> = asked.iter().cloned().chain(old).collect();
        for Upstream { name, url } in of_strangers(&named, tape) {
            match is_a_name(&url) {
                true => _ = addresses.entry(name).or_default().insert(TO_FILL_IN.to_owned()),
                false if is_a_tests(tape) => _ = addresses.entry(name).or_default().insert(url),
                false => {}
            }
        }
    }
    // What holds for all of them may be true of none.
    for (name, urls) in &mut addresses {
        let variables = Upstream { name: name.clone(), url: String::new() }.variables();
        let known = KNOWN.iter().filter(|(variable, _)| variables.iter().any(|own| own == variable));
        let is_recorded = |url: &str| tapes.iter().any(|tape| recorded(tape).contains(&server(url)));
        urls.extend(known.filter(|(_, url)| is_recorded(url)).map(|(_, url)| (*url).to_owned()));
    }
    addresses.retain(|name, _| !asked.iter().any(|new| as_host(&new.name) == as_host(name)));
    let said = |(name, urls): (String, BTreeSet<String>)| match urls.iter().collect::<Vec<_>>().as_slice() {
        [url] => format!("{name}={url}"),
        _ => format!("{name}={TO_FILL_IN}"),
    };
    addresses.into_iter().map(said).collect()
}

/// Tells which addresses have to be filled in, in what these reports advise.
pub(super) fn tell(reports: &[String]) {
    let names = to_fill_in(reports);
    if !names.is_empty() {
        let names: Vec<_> = names.into_iter().collect();
        note(&format!(
            "what is recorded live needs the address of {}, in the place of {TO_FILL_IN}: no cassette holds it",
            names.join(" and of ")
        ));
    }
}

/// Returns the names of the upstreams whose addresses have to be filled in, in what is advised.
fn to_fill_in(reports: &[String]) -> BTreeSet<String> {
    let helps = reports.iter().flat_map(|report| report.split("\nhelp: ").skip(1));
    let words = helps.flat_map(|help| help.split(" --upstream ").skip(1));
    let filled = words.filter_map(|word| word.strip_prefix('\'')?.split_once(&format!("={TO_FILL_IN}'")));
    filled.map(|(name, _)| name).filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// Returns the upstreams at which a replay serves what no provider of its own name and no named upstream was asked for. A server of
/// this machine that speaks a provider's language is that provider's alone: by its port no program knows it.
fn of_strangers(named: &[Upstream], tape: &Tape) -> Vec<Upstream> {
    let (own, spoken) = of_servers(&strangers(named, tape), tape);
    let of_known = KNOWN.iter().filter(|(_, url)| recorded(tape).contains(&server(url))).map(|(variable, _)| *variable);
    let taken: BTreeSet<_> =
        own.iter().chain(named).flat_map(Upstream::variables).chain(of_known.map(str::to_owned)).collect();
    let is_free = |upstream: &Upstream| upstream.variables().iter().any(|name| !taken.contains(name));
    let spoken: Vec<_> = spoken.into_iter().filter(is_free).collect();
    let is_spoken = |it: &Upstream| spoken.iter().any(|other| server(&other.url) == server(&it.url));
    let own = own.into_iter().filter(|it| it.alias().is_none() || !is_spoken(it));
    own.chain(spoken.iter().cloned()).collect()
}

/// Returns whether a recorded URL has a name in the place of its host, which no network knows.
fn is_a_name(url: &str) -> bool {
    host(url).is_some_and(|host| is_name(host) && host != "localhost")
}
