//! What expansions call. Nothing here is for people, and all of it may change in any version.

pub use inventory;
pub use serde::Serialize;
pub use serde::de::DeserializeOwned;

pub use cassette_core::call::Kind;
pub use cassette_core::function::{Arguments, Known, Lent};
pub use cassette_core::name::check as check_name;
pub use cassette_core::path::check as check_path;
pub use cassette_macros::{__of_this_crate as of_this_crate, __wrap as wrap};

pub use crate::abandon::{abandonable, never};
pub use crate::builder::{Registered, Test};
pub use crate::ended::{ByCode, ByResult, Ended, Otherwise};
pub use crate::entered::{Entry, entered, handle};
pub use crate::function::{
    AddsNoContext, AlikeByDebug, AlikeByEquality, Argument, ByAnyError, ByDisplay, ByError, ByOwnDescription,
    BySerdeAlone, BySerdeShown, ByValue, Called, Codecs, Comparable, ComparableBeneath, ComparableOwned, ComparableRow,
    Comparing, DescribesBeneath, DescribesItself, DescribesShown, Describing, EqualByEquality, Equals, Function,
    Incomparable, Nameable, Named, NamedDescribed, NamedRebuilt, NamedWritten, NotAlike, NotEqual,
    Otherwise as Unknown, Part, Recordable, Returned, Showable, ShowableBeneath, ShowableRow, Streaming, TakenApart,
    TakenWhole, Unnameable, Writable, around, enter, enter_recorded, live_of, live_of_mut, owner, recorded,
    recorded_blocking, recorded_stream, recorded_stream_later, try_recorded_stream, try_recorded_stream_later,
};
pub use crate::run::{run, run_to_code, run_to_panic};
pub use crate::site::Site;
pub use crate::verdict::Panics;

/// Fails the current cassette with this text, as a seam would; for this crate's own tests.
pub fn fail_current(what: &str) {
    let report = cassette_core::report::Wiring::new(what, "mend it");
    crate::Cassette::current().as_scope().fail(crate::Report::Wiring(report));
}
