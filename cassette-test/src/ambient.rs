//! Which cassette is meant where none is at hand.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use cassette_core::report::{Report, Wiring};

use crate::guard::{self, ScopeId};
use crate::lasting::Lasting;
use crate::outliving;
use crate::scope::Scope;
use crate::sys::exit;
use crate::sys::stem::{self, Stem};

thread_local! {
    static HERE: Lasting<Arc<Scope>> = const { Lasting::new() };
}

static OPEN: Mutex<Vec<Arc<Scope>>> = Mutex::new(Vec::new());

/// Makes a cassette the current one of this thread, for as long as it lives.
#[must_use = "the cassette is current only as long as this value lives"]
pub struct Entered {
    previous: Option<Arc<Scope>>,
    /// It restores a thread-local, so it stays on its thread.
    here: PhantomData<*const ()>,
}

/// Makes this scope the current one of this thread.
pub(crate) fn enter(scope: &Arc<Scope>) -> Entered {
    Entered { previous: HERE.with(|here| here.replace(Some(Arc::clone(scope)))), here: PhantomData }
}

impl fmt::Debug for Entered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entered")
            .field("previous", &self.previous.as_ref().map(|scope| &scope.label))
            .finish_non_exhaustive()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        HERE.with(|here| drop(here.replace(self.previous.take())));
    }
}

/// Makes this scope known to the process.
pub(crate) fn open(scope: &Arc<Scope>) {
    exit::arrange();
    all().push(Arc::clone(scope));
}

/// Forgets this scope.
pub(crate) fn close(scope: &Arc<Scope>) {
    all().retain(|open| !Arc::ptr_eq(open, scope));
}

/// Whose calls are made on a thread.
enum Claim {
    /// This one's: the thread has entered it, or bears the name of its test, as libtest names threads and what runs a test on one
    /// of its own, such as a time-out.
    Own(Arc<Scope>),
    /// This one's, within whose test the thread was created.
    Inherited(Arc<Scope>),
    /// This one's, which is the only one, and no other test's.
    Sole(Arc<Scope>),
    /// Nobody knows; one of these is meant, if any is.
    Unclear(Vec<Arc<Scope>>),
}

impl Claim {
    /// Returns the claim of this thread.
    fn here() -> Claim {
        if let Some(entered) = HERE.with(|here| here.see(|entered| entered.cloned())) {
            return Claim::Own(entered);
        }
        let claim = Claim::by_descent(&all(), &Thread::current());
        if let Claim::Inherited(scope) = &claim {
            outliving::note(&scope.label, others(scope));
        }
        claim
    }

    /// Returns the claim of a thread that has entered none of those that are open.
    fn by_descent(open: &[Arc<Scope>], thread: &Thread) -> Claim {
        let only = |holds: &dyn Fn(&Scope) -> bool| only(open, holds);
        if let Some(namesake) = only(&|scope| thread.name.as_ref() == Some(&scope.settled.place.rerun.test)) {
            return Claim::Own(namesake);
        }
        // A pool's thread belongs to whichever test made the pool; of those that record one is open at a time, so that nobody
        // else's call comes into its file.
        if let Some(ancestor) = only(&|scope| thread.guarded.is_some() && scope.guarded() == thread.guarded) {
            return Claim::Inherited(ancestor);
        }
        match open {
            [sole] if !thread.is_of_another_test(sole) => Claim::Sole(Arc::clone(sole)),
            _ => Claim::Unclear(thread.meant(open)),
        }
    }
}

/// What is known of a thread by itself.
struct Thread {
    name: Option<String>,
    /// The guarded test that it is of, or was created by, ended as that may be.
    guarded: Option<ScopeId>,
    /// The thread of libtest's from which it descends.
    stem: Option<Stem>,
}

impl Thread {
    fn current() -> Thread {
        let name = std::thread::current().name().map(str::to_owned);
        Thread { name, guarded: guard::current(), stem: stem::current() }
    }

    fn is_of_another_test(&self, scope: &Scope) -> bool {
        match self.guarded {
            Some(guarded) => !scope.is_of(guarded),
            None => self.stem.is_some() && scope.stem != self.stem,
        }
    }

    /// Returns it as a report tells of it, with the test that made it, where that has ended.
    fn told(&self) -> String {
        let name = self.name.as_deref().unwrap_or("unnamed");
        match self.guarded.and_then(guard::ended) {
            Some(test) => format!("thread `{name}`, which the test `{test}` made, and that has ended,"),
            None => format!("thread `{name}`"),
        }
    }

    /// Returns those of which it may be working for one: those of the test that made it, or all where that has ended or none did.
    fn meant(&self, open: &[Arc<Scope>]) -> Vec<Arc<Scope>> {
        let own: Vec<_> = open.iter().filter(|scope| !self.is_of_another_test(scope)).cloned().collect();
        if own.is_empty() && self.guarded.is_some() { open.to_vec() } else { own }
    }
}

