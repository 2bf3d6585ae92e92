//! Where this environment says that providers are to be found, where what is asked goes live.
//!
//! A replay does not hang on it: of what is asked there nothing goes anywhere.

use std::ops::Range;

use cassette_core::env;
use cassette_core::mode::Mode;
use cassette_test::_cli_support::KNOWN;

use super::upstream::{PROVIDERS, Upstream, server};
use crate::output::note;

/// An upstream that a variable names.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    variable: String,
    upstream: Upstream,
}

/// Returns the upstreams that the environment names and the command line does not, and says so: whoever set the variable has the keys of
/// that server, and none of it is to go to another one. These ports are the command's own.
pub(super) fn upstreams(mode: Option<Mode>, asked: &[Upstream], own: &Range<u16>) -> Vec<Upstream> {
    let mode = mode.or_else(|| Mode::parse(&env::var("CASSETTE_MODE")?).ok()).unwrap_or_default();
    if mode == Mode::Replay {
        return Vec::new();
    }
    let said = said(asked, own, env::var);
    for Said { variable, upstream } in &said {
        let Upstream { name, url } = upstream;
        note(&format!("{variable} is set, and {name} is found at {url}; --upstream {name}=<URL> goes over it"));
    }
    said.into_iter().map(|said| said.upstream).collect()
}

fn said(asked: &[Upstream], own: &Range<u16>, variable: impl Fn(&str) -> Option<String>) -> Vec<Said> {
    let taken: Vec<_> = asked.iter().flat_map(Upstream::variables).collect();
    let one = |name: &&str| {
        let known = Upstream { name: (*name).to_owned(), url: String::new() };
        // Of two variables the newer one stands last.
        let free = known.variables().into_iter().filter(|name| !taken.contains(name));
        free.rev().find_map(|name| {
            let url = variable(&name)?.trim_end_matches('/').to_owned();
            let upstream = Upstream { url, ..known.clone() };
            let is_url = upstream.url.starts_with("http://") || upstream.url.starts_with("https://");
            let is_its_own = KNOWN.iter().any(|(known, url)| *known == name && *url == upstream.url);
            (is_url && !is_its_own && !is_here(&upstream, own)).then_some(Said { variable: name, upstream })
        })
    };
    PROVIDERS.iter().filter_map(one).collect()
}

/// Returns whether an upstream is where the command itself listens: it would ask itself.
fn is_here(upstream: &Upstream, own: &Range<u16>) -> bool {
    let server = server(&upstream.url);
    let port = server.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    upstream.alias().is_some() && port.is_some_and(|port: u16| own.contains(&port))
}

#[cfg(test)]
mod tests {
    use super::{Upstream, said};

    fn check(variables: &[(&str, &str)], asked: &[&str], expected: &[&str]) {
        let asked: Vec<_> = asked.iter().map(|text| Upstream::read(text).unwrap()).collect();
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let found = said(&asked, &(4010..4016), variable);
        let found: Vec<_> =
            found.iter().map(|it| format!("{} {}={}", it.variable, it.upstream.name, it.upstream.url)).collect();
        assert_eq!(found, expected, "{variables:?}");
    }

    #[test]
    fn a_provider_is_where_its_variable_says_unless_something_else_is_said() {
        let router = ("OPENAI_BASE_URL", "https://router.example/v1/");
        let told = "OPENAI_BASE_URL openai=https://router.example/v1";
        check(&[router], &[], &[told]);
        check(&[router, ("OPENAI_API_BASE", "https://old.example/v1")], &[], &[told]);
        check(&[router], &["openai=https://other.example/v1"], &[]);
        check(&[("GOOGLE_GEMINI_BASE_URL", "https://router.example")], &["google=https://other.example"], &[]);
        check(&[router], &["anthropic=https://other.example"], &[told]);
        check(&[("OPENAI_BASE_URL", "https://api.openai.com/v1")], &[], &[]);
        for nothing in ["", "router.example", "0.0.0.0:11434"] {
            check(&[("OPENAI_BASE_URL", nothing), ("OLLAMA_HOST", nothing)], &[], &[]);
        }
    }

    #[test]
    fn nobody_asks_himself() {
        check(&[("OPENAI_BASE_URL", "http://127.0.0.1:4010/v1")], &[], &[]);
        check(&[("OPENAI_BASE_URL", "http://localhost:4015/v1")], &[], &[]);
        let model = ["OPENAI_BASE_URL openai=http://127.0.0.1:8000/v1"];
        check(&[("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")], &[], &model);
        check(
            &[("ANTHROPIC_BASE_URL", "https://router.example:4010")],
            &[],
            &["ANTHROPIC_BASE_URL anthropic=https://router.example:4010"],
        );
    }
}
