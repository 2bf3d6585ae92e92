//! Record once, replay for ever.

#[cfg(feature = "replay")]
#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "the handle that uses it is built beside it"))]
mod gateway;
