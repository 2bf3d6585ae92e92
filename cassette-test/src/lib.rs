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
//! - [`Cassette::builder`] opens a [`Session`] in code, for tests that the attribute does not fit.
//! - [`Cassette::fault`] makes a recorded run go wrong, and [`Builder::sweep`] lets it go wrong everywhere.
//! - [`assert_same_run`] compares what happened in two runs of a test, with two models or live and replayed.
//! - [`Report`] is why a cassette failed its test.
//!
//! The modules stand in reading order, from what a test asks for to the run of it; each imports only from those above it.

mod sys;
mod guard;

mod tell;

mod compared;
mod order;
mod options;
mod site;

mod whereabouts;

mod wire;
mod gateway;

mod blame;
mod scope;

mod ambient;
mod turns;

mod verdict;

mod envs;

mod cassette;

mod faults;

#[cfg(feature = "_adapters")]
pub mod adapters;

mod session;

mod same_run;

mod builder;

mod clocks;
mod abandon;
mod ended;
mod entered;

mod guarded;
mod run;

mod sweep;

#[doc(hidden)]
pub mod _macro_support;

pub use ambient::Entered;
pub use builder::Builder;
pub use cassette::Cassette;
pub use compared::Compared;
pub use options::{OnMiss, Pace};
pub use same_run::{assert_same_run, try_assert_same_run};
pub use session::Session;
pub use sweep::{Ending, Survived, Sweep};

pub use cassette_core::call::Call;
pub use cassette_core::fault::Fault;
pub use cassette_core::json::Json;
pub use cassette_core::matcher::Matcher;
pub use cassette_core::matching::PartName;
pub use cassette_core::mode::Mode;
pub use cassette_core::normalize;
pub use cassette_core::policy::{Order, Requests, Unused};
pub use cassette_core::report::{self, Report};
pub use cassette_core::request::Request;
pub use cassette_core::run::{Fact, Run};
pub use cassette_core::session::Summary;
pub use cassette_core::similarity::{Lexical, Similarity};
pub use cassette_core::view::Usage;
pub use cassette_macros::cassette;
