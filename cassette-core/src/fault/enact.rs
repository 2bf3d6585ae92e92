//! A fault made of a recorded outcome.

use super::damage::damage;
use super::error::error;
use super::{Fault, What};
use crate::call::Call;
use crate::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};

/// What a call meets instead of its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enacted {
    pub(crate) outcome: Outcome,
    /// Whether what comes last is silence, in which the program has to give up.
    pub(crate) stalls: bool,
}

/// Returns what this call meets, whose recording ended like this.
///
/// # Errors
///
/// Fails with the reason where the recording has no such place: too few chunks, or no reply at all.
pub(crate) fn enact(fault: &Fault, call: &Call, recorded: &Outcome) -> Result<Enacted, String> {
    let stalls = matches!(fault.what, What::Stall | What::StallAfter(_));
    let outcome = match (&fault.what, recorded) {
        (What::Status { status, headers, body }, _) => {
            let (mut own, mut bytes) = error(call, *status);
            if let Some(body) = body {
                bytes.clone_from(body);
            }
            own.retain(|(name, _)| !headers.iter().any(|(given, _)| given == name));
            own.extend(headers.iter().cloned());
            let chunk = Chunk { bytes, at: Some(std::time::Duration::ZERO) };
            let chunks = if chunk.bytes.is_empty() { Vec::new() } else { vec![chunk] };
            Outcome::Reply(Reply { status: *status, headers: own, chunks, trailers: Vec::new(), truncated: None })
        }
        (What::Reset, _) => failure(TransportClass::Reset, "the connection was reset, as the test planned"),
        (What::Stall, _) => failure(TransportClass::Timeout, "no answer came, as the test planned"),
        (what, Outcome::Reply(reply)) => {
            let mut reply = reply.clone();
            damage(&mut reply, what)?;
            Outcome::Reply(reply)
        }
        (_, Outcome::Error(error)) => {
            return Err(format!("the recording is of a failure ({}), and has no body", error.class.as_str()));
        }
    };
    Ok(Enacted { outcome, stalls })
}

fn failure(class: TransportClass, message: &str) -> Outcome {
    Outcome::Error(TransportError { class, message: message.to_owned() })
}
