//! What a mode allows, settled once when a session opens.

use crate::mode::Mode;

/// In which order recordings are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The first unused recording of exactly this request, wherever it stands.
    #[default]
    Any,
    /// The next recording, which must be of this request; calls that overlapped when recorded may swap.
    Strict,
}

impl Order {
    /// Returns the order of this name.
    pub fn from_name(name: &str) -> Option<Order> {
        match name {
            "any" => Some(Order::Any),
            "strict" => Some(Order::Strict),
            _ => None,
        }
    }
}

/// What recordings that nothing asked for mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Whether a recording may be served more than once.
    pub repeat: Repeat,
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
        let (recorded, missing, order) = match mode {
            Mode::Replay => (Recorded::Serve, Missing::Fail, order),
            Mode::Record => (Recorded::Serve, Missing::Live, Order::Any),
            Mode::Refresh | Mode::Off => (Recorded::Live, Missing::Live, Order::Any),
        };
        Policy { recorded, missing, order, repeat }
    }
}
