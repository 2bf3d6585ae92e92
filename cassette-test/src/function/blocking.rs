//! A function that is not waited for.

use cassette_core::function::{Codec, FunctionCall};

use super::start::{Form, Start, missed, serve, start};
use crate::cassette::Cassette;
use crate::inside;

/// Returns what the function gives: what was recorded, or what it gives now.
#[track_caller]
pub(super) fn call<R>(cassette: &Cassette, asked: &FunctionCall, codec: &impl Codec<R>, live: impl FnOnce() -> R) -> R {
    let failed = match start(cassette, asked) {
        Start::Bare => return live(),
        Start::Live(running) => {
            let given = inside::run(&running.inside(), live);
            running.finish(&given, codec);
            return given;
        }
        Start::Serve(served) => serve(cassette, &served, codec),
        Start::Fail(report) => Err(report),
    };
    failed.unwrap_or_else(|report| missed(cassette, &report, codec, Form::Blocking))
}
