//! Stands in for the filter of system calls where this crate knows none.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use super::judge::Verdict;
use super::scope::ScopeId;

/// Catches nothing: there is none.
#[derive(Debug)]
pub(crate) struct Listener(Infallible);

/// A system call that waits for an answer: there is none.
#[derive(Debug)]
pub(crate) struct Caught {
    pub(crate) call: &'static str,
    pub(crate) to: Vec<SocketAddr>,
    pub(crate) clear: bool,
    pub(crate) by: Caller,
    never: Infallible,
}

/// Whoever made such a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller;

pub(crate) fn install() -> io::Result<Listener> {
    let what = "system calls can be filtered only on Linux for x86_64 and aarch64, where glibc is linked dynamically";
    Err(io::Error::new(ErrorKind::Unsupported, what))
}

pub(crate) fn connect_raw(_: SocketAddr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

pub(crate) fn follow(_: Option<ScopeId>) {}

pub(crate) fn note(_: Option<ScopeId>) {}

pub(crate) fn is_main_thread() -> bool {
    false
}

impl Listener {
    pub(crate) fn serve(self, _: impl Fn(&Caught) -> Verdict) {
        match self.0 {}
    }
}

impl Caller {
    pub(crate) fn here() -> Caller {
        Caller
    }

    pub(crate) fn scope(self) -> Option<Option<ScopeId>> {
        None
    }

    pub(crate) fn is(self, _: Caller) -> bool {
        false
    }

    pub(crate) fn thread(self) -> String {
        String::new()
    }

    pub(crate) fn process(self) -> Option<String> {
        None
    }
}
