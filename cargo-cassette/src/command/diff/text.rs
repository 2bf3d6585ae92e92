//! Differences for a person at a terminal.

use std::io;

use cargo_cassette::comparison::{Comparison, Fate};
use cargo_cassette::pricing::PriceList;
use cassette_core::alignment::{Alignment, Aspect, Change, Pair};
use cassette_core::report::Difference;
use cassette_core::tape::Tape;
use cassette_core::transcript::{Exchange, transcript};

use super::super::by_hand;
use super::super::transcript::{Detail, content};
use super::shown::{asks, is_cut, noise, numbers, place, places, summary, told, values};
use super::spending::{of_call, of_cassette};
use super::{Compared, word};
use crate::output::{Ink, Line, Output, count, visible, wrap};

/// Where what changed begins.
const COLUMN: usize = 14;

/// How many calls are shown of a cassette that is on one side alone.
const CALLS: usize = 8;

pub(super) fn print(compared: &Compared, output: &mut Output) -> io::Result<()> {
    let differing: Vec<_> = compared.all.iter().filter(|comparison| !comparison.is_same()).collect();
    for comparison in &differing {
        let mut lines = one(comparison, &compared.prices, output.width());
        lines.splice(1..1, compared.in_plain(comparison).iter().map(|told| Line::of("  ").ink(Ink::Warn, told)));
        lines.iter().try_for_each(|line| output.line(line))?;
        output.gap()?;
    }
    for unseen in &compared.unseen {
        output.line(&Line::new().ink(Ink::Warn, &format!("not looked at: {unseen}")))?;
    }
    let last = match differing.len() {
        0 if !compared.unseen.is_empty() => Line::of("nothing differs of what was looked at"),
        0 => Line::new().ink(Ink::Good, "nothing differs"),
        1 => Line::of("1 cassette differs"),
        n => Line::of(&format!("{} differ", count(n, "cassette"))),
    };
    let last = if compared.all.len() > 1 || differing.is_empty() {
        last.plain(&format!(" from {}", compared.base))
    } else {
        last
    };
    match noise(compared.all.iter().filter_map(alignment_of)).filter(|_| differing.is_empty()) {
        Some(noise) => output.line(&last.ink(Ink::Faint, &format!(" but {noise}")))?,
        None => output.line(&last)?,
    }
    match differing.iter().any(|comparison| is_cut(comparison)) {
        true => output.help("", &format!("all that was cut: {}", compared.page())),
        false => Ok(()),
    }
}

fn alignment_of(comparison: &Comparison) -> Option<&Alignment> {
    match &comparison.fate {
        Fate::Kept(kept) => Some(&kept.2),
        _ => None,
    }
}

/// Returns the lines that tell what became of a cassette.
pub(in crate::command) fn one(comparison: &Comparison, prices: &PriceList, width: Option<usize>) -> Vec<Line> {
    let ink = match word(comparison) {
        "added" => Ink::Good,
        "removed" | "unreadable" => Ink::Bad,
        _ => Ink::Warn,
    };
    let mut lines = vec![Line::new().ink(Ink::Strong, &comparison.label()).plain("  ").ink(ink, &summary(comparison))];
    lines.extend(by_hand::compared(comparison).iter().map(|told| Line::of("  ").ink(Ink::Warn, told)));
    let (before, after, alignment) = match &comparison.fate {
        Fate::Kept(kept) => &**kept,
        Fate::Added(tape) => return [lines, whole('+', tape, width)].concat(),
        Fate::Removed(tape) => return [lines, whole('-', tape, width)].concat(),
        Fate::Unreadable(..) => return lines,
    };
    if let Some(spending) = of_cassette(before, after, prices) {
        let told = wrap(&spending.told(prices).join(" · "), width.map(|width| width.saturating_sub(2)));
        lines.extend(told.iter().map(|line| Line::of("  ").ink(Ink::Faint, line)));
    }
    lines.extend(alignment.head.iter().flat_map(|difference| change("head", Ink::Warn, difference, width)));
    let exchanges = [transcript(&before.interactions), transcript(&after.interactions)];
    for pair in alignment.pairs.iter().filter(|pair| !pair.is_same()) {
        let (ink, told) = heading(pair);
        let name = exchange(pair, &exchanges).map_or("", |exchange| &exchange.name);
        let marked = by_hand::is_marked(comparison, [pair.before, pair.after]);
        let mark = if marked { format!("  {}", by_hand::MARK) } else { String::new() };
        let head = Line::of("  ").ink(ink, &told).plain("  ").ink(Ink::Strong, name).ink(Ink::Warn, &mark);
        lines.push(head.fitted(width));
        lines.extend(call(pair, [before, after], &exchanges, (Detail::Aside, width)));
        let cost = of_call(pair, [before, after], prices).and_then(|spending| spending.cost());
        lines.extend(cost.map(|cost| margin("cost", Ink::Faint).ink(Ink::Warn, &cost)));
    }
    let noise = noise(std::iter::once(alignment));
    lines.extend(noise.map(|noise| Line::of("  ").ink(Ink::Faint, &format!("not shown: {noise}"))));
    lines
}

