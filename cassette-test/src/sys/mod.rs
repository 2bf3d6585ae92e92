//! What only the operating system can do: the calls of libc that the guard stands in front of, the system calls that it
//! has the kernel hold, and start-up.
//!
//! This is the one folder with unsafe code. It holds no policy: the interposed calls find out which scope their thread
//! belongs to and ask the [`judge::Judge`] that the guard appointed. A thread without a scope is never judged.
#![expect(unsafe_code, reason = "symbols of libc are replaced and raw pointers of C callers are read")]
#![cfg_attr(not(all(glibc, not(target_feature = "crt-static"))), allow(dead_code, reason = "nobody asks the judge"))]

pub(crate) mod judge;
pub(crate) mod scope;
#[cfg_attr(not(all(seccomp, not(target_feature = "crt-static"))), path = "seccomp_none.rs")]
pub(crate) mod seccomp;

#[cfg_attr(not(all(glibc, not(target_feature = "crt-static"))), path = "board_none.rs")]
pub(crate) mod board;
pub(crate) mod debugger;
mod env;
pub(crate) mod exit;
mod start;
pub(crate) mod stem;

// A statically linked libc defines these symbols itself, so they could not be defined again. That half of the gate is in
// the source because the build script is not told of `crt-static` where it is the target's default.
#[cfg(all(glibc, not(target_feature = "crt-static")))]
mod interpose;

#[cfg(all(glibc, not(target_feature = "crt-static")))]
mod address;

/// Whether this build stands in front of libc's calls.
pub(crate) const INTERPOSES: bool = cfg!(all(glibc, not(target_feature = "crt-static")));
