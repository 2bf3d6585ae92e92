//! Records what a test says to language models, services and tools once, and replays it for ever: offline, for nothing, in
//! milliseconds, the same way every time.
//!
//! ```no_run
//! # mod timetable {
//! #     pub async fn ask(_: &super::Client, _: &str) -> Result<String, String> { Ok(String::new()) }
//! # }
//! # struct OpenAIConfig;
//! # impl OpenAIConfig {
//! #     fn new() -> Self { OpenAIConfig }
//! #     fn with_api_base(self, _: String) -> Self { self }
//! # }
//! # struct Client;
//! # impl Client {
//! #     fn with_config(_: OpenAIConfig) -> Self { Client }
//! # }
//! use cassette_test::{cassette, Cassette};
//!
//! #[cassette("trains")]
//! #[tokio::test]
//! async fn it_answers_from_the_timetable(cassette: Cassette) {
//!     let config = OpenAIConfig::new().with_api_base(cassette.base_url("https://api.openai.com/v1"));
//!     let answer = timetable::ask(&Client::with_config(config), "When does the next train to Bergen leave?").await.unwrap();
//!     assert!(answer.contains("09:04"));
//! }
//! # fn main() {}
//! ```
//!
//! `cargo test` replays `cassettes/trains.json`. `CASSETTE_MODE=record cargo test` records what is missing, and
//! `CASSETTE_MODE=refresh cargo test` records over it. A replay serves what was recorded or fails saying what moved.
//!
//! - [`macro@cassette`] makes a test one with a cassette, and [`Cassette`] is its handle, in the test and in whatever the test
//!   gives it to. [`Cassette::current`] finds it where it is not at hand.
//! - With the feature `http2`, the addresses that it gives out take HTTP/2 from the first byte too, as gRPC clients speak it.
//! - [`macro@llm`], [`macro@tool`] and [`macro@memory`] record what a function gives: tools, stores, models in the same process. [`Cassette::call`]
//!   does so where there is no function to annotate, [`Cassette::value`] for what differs from run to run.
//! - [`macro@recordable`] records what the implementors of a trait give, and [`Cassette::wrap`] stands for one of them.
//! - [`Cassette::builder`] opens a [`Session`] in code, for tests that the attribute does not fit.
//! - [`Cassette::fault`] makes a recorded run go wrong, and [`Builder::sweep`] lets it go wrong everywhere.
//! - [`assert_same_run`] compares what happened in two runs of a test, with two models or live and replayed.
//! - [`Report`] is why a cassette failed its test.
//!
//! The modules stand in reading order, from what a test asks for to the run of it; each imports only from those above it.

#[cfg(feature = "replay")]
mod sys;
#[cfg(feature = "replay")]
mod guard;

#[cfg(feature = "replay")]
mod tell;
#[cfg(feature = "replay")]
mod authority;
#[cfg(feature = "replay")]
mod proxies;

#[cfg(feature = "replay")]
mod compared;
#[cfg(feature = "replay")]
mod mistyped;
#[cfg(feature = "replay")]
mod order;
#[cfg(feature = "replay")]
mod options;
#[cfg(feature = "replay")]
mod lasting;
#[cfg(feature = "replay")]
mod stay;

#[cfg(feature = "replay")]
mod site;
#[cfg(feature = "replay")]
mod sites;

#[cfg(feature = "replay")]
mod settings;
#[cfg(feature = "replay")]
mod purse;
#[cfg(feature = "replay")]
mod variables;
#[cfg(feature = "replay")]
mod whereabouts;

#[cfg(feature = "replay")]
mod wire;
#[cfg(feature = "replay")]
mod gateway;
#[cfg(feature = "replay")]
mod mcp;

#[cfg(feature = "replay")]
mod blame;
#[cfg(feature = "replay")]
mod breakpoint;
#[cfg(feature = "replay")]
mod reminders;
#[cfg(feature = "replay")]
mod unending;
#[cfg(feature = "replay")]
mod watching;
#[cfg(feature = "replay")]
mod scope;

#[cfg(feature = "replay")]
mod inside;

