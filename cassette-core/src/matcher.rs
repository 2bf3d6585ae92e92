//! The user's own notion of which recording is of which call.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::call::Call;

/// Says whether a recording is of a call: a test's own notion of it, in the place of the comparison of bodies, queries and
/// headers.
///
/// Any `Fn(&Call, &Call) -> bool` is one: the recorded request first, then the incoming one. It is asked about the
/// recordings that go where the call goes, and about no others: kind, method, host and path, whether the reply is streamed,
/// and of a function its name count whatever it says. Of those that it takes, one that is of exactly this request goes first,
/// then the first in the file; what is served without being of exactly this request is told at the end of the test, with
/// the paths that differ.
///
/// Both calls are redacted, and their placeholders numbered within each request: `REDACTED.hidden.1`,
/// `REDACTED.hidden.2`. Headers that
/// are not recorded are in neither.
///
/// It has to keep two promises. It is pure: the same two calls get the same answer, on every machine, at any time. And a
/// request is its own: `matches(call, call)` is true. A recording that does not match its own request is not saved.
///
/// For each call it is asked about each of those recordings, so that a lookup takes the longer the more there are. It runs
/// while no lock is held, but must not call through the session that asks it: that call would wait for its own answer.
///
/// ```
/// use cassette_core::call::Call;
/// use cassette_core::matcher::Matcher;
///
/// let by_length = |recorded: &Call, incoming: &Call| recorded.body.len() == incoming.body.len();
/// let call = |body: &str| Call::http("POST", "https://api.example.com/v1/ask", Vec::new(), body.into());
/// assert!(by_length.matches(&call("Bergen"), &call("Bodø.")));
/// ```
pub trait Matcher: Send + Sync {
    /// Returns whether this recorded request answers the incoming one.
    fn matches(&self, recorded: &Call, incoming: &Call) -> bool;
}

impl<F: Fn(&Call, &Call) -> bool + Send + Sync> Matcher for F {
    fn matches(&self, recorded: &Call, incoming: &Call) -> bool {
        self(recorded, incoming)
    }
}

impl fmt::Debug for dyn Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Matcher")
    }
}

/// Returns what a matcher says of two calls; `None` where it panicked.
pub(crate) fn ask(matcher: &dyn Matcher, recorded: &Call, incoming: &Call) -> Option<bool> {
    catch_unwind(AssertUnwindSafe(|| matcher.matches(recorded, incoming))).ok()
}
