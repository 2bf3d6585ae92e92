//! Which cassette is meant where none is at hand.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use cassette_core::report::{Report, Wiring};

use crate::guard;
use crate::scope::Scope;
use crate::sys::{exit, stem};

thread_local! {
    static HERE: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
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
    Entered { previous: HERE.replace(Some(Arc::clone(scope))), here: PhantomData }
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
        HERE.set(self.previous.take());
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

/// Returns the scope that this thread has entered, bears the name of, or has inherited.
pub(crate) fn here() -> Option<Arc<Scope>> {
    HERE.with_borrow(Clone::clone).or_else(namesake).or_else(ancestor)
}

/// Returns the scope of the test whose name this thread bears: libtest names threads so, and so does what runs a test on a
/// thread of its own, such as a time-out.
fn namesake() -> Option<Arc<Scope>> {
    let thread = std::thread::current();
    let name = thread.name()?;
    only(&all(), |scope| scope.settled.place.rerun.test == name)
}

/// Returns the only scope of which this holds.
fn only(open: &[Arc<Scope>], holds: impl Fn(&Scope) -> bool) -> Option<Arc<Scope>> {
    let mut found = open.iter().filter(|scope| holds(scope));
    found.next().filter(|_| found.next().is_none()).cloned()
}

/// Returns the scope of the test within which this thread was created. A pool's thread belongs to whichever test made the pool;
/// of those that record one is open at a time, so that nobody else's call comes into its file.
fn ancestor() -> Option<Arc<Scope>> {
    let guarded = guard::current()?;
    only(&all(), |scope| scope.guarded() == Some(guarded))
}

/// Returns the scope that is meant on this thread.
///
/// # Errors
///
/// Fails where none is open, or several are and nothing says which.
pub(crate) fn current() -> Result<Arc<Scope>, Arc<Report>> {
    if let Some(scope) = here() {
        return Ok(scope);
    }
    let open = all();
    match open.as_slice() {
        [only] if !is_of_another_test(only) => Ok(Arc::clone(only)),
        open => Err(Arc::new(Report::Wiring(unknown(open)))),
    }
}

/// Returns the scope that is meant on this thread, where a recorded function asks for it: nobody sees to it that the error comes
/// to light, so each that may be the one fails with it.
///
/// # Errors
///
/// Fails as [`current`] does.
pub(crate) fn of_call() -> Result<Arc<Scope>, Arc<Report>> {
    current().inspect_err(|report| {
        meant().iter().for_each(|scope| drop(scope.fail(Report::clone(report))));
    })
}

/// Fails each test that is open with what a thread did whose test has ended, and returns how many there are.
pub(crate) fn fail_all(report: impl Fn(&Scope) -> Report) -> usize {
    let open = all().clone();
    open.iter().for_each(|scope| drop(scope.fail(report(scope))));
    open.len()
}

/// Returns the scopes of which this thread may be working for one: those of the test that made it, or all where that has ended or
/// none did.
fn meant() -> Vec<Arc<Scope>> {
    let open = all().clone();
    let of_guarded = |guarded| {
        let own: Vec<_> = open.iter().filter(|scope| scope.is_of(guarded)).cloned().collect();
        if own.is_empty() { open.clone() } else { own }
    };
    match (guard::current(), stem::current()) {
        (Some(guarded), _) => of_guarded(guarded),
        (None, Some(stem)) => open.into_iter().filter(|scope| scope.stem == Some(stem)).collect(),
        (None, None) => open,
    }
}

/// Returns whether this thread belongs to another test than the one which opened this: it is that test's own, or was made by it,
/// ended as it may be.
fn is_of_another_test(scope: &Scope) -> bool {
    match guard::current() {
        Some(guarded) => !scope.is_of(guarded),
        None => stem::current().is_some_and(|stem| scope.stem != Some(stem)),
    }
}

/// Returns the open scope of this annotated function: this thread's, or the only one there is.
pub(crate) fn of_function(function: &str, file: &str) -> Option<Arc<Scope>> {
    let is_meant = |scope: &Scope| scope.site.is_some_and(|site| site.function == function && site.file == file);
    here().filter(|scope| is_meant(scope)).or_else(|| only(&all(), is_meant))
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

fn unknown(open: &[Arc<Scope>]) -> Wiring {
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("unnamed");
    if open.is_empty() {
        let what = format!("no cassette is open where thread `{thread}` asks for one");
        return Wiring::new(what, "put `#[cassette]` on the test, or open one with `Cassette::builder(..)`");
    }
    if let [only] = open {
        let what = format!(
            "thread `{thread}` asks for a cassette, and the only one open, `{}`, is another test's",
            only.label
        );
        let help = "put `#[cassette]` on this test too, or run the function bare: `cassette_test::live(..)`, and \
             `live_blocking(..)` where it is not async; on a thread of the test's own, `cassette.enter()`";
        return Wiring::new(what, help);
    }
    let mut names: Vec<_> = open.iter().map(|scope| format!("`{}`", scope.label)).collect();
    names.sort();
    let what =
        format!("{} cassettes are open ({}), and thread `{thread}` belongs to none", open.len(), names.join(", "));
    let help = "pass the test's `Cassette` to what runs there, or wrap it: `cassette.scope(future)`, `cassette.scoped(closure)`, \
         `cassette.enter()`";
    Wiring::new(what, help)
}

fn all() -> MutexGuard<'static, Vec<Arc<Scope>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}
