//! What only the operating system can do: the calls of libc that the guard stands in front of, and start-up.
//!
//! This is the one folder with unsafe code. It holds no policy: the interposed calls find out which scope their thread
//! belongs to and ask the [`judge::Judge`] that the guard appointed. A thread without a scope is never judged.
#![expect(unsafe_code, reason = "symbols of libc are replaced and raw pointers of C callers are read")]

pub(crate) mod judge;
pub(crate) mod scope;

mod env;
mod start;

// A statically linked libc defines these symbols itself, so they could not be defined again. The gate is in the source
// because the build script of a crate is not told of `crt-static` where it is a target's default (musl).
#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static"), not(miri)))]
mod interpose;

/// Whether this build stands in front of libc's calls.
pub(crate) const INTERPOSES: bool =
    cfg!(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static"), not(miri)));
