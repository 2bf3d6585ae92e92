//! Differences for a comment on a pull request.

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::alignment::{Change, Pair};
use cassette_core::tape::Tape;
use cassette_core::transcript::{Entry, Exchange, What, transcript};

use super::Compared;
use super::shown::{noise, numbers, place, places, summary, told, values};
use super::spending::{of_call, of_cassette};
use crate::output::{count, visible};

/// How many characters a comment may have: GitHub takes 65,536.
const MOST: usize = 65_000;

/// How many characters are kept for the note of what was cut.
const NOTE: usize = 300;

/// How many lines of an added or removed call are shown of one text.
const LINES: usize = 12;

/// Returns the comment, cut with a note where it would be too long.
pub(super) fn comment(compared: &Compared) -> String {
    let differing: Vec<_> = compared.all.iter().filter(|comparison| !comparison.is_same()).collect();
    if differing.is_empty() {
        return format!("### Cassettes\n\nNothing differs from `{}`.\n", compared.base);
    }
    let verb = if differing.len() == 1 { "differs" } else { "differ" };
    let mut out = format!("### Cassettes\n\n{} {verb} from `{}`.\n", count(differing.len(), "cassette"), compared.base);
    let mut room = MOST - NOTE - out.chars().count();
    for (i, comparison) in differing.iter().enumerate() {
        let head = format!(
            "\n<details><summary><code>{}</code>: {}</summary>\n\n",
            html(&comparison.name),
            html(&summary(comparison))
        );
        let tail = "\n</details>\n";
        let frame = head.chars().count() + tail.chars().count();
        if frame + 200 > room {
            out += &format!("\n{} not shown here: it would be too long.", count(differing.len() - i, "more cassette"));
            out += &format!(" See `{}`.\n", compared.command);
            break;
        }
        let body = fenced(&lines(comparison, compared), room - frame);
        room -= frame + body.chars().count();
        out += &format!("{head}{body}{tail}");
    }
    out
}

/// Returns these lines as a block that is coloured by their signs, as many as there is room for.
fn fenced(lines: &[String], room: usize) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    let note = |left: usize| format!("  … {}, not shown here", count(left, "more line"));
    let mut left = room.saturating_sub(2 * fence.len() + "diff\n\n".len() + note(lines.len()).chars().count() + 1);
    let mut shown = String::new();
    for (i, line) in lines.iter().enumerate() {
        let length = line.chars().count() + 1;
        if length > left {
            shown += &format!("{}\n", note(lines.len() - i));
            break;
        }
        left -= length;
        shown += &format!("{line}\n");
    }
    if shown.is_empty() { String::new() } else { format!("{fence}diff\n{shown}{fence}\n") }
}

fn lines(comparison: &Comparison, compared: &Compared) -> Vec<String> {
    let mut lines = Vec::new();
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
                call(pair, &exchanges, &mut lines);
                let cost = of_call(pair, [before, after], &compared.prices).and_then(|spending| spending.cost());
                lines.extend(cost.map(|cost| format!("  cost: {cost}")));
            }
            lines.extend(noise(alignment.noise()).map(|noise| format!("  not shown: {noise}")));
        }
    }
    lines.iter().flat_map(|line| visible(line).split('\n').map(str::to_owned).collect::<Vec<_>>()).collect()
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
    let (told, repeated) = told(pair);
    told.into_iter().for_each(|Change { aspect, difference, .. }| change(aspect.as_str(), difference, lines));
    lines.extend(repeated.map(|repeated| format!("  {repeated}")));
}

fn change(aspect: &str, difference: &cassette_core::report::Difference, lines: &mut Vec<String>) {
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

fn html(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
