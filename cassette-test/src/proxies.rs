//! The proxies that the environment names.

use std::net::IpAddr;

use crate::authority::{Authority, authority};

const VARIABLES: [&str; 8] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "grpc_proxy", "GRPC_PROXY"];

/// A proxy, by the variable that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) variable: &'static str,
    /// Its host, an IPv6 address without its brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Proxy {
    /// Returns whether it stands on this machine.
    pub(crate) fn is_here(&self) -> bool {
        let host = self.host.to_ascii_lowercase();
        match host.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(address) => address.is_loopback() || address.is_unspecified(),
            Err(_) => host == "localhost" || host.ends_with(".localhost") || is_here_in_short(&host),
        }
    }
}

/// Returns whether this is an address of this machine as only inet_aton(3) takes it: `127.1`, `0x7f000001`, `0`.
fn is_here_in_short(host: &str) -> bool {
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if word.len() > 1 && word.starts_with('0') => u32::from_str_radix(word, 8).ok(),
        None => word.parse().ok(),
    };
    let numbers: Option<Vec<u32>> = host.split('.').map(number).collect();
    match numbers.as_deref() {
        Some([all]) => *all == 0 || all >> 24 == 127,
        Some([first, ..]) => *first == 127,
        _ => false,
    }
}

/// Returns the proxies that the environment names now.
pub(crate) fn proxies() -> Vec<Proxy> {
    let named = |variable: &&'static str| parsed(variable, &cassette_core::env::var(variable)?);
    VARIABLES.iter().filter_map(named).collect()
}

/// Returns the host of the proxy on this machine that the environment names now, at this port.
pub(crate) fn proxy_at(port: u16) -> Option<String> {
    proxies().into_iter().find(|proxy| proxy.port == port && proxy.is_here()).map(|proxy| proxy.host)
}

fn parsed(variable: &'static str, url: &str) -> Option<Proxy> {
    let Authority { scheme, host, port } = authority(url)?;
    let usual = match scheme {
        Some(scheme) if scheme.starts_with("socks") => 1080,
        Some("https") => 443,
        _ => 80,
    };
    let port = port.map_or(Ok(usual), str::parse).ok()?;
    Some(Proxy { variable, host: host.to_owned(), port })
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn a_proxy_is_found_in_whatever_stands_for_its_url() {
        for (url, expected) in [
            ("http://127.0.0.1:8080", Some(("127.0.0.1", 8080, true))),
            ("http://[::1]:8080/", Some(("::1", 8080, true))),
            ("localhost:3128", Some(("localhost", 3128, true))),
            ("proxy.example:3128", Some(("proxy.example", 3128, false))),
            ("http://joe:word@proxy.example", Some(("proxy.example", 80, false))),
            ("https://proxy.example/x", Some(("proxy.example", 443, false))),
            ("socks5h://127.0.0.1", Some(("127.0.0.1", 1080, true))),
            ("http://0.0.0.0:8080", Some(("0.0.0.0", 8080, true))),
            ("http://127.1:8080", Some(("127.1", 8080, true))),
            ("http://0x7f000001:8080", Some(("0x7f000001", 8080, true))),
            ("http://0177.0.0.1:8080", Some(("0177.0.0.1", 8080, true))),
            ("http://0:8080", Some(("0", 8080, true))),
            ("http://10.1:8080", Some(("10.1", 8080, false))),
            ("http://127.0.0.1:many", None),
            ("", None),
        ] {
            let found = parsed("http_proxy", url);
            let told = found.as_ref().map(|found| (found.host.as_str(), found.port, found.is_here()));
            assert_eq!(told, expected, "{url}");
        }
    }
}
