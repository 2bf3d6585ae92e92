//! Whom a URL names.

/// The server that a URL names, in the URL's own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Authority<'a> {
    /// The scheme; `None` where the text begins with the host, as the variables of proxies may.
    pub(crate) scheme: Option<&'a str>,
    /// The host, an IPv6 address without its brackets.
    pub(crate) host: &'a str,
    /// What stands for the port, if anything does.
    pub(crate) port: Option<&'a str>,
}

/// Returns whom this URL names, whoever the user is that it names before; `None` where it names nobody.
pub(crate) fn authority(url: &str) -> Option<Authority<'_>> {
    let (scheme, after) = url.split_once("://").map_or((None, url), |(scheme, after)| (Some(scheme), after));
    let named = after.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let (host, port) = match named.strip_prefix('[') {
        Some(address) => address.split_once(']').map(|(host, port)| (host, port.strip_prefix(':')))?,
        None => named.split_once(':').map_or((named, None), |(host, port)| (host, Some(port))),
    };
    (!host.is_empty()).then_some(Authority { scheme, host, port: port.filter(|port| !port.is_empty()) })
}

#[cfg(test)]
mod tests {
    use super::{Authority, authority};

    #[test]
    fn a_server_is_found_in_whatever_stands_for_its_url() {
        for (url, expected) in [
            ("https://api.openai.com/v1?a#b", Some((Some("https"), "api.openai.com", None))),
            ("http://127.0.0.1:8080", Some((Some("http"), "127.0.0.1", Some("8080")))),
            ("http://[::1]:8080/", Some((Some("http"), "::1", Some("8080")))),
            ("http://[fe80::1%25en0]", Some((Some("http"), "fe80::1%25en0", None))),
            ("[::1]", Some((None, "::1", None))),
            ("http://[::1", None),
            ("localhost:3128", Some((None, "localhost", Some("3128")))),
            ("http://joe:word@proxy.example:3128?x", Some((Some("http"), "proxy.example", Some("3128")))),
            ("http://joe:p@ss@[::1]:1", Some((Some("http"), "::1", Some("1")))),
            ("http://example.com:", Some((Some("http"), "example.com", None))),
            ("http://127.0.0.1:many", Some((Some("http"), "127.0.0.1", Some("many")))),
            ("https:///v1", None),
            ("http://joe@", None),
            (":80", None),
            ("", None),
        ] {
            let expected = expected.map(|(scheme, host, port)| Authority { scheme, host, port });
            assert_eq!(authority(url), expected, "{url}");
        }
    }
}
