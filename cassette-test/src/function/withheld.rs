//! A function that the program gave up when it was recorded: it is let do so again.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use cassette_core::report::Report;
use cassette_core::session::Served;

use crate::cassette::Cassette;
use crate::wire::{Clock, Limits, Player, Reads, Rhythm, Silence, Waiting, place, truncated};

/// Returns whether what is served was given up when it was recorded.
pub(super) fn is_given_up(served: &Served) -> bool {
    served.outcome.is_given_up()
}

/// Waits for the program to give the function up, as it did; returns the failure where it has waited too long.
pub(super) async fn withhold(cassette: &Cassette, served: &Served) -> Arc<Report> {
    let mut waiting = match player(cassette) {
        Ok(player) => Box::new(Waiting::new(&player, place(served), Silence::before_all(served))),
        Err(report) => return report,
    };
    poll_fn(|cx| waiting.poll(cx)).await
}

/// Latches that a function was given up when it was recorded that can no longer be: nobody waits for it.
pub(super) fn refuse(cassette: &Cassette, served: &Served) -> Arc<Report> {
    match player(cassette) {
        Ok(Player { desk, .. }) => desk.fail(truncated(&*desk, place(served), 0)),
        Err(report) => report,
    }
}

/// Returns what the recording of a function is played with.
///
/// # Errors
///
/// Fails where there is no session.
pub(super) fn player(cassette: &Cassette) -> Result<Player, Arc<Report>> {
    let scope = cassette.as_scope();
    Ok(Player {
        desk: Arc::new(Arc::downgrade(scope.session()?)),
        held: Arc::clone(scope.held()),
        rhythm: rhythm(cassette),
        reads: Reads::AsAsked,
        hold: (Limits::default().hold, Clock::Machine),
    })
}

/// Returns how fast the recording of a function is played.
pub(super) fn rhythm(cassette: &Cassette) -> Rhythm {
    // The runtime's clock may be paused, and pauses are to pass with it; a stream may be read without one, too.
    let clock = tokio::runtime::Handle::try_current().map_or(Clock::Machine, |_| Clock::Runtime);
    Rhythm { pace: cassette.as_scope().settled.options.pace, least: Duration::ZERO, clock }
}
