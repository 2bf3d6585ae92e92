//! What the attribute refuses, and where its errors point.

#[test]
fn mistakes_are_told_at_their_place() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/arguments.rs");
    cases.compile_fail("tests/ui/errors.rs");
    cases.compile_fail("tests/ui/functions.rs");
    cases.compile_fail("tests/ui/items.rs");
    cases.compile_fail("tests/ui/names.rs");
    cases.compile_fail("tests/ui/options.rs");
    cases.compile_fail("tests/ui/recordable.rs");
    cases.compile_fail("tests/ui/streams.rs");
    cases.compile_fail("tests/ui/traits.rs");
    cases.compile_fail("tests/ui/types.rs");
    cases.pass("tests/ui/annotated.rs");
    cases.pass("tests/ui/elsewhere.rs");
    cases.pass("tests/ui/recorded.rs");
}
