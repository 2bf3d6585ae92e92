//! Exchanges as a person reads them.
//!
//! [`transcript`] makes of each exchange an [`Exchange`]: entries of one label and one text, in the order in which they
//! were said. A run's transcript, the command's and `git diff`'s are these entries, laid out. An entry holds no secret
//! and no time, and nothing that hangs on how a body is spelled or a stream was cut.

mod answer;
mod body;
mod digests;
mod enclosed;
mod question;
mod repeat;

pub use repeat::Repeat;

use std::fmt;

use crate::account::Tokens;
use crate::call::Call;
use crate::reply::Outcome;
use crate::tape::{Asked, Interaction};
use crate::view::File;

/// One exchange, ready to be laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// Its position, from 1.
    pub number: usize,
    /// `POST https://host/path`, or the function's name.
    pub name: String,
    /// The model, as the request names it.
    pub model: Option<String>,
    /// What was set: the model, tools, temperature and the like.
    pub settings: Vec<Entry>,
    /// What was said: the conversation, or the body of a call that is no model's.
    pub said: Vec<Entry>,
    /// What was answered.
    pub answer: Vec<Entry>,
    /// Whether the exchange before had the same settings.
    pub same_settings: bool,
    /// Which earlier exchange began with the same words.
    pub repeat: Option<Repeat>,
    /// The tokens, as the reply counts them.
    pub usage: Option<Tokens>,
}

/// One thing that was said or set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// What it is.
    pub what: What,
    /// Who speaks, or what is set: `user`, `calls`, `temperature`.
    pub label: String,
    /// What is said, on one line or several.
    pub text: String,
    /// What a [`What::File`] is of, until the exchange is told: a transcript keeps no bytes.
    file: Option<File>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// A setting of the request.
    Setting,
    /// A tool that the model may call.
    Tool,
    /// What somebody says.
    Said,
    /// What a model thinks.
    Thought,
    /// A call that a model asks for, `name(arguments)`.
    Called,
    /// What a call returned.
    Returned,
    /// An image, a document or a sound: its type, size and digest, never its bytes.
    File,
    /// A body that is no model's words.
    Body,
    /// The status of the reply.
    Status,
    /// Why the answer ended.
    Finish,
    /// What the model refuses.
    Refusal,
    /// What went wrong.
    Error,
    /// Who broke the answer off.
    Truncated,
    /// Digests that are kept instead of what was asked.
    Digests,
    /// Anything else that the request holds.
    Other,
}

impl What {
    /// Returns a short, fixed name.
    pub fn as_str(self) -> &'static str {
        match self {
            What::Setting => "setting",
            What::Tool => "tool",
            What::Said => "said",
            What::Thought => "thought",
            What::Called => "called",
            What::Returned => "returned",
            What::File => "file",
            What::Body => "body",
            What::Status => "status",
            What::Finish => "finish",
            What::Refusal => "refusal",
            What::Error => "error",
            What::Truncated => "truncated",
            What::Digests => "digests",
            What::Other => "other",
        }
    }
}

/// Returns the exchanges of a cassette.
pub fn transcript(interactions: &[Interaction]) -> Vec<Exchange> {
    let one = |(i, interaction): (usize, &Interaction)| match &interaction.asked {
        Asked::Whole(call) => exchange(i + 1, call, Some(&interaction.outcome)),
        Asked::Digest(digested) => {
            let mut exchange = exchange(i + 1, &interaction.asked.known(), Some(&interaction.outcome));
            digests::read(&mut exchange, &interaction.key, digested);
            exchange
        }
    };
    let mut exchanges: Vec<_> = interactions.iter().enumerate().map(|at| without_bytes(one(at))).collect();
    repeat::mark(&mut exchanges);
    exchanges
}

/// Returns the files that an exchange shows, one for each [`What::File`] of what is said and then of what is answered, in their
/// order. They are read anew, so that who lays out a long cassette holds those alone that it shows.
pub fn files(interaction: &Interaction) -> Vec<File> {
    let exchange = exchange(0, &interaction.asked.known(), Some(&interaction.outcome));
    let entries = exchange.said.into_iter().chain(exchange.answer);
    entries.filter(|entry| entry.what == What::File).map(|entry| entry.file.unwrap_or_default()).collect()
}

fn without_bytes(mut exchange: Exchange) -> Exchange {
    exchange.said.iter_mut().chain(&mut exchange.answer).for_each(|entry| entry.file = None);
    exchange
}

/// Returns one exchange; without an outcome, nothing is recorded of how the call ended.
pub(crate) fn exchange(number: usize, call: &Call, outcome: Option<&Outcome>) -> Exchange {
    let mut exchange = Exchange { number, name: crate::redact::unescape(&call.title()), ..Exchange::default() };
    question::read(&mut exchange, call);
    match outcome {
        Some(outcome) => answer::read(&mut exchange, call, outcome),
        None => exchange.answer.push(Entry::new(What::Status, "answer", "none is recorded")),
    }
    exchange
}

impl fmt::Display for Exchange {
    /// Writes it as a run's transcript does: the name, and below it a line for each entry, further lines of it indented.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}. {}", self.number, self.name.replace('\n', "\n  "))?;
        let entries = self.settings.iter().chain(&self.said).chain(&self.answer);
        let mut lines = entries.map(|Entry { label, text, .. }| format!("{label}  {text}").replace('\n', "\n    "));
        lines.try_for_each(|line| writeln!(f, "  {line}"))
    }
}

impl Entry {
    fn new(what: What, label: impl Into<String>, text: impl AsRef<str>) -> Entry {
        Entry { what, label: label.into(), text: crate::redact::unescape(text.as_ref()), file: None }
    }

    fn of_file(label: impl Into<String>, file: File) -> Entry {
        Entry { file: Some(file.clone()), ..Entry::new(What::File, label, body::file(&file)) }
    }
}
