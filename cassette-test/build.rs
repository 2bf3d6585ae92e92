//! Tells the guard which of libc's calls it may stand in front of, and whether it knows the system calls.
#![expect(clippy::disallowed_methods, reason = "what cargo tells a build script stands in its environment")]

use std::env::var_os;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(glibc, seccomp, sanitized)");
    let is = |name: &str, value: &str| var_os(name).is_some_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && var_os("CARGO_CFG_MIRI").is_none() {
        println!("cargo::rustc-cfg=glibc");
        let is_known = is("CARGO_CFG_TARGET_ARCH", "x86_64") || is("CARGO_CFG_TARGET_ARCH", "aarch64");
        if is_known && is("CARGO_CFG_TARGET_POINTER_WIDTH", "64") {
            println!("cargo::rustc-cfg=seccomp");
        }
    }
    // A sanitizer interposes `pthread_create` too, and ours would skip its version: AddressSanitizer then aborts when
    // a thread is joined.
    if var_os("CARGO_CFG_SANITIZE").is_some() {
        println!("cargo::rustc-cfg=sanitized");
    }
}
