//! What changed in a cassette, as lines that begin with their sign.

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::alignment::{Change, Pair};
use cassette_core::report::Difference;
use cassette_core::tape::Tape;
use cassette_core::transcript::{Entry, Exchange, What, transcript};

use super::super::super::by_hand;
use super::super::Compared;
use super::super::shown::{asks, noise, numbers, place, places, told, values};
use super::super::spending::{of_call, of_cassette};
use crate::output::{count, grouped, visible};

/// How many lines of an added or removed call are shown of one text.
const LINES: usize = 12;

/// How many characters are shown of a line.
const LINE: usize = 1_500;

/// How many backticks are shown in a row: what is fenced needs a fence that is longer.
const TICKS: usize = 12;

/// Returns the lines, none of them longer than one may be.
pub(super) fn lines(comparison: &Comparison, compared: &Compared) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let told = compared.in_plain(comparison).into_iter().chain(by_hand::compared(comparison));
    lines.extend(told.map(|told| format!("! {told}")));
    match &comparison.fate {
        Fate::Added(tape) => tape_lines('+', tape, &mut lines),
        Fate::Removed(tape) => tape_lines('-', tape, &mut lines),
        Fate::Unreadable(..) => {}
        Fate::Kept(kept) => {
            let (before, after, alignment) = &**kept;
            let spending = of_cassette(before, after, &compared.prices);
            lines.extend(
                spending.iter().flat_map(|spending| spending.told(&compared.prices)).map(|told| format!("  {told}")),
            );
            alignment.head.iter().for_each(|difference| change("head", difference, &mut lines));
            let exchanges = [transcript(&before.interactions), transcript(&after.interactions)];
            let differing = alignment.pairs.iter().filter(|pair| !pair.is_same());
            for pair in differing {
                let at = lines.len();
                call(pair, &exchanges, &mut lines);
                if let (true, Some(head)) =
                    (by_hand::is_marked(comparison, [pair.before, pair.after]), lines.get_mut(at))
                {
                    head.push_str(&format!(" {}", by_hand::MARK));
                }
                let cost = of_call(pair, [before, after], &compared.prices).and_then(|spending| spending.cost());
                lines.extend(cost.map(|cost| format!("  cost: {cost}")));
            }
            lines.extend(noise(std::iter::once(alignment)).map(|noise| format!("  not shown: {noise}")));
        }
    }
    lines.iter().flat_map(|line| visible(line).split('\n').map(short).collect::<Vec<_>>()).collect()
}

fn tape_lines(sign: char, tape: &Tape, lines: &mut Vec<String>) {
    for exchange in transcript(&tape.interactions) {
        lines.push(format!("{sign} {}  {}", exchange.number, exchange.name));
        content(sign, &exchange, lines);
    }
}

fn call(pair: &Pair, exchanges: &[Vec<Exchange>; 2], lines: &mut Vec<String>) {
    let (sign, numbers) = places(pair);
    let after = pair.after.map(|at| &exchanges[1][at]);
    let Some(exchange) = after.or_else(|| pair.before.map(|at| &exchanges[0][at])) else { return };
    // A line that begins with neither `+` nor `-` is a heading here.
    let mark = if matches!(sign, '+' | '-') { sign.to_string() } else { "@@".to_owned() };
    let end = if mark == "@@" { " @@" } else { "" };
    lines.push(format!("{mark} {numbers}  {}{end}", exchange.name));
    if pair.before.is_none() || pair.after.is_none() {
        return content(sign, exchange, lines);
    }
    let (told, folded) = told(pair);
    lines.extend(asks(pair, exchanges).map(|asks| format!("  asks: {asks}")));
    told.into_iter().for_each(|Change { aspect, difference, .. }| change(aspect.as_str(), difference, lines));
    lines.extend(folded.iter().map(|folded| format!("  {folded}")));
}

fn change(aspect: &str, difference: &Difference, lines: &mut Vec<String>) {
    let place = place(difference);
    if let Some(numbers) = numbers(difference) {
        return lines.push(format!("  {aspect}: {place}  {numbers}"));
    }
    lines.push(format!("  {aspect}: {place}"));
    lines.extend(values(difference).into_iter().map(|(sign, value)| format!("{sign}   {value}")));
}

/// Adds what is said in a call that is in one cassette only, the repeated beginning left out.
fn content(sign: char, exchange: &Exchange, lines: &mut Vec<String>) {
    let repeated = exchange.repeat.map_or(0, |repeat| repeat.entries);
    if let Some(repeat) = exchange.repeat {
        lines.push(format!("{sign}   … {} as in {}", count(repeat.entries, "turn"), repeat.exchange));
    }
    let answer = exchange.answer.iter().filter(|entry| !matches!(entry.what, What::Finish | What::Status));
    for Entry { label, text, .. } in exchange.said[repeated..].iter().chain(answer) {
        let all = text.lines().count();
        let shown: Vec<_> = text.lines().take(LINES).collect();
        let mut shown = shown.into_iter();
        lines.push(format!("{sign}   {label}  {}", shown.next().unwrap_or_default()));
        lines.extend(shown.map(|line| format!("{sign}     {line}")));
        lines.extend((all > LINES).then(|| format!("{sign}     … {}", count(all - LINES, "more line"))));
    }
}

/// Returns a line, of a long one its beginning and how much is left out.
fn short(line: &str) -> String {
    let mut line = line.to_owned();
    let row = "`".repeat(TICKS + 1);
    while let Some(at) = line.find(&row) {
        let end = line[at..].find(|c| c != '`').map_or(line.len(), |length| at + length);
        let left = end - at - TICKS;
        line.replace_range(at + TICKS..end, &format!("… {}", count(left, "more backtick")));
    }
    let Some((end, _)) = line.char_indices().nth(LINE) else { return line };
    let left = line[end..].chars().count();
    format!("{}… {} more characters", &line[..end], grouped(left as u64))
}
