//! reqwest-middleware 0.4, on reqwest 0.12: the same code, compiled against these.

use reqwest_012 as reqwest;
use reqwest_middleware_04 as reqwest_middleware;

#[path = "reqwest/mod.rs"]
mod adapter;
