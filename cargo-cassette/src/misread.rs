//! What is said to words that mean nothing: what is wrong with them, and the whole command as it was likely meant.

use std::io::{self, Write as _};

use anstream::AutoStream;
use cargo_cassette::exit;
use cassette_core::spelling::distance;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{unfolded, verb_at};
use crate::output::{complain, quoted, typed};

/// What is typed for a value that cannot be read, by what it is called.
const EXAMPLES: [(&str, &str); 6] =
    [("INTERACTION", "1"), ("AGE", "90d"), ("PORT", "4010"), ("N", "1"), ("DOLLARS", "0.50"), ("USD", "0.50")];

/// Says what words mean nothing, or the help that was asked for, and returns the exit code.
pub(crate) fn tell(error: &Error, words: &[String]) -> u8 {
    let text = unfolded(&error.render().ansi().to_string());
    // A stream that is closed has nobody to be told.
    if !error.use_stderr() {
        let mut stdout = AutoStream::auto(io::stdout().lock());
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        return exit::DONE;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = AutoStream::auto(io::stderr().lock()).write_all(text.as_bytes());
    } else {
        complain(&format!("{}\nhelp: {}", what(error), help(error, words)));
    }
    exit::USAGE
}

/// Returns what is wrong with them.
fn what(error: &Error) -> String {
    let text = error.render().to_string();
    let is_advice = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("tip: ") || line.starts_with("Usage: ") || line.starts_with("For more information")
    };
    let lines = text.lines().take_while(|line| !line.starts_with("Usage: ")).filter(|line| !is_advice(line));
    let lines: Vec<_> = lines.filter(|line| !line.trim().is_empty()).collect();
    let text = lines.join("\n");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

/// Returns what to type instead.
fn help(error: &Error, words: &[String]) -> String {
    let text = |kind: ContextKind| error.get(kind).and_then(first);
    let verb = verb_at(words).map(|at| format!(" {}", words[at])).unwrap_or_default();
    let see = format!("cargo cassette{verb} --help");
    let meant = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            let at = words.iter().position(|known| *known == word);
            let meant = error.get(ContextKind::SuggestedSubcommand).and_then(|meant| likest(meant, &word));
            at.zip(meant).map(|(at, meant)| again(words, at, &meant))
        }
        ErrorKind::UnknownArgument => {
            let wrong = text(ContextKind::InvalidArg).unwrap_or_default();
            let at = words.iter().position(|known| is_option(known, &wrong));
            match (at, text(ContextKind::SuggestedArg)) {
                (Some(at), Some(meant)) => {
                    let value = words[at].split_once('=').map(|(_, value)| format!("={value}")).unwrap_or_default();
                    let meant = meant.split([' ', '=']).next().unwrap_or_default().to_owned();
                    Some(again(words, at, &(meant + &value)))
                }
                // Behind an option it is that one's value.
                (Some(at), None)
                    if error.get(ContextKind::Suggested).is_some() && at > 0 && !words[at - 1].starts_with('-') =>
                {
                    let path = typed(&words[at]);
                    Some(format!(
                        "see what may be typed: {see}; a name that begins so is typed as a path: {}",
                        command(words, at, &path)
                    ))
                }
                _ => None,
            }
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let wrong = text(ContextKind::InvalidValue).unwrap_or_default();
            let arg = text(ContextKind::InvalidArg).unwrap_or_default();
            let named = arg.rsplit(['<', '[']).next().unwrap_or_default().trim_end_matches(['>', ']', '.']);
            let example = || EXAMPLES.iter().find(|(name, _)| *name == named).map(|(_, example)| (*example).to_owned());
            let meant = text(ContextKind::SuggestedValue).or_else(|| text(ContextKind::ValidValue)).or_else(example);
            value(words, &wrong, meant.as_deref())
        }
        ErrorKind::InvalidUtf8 => {
            Some("a name that is no UTF-8 belongs to no cassette: cargo cassette lint --files".to_owned())
        }
        _ => None,
    };
    meant.unwrap_or(see)
}

/// Returns whether this is the option that is unknown: alone, with its value, or among several of one letter.
fn is_option(word: &str, wrong: &str) -> bool {
    let is_short = !wrong.starts_with("--") && !word.starts_with("--");
    word == wrong
        || word.starts_with(&format!("{wrong}="))
        || is_short && word.len() > 1 && word.starts_with(wrong)
        || is_short && word.starts_with('-') && wrong.len() == 2 && word.contains(&wrong[1..])
}

/// Returns the command with another value in the place of this one.
fn value(words: &[String], wrong: &str, meant: Option<&str>) -> Option<String> {
    let meant = meant?;
    let at = words.iter().rposition(|known| known == wrong || known.ends_with(&format!("={wrong}")))?;
    let option = words[at].strip_suffix(wrong)?;
    Some(again(words, at, &format!("{option}{meant}")))
}

/// Returns the command with another word in this place.
fn again(words: &[String], at: usize, meant: &str) -> String {
    command(words, at, &quoted(meant))
}

fn command(words: &[String], at: usize, meant: &str) -> String {
    let word = |(i, known): (usize, &String)| if i == at { meant.to_owned() } else { quoted(known) };
    format!("cargo cassette {}", words.iter().enumerate().map(word).collect::<Vec<_>>().join(" "))
}

/// Returns which of the words that may have been meant is the likest.
fn likest(meant: &ContextValue, word: &str) -> Option<String> {
    match meant {
        ContextValue::Strings(all) => all.iter().min_by_key(|known| distance(word, known)).cloned(),
        one => first(one),
    }
}

/// Returns a text of an error's context, of several the first.
fn first(value: &ContextValue) -> Option<String> {
    match value {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    }
}
