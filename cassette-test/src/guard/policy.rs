//! What a scope may reach.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

pub use cassette_core::policy::Strictness as Guard;

use super::Attempt;

/// What happens to a call that leads outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardMode {
    /// It fails at once and is kept: the test replays.
    Deny,
    /// It goes on and is kept: the test records. What is kept is exactly what [`GuardMode::Deny`] would refuse.
    Watch,
}

/// Is told of the first attempt of a scope, on the thread that made it, before the call goes on or fails.
///
/// No lock is held meanwhile. Its own use of the network is not judged, a panic of its own goes nowhere.
pub(crate) type OnAttempt = Arc<dyn Fn(&Attempt) + Send + Sync>;

/// What the threads of a scope may reach. Loopback and everything that is no internet address always pass.
#[derive(Clone)]
pub(crate) struct GuardPolicy {
    /// What happens to the rest.
    pub(crate) mode: GuardMode,
    /// Whose calls are judged.
    pub(crate) guard: Guard,
    /// Hosts that may be reached all the same: a name, a name's subdomains (`*.example.com` or `.example.com`), or an
    /// address. What a listed name was resolved to may be reached too.
    pub(crate) allow_hosts: Vec<String>,
    /// Ports of this machine that count as outside, because upstreams listen there, whatever loopback address they are asked under.
    /// This is stronger than `allow_hosts`.
    pub(crate) upstreams: Vec<u16>,
    /// The test for which it holds.
    pub(crate) test: Arc<str>,
    /// Returns the host of the proxy that stands at a port of this machine now, if one does: it counts as outside, unless that host
    /// is allowed. A program may name a proxy to itself while it runs.
    pub(crate) proxy_at: Option<fn(u16) -> Option<String>>,
    /// Is told of the first attempt, as long as the scope is open.
    pub(crate) on_attempt: Option<OnAttempt>,
}

impl GuardPolicy {
    /// Returns a policy without exceptions.
    pub(crate) fn new(mode: GuardMode) -> GuardPolicy {
        let (allow_hosts, upstreams) = (Vec::new(), Vec::new());
        let test = Arc::from("a test");
        GuardPolicy { mode, guard: Guard::Plain, allow_hosts, upstreams, test, proxy_at: None, on_attempt: None }
    }

    /// Whether this host name is one of the exceptions.
    pub(crate) fn allows_host(&self, host: &str) -> bool {
        let host = bare(host);
        self.allow_hosts.iter().any(|allowed| {
            let allowed = allowed.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(allowed);
            let allowed = bare(allowed);
            if allowed.starts_with('.') {
                host.len() > allowed.len() && host.ends_with(&allowed)
            } else {
                host == allowed
            }
        })
    }

    /// Whether this address is one of the exceptions.
    pub(super) fn allows_ip(&self, ip: IpAddr) -> bool {
        self.allow_hosts
            .iter()
            .filter_map(|allowed| allowed.parse::<IpAddr>().ok())
            .any(|allowed| allowed.to_canonical() == ip)
    }
}

impl fmt::Debug for GuardPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardPolicy")
            .field("mode", &self.mode)
            .field("guard", &self.guard)
            .field("allow_hosts", &self.allow_hosts)
            .field("upstreams", &self.upstreams)
            .finish_non_exhaustive()
    }
}

/// Whether a name stands for this machine whatever a name server says (RFC 6761, section 6.3).
pub(super) fn is_localhost(host: &str) -> bool {
    let host = bare(host);
    host == "localhost" || host.ends_with(".localhost")
}

/// Returns an address in the one form that is compared: IPv4 inside IPv6 as IPv4, and the unspecified address as
/// loopback, which is where the kernel takes it to.
pub(super) fn canonical(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip().to_canonical() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Whether two texts are one host name.
pub(super) fn names_alike(a: &str, b: &str) -> bool {
    bare(a) == bare(b)
}

/// Returns a host name as names are compared.
fn bare(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(allowed: &str) -> GuardPolicy {
        GuardPolicy { allow_hosts: vec![allowed.to_owned()], ..GuardPolicy::new(GuardMode::Deny) }
    }

    #[track_caller]
    fn host(allowed: &str, host: &str, expected: bool) {
        assert_eq!(policy(allowed).allows_host(host), expected, "{allowed} for {host}");
    }

    #[track_caller]
    fn ip(allowed: &str, ip: &str, expected: bool) {
        let ip = ip.parse::<IpAddr>().unwrap().to_canonical();
        assert_eq!(policy(allowed).allows_ip(ip), expected, "{allowed} for {ip}");
    }

    #[test]
    fn a_host_is_allowed_by_its_name_or_by_what_it_is_under() {
        host("db.example", "db.example", true);
        host("DB.example.", "db.EXAMPLE", true);
        host("db.example", "db.example.", true);
        host("db.example", "a.db.example", false);
        host("db.example", "xdb.example", false);
        for under in ["*.db.example", ".db.example"] {
            host(under, "a.db.example", true);
            host(under, "a.b.DB.example.", true);
            host(under, "db.example", false);
            host(under, "xdb.example", false);
            host(under, ".db.example", false);
        }
        host("*", "db.example", false);
        host("", "db.example", false);
    }

    #[test]
    fn an_address_is_allowed_however_it_is_written() {
        ip("10.0.0.5", "10.0.0.5", true);
        ip("10.0.0.5", "::ffff:10.0.0.5", true);
        ip("::ffff:10.0.0.5", "10.0.0.5", true);
        ip("fd00::1", "fd00:0::1", true);
        ip("10.0.0.5", "10.0.0.6", false);
    }

    #[test]
    fn localhost_is_known_by_name() {
        for (host, expected) in [
            ("localhost", true),
            ("LOCALHOST.", true),
            ("app.localhost", true),
            ("notlocalhost", false),
            ("localhost.example", false),
        ] {
            assert_eq!(is_localhost(host), expected, "{host}");
        }
    }
}
