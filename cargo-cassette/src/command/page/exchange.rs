//! An exchange: who speaks on the left, what is said on the right.

use cassette_core::reply::Outcome;
use cassette_core::tape::Interaction;
use cassette_core::transcript::{Entry, Exchange, What, files};
use cassette_core::view::File;

use super::super::status::tokens;
use super::file::file;
use super::long::long;
use super::markup::Markup;
use crate::output::count;

/// How wide a setting may be to stand beside the others.
const SETTING: usize = 48;

/// How many characters of what was said stand in the list of calls.
const HEADLINE: usize = 80;

/// Roles that have a colour of their own.
const ROLES: [&str; 7] = ["user", "assistant", "model", "system", "developer", "tool", "function"];

/// How much of what was said is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What an earlier exchange has shown is named, and not shown again.
    New,
    /// Everything.
    All,
}

/// Adds what was set, said and answered in an exchange. `earlier` makes the address of an earlier one of its number.
pub(crate) fn content(
    exchange: &Exchange,
    interaction: &Interaction,
    extent: Extent,
    earlier: &dyn Fn(usize) -> String,
) -> Markup {
    let mut to = Markup::new();
    settings(exchange, &mut to);
    let shows_files = exchange.said.iter().chain(&exchange.answer).any(|entry| entry.what == What::File);
    let mut files = if shows_files { files(interaction) } else { Vec::new() }.into_iter();
    let mut next = |entry: &Entry| if entry.what == What::File { files.next() } else { None };
    let repeat = exchange.repeat.filter(|_| extent == Extent::New);
    if let Some(repeat) = repeat {
        to.element("p", &[("class", "again")], |p| {
            p.text(&format!("{} as in ", count(repeat.entries, "turn")));
            p.element("a", &[("href", &earlier(repeat.exchange))], |link| {
                link.text(&format!("call {}", repeat.exchange));
            });
        });
    }
    let repeated = repeat.map_or(0, |repeat| repeat.entries);
    for (i, said) in exchange.said.iter().enumerate() {
        let file = next(said);
        if i >= repeated {
            entry(said, file.as_ref(), &mut to);
        }
    }
    for said in &exchange.answer {
        let file = next(said);
        if !goes_without_saying(said) {
            entry(said, file.as_ref(), &mut to);
        }
    }
    closing(exchange, interaction, &mut to);
    to
}

/// Adds one thing that was said.
fn entry(entry: &Entry, shown: Option<&File>, to: &mut Markup) {
    to.element("div", &[("class", &class(entry))], |turn| {
        turn.words("div", "who", &entry.label);
        turn.element("div", &[("class", "what")], |what| match (entry.what, shown) {
            (What::File, Some(shown)) => file(shown, &entry.text, what),
            (What::Called, _) => called(&entry.text, what),
            _ => long(&entry.text, what),
        });
    });
}

/// Returns the classes of an entry: what it is, and of what is said by whom, where that is somebody known.
fn class(entry: &Entry) -> String {
    let role = ROLES.iter().find(|role| entry.what == What::Said && **role == entry.label);
    let data = if entry.text.starts_with(['{', '[']) && entry.what != What::Said { " data" } else { "" };
    let role = role.map(|role| format!(" {role}")).unwrap_or_default();
    format!("turn {}{role}{data}", entry.what.as_str())
}

/// Adds a call of a tool, `name(arguments)`.
fn called(text: &str, to: &mut Markup) {
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    to.words("b", "", name);
    long(arguments, to);
}

