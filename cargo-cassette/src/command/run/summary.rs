//! What became of the cassettes of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use cargo_cassette::workspace::shown;
use cassette_core::account::Money;
use cassette_core::ledger::{Began, Ended, Entry};
use cassette_core::mode::Mode;

use super::book::Terms;
use super::left::back;
use crate::command::around::Surroundings;
use crate::command::failure::Failure;
use crate::command::stats::text::{dollars, time};
use crate::output::{Ink, Line, Output, Table, count};

/// Returns the tests with a cassette that began and did not end, in order.
pub(super) fn cut_off(entries: &[Entry]) -> Vec<&str> {
    let mut tests: Vec<_> = told(entries).cut_off.into_iter().map(|began| began.test.as_str()).collect();
    tests.dedup();
    tests
}

/// Prints what became of the cassettes; nothing where no test had one.
pub(super) fn print(
    entries: &[Entry],
    terms: &Terms,
    around: &Surroundings,
    output: &mut Output,
) -> Result<(), Failure> {
    let here = around.standpoint.here.as_path();
    let (mode, limit) = (terms.mode, terms.limit());
    let Told { ended, cut_off, spent, unpriced, unanswered, paid } = told(entries);
    output.gap()?;
    if ended.is_empty() && cut_off.is_empty() {
        return Ok(output.line(&Line::of("cassettes: no test with a cassette ran"))?);
    }
    let sum = |of: fn(&Ended) -> usize| ended.iter().map(|ended| of(ended)).sum::<usize>();
    let runs = count(ended.len() + cut_off.len(), "run");
    let head = format!("cassettes: {runs} of {} in {mode}", count(cassettes(&ended, &cut_off), "cassette"));
    let mut head = Line::new().ink(Ink::Strong, &head);
    for (n, what) in [(sum(|ended| usize::from(ended.failed)), "failed"), (cut_off.len(), "cut off")] {
        head = if n == 0 { head } else { head.ink(Ink::Bad, &format!(", {n} {what}")) };
    }
    output.line(&head)?;
    let mut table = Table::indented(2);
    let mut row = |name: &str, text: Line| table.row(vec![Line::of(name), text]);
    if mode != Mode::Off {
        row("recorded", Line::of(&count(sum(|ended| ended.recorded), "call")));
        row("replayed", Line::of(&count(sum(|ended| ended.replayed), "call")));
    }
    if mode.records() {
        row("dropped", Line::of(&count(sum(|ended| ended.dropped), "recording")));
    }
    // Of a test that ran again the last run counts, and the order of processes means nothing.
    let run = |ended: &Ended| (ended.test.clone(), ended.cassette.clone(), ended.directory.clone());
    let last: BTreeMap<_, _> = ended.iter().map(|ended| (run(ended), ended)).collect();
    for ended in last.values() {
        if let Some(place) = &ended.pending {
            let place = from_here(place, ended, here);
            row("pending", Line::new().ink(Ink::Warn, &place).plain(&format!(", of {}", ended.test)));
        }
    }
    for ended in last.values().filter(|ended| !ended.hidden.is_empty()) {
        row(
            "hides",
            Line::new().ink(Ink::Warn, &format!("in bodies {}", ended.hidden)).plain(&format!(", of {}", ended.test)),
        );
    }
    for (ended, unrun) in last.values().filter_map(|ended| Some((ended, ended.unrun.as_ref()?))) {
        row("not run", Line::new().plain(&format!("{}: ", ended.test)).ink(Ink::Warn, unrun));
    }
    for began in &cut_off {
        let line = Line::new().ink(Ink::Bad, &began.test).plain(", which did not end");
        let back = if mode.records() { back(began, entries, &terms.before, around) } else { None };
        row("cut off", line.plain(&back.unwrap_or_default()));
    }
    row("cost live", Line::of(&cost((spent, unpriced, unanswered), sum(|ended| ended.live).max(paid), cut_off.len())));
    if let Some(limit) = limit.filter(|_| mode != Mode::Replay) {
        let most = if unpriced > 0 || unanswered > 0 || !cut_off.is_empty() { "at most " } else { "" };
        let left =
            if spent < limit { format!("{}{} left", most, dollars(limit.beyond(spent))) } else { "used up".to_owned() };
        row("budget", Line::of(&format!("{}, {left}", dollars(limit))));
    }
    if sum(|ended| ended.replayed) > 0 {
        let saved: Money = ended.iter().map(|ended| ended.saved).sum();
        let saved_time: Duration =
            ended.iter().map(|ended| ended.saved_time).fold(Duration::ZERO, Duration::saturating_add);
        let least = |unknown: fn(&Ended) -> usize| if sum(unknown) == 0 { "" } else { "at least " };
        let least_saved = least(|ended| ended.saved_unpriced);
        let money = match saved == Money::default() && !least_saved.is_empty() {
            true => "unknown".to_owned(),
            false => format!("{least_saved}{}", dollars(saved)),
        };
        row("saved", Line::of(&format!("{money}, {}{}", least(|ended| ended.saved_untimed), time(saved_time))));
    }
    Ok(table.print(output)?)
}

