//! Threads that no test answers for.

use std::io;
use std::thread::{self, JoinHandle};

use super::ScopeId;
use crate::sys::scope;
use crate::sys::stem::{self, Descent};

/// Runs a function without a scope: nothing it does is judged, nor what the threads it creates do.
///
/// A runtime built in here has workers without a scope. One of its threads that is created later, by a call from a thread
/// with a scope (`Handle::spawn_blocking`), has that scope.
pub(crate) fn exempt<R>(function: impl FnOnce() -> R) -> R {
    let _restore = Restore(scope::replace(None), stem::replace(Descent::Nobodys));
    function()
}

/// Starts a thread without a scope.
///
/// # Errors
///
/// When the operating system has no thread to give.
pub(crate) fn spawn_exempt<R: Send + 'static>(
    name: &str,
    function: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    exempt(|| thread::Builder::new().name(name.to_owned()).spawn(function))
}

/// Gives the thread back to whom it belonged, also when the function panics.
struct Restore(Option<ScopeId>, Descent);

impl Drop for Restore {
    fn drop(&mut self) {
        scope::replace(self.0);
        stem::replace(self.1);
    }
}
