//! Record once, replay for ever.

#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "the harness comes next"))]
mod guard;
#[cfg_attr(not(test), expect(dead_code, reason = "the harness comes next"))]
mod sys;
