//! The address a test names: what makes a base URL, and what is said of a text that is none.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use cassette_core::report::Wiring;

use super::origin::{Flaw, Origin};

/// Splits a base URL into its server and its path, the path just as it was given.
///
/// # Errors
///
/// Fails for a text that is no base URL, with a report that never repeats what may be a secret: user info, query and
/// fragment.
pub(super) fn parse(url: &str) -> Result<(Origin, &str), Wiring> {
    let (origin, rest) = Origin::split(url).map_err(|flaw| report(url, flaw))?;
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let shown = origin.url(path);
    match rest[path.len()..].chars().next() {
        Some('?') => Err(Wiring::new(
            format!("`{shown}` is no base URL: a query follows it"),
            format!("give `{shown}`, and add the query where the request is made"),
        )),
        Some(_) => Err(Wiring::new(
            format!("`{shown}` is no base URL: a fragment follows it"),
            format!("give `{shown}`; a fragment is never sent to a server"),
        )),
        None => Ok((origin, path)),
    }
}

/// Returns an absolute URL with its server spelled as it is recorded, and without a fragment, which is never sent.
///
/// # Errors
///
/// Fails for a URL that names no HTTP server.
#[cfg(feature = "_adapters")]
pub(crate) fn spelled(url: &str) -> Result<String, Wiring> {
    let url = url.split('#').next().unwrap_or_default();
    let (origin, rest) = Origin::split(url).map_err(|flaw| report(url, flaw))?;
    Ok(origin.url(if rest.is_empty() { "/" } else { rest }))
}

/// Returns what a server is called under this alias.
///
/// # Errors
///
/// Fails for an alias that is no name of a host.
pub(super) fn alias(alias: &str, upstream: &Origin) -> Result<Origin, Wiring> {
    upstream.under(alias).ok_or_else(|| {
        // The address may stand in the alias's place, and a secret in the address.
        let shown = alias.rsplit('@').next().unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
        Wiring::new(
            format!("`{shown}` is no alias of an upstream"),
            "an alias is written as a host is, without a port: `models`, `models.local`",
        )
    })
}

/// Returns the server of a base URL as its calls are recorded, under an alias or its own name.
pub(crate) fn name(alias: Option<&str>, url: &str) -> Option<String> {
    let (upstream, _) = Origin::split(url).ok()?;
    let name = match alias {
        Some(alias) => upstream.under(alias)?,
        None => upstream,
    };
    Some(name.url(""))
}

/// Returns the addresses of a base URL's server where it is on this machine: a local model server is not to be reached
/// round the gateway either.
pub(crate) fn loopback(url: &str) -> Vec<SocketAddr> {
    let Ok((origin, _)) = Origin::split(url) else { return Vec::new() };
    let (host, port) = origin.host_and_port();
    let hosts = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) if host == "localhost" => vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)],
        Err(_) => Vec::new(),
    };
    hosts.into_iter().filter(IpAddr::is_loopback).map(|host| SocketAddr::new(host, port)).collect()
}

