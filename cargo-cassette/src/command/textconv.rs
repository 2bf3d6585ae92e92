//! `cargo cassette textconv`: the transcript of one file, for `git diff`.

use std::borrow::Cow;
use std::path::PathBuf;
use std::{fmt, fs};

use cargo_cassette::presentable::{presentable_text, presented};
use cargo_cassette::seen;
use cassette_core::transcript::transcript;
use clap::Args;

use super::failure::Failure;
use super::transcript::{Detail, print};
use super::{Found, in_plain};
use crate::output::{Line, Output, visible};

/// Print the transcript of a file, as git asks for it
///
/// A cassette that was changed by hand is printed as what it says now. What is none at all is printed as it is but for its
/// secrets: git then shows what changed in it.
#[derive(Debug, Args)]
#[command(
    hide = true,
    after_help = "Example: git config diff.cassette.textconv \"cargo-cassette textconv\"\n\nExit codes: 0 printed, 2 it could not be done as asked."
)]
pub(crate) struct Textconv {
    /// The file
    file: PathBuf,
}

/// The file cannot be read.
#[derive(Debug)]
pub(crate) struct TextconvError(String, std::io::Error);

impl fmt::Display for TextconvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not read {}: {}\nhelp: cargo cassette show <NAME>", self.0, self.1)
    }
}

impl From<TextconvError> for Failure {
    fn from(error: TextconvError) -> Failure {
        Failure::Textconv(error)
    }
}

pub(crate) fn run(textconv: &Textconv, output: &mut Output) -> Result<Found, Failure> {
    let bytes = fs::read(&textconv.file).map_err(|error| TextconvError(textconv.file.display().to_string(), error))?;
    let Ok(seen) = seen::read(&bytes) else {
        let text = String::from_utf8_lossy(&bytes);
        let shown = presentable_text(&text);
        // What is no text git shows as it likes, where it holds no secret; of a text nothing is to drive the terminal that it ends on.
        match shown == text && matches!(text, Cow::Owned(_)) {
            true => output.bytes(&bytes)?,
            false => output.bytes(visible(&shown).as_bytes())?,
        }
        return Ok(Found::Nothing);
    };
    let presented = presented(seen.tape, None);
    let tape = presented.tape;
    if !seen.by_hand.is_empty() {
        output.line(&Line::of("changed by hand since it was recorded"))?;
    }
    if let Some(told) = in_plain::nameless(presented.in_plain) {
        output.line(&Line::of(&told))?;
    }
    // The date and the version are left out: they change with every recording and say nothing about it.
    if let Some(test) = &tape.head.test {
        output.line(&Line::of(&format!("test {test}")))?;
    }
    for (interaction, exchange) in tape.interactions.iter().zip(&transcript(&tape.interactions)) {
        output.gap()?;
        print(exchange, interaction, Detail::Once, output)?;
    }
    Ok(Found::Nothing)
}
