//! Which server an address stands for.

use std::fmt;

/// A scheme the gateway can speak upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

/// A server: scheme, host and port, as RFC 6454 has it.
///
/// The host is in lower case and the scheme's own port is left out, so that two spellings of one server are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The scheme.
    pub(super) scheme: Scheme,
    /// The host, and the port where it is not the scheme's own.
    pub(super) authority: String,
}

/// Why a text is no URL of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// There is no `://`.
    NoScheme,
    /// The scheme is neither `http` nor `https`.
    Scheme(String),
    /// A user name or a password stands before the host, which is given here without them.
    UserInfo(String),
    /// There is no host.
    NoHost,
    /// The host is no name or number that can be looked up.
    Host(String),
    /// The port is no port.
    Port(String),
}

impl Origin {
    /// Splits a URL into its server and what follows: path, query and fragment.
    ///
    /// # Errors
    ///
    /// Fails where the URL names no server that the gateway can call.
    pub(super) fn split(url: &str) -> Result<(Origin, &str), Flaw> {
        let (scheme, after) = url.split_once("://").ok_or(Flaw::NoScheme)?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(Flaw::Scheme(scheme.to_owned())),
        };
        let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
        if let Some((_, host)) = authority.rsplit_once('@') {
            return Err(Flaw::UserInfo(host.to_owned()));
        }
        Ok((Origin { scheme, authority: normal_authority(scheme, authority)? }, rest))
    }

    /// Returns the server of this name, reached by the same scheme; `None` where it is no name.
    pub(super) fn under(&self, name: &str) -> Option<Origin> {
        let is_alias = !name.is_empty() && is_name(name);
        is_alias.then(|| Origin { scheme: self.scheme, authority: name.to_ascii_lowercase() })
    }

    /// Returns the host, an IPv6 address in brackets, and the port.
    pub(super) fn host_and_port(&self) -> (&str, u16) {
        let own = match self.scheme {
            Scheme::Http => 80,
            Scheme::Https => 443,
        };
        match self.authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().unwrap_or(own)),
            _ => (&self.authority, own),
        }
    }

    /// Returns the URL of this path at the server.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{self}{path}")
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        write!(f, "{scheme}://{}", self.authority)
    }
}

fn normal_authority(scheme: Scheme, authority: &str) -> Result<String, Flaw> {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    if host.is_empty() {
        return Err(Flaw::NoHost);
    }
    if !is_name(host) && !is_ipv6(host) {
        return Err(Flaw::Host(host.to_owned()));
    }
    let own = match scheme {
        Scheme::Http => 80,
        Scheme::Https => 443,
    };
    let host = host.to_ascii_lowercase();
    match port.parse::<u16>() {
        _ if port.is_empty() => Ok(host),
        Ok(0) | Err(_) => Err(Flaw::Port(port.to_owned())),
        Ok(number) if number == own => Ok(host),
        Ok(number) => Ok(format!("{host}:{number}")),
    }
}

fn is_name(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

fn is_ipv6(host: &str) -> bool {
    host.strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .is_some_and(|host| host.parse::<std::net::Ipv6Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{Flaw, Origin};

    #[track_caller]
    fn check(url: &str, expected: Result<(&str, &str), Flaw>) {
        let split = Origin::split(url).map(|(origin, rest)| (origin.to_string(), rest));
        assert_eq!(split, expected.map(|(origin, rest)| (origin.to_owned(), rest)));
    }

    #[test]
    fn two_spellings_of_one_server_are_equal() {
        check("HTTPS://API.OpenAI.com:443/v1/", Ok(("https://api.openai.com", "/v1/")));
        check("http://localhost:11434", Ok(("http://localhost:11434", "")));
        check("http://[::1]:80/a?b#c", Ok(("http://[::1]", "/a?b#c")));
        check("http://[::1]:8080", Ok(("http://[::1]:8080", "")));
        check("https://example.com?x", Ok(("https://example.com", "?x")));
        check("https://example.com:/x", Ok(("https://example.com", "/x")));
    }

    #[test]
    fn each_flaw_is_told_apart() {
        check("api.openai.com/v1", Err(Flaw::NoScheme));
        check("ws://a/", Err(Flaw::Scheme("ws".to_owned())));
        check("https://key:secret@a/", Err(Flaw::UserInfo("a".to_owned())));
        check("https:///v1", Err(Flaw::NoHost));
        check("https://:80/v1", Err(Flaw::NoHost));
        check("https://bücher.example", Err(Flaw::Host("bücher.example".to_owned())));
        check("https://[::1", Err(Flaw::Host("[:".to_owned())));
        check("https://a:99999", Err(Flaw::Port("99999".to_owned())));
        check("https://a:0", Err(Flaw::Port("0".to_owned())));
    }
}
