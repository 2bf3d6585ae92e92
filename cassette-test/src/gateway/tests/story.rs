//! The proof of every recording: record, take the upstream down, replay.

use std::fmt::Debug;

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use super::stage::Stage;
use super::upstream::Upstream;

/// Plays `act` against the upstream and then, the upstream gone, against what was recorded; both times it must see the same.
/// Returns what it saw and what was recorded.
#[track_caller]
pub(super) fn proven<T: Debug + PartialEq>(
    upstream: Upstream,
    calls: usize,
    act: impl Fn(&str) -> T,
) -> (T, Vec<(Call, Outcome)>) {
    let live = Stage::live();
    let seen = act(&live.url(&upstream.url));
    let written = live.notebook.written(calls);
    live.gateways.stop();
    live.notebook.assert_content();
    let url = upstream.url.clone();
    drop(upstream);

    let replay = Stage::replay(written.clone());
    assert_eq!(act(&replay.url(&url)), seen, "a replay shows what the recording showed");
    replay.gateways.stop();
    replay.notebook.assert_content();
    (seen, written)
}

/// Returns the reply of the only call.
#[track_caller]
pub(super) fn only_reply(written: &[(Call, Outcome)]) -> &cassette_core::reply::Reply {
    match written {
        [(_, Outcome::Reply(reply))] => reply,
        other => panic!("{other:?}"),
    }
}