/// Returns the scope that this thread has entered, bears the name of, or has inherited.
pub(crate) fn here() -> Option<Arc<Scope>> {
    match Claim::here() {
        Claim::Own(scope) | Claim::Inherited(scope) => Some(scope),
        Claim::Sole(_) | Claim::Unclear(_) => None,
    }
}

/// Returns the scope that is meant on this thread.
///
/// # Errors
///
/// Fails where none is open, or several are and nothing says which.
pub(crate) fn current() -> Result<Arc<Scope>, Arc<Report>> {
    match Claim::here() {
        Claim::Own(scope) | Claim::Inherited(scope) | Claim::Sole(scope) => Ok(scope),
        Claim::Unclear(_) => Err(Arc::new(Report::Wiring(unknown(&all(), None)))),
    }
}

/// Returns the scope that is meant on this thread, where this recorded function asks for it: nobody sees to it that the error comes
/// to light, so each that may be the one fails with it.
///
/// # Errors
///
/// Fails as [`current`] does.
pub(crate) fn of_call(function: &str) -> Result<Arc<Scope>, Arc<Report>> {
    current().map_err(|_| {
        let report = Report::Wiring(unknown(&all(), Some(function)));
        fail(|_| report.clone());
        Arc::new(report)
    })
}

/// Fails each scope that may be meant on this thread, and returns how many there are.
pub(crate) fn fail(report: impl Fn(&Scope) -> Report) -> usize {
    let meant = match Claim::here() {
        Claim::Own(scope) | Claim::Inherited(scope) | Claim::Sole(scope) => vec![scope],
        Claim::Unclear(meant) => meant,
    };
    meant.iter().for_each(|scope| drop(scope.fail(report(scope))));
    meant.len()
}

/// Returns the names of what else is open, in order.
fn others(scope: &Arc<Scope>) -> Vec<String> {
    let mut others: Vec<_> =
        all().iter().filter(|open| !Arc::ptr_eq(open, scope)).map(|open| open.label.clone()).collect();
    others.sort();
    others
}

/// Returns the only scope of which this holds.
fn only(open: &[Arc<Scope>], holds: impl Fn(&Scope) -> bool) -> Option<Arc<Scope>> {
    let mut found = open.iter().filter(|scope| holds(scope));
    found.next().filter(|_| found.next().is_none()).cloned()
}

/// Returns the open scope of this annotated function: this thread's, or the only one there is.
pub(crate) fn of_function(function: &str, file: &str) -> Option<Arc<Scope>> {
    let is_meant = |scope: &Scope| scope.site.is_some_and(|site| site.function == function && site.file == file);
    here().filter(|scope| is_meant(scope)).or_else(|| only(&all(), is_meant))
}

/// Returns the open scope round whose test the network guard stands in this scope of its own.
pub(crate) fn guarded_by(guarded: ScopeId) -> Option<Arc<Scope>> {
    only(&all(), |scope| scope.guarded() == Some(guarded))
}

/// Returns the scopes that are open, in the order in which they were opened; none where another thread holds the list for good.
pub(crate) fn left() -> Vec<Arc<Scope>> {
    match OPEN.try_lock() {
        Ok(open) => open.clone(),
        Err(TryLockError::Poisoned(open)) => open.into_inner().clone(),
        Err(TryLockError::WouldBlock) => Vec::new(),
    }
}

/// Returns whether a cassette is open anywhere in this process.
pub(crate) fn is_any_open() -> bool {
    !all().is_empty()
}

/// Returns the report of a thread that belongs to none of these, where it calls this function, or asks by itself.
fn unknown(open: &[Arc<Scope>], function: Option<&str>) -> Wiring {
    let thread = Thread::current().told();
    if open.is_empty() {
        let what = format!("no cassette is open where {thread} asks for one");
        return Wiring::new(what, "put `#[cassette]` on the test, or open one with `Cassette::builder(..)`");
    }
    let asks = function.map_or_else(|| "asks for a cassette".to_owned(), |function| format!("calls `{function}`"));
    if let [only] = open {
        let what = format!("{thread} {asks}, and the only cassette that is open, `{}`, is another test's", only.label);
        let help = "put `#[cassette]` on this test too, or run the function bare: `cassette_test::live(..)`, and \
             `live_blocking(..)` where it is not async; where this test has one, say whose the work of a pool or a runtime is that \
             others share: `cassette_test::scope(future)`, `cassette_test::scoped(closure)`, or `cassette.enter()` on the thread";
        return Wiring::new(what, help);
    }
    let mut names: Vec<_> = open.iter().map(|scope| format!("`{}`", scope.label)).collect();
    names.sort();
    let what = format!(
        "{thread} {asks}, and none of the {} cassettes that are open is its own: {}",
        open.len(),
        names.join(", ")
    );
    let help = "pass the test's `Cassette` to what runs there, or wrap it: `cassette.scope(future)`, `cassette.scoped(closure)`, \
         `cassette.enter()`";
    Wiring::new(what, help)
}

fn all() -> MutexGuard<'static, Vec<Arc<Scope>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}
