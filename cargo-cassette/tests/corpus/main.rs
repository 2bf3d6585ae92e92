//! Every recording of `shared/traffic`, and one of our own making in each dialect, through everything that is promised.
//!
//! Each exchange's dialect is recognised; its request has one key however it is spelled, and another key whichever leaf is
//! changed; the view of its reply says what the reply says; the cassette that is made of it replays byte for byte. No two
//! requests share a key. What is expected is found by other means than the code under test: `address` has the providers'
//! addresses, `leaves` what is sampling, `said` reads replies by rules of thumb.
//!
//! The folder lies outside the repository: it is found by walking up from this package, or by `CASSETTE_SHARED`. Where it
//! is absent the tests of it say so and pass, and `invented` is what is left. `--nocapture` prints the tables.
#![expect(clippy::print_stdout, reason = "the test prints its tables")]

mod address;
mod archives;
mod checked;
mod documents;
mod gateway;
mod halves;
mod index;
mod invented;
mod leaves;
mod refused;
mod replay;
mod said;
mod sharing;
mod shelf;
mod tally;

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use cargo_cassette::import::import;

use crate::archives::{Validator, round_trip};
use crate::checked::{Replays, check};
use crate::halves::halves;
use crate::index::{is_excused, is_listed, miscounted, mistaken, rows, traffic, unfounded, unlisted};
use crate::leaves::key;
use crate::replay::{Numbers, another_order, in_other_pieces, replayed};
use crate::sharing::{collect, shared_keys};
use crate::shelf::{VOUCHED, recorded};
use crate::tally::{Tally, table};

const ABSENT: &str = "skipped: there is no folder `shared/traffic` above this package, and CASSETTE_SHARED names none";

#[test]
fn every_recording_keeps_every_promise_or_is_listed_with_a_reason() {
    let Some(traffic) = traffic() else { return println!("{ABSENT}") };
    let started = Instant::now();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut wrong, mut refused, mut vouched) = (Vec::new(), Vec::new(), Vec::new());
    let mut keys = HashMap::new();
    let mut validator = Validator::start();
    for row in rows(&traffic) {
        let tally = tallies.entry(row.provider.clone()).or_default();
        let path = traffic.join(&row.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let outcome = import(&path, &bytes);
        tally.files.note(outcome.is_ok());
        wrong.extend(mistaken(&row, outcome.as_ref().map_or_else(|refusal| refusal.format, |it| Some(it.format))));
        match outcome {
            Err(refusal) => {
                wrong.extend(unfounded(&row, &refusal));
                wrong.extend(unlisted(&row, &refusal));
                let halves = halves(&row.path, &bytes);
                let checked = check(&halves, Replays::Never);
                tally.add(&checked.tally);
                collect(&mut keys, halves.iter().map(|half| (key(&half.call), &half.call)));
                wrong.extend(checked.wrong.into_iter().map(|what| format!("{}: {what}", row.path)));
                let read = if halves.is_empty() { "" } else { "; all but the replay was checked" };
                refused.push(format!("{refusal}{read}\n    {}", row.path));
            }
            Ok(imported) => {
                wrong.extend(miscounted(&row, imported.exchanges.len()));
                let checked = check(&imported.exchanges, Replays::ByteForByte);
                tally.add(&checked.tally);
                let told = checked.wrong.into_iter().filter(|what| !is_listed(&row, what));
                wrong.extend(told.map(|what| format!("{}: {what}", row.path)));
                vouched.extend(checked.vouched);
                if let Some(tape) = &checked.tape {
                    validator.take(&row.path, tape);
                    wrong.extend(
                        round_trip(tape).into_iter().map(|what| format!("{}: as an archive: {what}", row.path)),
                    );
                }
                let kept = checked.tape.iter().flat_map(|tape| &tape.interactions);
                collect(
                    &mut keys,
                    kept.map(|interaction| {
                        (interaction.key().clone(), interaction.call().expect("an import holds whole requests"))
                    }),
                );
            }
        }
    }
    let short = tallies.iter().filter(|(provider, tally)| !tally.is_full() && !is_excused(provider));
    wrong.extend(short.map(|(provider, _)| format!("the row of {provider} is short")));
    wrong.extend(shared_keys(&keys));
    wrong.extend(validator.verdict());
    println!("{}\nrefused:", table(&tallies));
    refused.iter().for_each(|line| println!("  {line}"));
    println!("\nfound by the audit, and vouched for:");
    for (rule, beginning, why) in VOUCHED {
        let count = vouched.iter().filter(|line| line.contains(&format!(": {rule}, {beginning}"))).count();
        println!("  {count:>4} {rule}, {beginning}..: {why}");
    }
    println!("\n{} keys, {:.0} s", keys.len(), started.elapsed().as_secs_f64());
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

/// The largest file that is recorded a second time.
const LARGEST: usize = 50_000;

#[test]
fn in_whatever_pieces_and_order_every_call_gets_its_own_answer() {
    let Some(traffic) = traffic() else { return println!("{ABSENT}") };
    let mut numbers = Numbers(20_261_129);
    let mut wrong = Vec::new();
    let mut checked = 0;
    for row in rows(&traffic) {
        let path = traffic.join(&row.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(mut imported) = import(&path, &bytes) else { continue };
        if bytes.len() > LARGEST || imported.exchanges.is_empty() {
            continue;
        }
        in_other_pieces(&mut imported.exchanges, &mut numbers);
        match recorded(&imported.exchanges) {
            Ok(kept) => {
                let order = another_order(&kept.tape, &mut numbers);
                let replay = replayed(&kept, &imported.exchanges, &order);
                checked += replay.exact + replay.hidden;
                wrong.extend(replay.wrong.iter().map(|what| format!("{}: {what}", row.path)));
            }
            Err(why) => wrong.push(format!("{}: not saved: {why}", row.path)),
        }
    }
    println!("{checked} exchanges in other pieces and another order");
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 200, "{checked} exchanges were checked");
}

#[test]
fn what_is_imported_comes_back_through_the_gateway() {
    let Some(traffic) = traffic() else { return println!("{ABSENT}") };
    let dir = tempfile::tempdir().expect("there is room");
    let (mut wrong, mut exact, mut hidden, mut found) = (Vec::new(), 0, 0, 0);
    for (i, row) in rows(&traffic).iter().enumerate() {
        let path = traffic.join(&row.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(imported) = import(&path, &bytes) else { continue };
        if imported.exchanges.is_empty() {
            continue;
        }
        let asked = gateway::asked(dir.path(), &format!("recording-{i}"), &imported.exchanges);
        (exact, hidden, found) = (exact + asked.exact, hidden + asked.hidden, found + usize::from(asked.found));
        wrong.extend(asked.wrong.iter().map(|what| format!("{}: {what}", row.path)));
    }
    println!(
        "{exact} exchanges byte for byte through the gateway, {hidden} as redaction left them, {found} files to vouch for"
    );
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(found, VOUCHED.len());
}