#[cfg(feature = "replay")]
mod outliving;
#[cfg(feature = "replay")]
mod ambient;
#[cfg(feature = "replay")]
mod turns;
#[cfg(feature = "replay")]
mod unended;

#[cfg(feature = "replay")]
mod doubles;

#[cfg(feature = "replay")]
mod verdict;

#[cfg(feature = "replay")]
mod envs;

#[cfg(feature = "replay")]
mod cassette;

#[cfg(feature = "replay")]
mod scoped;
mod spawned;

#[cfg(not(feature = "replay"))]
mod bare;

#[cfg(feature = "replay")]
mod shim;

#[cfg(feature = "replay")]
mod faults;
#[cfg(feature = "replay")]
mod steps;

#[cfg(feature = "_adapters")]
pub mod adapters;

#[cfg(feature = "replay")]
mod book;
#[cfg(feature = "replay")]
mod session;

#[cfg(feature = "replay")]
mod same_run;

#[cfg(feature = "replay")]
mod builder;

#[cfg(feature = "replay")]
mod clocks;
#[cfg(feature = "replay")]
mod abandon;
#[cfg(feature = "replay")]
mod ended;
#[cfg(feature = "replay")]
mod entered;

#[cfg(feature = "replay")]
mod function;

#[cfg(feature = "replay")]
mod guarded;
#[cfg(feature = "replay")]
mod run;

#[cfg(feature = "replay")]
mod sweep;

#[cfg(feature = "replay")]
#[doc(hidden)]
pub mod _macro_support;
#[cfg(feature = "replay")]
#[doc(hidden)]
pub mod _cli_support;

#[cfg(feature = "replay")]
pub use ambient::Entered;
#[cfg(feature = "replay")]
pub use builder::Builder;
#[cfg(feature = "replay")]
pub use cassette::Cassette;
#[cfg(feature = "replay")]
pub use compared::Compared;
#[cfg(feature = "replay")]
pub use doubles::{NeverCalled, ScriptedChat, ScriptedLlm};
#[cfg(feature = "replay")]
pub use function::{Recorded, RecordedStream, live, live_blocking};
#[cfg(feature = "replay")]
pub use guard::Guard;
#[cfg(feature = "replay")]
pub use options::{OnMiss, Pace};
#[cfg(feature = "replay")]
pub use same_run::{assert_same_run, try_assert_same_run};
#[cfg(feature = "replay")]
pub use session::Session;
#[cfg(feature = "replay")]
pub use sweep::{Ending, Survived, Sweep};

#[cfg(not(feature = "replay"))]
pub use bare::{ErrorKind, ReplayedError, live, live_blocking};
#[cfg(feature = "replay")]
pub use cassette_core::account::Tokens;
#[cfg(feature = "replay")]
pub use cassette_core::call::Call;
#[cfg(feature = "replay")]
pub use cassette_core::fault::Fault;
#[cfg(feature = "replay")]
pub use cassette_core::function::{ErrorKind, FunctionCall, ReplayedError};
#[cfg(feature = "replay")]
pub use cassette_core::json::Json;
#[cfg(feature = "replay")]
pub use cassette_core::matcher::Matcher;
#[cfg(feature = "replay")]
pub use cassette_core::matching::PartName;
#[cfg(feature = "replay")]
pub use cassette_core::mode::Mode;
#[cfg(feature = "replay")]
pub use cassette_core::normalize;
#[cfg(feature = "replay")]
pub use cassette_core::policy::{Order, Requests, Unused};
#[cfg(feature = "replay")]
pub use cassette_core::report::{self, Report};
#[cfg(feature = "replay")]
pub use cassette_core::request::Request;
#[cfg(feature = "replay")]
pub use cassette_core::run::{Fact, Run};
#[cfg(feature = "replay")]
pub use cassette_core::session::Summary;
#[cfg(feature = "replay")]
pub use cassette_core::similarity::{Lexical, Similarity};
#[cfg(feature = "replay")]
pub use cassette_core::step::{Source, Step};
#[cfg(feature = "replay")]
pub use cassette_macros::cassette;
pub use cassette_macros::{llm, memory, recordable, tool};
pub use spawned::{scope, scoped};