/// Returns where a recording is pending as it is named from here: the test names it from its package.
fn from_here(place: &str, ended: &Ended, here: &Path) -> String {
    let file = Path::new(&ended.directory).join(".pending").join(format!("{}.json", ended.cassette));
    if file.is_file() { shown(here, &file) } else { place.to_owned() }
}

/// Returns how many cassettes there were. Of what was cut off the directory is not known.
fn cassettes(ended: &[&Ended], cut_off: &[&Began]) -> usize {
    let known = ended.iter().map(|ended| (&ended.directory, &ended.cassette)).collect::<BTreeSet<_>>().len();
    let is_known =
        |began: &Began| ended.iter().any(|ended| (&ended.test, &ended.cassette) == (&began.test, &began.cassette));
    let others = cut_off.iter().filter(|began| !is_known(began)).map(|began| (&began.test, &began.cassette));
    known + others.collect::<BTreeSet<_>>().len()
}

/// What the ledger tells.
struct Told<'a> {
    ended: Vec<&'a Ended>,
    /// What began and never ended.
    cut_off: Vec<&'a Began>,
    /// What is known to be spent, by tests that were cut off too.
    spent: Money,
    /// How many answers there are of which it is not known what they cost.
    unpriced: i64,
    /// How many calls got no reply, and may have cost something all the same.
    unanswered: usize,
    /// How many live calls that is counted from.
    paid: usize,
}

fn told(entries: &[Entry]) -> Told<'_> {
    let mut told =
        Told { ended: Vec::new(), cut_off: Vec::new(), spent: Money::default(), unpriced: 0, unanswered: 0, paid: 0 };
    for entry in entries {
        match entry {
            Entry::Began(began) => told.cut_off.push(began),
            Entry::Spent(spending) => {
                told.spent = told.spent + spending.cost;
                told.unpriced += spending.unknown + i64::try_from(spending.own).unwrap_or_default();
                told.unanswered += spending.unanswered;
                told.paid += 1;
            }
            Entry::Ended(ended) => told.ended.push(&**ended),
            _ => {}
        }
    }
    for ended in &told.ended {
        if let Some(at) = told.cut_off.iter().position(|began| began.test == ended.test) {
            told.cut_off.remove(at);
        }
    }
    told.cut_off.sort();
    told
}

/// Returns what the live calls cost: what is not known is said, and never taken for nothing.
fn cost((spent, unpriced, unanswered): (Money, i64, usize), live: usize, cut_off: usize) -> String {
    let unpriced = usize::try_from(unpriced).unwrap_or_default();
    let least = if unpriced + unanswered + cut_off == 0 { "" } else { "at least " };
    let answers =
        if unpriced == 0 { String::new() } else { format!(", {} of unknown cost", count(unpriced, "answer")) };
    let runs = if cut_off == 0 { String::new() } else { format!(", {} cut off", count(cut_off, "run")) };
    let silent =
        if unanswered == 0 { String::new() } else { format!(", {} without a reply", count(unanswered, "call")) };
    // Of what was cut off only the calls of models are known.
    let calls = match (cut_off, live) {
        (0, _) => format!(", {}", count(live, "live call")),
        (_, 0) => String::new(),
        _ => format!(", at least {}", count(live, "live call")),
    };
    // Where nothing is known of what it cost, that is no zero.
    let sum = if spent == Money::default() && !least.is_empty() {
        "unknown".to_owned()
    } else {
        format!("{least}{}", dollars(spent))
    };
    format!("{sum}{calls}{answers}{silent}{runs}")
}
