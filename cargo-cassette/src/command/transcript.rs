//! Exchanges, laid out for a reader: who speaks on the left, what is said on the right.

use std::io;

use cassette_core::reply::Outcome;
use cassette_core::tape::Interaction;
use cassette_core::transcript::{Entry, Exchange, What};

use super::status::tokens;
use crate::output::{Ink, Line, Output, count, visible, wrap};

/// Where what is said begins.
const COLUMN: usize = 14;

/// How wide a setting may be to be shown in brief.
const SETTING: usize = 40;

/// How many lines of one text are shown in brief.
const LINES: usize = 24;

/// How many characters of one text are shown in brief, however few lines they are.
const CHARACTERS: usize = 3_000;

/// How many characters of a line of a body are shown in brief.
const LINE: usize = 300;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// What a reader wants first: long texts are cut, settings are on one line.
    Brief,
    /// The same beside something else, where nothing that is typed shows more.
    Aside,
    /// Everything that was said and set, once, and without the numbers that another call would shift: for `git diff`.
    Once,
    /// Everything that was recorded, headers and times too, and what was said before once more.
    Full,
}

impl Detail {
    fn is_brief(self) -> bool {
        matches!(self, Detail::Brief | Detail::Aside)
    }
}

/// Prints an exchange.
pub(super) fn print(
    exchange: &Exchange,
    interaction: &Interaction,
    detail: Detail,
    output: &mut Output,
) -> io::Result<()> {
    let number = if detail == Detail::Once { String::new() } else { format!("{:>3}  ", exchange.number) };
    // What is within a function is asked by nobody while the function is served.
    let within = match interaction.within() {
        Some(_) if detail == Detail::Once => " · within a function".to_owned(),
        Some(at) => format!(" · within {}", at + 1),
        None => String::new(),
    };
    let name = Line::new().ink(Ink::Strong, &number).ink(Ink::Strong, &exchange.name).ink(Ink::Faint, &within);
    output.line(&name.fitted(output.width()))?;
    content(exchange, interaction, detail, output.width()).iter().try_for_each(|line| output.line(line))
}

/// Returns what was said in an exchange, without its name, on lines no wider than this.
pub(super) fn content(
    exchange: &Exchange,
    interaction: &Interaction,
    detail: Detail,
    width: Option<usize>,
) -> Vec<Line> {
    let room = width.map(|width| width.saturating_sub(COLUMN + 1));
    let mut lines = Vec::new();
    if detail == Detail::Full {
        lines.extend(headers("headers", &interaction.asked().known().headers, room));
    }
    match detail {
        Detail::Brief | Detail::Aside => lines.extend(settings(exchange, room)),
        Detail::Once if exchange.same_settings && !exchange.settings.is_empty() => {
            lines.push(label("", Ink::Plain).plain("… settings as before"));
        }
        _ => lines.extend(entries(&exchange.settings, detail, room)),
    }
    let said = match exchange.repeat.filter(|_| detail != Detail::Full) {
        Some(repeat) => {
            let place = if detail == Detail::Once { "before".to_owned() } else { format!("in {}", repeat.exchange) };
            let more = format!("… {} as {place}", count(repeat.entries, "turn"));
            lines.push(label("", Ink::Plain).ink(Ink::Faint, &more));
            &exchange.said[repeat.entries..]
        }
        None => &exchange.said[..],
    };
    lines.extend(entries(said, detail, room));
    if let (Detail::Full, Outcome::Reply(reply)) = (detail, interaction.outcome()) {
        lines.extend(headers("headers", &reply.headers, room));
    }
    let answer = exchange.answer.iter().filter(|entry| !detail.is_brief() || !goes_without_saying(exchange, entry));
    lines.extend(entries(answer, detail, room));
    if let Outcome::Reply(reply) = interaction.outcome() {
        lines.extend(headers("trailers", &reply.trailers, room));
    }
    let closing = closing(exchange, interaction, detail).map(|line| wrap(&line, room)).unwrap_or_default();
    lines.extend(closing.iter().map(|line| label("", Ink::Plain).ink(Ink::Faint, line)));
    lines
}

/// Returns the settings on one line, those that are short.
fn settings(exchange: &Exchange, room: Option<usize>) -> Vec<Line> {
    let (tools, settings): (Vec<&Entry>, Vec<&Entry>) =
        exchange.settings.iter().partition(|entry| entry.what == What::Tool);
    let is_short = |entry: &&&Entry| entry.text.chars().count() <= SETTING && !entry.text.contains('\n');
    let short = settings.iter().filter(is_short).map(|entry| format!("{} {}", entry.label, entry.text));
    let long = settings.iter().filter(|entry| !is_short(entry)).map(|entry| format!("{} …", entry.label));
    let mut told: Vec<String> = short.chain(long).collect();
    if !tools.is_empty() {
        let names: Vec<_> = tools.iter().map(|entry| entry.label.trim_start_matches("tool ")).collect();
        told.push(format!("{}: {}", count(tools.len(), "tool"), names.join(", ")));
    }
    if told.is_empty() {
        return Vec::new();
    }
    wrap(&told.join(" · "), room).iter().map(|line| label("", Ink::Plain).ink(Ink::Faint, line)).collect()
}

