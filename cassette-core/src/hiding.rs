//! A recording, hidden again: with what is known to be secret by now.

use crate::digested::Digested;
use crate::redact::{self, Depth, RedactedCall, Rules, Secrets};
use crate::reply::{Outcome, TransportError};
use crate::tape::{Asked, Interaction};

/// Hides in an exchange what is known to be secret by now. Its key is left as it is; the request to make one from comes along.
///
/// Digests stay as they are, and what they are of is not known.
pub(crate) fn hide(
    interaction: Interaction,
    rules: &Rules,
    secrets: &mut Secrets,
) -> (Interaction, Option<RedactedCall>) {
    let (asked, call) = match interaction.asked {
        Asked::Whole(call) => {
            let call = redact::redact_recorded(&call, rules, Depth::Known, secrets);
            (Asked::Whole((*call).clone()), Some(call))
        }
        // Of its text only the name is there to be looked at again.
        Asked::Digest(digested) => {
            let known = Asked::Digest(digested.clone()).known().into_owned();
            let name = redact::redact_recorded(&known, rules, Depth::Known, secrets).name.clone();
            (Asked::Digest(Digested { name, ..digested }), None)
        }
    };
    let outcome = match interaction.outcome {
        Outcome::Reply(reply) => Outcome::Reply((*redact::redact_recorded_reply(&reply, rules, secrets)).clone()),
        Outcome::Error(error) => {
            let message = redact::redact_text(&error.message, rules, secrets);
            Outcome::Error(TransportError { message, ..error })
        }
    };
    (Interaction { asked, outcome, ..interaction }, call)
}
