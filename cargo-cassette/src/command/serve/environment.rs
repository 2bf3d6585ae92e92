//! Where this environment says that providers are to be found, where what is asked goes live.
//!
//! A replay does not hang on it: of what is asked there nothing goes anywhere.

use std::ops::Range;

use cassette_core::env;
use cassette_core::mode::Mode;
use cassette_test::_cli_support::KNOWN;

use super::ServeError;
use super::upstream::{PROVIDERS, Upstream, server};
use crate::output::note;

/// The variable that may hold no URL: `0.0.0.0:11434`.
const LISTENS: &str = "OLLAMA_HOST";

/// An upstream that a variable names.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    variable: String,
    upstream: Upstream,
}

/// Returns the upstreams that the environment names and the command line does not, and says so: whoever set the variable has the keys of
/// that server, and none of it is to go to another one. These ports are the command's own.
///
/// # Errors
///
/// Fails where a variable names no address: what is asked would go to the provider.
pub(super) fn upstreams(mode: Option<Mode>, asked: &[Upstream], own: &Range<u16>) -> Result<Vec<Upstream>, ServeError> {
    let mode = mode.or_else(|| Mode::parse(&env::var("CASSETTE_MODE")?).ok()).unwrap_or_default();
    if mode == Mode::Replay {
        return Ok(Vec::new());
    }
    let said = said(asked, own, env::var).map_err(ServeError::Variable)?;
    for Said { variable, upstream } in &said {
        let Upstream { name, url } = upstream;
        note(&format!("{variable} is set, and {name} is found at {url}; --upstream {name}=<URL> goes over it"));
    }
    Ok(said.into_iter().map(|said| said.upstream).collect())
}

/// Returns what the variables say, or the name of one that says no address.
fn said(asked: &[Upstream], own: &Range<u16>, variable: impl Fn(&str) -> Option<String>) -> Result<Vec<Said>, String> {
    let taken: Vec<_> = asked.iter().flat_map(Upstream::variables).collect();
    let mut said = Vec::new();
    for provider in PROVIDERS {
        let known = Upstream { name: provider.to_owned(), url: String::new() };
        // Of two variables the newer one stands last.
        for name in known.variables().into_iter().filter(|name| !taken.contains(name)).rev() {
            let Some(value) = variable(&name).filter(|value| !value.trim().is_empty()) else { continue };
            let Some(url) = address(&value) else {
                // A server of this machine's is told by it where to listen, too.
                if name == LISTENS {
                    continue;
                }
                return Err(name);
            };
            let upstream = Upstream { url, ..known.clone() };
            let is_its_own = KNOWN.iter().any(|(known, url)| *known == name && *url == upstream.url);
            if !is_its_own && !is_here(&upstream, own) {
                said.push(Said { variable: name, upstream });
                break;
            }
        }
    }
    Ok(said)
}

/// Returns the address that a value is, without what is no part of it: white space around it, and a slash at its end.
fn address(value: &str) -> Option<String> {
    let (scheme, rest) = value.trim().split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let is_url =
        ["http", "https"].contains(&scheme.as_str()) && rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    is_url.then(|| format!("{scheme}://{}", rest.trim_end_matches('/')))
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
        let found = said(&asked, &(4010..4016), variable).unwrap();
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
        for nothing in ["", " "] {
            check(&[("OPENAI_BASE_URL", nothing), ("OLLAMA_HOST", nothing)], &[], &[]);
        }
        check(&[("OLLAMA_HOST", "0.0.0.0:11434")], &[], &[]);
        check(&[("OPENAI_BASE_URL", " HTTPS://router.example/v1/\n")], &[], &[told]);
    }

    #[test]
    fn what_is_no_address_sends_nothing_to_the_provider() {
        for wrong in [
            "router.example",
            "localhost:8000/v1",
            "\"http://router.example\"",
            "<URL>",
            "ftp://router.example",
            "http://",
        ] {
            let variable = |name: &str| (name == "OPENAI_BASE_URL").then(|| wrong.to_owned());
            assert_eq!(said(&[], &(0..0), variable).unwrap_err(), "OPENAI_BASE_URL", "{wrong}");
            let asked = [Upstream::read("openai=https://other.example/v1").unwrap()];
            assert_eq!(said(&asked, &(0..0), variable), Ok(Vec::new()), "{wrong}");
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
