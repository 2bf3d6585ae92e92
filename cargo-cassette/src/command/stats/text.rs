//! Sums for a person.

use std::time::Duration;

use cargo_cassette::pricing::PriceList;
use cassette_core::account::{Account, Money, Spent, Tokens};

use super::{Failure, Stats, Sums};
use crate::output::{Ink, Line, Output, Table, count, grouped};

/// Prints what was added up.
pub(super) fn print(stats: &Stats, list: &PriceList, sums: &Sums, output: &mut Output) -> Result<(), Failure> {
    let total = &sums.total;
    let kinds: Vec<_> = total.kinds.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n as u64))).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let cassettes = count(sums.cassettes.len(), "cassette");
    output
        .line(&Line::new().ink(Ink::Strong, &cassettes).plain(&format!(", {}{kinds}", count(total.calls, "call"))))?;
    for (spot, error) in &sums.bad {
        output.line(&Line::of(&format!("{}  ", spot.name)).ink(Ink::Bad, &error.to_string()))?;
    }
    if let (Some(first), Some(name)) = (&total.first_error, &sums.failing) {
        let what = format!(", the first is call {} of {name}: {}, {}", first.number, first.what, first.call);
        output.line(&Line::new().ink(Ink::Warn, &count(total.errors, "failed call")).plain(&what))?;
    }
    models(stats, total, output)?;
    output.gap()?;
    let spent = total.spent();
    let mut table = Table::indented(0);
    let name = |name: &str| Line::of(name);
    table.row(vec![name("tokens"), Line::of(&tokens(&spent.tokens)).ink(Ink::Warn, &uncounted(&spent))]);
    let timed =
        if total.untimed > 0 { format!(", of {} unknown", count(total.untimed, "call")) } else { String::new() };
    table.row(vec![name("live time"), Line::of(&time(total.live)).ink(Ink::Warn, &timed)]);
    if !stats.no_cost {
        table.row(vec![name("cost live"), Line::of(&cost(&spent, 1)).ink(Ink::Warn, &unpriced(total))]);
    }
    let runs =
        if stats.runs == 1 { "a replay saves".to_owned() } else { format!("{} replays save", grouped(stats.runs)) };
    let live = Duration::from_millis(millis(total.live).saturating_mul(stats.runs));
    let saved = if stats.no_cost { time(live) } else { format!("{}, {}", cost(&spent, stats.runs), time(live)) };
    table.row(vec![name(&runs), Line::of(&saved)]);
    table.print(output)?;
    if !stats.no_cost && spent.cost.is_some() {
        let own = if stats.price.is_empty() && stats.prices_file.is_none() { "" } else { ", and those given here" };
        output.line(&Line::new().ink(Ink::Faint, &format!("list prices of {}{own}", list.checked)))?;
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
            cells.push(Line::of(&cost(spent, 1)));
        }
        cells.push(Line::new().ink(Ink::Faint, &tokens(&spent.tokens)).ink(Ink::Warn, &uncounted(spent)));
        table.row(cells);
    }
    Ok(table.print(output)?)
}

/// Returns the tokens of each kind that is counted: `1,210 in, 1,024 cached, 39 out of which 12 thought`.
pub(in crate::command) fn tokens(tokens: &Tokens) -> String {
    let told = |n: Option<u64>, word: &str| Some(format!("{} {word}", grouped(n?)));
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

fn uncounted(spent: &Spent) -> String {
    match spent.uncounted {
        n if n == spent.calls => String::new(),
        0 => String::new(),
        n => format!(", unknown of {}", count(n, "answer")),
    }
}

/// Returns what so many replays would have cost: `$0.0123`, `at least $0.0123`, `unknown`.
pub(in crate::command) fn cost(spent: &Spent, runs: u64) -> String {
    match (spent.cost, spent.unpriced, spent.calls) {
        (_, _, 0) => "$0".to_owned(),
        (None, ..) => "unknown".to_owned(),
        (Some(cost), 0, _) => dollars(cost.times(runs)),
        (Some(cost), ..) => format!("at least {}", dollars(cost.times(runs))),
    }
}

/// Returns an amount as a person reads it: cents where it is worth one, else as many digits as tell it.
pub(in crate::command) fn dollars(amount: Money) -> String {
    let small = amount.rounded(2) == "0.00" || amount.rounded(0) == "0";
    format!("${}", amount.rounded(if small { 6 } else { 2 }))
}

fn unpriced(total: &Account) -> String {
    let models = total.unpriced_models();
    if models.is_empty() {
        return String::new();
    }
    let unpriced = count(total.spent().unpriced, "answer");
    format!(", {unpriced} without a price: {}", models.join(", "))
}

/// Returns a time as a person reads it: `350 ms`, `12.3 s`, `4 min 10 s`.
pub(in crate::command) fn time(time: Duration) -> String {
    match millis(time) {
        ms @ 0..1_000 => format!("{ms} ms"),
        ms @ 1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms => format!("{} min {} s", grouped(ms / 60_000), ms % 60_000 / 1_000),
    }
}

/// Returns a time in milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
