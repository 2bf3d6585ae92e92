//! Every annotated test of this binary, known before one of them runs.

use super::Test;

/// An annotated test, as the attribute registers it.
#[derive(Debug)]
pub struct Registered(pub &'static Test);

inventory::collect!(Registered);

/// Returns the annotated tests of this binary, in no order that means anything.
pub(crate) fn tests() -> impl Iterator<Item = &'static Test> {
    inventory::iter::<Registered>.into_iter().map(|registered| registered.0)
}

/// Returns whether this binary has annotated tests.
pub(crate) fn has_tests() -> bool {
    tests().next().is_some()
}

/// Returns whether this is one of several tests that one attribute was copied onto: the cases of a parametrised test, where
/// `#[cassette]` stands below what makes them.
pub(super) fn has_siblings(test: &Test) -> bool {
    let origin = |test: &Test| (test.site.file, test.site.line, test.name);
    tests().any(|other| origin(other) == origin(test) && other.site.ident != test.site.ident)
}
