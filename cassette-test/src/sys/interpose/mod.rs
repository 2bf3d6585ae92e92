//! libc's calls that lead out of the machine, with the judge in front of each.
//!
//! A symbol that the executable defines wins over that of a shared library, for Rust code and for C code alike; the
//! original is found with `dlsym(RTLD_NEXT)`. Each function here asks, then fails or goes on to the original.
//!
//! They are `"C-unwind"` because most of them are cancellation points: `pthread_cancel` and `pthread_exit` unwind through
//! them, which would abort at a frame of plain `"C"`. For the same reason nothing that needs dropping is alive while the
//! original runs. What the judge does can never unwind, see [`super::judge::ask`].

#[cfg(not(sanitized))]
mod leave;
mod next;
mod resolver;
mod socket;
mod spawn;
#[cfg(not(sanitized))]
mod thread;
