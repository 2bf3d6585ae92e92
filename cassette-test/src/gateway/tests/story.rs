//! The proof of every recording: record, take the upstream down, replay.

use std::fmt::Debug;
use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use super::notebook::Notebook;
use super::upstream::Upstream;
use crate::gateway::Gateways;
use crate::gateway::desk::Desk;
use crate::gateway::thread::Limits;

/// Gateways in front of a notebook.
pub(super) struct Stage {
    pub(super) gateways: Gateways,
    pub(super) notebook: Arc<Notebook>,
}

impl Stage {
    pub(super) fn live() -> Stage {
        Stage { gateways: Gateways::new(), notebook: Notebook::live() }
    }

    pub(super) fn limited(limits: Limits, notebook: Arc<Notebook>) -> Stage {
        Stage { gateways: Gateways::limited(limits), notebook }
    }

    pub(super) fn replay(written: Vec<(Call, Outcome)>) -> Stage {
        Stage { gateways: Gateways::new(), notebook: Notebook::replay(written) }
    }

    /// Returns the gateway's URL for this one.
    pub(super) fn url(&self, url: &str) -> String {
        let desk = Arc::clone(&self.notebook);
        self.gateways.address(url, move || Arc::new(desk) as Arc<dyn Desk>).unwrap()
    }
}

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
