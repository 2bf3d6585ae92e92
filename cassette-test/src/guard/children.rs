//! Children that were forked off without a program of their own: their copy of the book is lost with them, so they tell of what is
//! attempted in them on a board that they share with the process.

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::attempt::By;
use super::{ScopeId, book};
use crate::sys::board;

/// The moment from which they count, whose clock is this process's.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What they may have asked of libc.
const CALLS: [&str; 5] = ["connect", "getaddrinfo", "sendmmsg", "sendmsg", "sendto"];

/// Sees to it that children can tell from now on.
pub(super) fn begin() {
    LazyLock::force(&START);
    board::open();
}

/// Tells of an attempt, where this process is such a child.
pub(super) fn tell(id: ScopeId, call: &str, host: Option<&str>, addr: Option<SocketAddr>) {
    board::put(|| {
        let addr = addr.map_or_else(|| "-".to_owned(), |addr| addr.to_string());
        let at = START.elapsed().as_nanos();
        format!("{} {at} {} {call} {addr} {}", id.number(), std::process::id(), host.unwrap_or_default())
    });
}

/// Keeps what they have told.
pub(super) fn hear() {
    for line in board::take() {
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        let &[number, at, process, call, addr, host] = words.as_slice() else { continue };
        let call = CALLS.into_iter().find(|known| *known == call).unwrap_or("connect");
        let by = By { thread: "a forked child".to_owned(), process: Some(process.to_owned()) };
        let Some(entry) = book::numbered(number) else { continue };
        let at = at.parse().ok().map(|at| *START + Duration::from_nanos(at));
        entry.keep_at(at, by, call, (Some(host).filter(|host| !host.is_empty()), addr.parse().ok()));
    }
}
