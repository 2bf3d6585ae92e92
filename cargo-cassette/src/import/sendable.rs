//! What can be asked and answered over HTTP. Of anything else a replay would serve a part, or nobody could ask for it.

use std::net::Ipv6Addr;

use cassette_core::call::Header;
use cassette_core::reply::{Outcome, Reply};

use super::imported::{Exchange, Fault};

/// Returns the exchange that was asked by this method, as it is.
///
/// # Errors
///
/// Fails where no client can ask so, or no server can answer so.
pub(super) fn checked(method: &str, exchange: Exchange) -> Result<Exchange, Fault> {
    let against = |exchange: &Exchange| -> Option<String> {
        if !is_token(method) {
            return Some(format!("`{}` is no method (RFC 9110, section 9.1)", method.escape_debug()));
        }
        let url = exchange.call.name.strip_prefix(method).unwrap_or_default().trim_start();
        let asked = address(url).map(|what| format!("`{}` {what}", url.escape_debug()));
        asked.or_else(|| unsendable(&exchange.call.headers)).or_else(|| match &exchange.reply {
            Outcome::Reply(reply) => unsendable(&reply.headers).or_else(|| unsendable(&reply.trailers)),
            _ => None,
        })
    };
    match against(&exchange) {
        Some(reason) => Err(Fault { line: exchange.line, reason }),
        None => Ok(exchange),
    }
}

/// Returns what is wrong with an absolute address; `None` where a client can ask there.
fn address(url: &str) -> Option<&'static str> {
    let Some((scheme, rest)) = url.split_once("://") else { return Some("is no address") };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Some("is no address of HTTP");
    }
    let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let named = server.rsplit('@').next().unwrap_or_default();
    let (host, port) = match named.strip_prefix('[').and_then(|address| address.split_once(']')) {
        Some((address, "")) if address.parse::<Ipv6Addr>().is_ok() => (address, None),
        Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => {
            (address, Some(port.strip_prefix(':').unwrap_or("?")))
        }
        Some(_) => ("", None),
        None => named.split_once(':').map_or((named, None), |(host, port)| (host, Some(port))),
    };
    let is_number = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |port: &str| port.is_empty() || is_number(port) && port.parse::<u16>().is_ok_and(|port| port > 0);
    match () {
        () if host.is_empty() => Some("names no host"),
        () if !server.bytes().all(is_in_server) => Some("names no host that can be asked"),
        () if !port.is_none_or(is_port) => Some("names no port"),
        () if !rest.bytes().all(|byte| byte.is_ascii_graphic()) => Some("is no address that can be sent"),
        () => None,
    }
}

/// Returns whether a byte may stand between an address's scheme and its path (RFC 3986, section 3.2).
fn is_in_server(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:@[]".contains(&byte)
}

/// Returns what no server can answer to this method. A cassette that was exported has what its client was given all the same.
pub(super) fn unanswerable(method: &str, reply: &Reply) -> Option<String> {
    let status = reply.status;
    let bodiless = match status {
        100..200 => return Some(format!("{status} is no reply, but comes before one (RFC 9110, section 15.2)")),
        204 | 304 => Some(format!("a reply of status {status}")),
        _ if method == "HEAD" => Some("a reply to HEAD".to_owned()),
        _ => None,
    };
    let has_body = reply.chunks.iter().any(|chunk| !chunk.bytes.is_empty());
    bodiless.filter(|_| has_body).map(|what| format!("{what} has no body, and here is one"))
}

/// Returns what cannot be sent of these headers. The value is not told: it may be a credential.
fn unsendable(headers: &[Header]) -> Option<String> {
    headers.iter().find_map(|(name, value)| match () {
        () if !is_token(name) => Some(format!("`{}` is no header's name (RFC 9110, section 5.1)", name.escape_debug())),
        () if !value.chars().all(is_in_value) => Some(format!("the header `{name}` has a value that cannot be sent")),
        () => None,
    })
}

/// Returns whether a character may stand in a header's value, in which each stands for a byte (RFC 9110, section 5.5).
fn is_in_value(c: char) -> bool {
    c == '\t' || (u32::from(c) < 256 && !c.is_ascii_control())
}

/// Returns whether it is a token (RFC 9110, section 5.6.2).
fn is_token(text: &str) -> bool {
    let is_in_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_in_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Option<&str>) {
        assert_eq!(address(url), expected, "{url}");
    }

    #[test]
    fn an_address_is_one_at_which_a_client_can_ask() {
        for url in [
            "https://a.test/x?y",
            "http://openai/v1",
            "HTTP://127.0.0.1:8080/",
            "http://[::1]:1/",
            "https://a_b.test:/",
            "http://joe:word@a.test/x@y:z",
            "http://%C3%BC.test/",
        ] {
            check(url, None);
        }
        check("file:///etc/passwd", Some("is no address of HTTP"));
        check("wss://a.test/s", Some("is no address of HTTP"));
        check("ST https://a.test/", Some("is no address of HTTP"));
        check("data:text/plain,x", Some("is no address"));
        check("https:///x", Some("names no host"));
        check("https://joe@/x", Some("names no host"));
        check("https://:80/x", Some("names no host"));
        check("https://[::z]/x", Some("names no host"));
        check("https://a b.test/x", Some("names no host that can be asked"));
        check("https://\u{fc}.test/x", Some("names no host that can be asked"));
        check("https://<host>/x", Some("names no host that can be asked"));
        check("https://a.test:99999/x", Some("names no port"));
        check("https://a.test:0/x", Some("names no port"));
        check("https://a.test:+80/x", Some("names no port"));
        check("https://a.test:8:0/x", Some("names no port"));
        check("https://[::1]80/x", Some("names no port"));
        check("https://[::1/x", Some("names no port"));
        check("https://a.test/a b", Some("is no address that can be sent"));
        check("https://a.test/\u{fc}", Some("is no address that can be sent"));
    }

    #[test]
    fn a_header_is_one_that_a_server_can_send() {
        let check = |name: &str, value: &str| unsendable(&[(name.to_owned(), value.to_owned())]).is_none();
        assert!(check("x-a", "") && check("x_a!", "a\tb \u{fc}"));
        for (name, value) in [("", "a"), ("x a", "a"), ("x\ny", "a"), ("x:", "a"), ("\u{fc}", "a")] {
            assert!(!check(name, value), "{name:?}");
        }
        for value in ["a\r\nb: c", "a\nb", "a\0", "\u{7f}", "\u{20ac}"] {
            assert!(!check("x-a", value), "{value:?}");
        }
    }
}
