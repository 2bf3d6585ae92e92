//! reqwest-middleware 0.5, on reqwest 0.13.

use reqwest;
use reqwest_middleware;

#[path = "reqwest/mod.rs"]
mod adapter;