/// Returns the calls of a cassette that is on one side alone, the first of many.
fn whole(sign: char, tape: &Tape, width: Option<usize>) -> Vec<Line> {
    let ink = if sign == '+' { Ink::Good } else { Ink::Bad };
    let calls = transcript(&tape.interactions);
    let mut lines = Vec::new();
    for (exchange, interaction) in calls.iter().zip(&tape.interactions).take(CALLS) {
        let heading = Line::of("  ").ink(ink, &format!("{sign} {}  ", exchange.number));
        lines.push(heading.ink(Ink::Strong, &exchange.name).fitted(width));
        lines.extend(content(exchange, interaction, Detail::Aside, width));
    }
    let left = calls.len().saturating_sub(CALLS);
    lines.extend((left > 0).then(|| Line::of("  ").ink(Ink::Faint, &format!("… {}", count(left, "more call")))));
    lines
}

/// Returns the sign and the numbers of a call, and their ink.
pub(in crate::command) fn heading(pair: &Pair) -> (Ink, String) {
    let (sign, numbers) = places(pair);
    let ink = match sign {
        '+' => Ink::Good,
        '-' => Ink::Bad,
        _ => Ink::Warn,
    };
    (ink, format!("{sign} {numbers}"))
}

/// Returns the exchange that a call is; of one that is gone, what it was.
pub(in crate::command) fn exchange<'a>(pair: &Pair, exchanges: &'a [Vec<Exchange>; 2]) -> Option<&'a Exchange> {
    let after = pair.after.and_then(|at| exchanges[1].get(at));
    after.or_else(|| exchanges[0].get(pair.before?))
}

/// Returns what changed in a call; of one that is on one side alone, what was said in it. Whoever wants everything gets what follows from
/// another change too, or was told before.
pub(in crate::command) fn call(
    pair: &Pair,
    tapes: [&Tape; 2],
    exchanges: &[Vec<Exchange>; 2],
    (detail, width): (Detail, Option<usize>),
) -> Vec<Line> {
    if pair.before.is_none() || pair.after.is_none() {
        let tape = tapes[usize::from(pair.after.is_some())];
        let interaction = pair.after.or(pair.before).and_then(|at| tape.interactions.get(at));
        let both = exchange(pair, exchanges).zip(interaction);
        return both.map(|(exchange, it)| content(exchange, it, detail, width)).unwrap_or_default();
    }
    let (told, folded) = if detail == Detail::Full { (pair.changes.iter().collect(), Vec::new()) } else { told(pair) };
    let asks = asks(pair, exchanges).map(|asks| margin("asks", Ink::Faint).plain(&asks).fitted(width));
    let changed = told
        .into_iter()
        .flat_map(|Change { aspect, difference, .. }| change(aspect.as_str(), of(*aspect), difference, width));
    let mut lines: Vec<Line> = asks.into_iter().chain(changed).collect();
    lines.extend(folded.iter().map(|folded| Line::of(&" ".repeat(COLUMN + 1)).ink(Ink::Faint, folded)));
    lines
}

fn of(aspect: Aspect) -> Ink {
    match aspect {
        Aspect::Prompt | Aspect::Answer | Aspect::Thought => Ink::Voice,
        Aspect::ToolCall | Aspect::Tools => Ink::Machine,
        _ => Ink::Faint,
    }
}

fn change(aspect: &str, ink: Ink, difference: &Difference, width: Option<usize>) -> Vec<Line> {
    if let Some(numbers) = numbers(difference) {
        return vec![margin(aspect, ink).plain(&place(difference)).plain("  ").ink(Ink::Warn, &numbers)];
    }
    let places = wrap(&visible(&place(difference)), width.map(|width| width.saturating_sub(COLUMN + 1)));
    let labels = std::iter::once(aspect).chain(std::iter::repeat(""));
    let mut lines: Vec<_> = labels.zip(&places).map(|(label, place)| margin(label, ink).plain(place)).collect();
    let room = width.map(|width| width.saturating_sub(COLUMN + 5));
    for (sign, value) in values(difference) {
        let value_ink = match sign {
            '-' => Ink::Bad,
            '+' => Ink::Good,
            _ => Ink::Faint,
        };
        for (i, line) in wrap(&visible(&value), room).iter().enumerate() {
            let sign = if i == 0 { sign } else { ' ' };
            lines.push(margin("", ink).ink(value_ink, &format!("  {sign} {line}")).fitted(None));
        }
    }
    lines
}

/// Returns the beginning of a line: what changed, up to where it is told.
fn margin(label: &str, ink: Ink) -> Line {
    let before = (COLUMN - 1).saturating_sub(label.len());
    Line::of(&" ".repeat(before)).ink(ink, label).plain("  ")
}
