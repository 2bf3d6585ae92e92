//! Record once, replay for ever.

#[cfg(feature = "replay")]
#[cfg_attr(not(test), expect(dead_code, reason = "the harness comes next"))]
mod sys;

#[cfg(feature = "replay")]
#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "the harness comes next"))]
mod guard;

#[cfg(feature = "replay")]
#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "the handle that uses it is built beside it"))]
mod gateway;
