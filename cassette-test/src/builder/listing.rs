//! What a test binary owns, told without running a test.
//!
//! With `CASSETTE_REGISTRY` set, the process writes a JSON array into the file of that name as it exits: an object for each
//! annotated test, by file and line. `CASSETTE_REGISTRY=owned.json some-test-binary --list` asks without running a test.

use std::fs;

use cassette_core::json::{Json, Layout};
use cassette_core::policy::Unused;

use super::{Builder, Test, registry};
use crate::sys::exit::{AtExit, Ends, REGISTRY};

inventory::submit!(AtExit(write));

/// Writes the list. A file that cannot be written is left out: whoever asked finds nothing, and nothing may fail here.
fn write() -> Ends {
    let Some(file) = cassette_core::env::var(REGISTRY) else { return Ends::AsItWas };
    let mut tests: Vec<_> = registry::tests().collect();
    tests.sort_by_key(|test| (test.site.file, test.site.line, test.site.ident));
    let list = Json::Array(tests.into_iter().map(entry).collect()).print(Layout::Indent(2));
    #[expect(clippy::disallowed_methods, reason = "this is no cassette")]
    let _ = fs::write(file, format!("{list}\n"));
    Ends::AsItWas
}

/// Returns the test with its cassette: the name, or the pattern where the test's arguments complete it.
fn entry(test: &'static Test) -> Json {
    let builder = Builder::of_test(test);
    let mode = builder.options.mode.map_or(Json::Null, |mode| mode.as_str().into());
    Json::object([
        ("cassette", builder.label.as_str().into()),
        ("directory", builder.directory().display().to_string().into()),
        ("test", test.site.path().into()),
        ("file", test.site.file.into()),
        ("line", u64::from(test.site.line).into()),
        ("package", test.site.package.into()),
        ("mode", mode),
        ("ignored", test.site.ignored.into()),
        ("shares", (builder.options.unused == Unused::Allow).into()),
        ("origin", builder.options.fork.as_ref().map_or(Json::Null, |(origin, _)| origin.as_str().into())),
    ])
}
