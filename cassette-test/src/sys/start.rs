//! What happens before `main`.

use super::{env, exit};

ctor::declarative::ctor! {
    /// Prepares the process. Nothing here may panic, print or take long: it runs in every binary that links this crate,
    /// also when that binary only lists its tests.
    #[ctor(unsafe)]
    fn start() {
        // SAFETY: `main` has not begun, so the environment is ours alone.
        unsafe { env::spare_loopback_from_proxies() };
        if cassette_core::env::var(exit::REGISTRY).is_some() {
            exit::arrange();
        }
    }
}
