//! The strict guard: a filter of the kernel's round the test's thread, whose answers come from the book of scopes.
//!
//! A filter stays as long as its thread, and under `--test-threads=1` one thread runs every test. So a filter is put up
//! once, and is [bound](Strict::stand) to the test that runs.

use std::io::ErrorKind;
use std::marker::PhantomData;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use super::attempt::By;
use super::exempt::spawn_exempt;
use super::policy::{Guard, GuardMode, GuardPolicy, canonical};
use super::{ScopeId, book, enter};
use crate::sys::judge::Verdict;
use crate::sys::scope::{self, FilterId};
use crate::sys::seccomp::{self, Caller, Caught};

/// An address that nobody has (RFC 1112, section 4).
const NOWHERE: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::new(240, 0, 0, 1), 9));

/// One on this machine. A datagram socket that is connected to it sends nothing.
const HERE: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 9));

/// The filters of this process, by their ids.
static FILTERS: Mutex<Vec<Arc<Filter>>> = Mutex::new(Vec::new());

/// A filter, with whom the calls belong to that no noted thread of this process makes.
#[derive(Default)]
struct Filter(Mutex<Option<Bound>>);

struct Bound {
    scope: ScopeId,
    /// The thread that the test runs on: its whole name is known here alone.
    thread: Caller,
    name: String,
}

/// A filter's answers come from one scope, as long as it lives.
///
/// Then what is left of the scope's threads and processes stays denied, but for processes where the thread is one that
/// goes on to run other tests.
#[must_use = "the strict guard is bound to its test only as long as this value lives"]
#[derive(Debug)]
pub(crate) struct Strict {
    filter: FilterId,
    /// It is about its own thread.
    here: PhantomData<*const ()>,
}

impl Strict {
    /// Binds the filter that stands round this thread to a scope, and puts one up if none does.
    ///
    /// # Errors
    ///
    /// Says why the guard cannot be strict here.
    pub(crate) fn stand(id: ScopeId) -> Result<Strict, String> {
        seccomp::follow(scope::current());
        let filter = match scope::filter() {
            Some(filter) => filter,
            None => put_up()?,
        };
        let known = find(filter);
        let mut bound = known.bound();
        let is_open = |bound: &Bound| bound.scope != id && book::find(bound.scope).is_some_and(|scope| scope.is_open());
        if bound.as_ref().is_some_and(is_open) {
            return Err("another strict test runs on the thread that this one comes from".to_owned());
        }
        let By { thread: name, .. } = By::this_thread();
        *bound = Some(Bound { scope: id, thread: Caller::here(), name });
        Ok(Strict { filter, here: PhantomData })
    }
}

impl Drop for Strict {
    fn drop(&mut self) {
        if seccomp::is_main_thread() {
            find(self.filter).bound().take();
        }
    }
}

/// Lets go of what an earlier test of this thread has left bound.
pub(crate) fn release() {
    if let Some(filter) = scope::filter() {
        find(filter).bound().take_if(|bound| book::find(bound.scope).is_none_or(|scope| !scope.is_open()));
    }
}

/// Returns whether the test that this thread belongs to is guarded strictly.
pub(crate) fn is_strict() -> bool {
    let here = scope::current().and_then(book::find);
    here.is_some_and(|here| here.is_open() && here.guard() == Guard::Strict)
}

/// Puts a filter round this thread, and tries it out.
fn put_up() -> Result<FilterId, String> {
    let filter = Arc::<Filter>::default();
    let (hand, handed) = mpsc::channel();
    let served = Arc::clone(&filter);
    // First of all, or it would stand under the filter itself.
    let serve = move || {
        if let Ok(listener) = handed.recv() {
            seccomp::Listener::serve(listener, |caught| served.decide(caught));
        }
    };
    spawn_exempt("cassette-guard", serve)
        .map_err(|error| format!("no thread can be had to serve the filter: {error}"))?;
    let listener = seccomp::install().map_err(|error| match error.kind() {
        ErrorKind::ResourceBusy => "another filter with a listener stands round this thread".to_owned(),
        _ => format!("the kernel puts up no filter of system calls: {error}"),
    })?;
    let id = {
        let mut filters = all();
        filters.push(filter);
        FilterId(filters.len() - 1)
    };
    scope::note_filter(Some(id));
    hand.send(listener).map_err(|_| "the thread that serves the filter has ended".to_owned())?;
    try_out()?;
    Ok(id)
}

/// Sees for itself that the filter denies, keeps and lets pass.
fn try_out() -> Result<(), String> {
    let trial = enter(GuardPolicy { guard: Guard::Strict, ..GuardPolicy::new(GuardMode::Deny) });
    if seccomp::connect_raw(NOWHERE).is_ok() || trial.attempts().len() != 1 {
        return Err("the filter was put up, and did not catch a system call".to_owned());
    }
    let told = |error| format!("the filter was put up, and does not let pass what it should: {error}");
    seccomp::connect_raw(HERE).map_err(told)
}

impl Filter {
    /// Decides about a call that waits.
    fn decide(&self, caught: &Caught) -> Verdict {
        let (bound, name) = match self.bound().as_ref() {
            Some(bound) => (Some(bound.scope), bound.thread.is(caught.by).then(|| bound.name.clone())),
            None => (None, None),
        };
        let scope = caught.by.scope().unwrap_or(bound);
        // Only a strict test asks for more than what is interposed.
        let scope = scope.and_then(book::find).filter(|scope| scope.guard() == Guard::Strict);
        let Some(scope) = scope else { return Verdict::Pass };
        let by = By { thread: name.unwrap_or_else(|| caught.by.thread()), process: caught.by.process() };
        let lets = |to: &SocketAddr| scope.lets(|| by.clone(), caught.call, *to);
        let outside = caught.to.iter().copied().map(canonical).find(|to| !lets(to));
        if caught.clear && outside.is_none() {
            return Verdict::Pass;
        }
        let unknown = outside.is_none().then_some("an address that cannot be told");
        scope.keep_of(by, caught.call, unknown, outside);
        Verdict::Deny
    }

    fn bound(&self) -> MutexGuard<'_, Option<Bound>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(FilterId(index): FilterId) -> Arc<Filter> {
    all().get(index).cloned().unwrap_or_default()
}

fn all() -> MutexGuard<'static, Vec<Arc<Filter>>> {
    FILTERS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[cfg(all(seccomp, not(target_feature = "crt-static"), not(sanitized)))]
mod tests;
