//! reqwest-middleware 0.4, on reqwest 0.12: the same stories.

use {reqwest_012 as reqwest, reqwest_middleware_04 as reqwest_middleware};

#[path = "reqwest/mod.rs"]
#[expect(clippy::duplicate_mod, reason = "the same for two majors")]
mod stories;
