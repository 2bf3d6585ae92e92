//! Threads that were taken for a test's because it made them, and outlive it: those of a pool or a runtime in a `static`.
//!
//! While the test runs that made it, nothing tells for which test such a thread works. Where it asked while another cassette was
//! open, one test may have been served what the other asked, so the process fails.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

use cassette_core::report::{Report, Wiring};

use crate::sys::exit::{AtExit, Ends};
use crate::tell::tell_now;

thread_local! {
    /// Let go of as the thread ends.
    static LIFE: Arc<()> = Arc::default();
}

/// What threads tried on the network after their tests had ended, while no other was open.
static LATE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

static DOUBTFUL: Mutex<Vec<Doubtful>> = Mutex::new(Vec::new());

inventory::submit!(AtExit(fail));

/// A thread that asked while more than one cassette was open.
struct Doubtful {
    thread: String,
    life: Weak<()>,
    /// Whose it was taken for.
    taken_for: String,
    /// Whose it may have been as well.
    others: BTreeSet<String>,
}

/// Returns whether this thread is ending, as far as is known: it runs destructors of its thread-locals, out of which nothing may unwind.
pub(crate) fn is_ending() -> bool {
    LIFE.try_with(|_| ()).is_err()
}

/// Notes that this thread asks for a cassette, whose test made it, while these others are open.
pub(crate) fn note(cassette: &str, others: Vec<String>) {
    // A thread that is ending does not outlive anything.
    let Ok(life) = LIFE.try_with(Arc::downgrade) else { return };
    if others.is_empty() {
        return;
    }
    let mut doubtful = DOUBTFUL.lock().unwrap_or_else(PoisonError::into_inner);
    doubtful.retain(|doubtful| doubtful.life.strong_count() > 0);
    let is_it = |doubtful: &&mut Doubtful| doubtful.life.ptr_eq(&life) && doubtful.taken_for == cassette;
    match doubtful.iter_mut().find(is_it) {
        Some(known) => known.others.extend(others),
        None => doubtful.push(Doubtful {
            thread: std::thread::current().name().unwrap_or("unnamed").to_owned(),
            life,
            taken_for: cassette.to_owned(),
            others: others.into_iter().collect(),
        }),
    }
}

/// Notes what a thread tried on the network whose test has ended, while no other is open that could fail with it.
pub(crate) fn note_late(report: String) {
    LATE.lock().unwrap_or_else(PoisonError::into_inner).insert(report);
}

fn fail() -> Ends {
    let late = held(&LATE).map(|late| late.clone()).unwrap_or_default();
    let told: BTreeSet<String> = late.into_iter().chain(outlived()).collect();
    told.iter().for_each(|report| tell_now(report));
    if told.is_empty() { Ends::AsItWas } else { Ends::Failed }
}

/// Returns the report of each thread that outlived its test and may have worked for another.
fn outlived() -> BTreeSet<String> {
    let Some(doubtful) = held(&DOUBTFUL) else { return BTreeSet::new() };
    // Each thread of a pool would say the same.
    let still_there = doubtful.iter().filter(|doubtful| doubtful.life.strong_count() > 0);
    still_there.map(|doubtful| Report::Wiring(told_of(doubtful)).to_string()).collect()
}

/// Returns what is held here; nothing where a thread holds it for good.
fn held<T>(what: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match what.try_lock() {
        Ok(held) => Some(held),
        Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn told_of(doubtful: &Doubtful) -> Wiring {
    let Doubtful { thread, taken_for, others, .. } = doubtful;
    let others = others.iter().map(|other| format!("`{other}`")).collect::<Vec<_>>().join(", ");
    let what = format!(
        "thread `{thread}` outlives the test of `{taken_for}`, which made it, and asked while {others} was open too: what was \
         another test's call may have been answered as one of `{taken_for}`"
    );
    Wiring::new(
        what,
        "say whose a call is where a pool or a runtime is shared: `cassette.scope(future)`, `cassette.scoped(closure)`, and in \
         code that has no handle `cassette_test::scope(future)`",
    )
}
