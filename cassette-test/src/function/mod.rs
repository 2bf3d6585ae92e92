//! The function seam: what the user's own functions give is recorded, and on replay they do not run.
//!
//! A call starts in `start`, alike for all forms (one that was given up is `withheld`); `blocking` and `asynchronous` go on from there and differ by an `.await`.
//! `streamed` does for what gives a stream, which is recorded item by item as it passes (`stream`, `kept`).
//! `handle` has the forms that a test writes, `annotated` and `returned` those that an attribute writes, and `wrapped` what stands for
//! an implementor of a recorded trait. While a function
//! runs, `crate::inside` marks what it calls: only the outermost function is recorded.

mod live;
mod withheld;

mod start;

mod asynchronous;
mod blocking;

mod kept;
mod stream;

mod streamed;

mod handle;

mod boxed;
mod wrapped;

mod shown;

mod argument;
mod comparing;
mod returned;
mod types;

mod named;

mod annotated;

pub use annotated::{
    Called, Function, enter, enter_recorded, recorded, recorded_blocking, recorded_stream, recorded_stream_later,
    try_recorded_stream, try_recorded_stream_later,
};
pub use argument::{
    Argument, Comparable, ComparableBeneath, ComparableOwned, ComparableRow, Incomparable, Showable, ShowableBeneath,
    ShowableRow, Writable,
};
pub use boxed::RecordedStream;
pub use comparing::{
    AlikeByDebug, AlikeByEquality, Comparing, EqualByEquality, Equals, NotAlike, NotEqual, Part, TakenApart, TakenWhole,
};
pub use live::{live, live_blocking};
pub use named::{
    AddsNoContext, DescribesBeneath, DescribesItself, DescribesShown, Describing, Nameable, Named, NamedDescribed,
    NamedRebuilt, NamedWritten, Unnameable,
};
pub use returned::{
    ByAnyError, ByDisplay, ByError, ByOwnDescription, BySerdeAlone, BySerdeShown, ByValue, Otherwise, Recordable,
    Returned,
};
pub use stream::Streaming;
pub use streamed::Codecs;
pub use types::{around, owner};
pub use wrapped::{Recorded, live_of, live_of_mut};
