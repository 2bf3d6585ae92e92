//! What a mode allows, settled once when a session opens.

use crate::mode::Mode;
use crate::score::Score;

/// In which order recordings are served.
///
/// Two are exact, and two are for exploring: what they serve need not be of the request that is made. Those are asked for by
/// name for one run, are refused in CI, and tell at the end of the test of everything that they served so. While
/// something is recorded, a call is served by what it asks, whatever order was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The first unused recording of exactly this request, wherever it stands.
    #[default]
    Any,
    /// The next recording, which must be of this request; calls that overlapped when recorded may swap.
    Strict,
    /// The next recording, whatever it asks: the first unused one, or of a group that overlapped when recorded the one of this
    /// request, else the likest. None is skipped. One that goes elsewhere (another kind, method, host or path, another
    /// function, a streamed reply for a whole one) is never served.
    Ordered,
    /// The first unused recording of exactly this request; where there is none, the most similar one within a window, if it
    /// scores enough and goes where the call goes. The window holds the first so many unused recordings, whatever they are of.
    Fuzzy,
}

impl Order {
    const NAMES: [(Order, &'static str); 4] =
        [(Order::Any, "any"), (Order::Strict, "strict"), (Order::Ordered, "ordered"), (Order::Fuzzy, "fuzzy")];

    /// Returns the order's name.
    pub fn as_str(self) -> &'static str {
        Order::NAMES.iter().find(|(order, _)| *order == self).map_or("", |(_, name)| name)
    }

    /// Returns the order of this name.
    pub fn from_name(name: &str) -> Option<Order> {
        Order::NAMES.iter().find(|(_, known)| *known == name).map(|(order, _)| *order)
    }

    /// Returns whether only recordings of exactly the request are served.
    pub fn is_exact(self) -> bool {
        self == self.exact()
    }

    /// Returns this order as it is without recordings of other requests: what a recording has to pass on.
    pub(crate) fn exact(self) -> Order {
        match self {
            Order::Any | Order::Fuzzy => Order::Any,
            Order::Strict | Order::Ordered => Order::Strict,
        }
    }
}

/// What recordings that nothing asked for mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unused {
    /// They fail a replaying test, and a recording one drops them.
    #[default]
    Fail,
    /// They stay: another test replays them.
    Allow,
}

/// Whether a recording may be served more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Each is served once, so that best-of-N keeps its N answers.
    #[default]
    Never,
    /// The last recording of a request is served again and again.
    Last,
}

/// How far the network guard of a replay reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strictness {
    /// To whatever this process asks of libc. The default.
    #[default]
    Plain,
    /// To every system call of the test's threads and of the processes that come of them, by a filter of the kernel's.
    ///
    /// Where the kernel has none, the test fails instead of running unguarded: it is there on Linux for x86_64 and
    /// aarch64. A recording is watched as by the plain guard.
    Strict,
}

/// What a cassette keeps of the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requests {
    /// The requests, redacted. The default.
    #[default]
    Full,
    /// Digests of their parts, and no text. Replies are kept in full.
    Digest,
}

/// What becomes of a call that was recorded, and of one that was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What a recorded call gets.
    pub recorded: Recorded,
    /// What a call gets that was never recorded.
    pub missing: Missing,
    /// The order that is asked for. While recording it is by identity, whatever was asked for.
    pub order: Order,
    /// The exact order in which a fork's prefix is served while it is recorded.
    pub prefix: Order,
    /// Whether a recording may be served more than once.
    pub repeat: Repeat,
    /// What a recording must score for [`Order::Fuzzy`] to serve it.
    pub threshold: Score,
}

/// What a recorded call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Its recording.
    Serve,
    /// A live answer.
    Live,
}

/// What a call gets that was never recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A live answer.
    Live,
    /// A failure.
    Fail,
}

impl Policy {
    /// Returns the policy of this mode.
    pub fn of(mode: Mode, order: Order, repeat: Repeat) -> Policy {
        let prefix = order.exact();
        let (recorded, missing, order) = match mode {
            Mode::Replay => (Recorded::Serve, Missing::Fail, order),
            Mode::Record => (Recorded::Serve, Missing::Live, Order::Any),
            Mode::Refresh | Mode::Off => (Recorded::Live, Missing::Live, Order::Any),
        };
        Policy { recorded, missing, order, prefix, repeat, threshold: Score::THRESHOLD }
    }
}
