//! System calls that the kernel holds until this process has answered.
//!
//! A filter is put round one thread and stands, for good, round all threads and processes that come of it. What leads out of
//! the machine waits at the filter's listener, which another thread of this process serves: one outside the filter. Whose
//! call it was is told by the thread: each thread under a filter is noted with its scope, see [`note`].

mod caller;
mod filter;
mod listener;
mod memory;

pub(crate) use caller::{Caller, follow, is_main_thread, note};
pub(crate) use filter::{connect_raw, install};
pub(crate) use listener::{Caught, Listener};

#[cfg(test)]
#[cfg(not(sanitized))]
mod tests;