fn entries<'a>(entries: impl IntoIterator<Item = &'a Entry>, detail: Detail, room: Option<usize>) -> Vec<Line> {
    let is_told = |entry: &&Entry| !detail.is_brief() || !is_hint(entry);
    entries.into_iter().filter(is_told).flat_map(|entry| self::entry(entry, detail, room)).collect()
}

fn entry(entry: &Entry, detail: Detail, room: Option<usize>) -> Vec<Line> {
    let (voice, words) = inks(entry);
    let text = if detail.is_brief() && entry.what == What::Body { shortened(&entry.text) } else { entry.text.clone() };
    let (lines, hidden) = beginning(wrap(&visible(&text), room), detail);
    let mut lines = lines.iter();
    let mut told = Vec::new();
    // A long label has a line of its own.
    if entry.label.chars().count() < COLUMN - 1 {
        let first = lines.next().map_or("", String::as_str);
        told.push(label(&entry.label, voice).ink(words, first).fitted(None));
    } else {
        told.push(Line::of("  ").ink(voice, &entry.label));
    }
    told.extend(lines.map(|line| label("", voice).ink(words, line).fitted(None)));
    if let Some(hidden) = hidden {
        let how = if detail == Detail::Brief { ", shown with -v" } else { "" };
        told.push(label("", voice).ink(Ink::Faint, &format!("… {hidden}{how}")));
    }
    told
}

/// Returns the lines of a text that are shown, and how much is not: in brief as many as a reader looks through, and where lines have
/// no end as many characters.
fn beginning(mut lines: Vec<String>, detail: Detail) -> (Vec<String>, Option<String>) {
    if !detail.is_brief() {
        return (lines, None);
    }
    let shown = if lines.len() > LINES + 1 { LINES } else { lines.len() };
    let mut room = CHARACTERS;
    for at in 0..shown {
        let length = lines[at].chars().count();
        if let Some((end, _)) = lines[at].char_indices().nth(room).filter(|_| length > room + LINE) {
            let below: usize = lines[at + 1..].iter().map(|line| line.chars().count()).sum();
            lines.truncate(at + 1);
            lines[at].truncate(end);
            return (lines, Some(count(length - room + below, "more character")));
        }
        room = room.saturating_sub(length);
    }
    let hidden = lines.len() - shown;
    lines.truncate(shown);
    (lines, (hidden > 0).then(|| count(hidden, "more line")))
}

/// Returns a body without what makes its lines endless: data that nobody reads.
fn shortened(text: &str) -> String {
    let line = |line: &str| match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}… {}", &line[..end], count(line[end..].chars().count(), "more character")),
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Returns whether an entry is a hint to the provider's cache, and nothing that is said.
fn is_hint(entry: &Entry) -> bool {
    entry.what == What::Other && entry.text.starts_with("{\"cache_control\"")
}

fn inks(entry: &Entry) -> (Ink, Ink) {
    match entry.what {
        What::Said => (Ink::Voice, Ink::Plain),
        What::Thought => (Ink::Faint, Ink::Faint),
        What::Called => (Ink::Machine, Ink::Machine),
        What::Returned | What::File => (Ink::Machine, Ink::Plain),
        What::Refusal | What::Truncated => (Ink::Warn, Ink::Warn),
        What::Error => (Ink::Bad, Ink::Bad),
        What::Status if !entry.text.starts_with('2') => (Ink::Warn, Ink::Warn),
        _ => (Ink::Faint, Ink::Plain),
    }
}

/// Returns whether a reader in a hurry expects this anyway: a good status, and the finish, which the last line has.
fn goes_without_saying(exchange: &Exchange, entry: &Entry) -> bool {
    match entry.what {
        What::Status => entry.text == "200" && exchange.answer.len() > 1,
        What::Finish => true,
        _ => false,
    }
}

/// Returns the last line of an exchange: how it ended, its tokens, and of a full one its times.
fn closing(exchange: &Exchange, interaction: &Interaction, detail: Detail) -> Option<String> {
    let finish = exchange.answer.iter().filter(|entry| entry.what == What::Finish && detail.is_brief());
    let mut told: Vec<String> = finish.map(|entry| entry.text.clone()).collect();
    told.extend(
        exchange
            .usage
            .as_ref()
            .map(tokens)
            .filter(|tokens| !tokens.is_empty())
            .map(|tokens| format!("tokens {tokens}")),
    );
    if let (Detail::Full, Outcome::Reply(reply)) = (detail, interaction.outcome()) {
        let chunks = count(reply.chunks.len(), "chunk");
        told.extend((!reply.chunks.is_empty()).then(|| match reply.took() {
            Some(took) => format!("{chunks} in {} ms", took.as_millis()),
            None => chunks,
        }));
        told.push(format!("key {}", interaction.key()));
    }
    (!told.is_empty()).then(|| told.join(" · "))
}

fn headers(heading: &str, headers: &[(String, String)], room: Option<usize>) -> Vec<Line> {
    let lines = headers.iter().flat_map(|(name, value)| wrap(&format!("{name}: {value}"), room));
    let labels = std::iter::once(heading).chain(std::iter::repeat(""));
    labels.zip(lines).map(|(heading, line)| label(heading, Ink::Faint).ink(Ink::Faint, &line)).collect()
}

/// Returns the beginning of a line: the label, up to where what is said begins.
fn label(label: &str, ink: Ink) -> Line {
    let before = (COLUMN - 1).saturating_sub(Line::of(label).width());
    Line::of(&" ".repeat(before)).ink(ink, label).plain("  ")
}
