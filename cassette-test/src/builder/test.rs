//! What `#[cassette]` writes down of its test.

use super::Builder;
use crate::site::Site;
use crate::verdict::Panics;

/// An annotated test.
#[derive(Debug)]
pub struct Test {
    /// The cassette's name or pattern, if the attribute gives one.
    pub name: Option<&'static str>,
    /// Where the test stands.
    pub site: Site,
    /// What the test says about panics.
    pub panics: Panics,
    /// The attribute's options, as calls on the builder.
    pub configure: fn(Builder) -> Builder,
}
