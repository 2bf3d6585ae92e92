//! The attributes of cassette-test. They parse, check and expand to calls into `cassette_test::_macro_support`; nothing else.
//!
//! `#[cassette]` expands twice. The first time (`enter`) it takes the handle out of the signature, binds it in the body, and
//! leaves a hidden attribute behind every other one. By the time the second (`wrap`) meets the function, the test attributes
//! between have made it synchronous, runtime and all, so that the session opens before any runtime is built and the verdict
//! falls after it is gone.

mod panics;
mod signature;

mod compared;
mod fork;
mod option;

mod options;

mod enter;

mod made_a_test;
mod wrap;

mod function;

#[cfg(test)]
mod tests;

use function::{Kind, Switch};
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
/// `Cassette` at any place among its arguments, or find it with `Cassette::current()`. A function that nothing makes a test of, and
/// that nothing calls, does not build: it would never run, and never fail. `#[allow(dead_code)]` on the function itself says that it is
/// meant so. In a build of tests a `pub fn` is one of its crate, so that the compiler sees whether anything calls it. Under
/// `allow(dead_code)` round it, one with items in its body is not noticed.
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
/// | `fork("run", at = 23)` | recording begins with the first 23 interactions of the cassette `run`, and goes live behind them |
/// | `repeat = true` | the last recording of a request serves again |
/// | `crate = path` | where cassette-test is to be found, if not at `::cassette_test` |
#[proc_macro_attribute]
pub fn cassette(arguments: TokenStream, item: TokenStream) -> TokenStream {
    enter::expand(arguments.into(), item.into()).into()
}

/// Records what a function gives that stands for a model, and replays it; see [`macro@tool`].
#[proc_macro_attribute]
pub fn llm(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Llm, SWITCH, arguments.into(), item.into()).into()
}

/// Records what a tool gives, and replays it.
///
/// ```text
/// #[cassette_test::tool(skip(client))]
/// pub async fn departures(client: &Client, city: &str) -> Result<Vec<Departure>, TimetableError> { .. }
/// ```
///
/// It stands on a function or a method, `async` or not. In a test with a cassette a call of it is recorded: its name, its
/// arguments and what it gives. On replay it does not run. What it calls meanwhile is a part of it: other annotated functions are
/// not recorded, and HTTP calls are marked `within` it. Where no cassette is open and the program has no cassette test, it just
/// runs; beside cassette tests, `cassette_test::live(..)` runs it so. Without the feature `replay` of cassette-test the
/// attribute leaves the function as it is.
///
/// Arguments go through `Serialize`, what is returned through `Serialize` and `DeserializeOwned`; so does an error, unless
/// it is `From<ReplayedError>` and `Display`, as `anyhow::Error`, boxed errors and `io::Error` are, or `ReplayedError` is `From<&Error>`
/// too. `self` is no argument. An argument that the function may change is refused, unless it is skipped. Functions stand by
/// the module and type of which they are: `tools::Trains::departures`.
///
/// | option | meaning |
/// |---|---|
/// | `name = "departures"` | the name under which it is recorded |
/// | `skip(client)` | these arguments are not recorded, and not compared |
/// | `unordered(tags)` | the elements of these arguments have no order of their own, as those of a `HashSet` |
/// | `also(index = self.index)` | these values are recorded and compared too, as if they were arguments |
/// | `error = "serde"`, `error = "from"` | how an error is recorded, where the type does not say so, as in a generic function |
/// | `errors(NoSuchTown, Closed)` | an `anyhow::Error` or a boxed error may be one of these, which serde writes; `errors()` where the program tells none apart |
/// | `describe = path, rebuild = path` | functions that write an error as a `ReplayedError` and make it again |
/// | `crate = path` | where cassette-test is to be found, if not at `::cassette_test` |
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Tool, SWITCH, arguments.into(), item.into()).into()
}

/// Records what a memory or a store gives, and replays it; see [`macro@tool`].
#[proc_macro_attribute]
pub fn memory(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Memory, SWITCH, arguments.into(), item.into()).into()
}

/// Records what the implementors of a trait give, and replays it.
///
/// ```text
/// #[cassette_test::recordable]
/// pub trait Provider: Send + Sync {
///     async fn answer(&self, question: &str) -> Result<String, ProviderError>;
/// }
///
/// #[cassette("trains")]
/// #[tokio::test]
/// async fn it_answers(cassette: Cassette) {
///     let provider = cassette.wrap(|| OpenAi::from_env());
///     assert_eq!(timetable::ask(&provider, "When?").await.unwrap(), "09:04");
/// }
/// ```
///
/// It stands on a trait of one's own, above or below `#[async_trait]`. What `cassette.wrap(..)` and `cassette.try_wrap(..)` return
/// implements it: every method is recorded as [`macro@tool`] records a function, under `<models::OpenAi as providers::Provider>::answer`,
/// and what is live is made when the first call goes live, in a replay never. Without the feature `replay` of cassette-test the
/// attribute leaves the trait as it is, and there is nothing to wrap with.
///
/// A method may give a value, a `Result`, a future, boxed or not, a stream, boxed, `impl Stream` or an associated type, a `Result`
/// of a stream, or lend a value (`&str`, `&T`, of which each replayed one stays in memory). One with a body is recorded too; with
/// `#[recordable(provided)]` its own body runs, and what it calls is recorded. `#[llm]`, `#[tool]` and `#[memory]` on a method say what
/// it is, with their options. A method borrows `self`; one that changes it says `skip(self)`.
///
/// | option | meaning |
/// |---|---|
/// | `kind = "tool"`, `kind = "memory"` | what methods are that do not say: `"llm"` otherwise |
/// | `error = "serde"`, `error = "from"` | how errors are recorded; needed where an error's type is the trait's own, `Self::Error` |
/// | `crate = path` | where cassette-test is to be found, if not at `::cassette_test` |
#[proc_macro_attribute]
pub fn recordable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::recordable::expand(SWITCH, arguments.into(), item.into()).into()
}

/// The switch is a feature of this crate: one that an expansion asked for would be the user's.
const SWITCH: Switch = if cfg!(feature = "replay") { Switch::Recording } else { Switch::Bare };

#[doc(hidden)]
#[proc_macro_attribute]
pub fn __of_this_crate(_: TokenStream, item: TokenStream) -> TokenStream {
    made_a_test::of_this_crate(item.into()).into()
}

#[doc(hidden)]
#[proc_macro_attribute]
pub fn __wrap(arguments: TokenStream, item: TokenStream) -> TokenStream {
    wrap::expand(arguments.into(), item.into()).into()
}
