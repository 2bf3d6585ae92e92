//! reqwest-middleware 0.5, on reqwest 0.13.

use {::reqwest, ::reqwest_middleware};

#[path = "reqwest/mod.rs"]
mod stories;

mod retries;