/// Adds what was set: what is short beside each other, anything longer, and tools, to unfold.
fn settings(exchange: &Exchange, to: &mut Markup) {
    if exchange.settings.is_empty() {
        return;
    }
    let is_short =
        |entry: &Entry| entry.what != What::Tool && entry.text.chars().count() <= SETTING && !entry.text.contains('\n');
    to.element("div", &[("class", "settings")], |settings| {
        for entry in exchange.settings.iter().filter(|entry| is_short(entry)) {
            settings.element("span", &[("class", "setting")], |setting| {
                setting.text(&format!("{} ", entry.label)).words("b", "", &entry.text);
            });
        }
        for entry in exchange.settings.iter().filter(|entry| !is_short(entry)) {
            settings.element("details", &[("class", "setting")], |details| {
                details.words("summary", "", &entry.label);
                details.words("div", "code", &entry.text);
            });
        }
    });
}

/// Adds the last line of an exchange: how it ended, its tokens, its time; and its headers and key, to unfold.
fn closing(exchange: &Exchange, interaction: &Interaction, to: &mut Markup) {
    let finish = exchange.answer.iter().filter(|entry| entry.what == What::Finish);
    let mut told: Vec<String> = finish.map(|entry| entry.text.clone()).collect();
    told.extend(exchange.usage.as_ref().map(tokens).filter(|tokens| !tokens.is_empty()));
    if let Outcome::Reply(reply) = interaction.outcome() {
        let took = reply.took().map(|took| took.as_millis());
        let pieces = (reply.chunks.len() > 1).then(|| count(reply.chunks.len(), "piece"));
        told.extend(match (pieces, took) {
            (Some(pieces), Some(took)) => Some(format!("{pieces} in {took} ms")),
            (pieces, took) => pieces.or(took.map(|took| format!("{took} ms"))),
        });
    }
    to.element("footer", &[], |footer| {
        footer.text(&told.join(" · "));
        footer.element("details", &[("class", "wire")], |details| {
            details.words("summary", "", "headers and key");
            headers("sent", &interaction.asked().known().headers, details);
            if let Outcome::Reply(reply) = interaction.outcome() {
                headers("answered", &reply.headers, details);
                headers("after the body", &reply.trailers, details);
            }
            details.words("p", "", &format!("key {}", interaction.key()));
        });
    });
}

fn headers(title: &str, headers: &[(String, String)], to: &mut Markup) {
    if headers.is_empty() {
        return;
    }
    to.words("p", "", title);
    let lines: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    to.words("div", "code", &lines.join("\n"));
}

/// Adds what a reader has to know before all else: a status that is no success, an error, an answer that was cut.
pub(crate) fn marks(exchange: &Exchange, to: &mut Markup) {
    let failed = exchange.answer.iter().any(|entry| entry.what == What::Status && !entry.text.starts_with('2'));
    for entry in &exchange.answer {
        match entry.what {
            What::Status if !entry.text.starts_with('2') => to.words("span", "mark warn", &entry.text),
            What::Error if failed => continue,
            What::Error => to.words("span", "mark bad", entry.label.strip_suffix(" error").unwrap_or("error")),
            What::Truncated => to.words("span", "mark warn", "cut"),
            What::Refusal => to.words("span", "mark warn", "refused"),
            _ => continue,
        };
    }
}

/// Returns what an exchange is about, in a few words: what is new in it, else where it went.
pub(crate) fn headline(exchange: &Exchange) -> String {
    let repeated = exchange.repeat.map_or(0, |repeat| repeat.entries);
    let new = exchange.said[repeated.min(exchange.said.len())..].iter();
    let told = |entry: &&Entry| {
        let is_said = entry.what == What::Said && !matches!(entry.label.as_str(), "system" | "developer");
        (is_said || entry.what == What::Returned) && !entry.text.trim().is_empty()
    };
    let line = new.rev().find(told).map(|entry| match entry.what {
        What::Returned => entry.label.clone(),
        _ => entry.text.trim().lines().next().unwrap_or_default().to_owned(),
    });
    let line = line.unwrap_or_else(|| exchange.name.clone());
    match line.char_indices().nth(HEADLINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Returns whether the heading or the last line tells it.
fn goes_without_saying(entry: &Entry) -> bool {
    entry.what == What::Finish || entry.what == What::Status && entry.text.starts_with('2')
}
