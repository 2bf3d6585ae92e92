//! Whose call it is: a thread of this process, with its scope, or another process.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::pid_t;

use crate::sys::scope::ScopeId;

static FOLLOWED: AtomicBool = AtomicBool::new(false);

/// The scope of each thread that has had one, or has none by intent; one whose number is taken over is noted at its birth.
static THREADS: Mutex<Option<HashMap<pid_t, Option<ScopeId>>>> = Mutex::new(None);

/// Notes from now on which scope each thread has, and of this one that it has this.
pub(crate) fn follow(scope: Option<ScopeId>) {
    FOLLOWED.store(true, Ordering::SeqCst);
    note(scope);
}

/// Notes which scope this thread has now, once any thread is under a filter.
pub(crate) fn note(scope: Option<ScopeId>) {
    if FOLLOWED.load(Ordering::SeqCst) {
        threads().get_or_insert_default().insert(own(), scope);
    }
}

/// Returns whether this thread is the first of its process.
pub(crate) fn is_main_thread() -> bool {
    own().cast_unsigned() == std::process::id()
}

fn own() -> pid_t {
    // SAFETY: it has no preconditions.
    unsafe { libc::gettid() }
}

fn threads() -> MutexGuard<'static, Option<HashMap<pid_t, Option<ScopeId>>>> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that made a call, in whichever process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller(pub(super) pid_t);

impl Caller {
    /// Returns this thread.
    pub(crate) fn here() -> Caller {
        Caller(own())
    }

    /// Returns the scope that the thread has, or that it has none; nothing for one that was never noted, and for those of
    /// other processes.
    pub(crate) fn scope(self) -> Option<Option<ScopeId>> {
        let noted = threads().as_ref()?.get(&self.0).copied()?;
        // The number of a thread that has ended may be another process's by now.
        self.is_of_this_process().then_some(noted)
    }

    /// Returns whether both are one thread.
    pub(crate) fn is(self, other: Caller) -> bool {
        self.0 == other.0
    }

    /// Returns the thread's name, of which the kernel keeps 15 bytes.
    pub(crate) fn thread(self) -> String {
        command(self.0).unwrap_or_else(|| format!("number {}", self.0))
    }

    /// Returns what to call the process in a report, unless it is this one: its number, and its program without the
    /// arguments, in which secrets stand.
    pub(crate) fn process(self) -> Option<String> {
        if self.is_of_this_process() {
            return None;
        }
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let process = status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok());
        let process = process.unwrap_or(self.0);
        Some(match command(process) {
            Some(command) => format!("{process} (`{command}`)"),
            None => process.to_string(),
        })
    }

    fn is_of_this_process(self) -> bool {
        fs::exists(format!("/proc/self/task/{}", self.0)).unwrap_or(false)
    }
}

fn command(thread: pid_t) -> Option<String> {
    let name = fs::read(format!("/proc/{thread}/comm")).ok()?;
    Some(String::from_utf8_lossy(&name).trim_end().to_owned())
}
