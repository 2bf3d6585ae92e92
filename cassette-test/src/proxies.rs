//! The proxies that the environment names.

use std::net::IpAddr;

use crate::authority::{Authority, authority};

const VARIABLES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

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
        let address = self.host.parse::<IpAddr>();
        address.map_or(self.host.eq_ignore_ascii_case("localhost"), |address| address.to_canonical().is_loopback())
    }
}

/// Returns the proxies that the environment names now.
pub(crate) fn proxies() -> Vec<Proxy> {
    let named = |variable: &&'static str| parsed(variable, &cassette_core::env::var(variable)?);
    VARIABLES.iter().filter_map(named).collect()
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
            ("http://127.0.0.1:many", None),
            ("", None),
        ] {
            let found = parsed("http_proxy", url);
            let told = found.as_ref().map(|found| (found.host.as_str(), found.port, found.is_here()));
            assert_eq!(told, expected, "{url}");
        }
    }
}
