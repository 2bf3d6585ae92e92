//! Differences for a person at a terminal.

use std::io;

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::alignment::{Aspect, Change, Pair};
use cassette_core::report::Difference;
use cassette_core::tape::Tape;
use cassette_core::transcript::{Exchange, transcript};

use super::super::transcript::{Detail, content};
use super::shown::{noise, numbers, place, places, summary, told, values};
use super::{Compared, word};
use crate::output::{Ink, Line, Output, count, wrap};

/// Where what changed begins.
const COLUMN: usize = 14;

pub(super) fn print(compared: &Compared, output: &mut Output) -> io::Result<()> {
    let differing: Vec<_> = compared.all.iter().filter(|comparison| !comparison.is_same()).collect();
    for comparison in &differing {
        one(comparison, output)?;
        output.gap()?;
    }
    let counted: usize = compared.all.iter().map(noise_of).sum();
    let last = match differing.len() {
        0 => Line::new().ink(Ink::Good, "nothing differs"),
        1 => Line::of("1 cassette differs"),
        n => Line::of(&format!("{} differ", count(n, "cassette"))),
    };
    let last = if compared.all.len() > 1 || differing.is_empty() {
        last.plain(&format!(" from {}", compared.base))
    } else {
        last
    };
    match noise(counted).filter(|_| differing.is_empty()) {
        Some(noise) => output.line(&last.ink(Ink::Faint, &format!(" but {noise}"))),
        None => output.line(&last),
    }
}

fn noise_of(comparison: &Comparison) -> usize {
    match &comparison.fate {
        Fate::Kept(kept) => kept.2.noise(),
        _ => 0,
    }
}

fn one(comparison: &Comparison, output: &mut Output) -> io::Result<()> {
    let ink = match word(&comparison.fate) {
        "added" => Ink::Good,
        "removed" | "unreadable" => Ink::Bad,
        _ => Ink::Warn,
    };
    output.line(&Line::new().ink(Ink::Strong, &comparison.name).plain("  ").ink(ink, &summary(comparison)))?;
    let Fate::Kept(kept) = &comparison.fate else { return Ok(()) };
    let (before, after, alignment) = &**kept;
    for difference in &alignment.head {
        change("head", Ink::Warn, difference, output)?;
    }
    let exchanges = [transcript(&before.interactions), transcript(&after.interactions)];
    for pair in alignment.pairs.iter().filter(|pair| !pair.is_same()) {
        call(pair, [before, after], &exchanges, output)?;
    }
    match noise(alignment.noise()) {
        Some(noise) => output.line(&Line::of("  ").ink(Ink::Faint, &format!("not shown: {noise}"))),
        None => Ok(()),
    }
}

/// Prints what became of a call.
pub(in crate::command) fn call(
    pair: &Pair,
    tapes: [&Tape; 2],
    exchanges: &[Vec<Exchange>; 2],
    output: &mut Output,
) -> io::Result<()> {
    let (sign, numbers) = places(pair);
    let ink = match sign {
        '+' => Ink::Good,
        '-' => Ink::Bad,
        _ => Ink::Warn,
    };
    let (side, position) = match (pair.before, pair.after) {
        (_, Some(after)) => (1, after),
        (Some(before), None) => (0, before),
        (None, None) => return Ok(()),
    };
    let exchange = &exchanges[side][position];
    let head = Line::of("  ").ink(ink, &format!("{sign} {numbers}")).plain("  ").ink(Ink::Strong, &exchange.name);
    output.line(&head.fitted(output.width()))?;
    if pair.before.is_none() || pair.after.is_none() {
        return content(exchange, &tapes[side].interactions[position], Detail::Brief, output);
    }
    let (told, repeated) = told(pair);
    for Change { aspect, difference, .. } in told {
        change(aspect.as_str(), of(*aspect), difference, output)?;
    }
    match repeated {
        Some(repeated) => output.line(&Line::of(&" ".repeat(COLUMN + 1)).ink(Ink::Faint, &repeated)),
        None => Ok(()),
    }
}

fn of(aspect: Aspect) -> Ink {
    match aspect {
        Aspect::Prompt | Aspect::Answer | Aspect::Thought => Ink::Voice,
        Aspect::ToolCall | Aspect::Tools => Ink::Machine,
        _ => Ink::Faint,
    }
}

fn change(aspect: &str, ink: Ink, difference: &Difference, output: &mut Output) -> io::Result<()> {
    let margin = |label: &str| {
        let before = (COLUMN - 1).saturating_sub(label.len());
        Line::of(&" ".repeat(before)).ink(ink, label).plain("  ")
    };
    if let Some(numbers) = numbers(difference) {
        return output.line(&margin(aspect).plain(&place(difference)).plain("  ").ink(Ink::Warn, &numbers));
    }
    output.line(&margin(aspect).plain(&place(difference)))?;
    let room = output.width().map(|width| width.saturating_sub(COLUMN + 5));
    for (sign, value) in values(difference) {
        let ink = match sign {
            '-' => Ink::Bad,
            '+' => Ink::Good,
            _ => Ink::Faint,
        };
        for (i, line) in wrap(&value, room).iter().enumerate() {
            let sign = if i == 0 { sign } else { ' ' };
            output.line(&margin("").ink(ink, &format!("  {sign} {line}")).fitted(None))?;
        }
    }
    Ok(())
}
