//! The attributes of cassette-test. They parse, check and expand to calls into `cassette_test::_macro_support`; nothing else.
//!
//! `#[cassette]` expands twice. The first time (`enter`) it takes the handle out of the signature, binds it in the body, and
//! leaves a hidden attribute behind every other one. By the time the second (`wrap`) meets the function, the test attributes
//! between have made it synchronous, runtime and all, so that the session opens before any runtime is built and the verdict
//! falls after it is gone.

mod panics;
mod signature;

mod compared;
mod option;

mod options;

mod enter;

mod wrap;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Records what a test says to models and services, and replays it.
///
/// ```text
/// #[cassette("trains")]
/// #[tokio::test]
/// async fn it_answers_from_the_timetable(cassette: Cassette) { .. }
/// ```
///
/// It stands above the test attribute; below `#[rstest]`, it stands behind the last `#[case]`, since one before a case belongs to
/// that case alone. The name is the cassette's path below `cassettes/`, and may use the test's arguments
/// (`"trains/{model}"`); without one, the cassette is named after the test's module path and name. The test may take a
/// `Cassette` at any place among its arguments, or find it with `Cassette::current()`.
///
/// An async body is abandoned where its cassette fails, so that a client's back-off does not go on for minutes. In a sync test,
/// and where the attribute stands below the test attribute, every later call fails at once, and the test at its end.
/// `#[should_panic]` looks at the body alone: a failure of the cassette never satisfies it.
///
/// A test may return whatever implements `Termination`. Only `()`, an `ExitCode` and a `Result` of these, written so, leave the
/// function's type as it is: any other value is asked for its exit code, and the function returns that instead.
///
/// | option | meaning |
/// |---|---|
/// | `mode = "replay"`, `mode = "off"` | this mode, whatever `CASSETTE_MODE` says |
/// | `order = "any"`, `order = "strict"` | recordings are served as they are asked for, or only in the order in which they were recorded |
/// | `unused = "allow"` | recordings may be left over, as where tests share a cassette |
/// | `requests = "digest"` | the file keeps digests of the requests, and no text of them; replies are kept in full |
/// | `on_miss = "error"` | an async body is not abandoned at the first miss, but sees it as an error; the test fails all the same |
/// | `allow_errors` | replies such as 401 and 500 are recorded like any other |
/// | `match_on(model, "input")` | only these parts and paths are compared; the parts are endpoint, model, messages, tools, output_schema, reasoning, hooks, sampling, rest |
/// | `ignore("messages[*].id", "**.request_id")` | what stands at these paths is not compared |
/// | `normalize(path::to::function)` | bodies are compared as this `fn(&mut Json)` leaves them |
/// | `matcher(path::to::function)` | this `fn(&Call, &Call) -> bool`, or whatever is a `Matcher`, says which recording is of which call |
/// | `hooks("guardrail@2")`, `provider = "azure"`, `version = "7"` | what a recording is made with; a cassette recorded with something else fails |
/// | `match_header("x-tenant")` | these headers are compared too |
/// | `keep_header("x-request-cost")` | these reply headers are kept though their values change |
/// | `allow_hosts("telemetry.local")` | these hosts may be reached round the cassette |
/// | `redact_field("ssn")`, `redact_header("x-sid")`, `redact_value("hunter2")`, `redact(path::to::function)` | these are hidden too |
/// | `pii = true` | e-mail addresses, card and telephone numbers are hidden too |
/// | `dir = "tests/cassettes"` | the directory, from the package's own |
/// | `pace = "recorded"`, `pace = 0.5` | a stream keeps its rhythm, or a multiple of it |
/// | `repeat = true` | the last recording of a request serves again |
/// | `crate = path` | where cassette-test is to be found, if not at `::cassette_test` |
#[proc_macro_attribute]
pub fn cassette(arguments: TokenStream, item: TokenStream) -> TokenStream {
    enter::expand(arguments.into(), item.into()).into()
}

#[doc(hidden)]
#[proc_macro_attribute]
pub fn __wrap(arguments: TokenStream, item: TokenStream) -> TokenStream {
    wrap::expand(arguments.into(), item.into()).into()
}
