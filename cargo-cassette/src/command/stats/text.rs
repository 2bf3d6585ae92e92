//! Sums for a person.

use std::time::Duration;

use cargo_cassette::pricing::PriceList;
use cassette_core::account::{Account, Money, Spent, Tokens};

use super::{Failure, Stats, Sums};
use crate::output::{Ink, Line, Output, Table, count, grouped};

/// Prints what was added up.
pub(super) fn print(
    stats: &Stats,
    (list, files): (&PriceList, &[String]),
    sums: &Sums,
    output: &mut Output,
) -> Result<(), Failure> {
    let total = &sums.total;
    let kinds: Vec<_> = total.kinds.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n as u64))).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let cassettes = count(sums.cassettes.len(), "cassette");
    let unread = sums.bad.len();
    let head = Line::new().ink(Ink::Strong, &cassettes).plain(&format!(", {}{kinds}", count(total.calls, "call")));
    output.line(&if unread == 0 {
        head
    } else {
        head.plain(", ").ink(Ink::Bad, &format!("{unread} cannot be read"))
    })?;
    let mut bad = Table::indented(2);
    for (spot, error) in &sums.bad {
        bad.across(Line::of(&spot.label()), Line::new().ink(Ink::Bad, &error.to_string()));
    }
    bad.print(output)?;
    if let (Some(first), Some(name)) = (&total.first_error, &sums.failing) {
        let what = format!(", the first is call {} of {name}: {}, {}", first.number, first.what, first.call);
        output.line(&Line::new().ink(Ink::Warn, &count(total.errors, "failed call")).plain(&what))?;
    }
    models(stats, total, output)?;
    output.gap()?;
    let spent = total.spent();
    let mut table = Table::indented(0);
    let name = |name: &str| Line::of(name);
    let told = if sums.is_nothing() { "none".to_owned() } else { tokens(&spent.tokens) };
    table.row(vec![name("tokens"), Line::of(&told).ink(Ink::Warn, &uncounted(&spent, unread))]);
    let untimed = if total.live.is_none() { 0 } else { total.untimed };
    let untimed = unknown_of(&[(untimed, "call"), (unread, "cassette")]);
    table.row(vec![name("live time"), Line::of(&live(sums, 1)).ink(Ink::Warn, &untimed)]);
    if !stats.no_cost {
        let unpriced = unpriced(sums);
        table.row(vec![name("cost live"), Line::of(&cost(&spent, 1, sums.reach())).ink(Ink::Warn, &unpriced)]);
    }
    let runs =
        if stats.runs == 1 { "a replay saves".to_owned() } else { format!("{} replays save", grouped(stats.runs)) };
    let time = live(sums, stats.runs);
    let saved = if stats.no_cost { time } else { format!("{}, {time}", cost(&spent, stats.runs, sums.reach())) };
    table.row(vec![name(&runs), Line::of(&saved)]);
    table.print(output)?;
    if !stats.no_cost && spent.cost.is_some() {
        let mut of = vec![format!("list prices of {}", list.checked)];
        of.extend((!files.is_empty()).then(|| format!("those of {}", files.join(" and "))));
        of.extend((!stats.price.is_empty()).then(|| "those given here".to_owned()));
        output.line(&Line::new().ink(Ink::Faint, &of.join(", and ")))?;
    }
    Ok(())
}

/// Prints a line a model.
fn models(stats: &Stats, total: &Account, output: &mut Output) -> Result<(), Failure> {
    if total.models.is_empty() {
        return Ok(());
    }
    output.gap()?;
    let mut table = Table::indented(2);
    for (model, spent) in &total.models {
        let mut cells = vec![Line::of(model), Line::of(&count(spent.calls, "answer"))];
        if !stats.no_cost {
            cells.push(Line::of(&cost(spent, 1, Reach::All)));
        }
        cells.push(Line::new().ink(Ink::Faint, &tokens(&spent.tokens)).ink(Ink::Warn, &uncounted(spent, 0)));
        table.row(cells);
    }
    Ok(table.print(output)?)
}

/// Returns the tokens of each kind that is counted: `1,210 in, 1,024 cached, 39 out of which 12 thought`.
pub(in crate::command) fn tokens(tokens: &Tokens) -> String {
    let told = |n: Option<u128>, word: &str| Some(format!("{} {word}", grouped(n?)));
    let parts = [
        told(tokens.input, "in"),
        told(tokens.cached.filter(|n| *n > 0), "cached"),
        told(tokens.cache_written.filter(|n| *n > 0), "written to cache"),
        told(tokens.output, "out"),
        told(tokens.reasoning.filter(|n| *n > 0), "of these thought"),
    ];
    let told: Vec<_> = parts.into_iter().flatten().collect();
    if told.is_empty() { "unknown".to_owned() } else { told.join(", ") }
}

