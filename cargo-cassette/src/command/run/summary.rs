//! What became of the cassettes of a run.

use std::collections::BTreeSet;
use std::time::Duration;

use cassette_core::account::Money;
use cassette_core::ledger::{Ended, Entry};
use cassette_core::mode::Mode;

use crate::command::failure::Failure;
use crate::command::stats::text::{dollars, time};
use crate::output::{Ink, Line, Output, Table, count};

/// Prints what became of the cassettes; nothing where no test had one.
pub(super) fn print(entries: &[Entry], mode: Mode, output: &mut Output) -> Result<(), Failure> {
    let ended: Vec<&Ended> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Ended(ended) => Some(&**ended),
            _ => None,
        })
        .collect();
    output.gap()?;
    if ended.is_empty() {
        return Ok(output.line(&Line::of("cassettes: no test with a cassette ran"))?);
    }
    let sum = |of: fn(&Ended) -> usize| ended.iter().map(|ended| of(ended)).sum::<usize>();
    let cassettes: BTreeSet<_> = ended.iter().map(|ended| (&ended.directory, &ended.cassette)).collect();
    let failed = sum(|ended| usize::from(ended.failed));
    let head = format!("cassettes: {} of {} in {mode}", count(ended.len(), "run"), count(cassettes.len(), "cassette"));
    let head = Line::new().ink(Ink::Strong, &head);
    output.line(&if failed == 0 { head } else { head.ink(Ink::Bad, &format!(", {failed} failed")) })?;
    let mut table = Table::indented(2);
    let mut row = |name: &str, text: Line| table.row(vec![Line::of(name), text]);
    if mode != Mode::Off {
        row("recorded", Line::of(&count(sum(|ended| ended.recorded), "call")));
        row("replayed", Line::of(&count(sum(|ended| ended.replayed), "call")));
    }
    if mode.records() {
        row("dropped", Line::of(&count(sum(|ended| ended.dropped), "recording")));
    }
    for ended in ended.iter().filter(|ended| ended.pending.is_some()) {
        let place = ended.pending.as_deref().unwrap_or_default();
        row("pending", Line::new().ink(Ink::Warn, place).plain(&format!(", of {}", ended.test)));
    }
    row("cost live", Line::of(&cost(&ended, sum(|ended| ended.live))));
    if sum(|ended| ended.replayed) > 0 {
        let saved: Money = ended.iter().map(|ended| ended.saved).sum();
        let saved_time: Duration = ended.iter().map(|ended| ended.saved_time).sum();
        row("saved", Line::of(&format!("{}, {}", amount(saved), time(saved_time))));
    }
    Ok(table.print(output)?)
}

/// Returns what the live calls cost: what is not known is said, and never taken for nothing.
fn cost(ended: &[&Ended], live: usize) -> String {
    let cost: Money = ended.iter().map(|ended| ended.cost).sum();
    let unpriced: usize = ended.iter().map(|ended| ended.unpriced).sum();
    let calls = count(live, "live call");
    match unpriced {
        0 => format!("{}, {calls}", amount(cost)),
        n => format!("at least {}, {calls}, {} without a price", amount(cost), count(n, "answer")),
    }
}

fn amount(money: Money) -> String {
    if money == Money::default() { "$0".to_owned() } else { dollars(money) }
}
