//! Headers that name a server, on their way through the gateway.

use super::listeners::Listeners;
use super::origin::Origin;
use cassette_core::call::Header;

/// Puts the upstream's name where the client wrote the gateway's.
pub(super) fn name_upstream(headers: &mut [Header], listeners: &Listeners) {
    rename(headers, |authority| listeners.origin(authority));
}

/// Puts the upstream's own address where its alias stands: nobody but the test knows the alias.
#[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays calls none"))]
pub(super) fn unalias(headers: &mut [Header], alias: &Origin, upstream: &Origin) {
    rename(headers, |authority| (authority == alias.authority).then(|| upstream.clone()));
}

/// Puts an alias where a `Location` names the upstream behind it: the next run knows it by that name alone.
#[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays calls none"))]
pub(super) fn alias_location(headers: &mut [Header], from: &Origin, listeners: &Listeners) {
    for (_, value) in headers.iter_mut().filter(|(name, _)| name == "location") {
        let alias = absolute(value, from).and_then(|(to, rest)| Some(listeners.alias(&to, from)?.url(&rest)));
        if let Some(alias) = alias {
            *value = alias;
        }
    }
}

/// Puts another server's name where a header names this one, as it does in these three.
fn rename(headers: &mut [Header], to: impl Fn(&str) -> Option<Origin>) {
    for (name, value) in headers {
        let renamed = match name.as_str() {
            "host" => to(value).map(|origin| origin.authority),
            "origin" | "referer" => {
                Origin::split(value).ok().and_then(|(old, rest)| Some(to(&old.authority)?.url(rest)))
            }
            _ => None,
        };
        if let Some(renamed) = renamed {
            *value = renamed;
        }
    }
}

/// Returns where a `Location` leads when the client follows it: an absolute one to the gateway of its server.
///
/// It is `None` where the value stays as it is: a relative one, which the client resolves against the gateway itself, or one
/// that leads to no HTTP server.
pub(super) fn location(value: &str, from: &Origin, listeners: &Listeners) -> Option<String> {
    let (origin, rest) = absolute(value, from)?;
    let address = listeners.address(&origin, &origin).ok()?;
    Some(format!("http://{address}{rest}"))
}

/// Returns the server and the rest of a `Location` that names one.
fn absolute(value: &str, from: &Origin) -> Option<(Origin, String)> {
    let absolute = match value.strip_prefix("//") {
        Some(_) => format!("{}:{value}", from.to_string().split(':').next().unwrap_or_default()),
        None => value.to_owned(),
    };
    let (origin, rest) = Origin::split(&absolute).ok()?;
    Some((origin, rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use cassette_core::call::Header;
    use tokio::sync::mpsc::unbounded_channel;

    #[cfg(feature = "record")]
    use super::{alias_location, unalias};
    use super::{location, name_upstream};
    use crate::gateway::listeners::Listeners;
    use crate::gateway::origin::Origin;

    fn pairs(headers: &[(&str, &str)]) -> Vec<Header> {
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_gateway_is_named_nowhere() {
        let (sender, _orders) = unbounded_channel();
        let listeners = Listeners::new(sender);
        let origin = Origin::split("https://api.openai.com").unwrap().0;
        let address = listeners.address(&origin, &origin).unwrap();
        let port = address.port();
        let mut headers = pairs(&[
            ("host", &format!("127.0.0.1:{port}")),
            ("origin", &format!("http://localhost:{port}")),
            ("referer", &format!("http://127.0.0.1:{port}/a?b")),
            ("x-other", &format!("http://127.0.0.1:{port}/a?b")),
        ]);
        name_upstream(&mut headers, &listeners);
        let expected = [
            ("host", "api.openai.com"),
            ("origin", "https://api.openai.com"),
            ("referer", "https://api.openai.com/a?b"),
            ("x-other", &format!("http://127.0.0.1:{port}/a?b")),
        ];
        assert_eq!(headers, pairs(&expected));
        let mut others = pairs(&[("host", "example.com"), ("referer", "https://example.com/"), ("origin", "null")]);
        name_upstream(&mut others, &listeners);
        assert_eq!(others, pairs(&[("host", "example.com"), ("referer", "https://example.com/"), ("origin", "null")]));
        let lead = |value| location(value, &origin, &listeners);
        assert_eq!(lead("https://api.openai.com/x#y"), Some(format!("http://{address}/x#y")));
        assert_eq!(lead("//api.openai.com/x"), Some(format!("http://{address}/x")));
        assert_eq!(lead("/x"), None);
        assert_eq!(lead("mailto:a@b"), None);
        assert_ne!(lead("https://other.example/x"), None);
    }

    #[cfg(feature = "record")]
    #[test]
    fn an_alias_stands_in_the_recording_and_the_address_upstream() {
        let (sender, _orders) = unbounded_channel();
        let listeners = Listeners::new(sender);
        let split = |url| Origin::split(url).unwrap().0;
        let (one, other, upstream) = (split("http://models"), split("http://others"), split("http://127.0.0.1:9"));
        listeners.address(&other, &upstream).unwrap();
        let address = listeners.address(&one, &upstream).unwrap();
        let mut headers = pairs(&[("host", "models"), ("referer", "http://models/a"), ("origin", "http://else")]);
        unalias(&mut headers, &one, &upstream);
        let expected = [("host", "127.0.0.1:9"), ("referer", "http://127.0.0.1:9/a"), ("origin", "http://else")];
        assert_eq!(headers, pairs(&expected));
        let aliased = |value: &str, from: &Origin| {
            let mut headers = pairs(&[("location", value)]);
            alias_location(&mut headers, from, &listeners);
            headers.remove(0).1
        };
        assert_eq!(aliased("http://127.0.0.1:9/b?c", &one), "http://models/b?c");
        assert_eq!(aliased("//127.0.0.1:9/b", &other), "http://others/b");
        assert_eq!(aliased("http://127.0.0.1:9/b", &split("http://third")), "http://others/b");
        assert_eq!(aliased("http://127.0.0.1:9/b", &upstream), "http://127.0.0.1:9/b");
        assert_eq!(aliased("/b", &one), "/b");
        assert_eq!(location("http://models/b", &one, &listeners), Some(format!("http://{address}/b")));
    }
}
