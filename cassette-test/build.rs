//! Tells the guard whether it may hook the creation of threads.
#![expect(clippy::disallowed_methods, reason = "what cargo tells a build script stands in its environment")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(sanitized)");
    // A sanitizer interposes `pthread_create` too, and ours would skip its version: AddressSanitizer then aborts when
    // a thread is joined.
    if std::env::var_os("CARGO_CFG_SANITIZE").is_some() {
        println!("cargo::rustc-cfg=sanitized");
    }
}