fn report(url: &str, flaw: Flaw) -> Wiring {
    // What stands before an `@` is a password sooner than anything else, however the text is mangled.
    let flaw = match url.rsplit_once('@') {
        Some((_, after)) => Flaw::UserInfo(after.split(['/', '?', '#']).next().unwrap_or_default().to_owned()),
        None => flaw,
    };
    if url.is_empty() {
        let what = "the base URL is empty";
        return Wiring::new(
            what,
            "name the upstream, as in `https://api.openai.com/v1`; a variable that it comes from may not be set",
        );
    }
    let shown = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    match flaw {
        Flaw::NoScheme => {
            let scheme = if loopback(&format!("http://{shown}")).is_empty() { "https" } else { "http" };
            Wiring::new(format!("`{shown}` is no base URL: it has no scheme"), format!("write `{scheme}://{shown}`"))
        }
        Flaw::Scheme(scheme) => Wiring::new(
            format!("`{shown}` is no base URL: its scheme is `{scheme}`"),
            match scheme.to_ascii_lowercase().as_str() {
                "ws" | "wss" => "WebSocket is not supported yet; the gateway stands for `http` and `https`",
                _ => "the gateway stands for `http` and `https`",
            },
        ),
        Flaw::UserInfo(host) => Wiring::new(
            format!("the base URL of `{host}` holds a user name or a password"),
            "leave it out, and send it in a header, where it is redacted",
        ),
        Flaw::NoHost => Wiring::new(
            format!("`{shown}` is no base URL: its host is empty"),
            "name the host, as in `https://api.openai.com/v1`",
        ),
        Flaw::Host(host) => Wiring::new(
            format!("`{shown}` is no base URL: `{host}` is no host"),
            "write the host in ASCII, an international name in its `xn--` form, an IPv6 address in brackets",
        ),
        Flaw::Port(port) => {
            Wiring::new(format!("`{shown}` is no base URL: `{port}` is no port"), "a port is a number from 1 to 65535")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{loopback, parse};

    #[test]
    fn a_server_on_this_machine_is_known() {
        let shown = |url: &str| loopback(url).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(shown("http://127.0.0.1:11434/v1"), ["127.0.0.1:11434"]);
        assert_eq!(shown("https://localhost"), ["127.0.0.1:443", "[::1]:443"]);
        assert_eq!(shown("http://[::1]:80"), ["[::1]:80"]);
        assert_eq!(shown("https://api.openai.com/v1"), [""; 0]);
    }

    #[track_caller]
    fn check(url: &str, expected: &str) {
        let text = match parse(url) {
            Ok((origin, path)) => format!("{origin} and {path:?}"),
            Err(report) => report.to_string(),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn a_path_is_kept_as_it_was_given() {
        check("https://api.openai.com/v1", r#"https://api.openai.com and "/v1""#);
        check("https://api.openai.com/v1/", r#"https://api.openai.com and "/v1/""#);
        check("http://localhost:11434", r#"http://localhost:11434 and """#);
    }

    #[test]
    fn what_is_no_base_url_is_told_why() {
        check(
            "",
            "the base URL is empty\n\
             help: name the upstream, as in `https://api.openai.com/v1`; a variable that it comes from may not be set",
        );
        check(
            "api.openai.com/v1",
            "`api.openai.com/v1` is no base URL: it has no scheme\nhelp: write `https://api.openai.com/v1`",
        );
        check(
            "localhost:11434/v1",
            "`localhost:11434/v1` is no base URL: it has no scheme\nhelp: write `http://localhost:11434/v1`",
        );
        check(
            "ftp://example.com",
            "`ftp://example.com` is no base URL: its scheme is `ftp`\nhelp: the gateway stands for `http` and `https`",
        );
        check(
            "wss://api.openai.com/v1/realtime",
            "`wss://api.openai.com/v1/realtime` is no base URL: its scheme is `wss`\n\
             help: WebSocket is not supported yet; the gateway stands for `http` and `https`",
        );
        check(
            "https://joe:hunter2@example.com/v1",
            "the base URL of `example.com` holds a user name or a password\n\
             help: leave it out, and send it in a header, where it is redacted",
        );
        for mangled in
            ["joe:hunter2@example.com/v1", "ftp://joe:hunter2@example.com", "https://joe:hun?ter2@example.com/v1"]
        {
            check(
                mangled,
                "the base URL of `example.com` holds a user name or a password\n\
                 help: leave it out, and send it in a header, where it is redacted",
            );
        }
        check(
            "https://example.com/v1?key=hunter2",
            "`https://example.com/v1` is no base URL: a query follows it\n\
             help: give `https://example.com/v1`, and add the query where the request is made",
        );
        check(
            "https://example.com/v1#top",
            "`https://example.com/v1` is no base URL: a fragment follows it\n\
             help: give `https://example.com/v1`; a fragment is never sent to a server",
        );
        check(
            "https:///v1",
            "`https:///v1` is no base URL: its host is empty\n\
             help: name the host, as in `https://api.openai.com/v1`",
        );
        check(
            "https://a b/v1",
            "`https://a b/v1` is no base URL: `a b` is no host\n\
             help: write the host in ASCII, an international name in its `xn--` form, an IPv6 address in brackets",
        );
        check(
            "https://example.com:http/",
            "`https://example.com:http/` is no base URL: `http` is no port\n\
             help: a port is a number from 1 to 65535",
        );
    }
}
