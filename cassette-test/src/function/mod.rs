//! The function seam: what the user's own functions give is recorded, and on replay they do not run.
//!
//! A call starts in `start`, alike for all forms; `blocking` and `asynchronous` go on from there and differ by an `.await`.
//! `handle` has the forms that a test writes, `annotated` and `returned` those that an attribute writes. While a function
//! runs, `inside` marks what it calls: only the outermost function is recorded.

mod inside;
mod site;

mod start;

mod asynchronous;
mod blocking;

mod handle;
mod live;

mod annotated;
mod comparing;
mod returned;

pub use annotated::{Called, Function, enter, recorded, recorded_blocking};
pub use comparing::{Comparing, TellsResults, TellsValues, Unequal, UnequalResults};
pub use live::{live, live_blocking};
pub use returned::{
    ByAnyError, ByDisplay, ByError, ByOwnDescription, BySerdeAlone, BySerdeShown, ByValue, Otherwise, Recordable,
    Returned, written,
};
