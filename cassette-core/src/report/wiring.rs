//! Reports about how program, harness and network are put together.

use std::fmt;
use std::net::IpAddr;

use super::{Place, asked, help};

/// The program waits for more of a stream than was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncated {
    /// The cassette's name.
    pub cassette: String,
    /// The recording's position in the file, from 1.
    pub interaction: usize,
    /// Its name.
    pub name: String,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// How many events, or chunks where there are no events, were recorded and served.
    pub events: usize,
    /// What to do.
    pub help: String,
}

impl Truncated {
    /// Returns the report of a recording that ended at `place` after so many events.
    pub fn new(cassette: &str, place: Place, events: usize, help: impl Into<String>) -> Truncated {
        let Place { interaction, name, asks } = place;
        Truncated { cassette: cassette.to_owned(), interaction, name, asks, events, help: help.into() }
    }
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Truncated { cassette, interaction, name, events, .. } = self;
        write!(f, "interaction {interaction} of `{cassette}`, {name}, was recorded up to event {events}")?;
        f.write_str(", where the program stopped reading; now it waits for more")?;
        asked(f, &self.asks)?;
        help(f, &self.help)
    }
}

/// The harness is put together wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wiring {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Wiring {
    /// Returns a report of this text.
    pub fn new(what: impl Into<String>, help: impl Into<String>) -> Wiring {
        Wiring { what: what.into(), help: help.into() }
    }
}

impl fmt::Display for Wiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        help(f, &self.help)
    }
}

/// A connection went round every seam.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Blocked {
    /// The cassette's name.
    pub cassette: String,
    /// The host and port, or what is known of them.
    pub host: String,
    /// The thread that tried.
    pub thread: String,
    /// The process that it is of, where that is another one than the test's: its number and its program.
    pub process: Option<String>,
    /// The variable that names the host as a proxy, where one does.
    pub proxy: Option<String>,
    /// The test that made the thread, where it has ended: nobody knows for which one it tried.
    pub late: Option<String>,
    /// What to do.
    pub help: String,
}

impl Blocked {
    /// Returns the report of a connection to `host` that was tried in this thread. One on this machine is an upstream of the
    /// cassette: others are not blocked.
    pub fn new(cassette: &str, host: &str, thread: &str) -> Blocked {
        let scheme = if is_loopback(host) || host.ends_with(":80") { "http" } else { "https" };
        // Where it was to go is not known well enough to be typed.
        let url = if is_host(host) { format!("\"{scheme}://{host}\"") } else { "..".to_owned() };
        let through = format!("send this call through the cassette: `cassette.base_url({url})`");
        let help = if is_loopback(host) || !is_host(host) {
            through
        } else {
            format!("{through}, or name the host in `allow_hosts`")
        };
        let (process, proxy, late) = (None, None, None);
        Blocked {
            cassette: cassette.to_owned(),
            host: host.to_owned(),
            thread: thread.to_owned(),
            process,
            proxy,
            late,
            help,
        }
    }

    /// Returns the report of a thread whose test, this one, has ended.
    #[must_use]
    pub fn late(mut self, test: &str) -> Blocked {
        self.late = Some(test.to_owned());
        self
    }

    /// Returns the report of a datagram, which no gateway takes: it was to find a host, or to serve another call.
    #[must_use]
    pub fn datagram(mut self) -> Blocked {
        self.help = "no cassette records a datagram: send the call that it is for through the cassette, `cassette.base_url(..)`, or \
                     name the host in `allow_hosts`"
            .to_owned();
        self
    }

    /// Returns the report of a thread of another process, which can only be told the cassette's address as it starts.
    #[must_use]
    pub fn by(mut self, process: &str) -> Blocked {
        let through = "start this program with the cassette's address: `cassette.envs(&mut command)`";
        let allowed = ", or name the host in `allow_hosts`, by its address";
        self.help = format!("{through}{}", if is_loopback(&self.host) { "" } else { allowed });
        self.process = Some(process.to_owned());
        self
    }

    /// Returns the report of a proxy, of whose address nobody wants to be told, but of what it was to reach.
    #[must_use]
    pub fn through(mut self, variable: &str) -> Blocked {
        if self.process.is_none() {
            let base =
                "send this call through the cassette: `cassette.base_url(..)`, of the server that was to be reached";
            self.help = base.to_owned();
        }
        self.help += &format!(", or let everything through the proxy pass: name {} in `allow_hosts`", bare(&self.host));
        self.proxy = Some(variable.to_owned());
        self
    }
}

/// Returns a host without its port.
fn bare(host: &str) -> &str {
    host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']'])
}

/// Returns whether this can be a host in a URL, with its port or without.
fn is_host(host: &str) -> bool {
    !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c.is_control() || "/\\@?#\"`".contains(c))
}

/// Returns whether a host, with its port or without, is this machine: there only an upstream is ever blocked, allowed or not.
pub(crate) fn is_loopback(host: &str) -> bool {
    let name = bare(host);
    let address = name.parse::<IpAddr>();
    address.map_or(name == "localhost" || name.ends_with(".localhost"), |address| address.is_loopback())
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blocked { cassette, host, thread, process, proxy, late, .. } = self;
        write!(f, "thread `{thread}`")?;
        if let Some(process) = process {
            write!(f, " of process {process}")?;
        }
        if let Some(test) = late {
            write!(f, ", which the test `{test}` made, and that has ended,")?;
        }
        write!(f, " tried to reach {host}")?;
        if let Some(variable) = proxy {
            write!(f, ", the proxy that `{variable}` names,")?;
        }
        write!(f, " round `{cassette}`; while a test replays, ")?;
        f.write_str(if proxy.is_some() {
            "nothing is reached by way of another"
        } else if is_loopback(host) {
            "no upstream of its cassette is reached, not even on this machine"
        } else {
            "nothing but loopback is reached"
        })?;
        help(f, &self.help)
    }
}