fn uncounted(spent: &Spent, unread: usize) -> String {
    let is_told = spent.tokens != Tokens::default() || spent.calls == 0;
    unknown_of(&[(if is_told { spent.uncounted } else { 0 }, "answer"), (unread, "cassette")])
}

/// Returns of how many things something is not known: `; unknown of 1 answer and 2 cassettes`.
fn unknown_of(things: &[(usize, &str)]) -> String {
    let things: Vec<_> = things.iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(*n, what)).collect();
    if things.is_empty() { String::new() } else { format!("; unknown of {}", things.join(" and ")) }
}

/// Whether everything was added up that was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Reach {
    /// It was.
    All,
    /// Something could not be read, so that a sum is the least that it may be.
    Part,
}

/// Returns what so many replays would have cost: `$0.0123`, `at least $0.0123`, `unknown`.
pub(in crate::command) fn cost(spent: &Spent, runs: u64, reach: Reach) -> String {
    let cost = match (spent.cost, spent.calls, reach) {
        (None, 0, Reach::All) => return "$0".to_owned(),
        (None, ..) => return "unknown".to_owned(),
        (Some(cost), ..) => match cost.times(runs) {
            Some(cost) => dollars(cost),
            None => return TOO_MUCH.to_owned(),
        },
    };
    if spent.unpriced == 0 && reach == Reach::All { cost } else { format!("at least {cost}") }
}

/// What is told instead of a product that is too large for any number.
const TOO_MUCH: &str = "more than can be counted";

/// Returns how long so many replays would have taken live: `12.3 s`, `at least 12.3 s`, `unknown`.
fn live(sums: &Sums, runs: u64) -> String {
    let is_whole = sums.total.untimed == 0 && sums.bad.is_empty();
    let time = match sums.total.live {
        None if is_whole => Duration::ZERO,
        None => return "unknown".to_owned(),
        Some(Duration::ZERO) if !is_whole => return "unknown".to_owned(),
        Some(Duration::ZERO) => return short(sums.total.calls as u128 * u128::from(runs)),
        Some(live) => live,
    };
    match time.as_millis().checked_mul(u128::from(runs)).map(of_millis) {
        None => TOO_MUCH.to_owned(),
        Some(time) if is_whole => time,
        Some(time) => format!("at least {time}"),
    }
}

/// Returns how long so many calls took, each less than the shortest time that is written down.
fn short(calls: u128) -> String {
    if calls == 0 { of_millis(0) } else { format!("under {}", of_millis(calls)) }
}

/// Returns an amount as a person reads it: cents where it is worth one, else as many digits as tell it.
pub(in crate::command) fn dollars(amount: Money) -> String {
    let small = amount.rounded(2) == "0.00" || amount.rounded(0) == "0";
    match amount.rounded(if small { 6 } else { 2 }) {
        rounded if rounded == "0.000000" => format!("${amount}"),
        rounded => format!("${rounded}"),
    }
}

/// Returns of what the cost is not known, and why not: `; 1 answer without a price: small`.
fn unpriced(sums: &Sums) -> String {
    let total = &sums.total;
    let answers = |what: &str, of: fn(&Spent) -> usize| {
        let models: Vec<_> =
            total.models.iter().filter(|(_, spent)| of(spent) > 0).map(|(model, _)| &**model).collect();
        let n = total.models.values().map(of).sum();
        (!models.is_empty()).then(|| format!("; {} {what}: {}", count(n, "answer"), models.join(", ")))
    };
    let things = |n: usize, thing: &str, what: &str| (n > 0).then(|| format!("; {} {what}", count(n, thing)));
    let told = [
        answers("without a price", |spent| spent.unpriced - spent.untold),
        answers("whose tokens nobody counted", |spent| spent.untold),
        things(total.unanswered, "call", "without a reply"),
        things(sums.bad.len(), "cassette", "not counted"),
    ];
    told.into_iter().flatten().collect()
}

/// Returns a time as a person reads it: `350 ms`, `12.3 s`, `4 min 10 s`.
pub(in crate::command) fn time(time: Duration) -> String {
    of_millis(time.as_millis())
}

fn of_millis(millis: u128) -> String {
    match millis {
        ms @ 0..1_000 => format!("{ms} ms"),
        ms @ 1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms => format!("{} min {} s", grouped(ms / 60_000), ms % 60_000 / 1_000),
    }
}
