//! Faults on demand: a recorded run goes wrong, and the program has to get over it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use cassette_test::{Cassette, Fault, Mode, cassette};
use serde_json::Value;
use stages::{Answer, Rehearsal, assert_told, seen, var};

use crate::asking::{ask, must_ask, question, timetable, towns};
use crate::told::base;

/// How long the programs of these stories wait for an answer.
const PATIENCE: Duration = Duration::from_secs(3);

#[cassette("faults")]
#[test]
#[ignore]
fn it_asks(cassette: Cassette) {
    towns().iter().for_each(|town| drop(must_ask(&cassette, town)));
}

/// Returns the faults that the teller wants planned.
fn faults() -> Vec<Fault> {
    let planned = var("STORY_FAULTS");
    planned.split(',').map(fault).collect()
}

fn fault(name: &str) -> Fault {
    match name {
        "429" => Fault::status(429).retry_after(2),
        "503 at 2" => Fault::status(503).at(2),
        "own" => Fault::status(500).header("X-Whose", "mine").body("out of order"),
        "reset" => Fault::reset(),
        "stall" => Fault::stall(),
        "stall after 0" => Fault::stall_after(0),
        "cut after 0" => Fault::cut_after(0),
        "cut after 1" => Fault::cut_after(1),
        "garbage" => Fault::garbage(1),
        "garbage in 9" => Fault::garbage(9),
        "byte by byte" => Fault::byte_by_byte().at_each(),
        "far" => Fault::status(503).at(9),
        "nowhere" => Fault::status(503).at(0),
        _ => panic!("there is no fault `{name}`"),
    }
}

/// Asks for a train up to three times, and notes why an attempt failed.
async fn insist(base: &str, town: &str, notes: &mut String) -> Option<String> {
    let client = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
    for _ in 0..3 {
        match attempt(&client, base, town).await {
            Ok(answer) => return Some(answer),
            Err(why) => writeln!(notes, "{town}: {why}").unwrap(),
        }
    }
    None
}

async fn attempt(client: &reqwest::Client, base: &str, town: &str) -> Result<String, String> {
    let kind = |err: &reqwest::Error| {
        let kinds =
            [(err.is_timeout(), "timeout"), (err.is_body() || err.is_decode(), "body"), (err.is_request(), "request")];
        kinds.into_iter().find(|(is, _)| *is).map_or("other", |(_, name)| name)
    };
    let reply = client.post(format!("{base}/chat/completions")).json(&question(town)).send().await;
    let reply = reply.map_err(|err| format!("no reply: {}", kind(&err)))?;
    let (status, headers) = (reply.status(), reply.headers().clone());
    let bytes = reply.bytes().await.map_err(|err| format!("half a reply: {}", kind(&err)))?;
    if !status.is_success() {
        let headers: Vec<_> = ["retry-after", "x-whose"].iter().filter_map(|name| headers.get(*name)).collect();
        return Err(format!("{status} {headers:?} {}", String::from_utf8_lossy(&bytes)));
    }
    let answer: Value = serde_json::from_slice(&bytes).map_err(|_| "no JSON".to_owned())?;
    Ok(answer["answer"].to_string())
}

#[cassette("faults", mode = "replay")]
#[tokio::test]
#[ignore]
async fn it_insists(cassette: Cassette) {
    faults().into_iter().for_each(|fault| cassette.fault(fault));
    let (base, mut notes) = (base(&cassette), String::new());
    for town in towns() {
        let answer = insist(&base, &town, &mut notes).await;
        writeln!(notes, "{town}: {answer:?}").unwrap();
    }
    seen(notes);
}

/// Records two towns, and shuts nothing down: no replay asks.
fn recorded() -> Rehearsal {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    rehearsal.passes("faults::it_asks", "record");
    rehearsal
}

#[test]
fn a_program_that_insists_gets_over_each_fault() {
    let mut rehearsal = recorded();
    let mut told = String::new();
    let plans = [
        "429",
        "503 at 2",
        "429,503 at 2",
        "own",
        "reset",
        "stall",
        "stall after 0",
        "cut after 0",
        "cut after 1",
        "garbage",
        "byte by byte",
    ];
    for plan in plans {
        rehearsal = rehearsal.with("STORY_FAULTS", plan);
        let played = rehearsal.passes("faults::it_insists", "replay");
        writeln!(told, "== {plan}\n{}{}", played.seen, played.told).unwrap();
    }
    assert_eq!(rehearsal.asked(), 2, "nothing goes live");
    assert_told!("faults_got_over", told);
}

#[cassette("faults", mode = "replay")]
#[test]
#[ignore]
fn it_gives_up(cassette: Cassette) {
    faults().into_iter().for_each(|fault| cassette.fault(fault));
    let (status, body) = ask(&cassette, "Bergen");
    seen(format!("{status} {body}\n{}", cassette.transcript()));
}

#[test]
fn a_program_that_gives_up_leaves_the_rest_and_passes() {
    let rehearsal = recorded().with("STORY_FAULTS", "429");
    let played = rehearsal.passes("faults::it_gives_up", "replay");
    assert_told!("faults_given_up", format!("{}{}", played.seen, played.told));
}

#[test]
fn a_fault_that_never_fires_fails() {
    let rehearsal = recorded().with("STORY_FAULTS", "far");
    assert_told!("fault_that_never_fires", rehearsal.fails("faults::it_insists", "replay"));
    let rehearsal = rehearsal.with("STORY_FAULTS", "garbage in 9");
    assert_told!("fault_that_does_not_fit", rehearsal.fails("faults::it_insists", "replay"));
}

#[test]
fn a_fault_that_is_none_fails() {
    let rehearsal = recorded().with("STORY_FAULTS", "nowhere");
    assert_told!("fault_at_no_call", rehearsal.fails("faults::it_insists", "replay"));
    let rehearsal = rehearsal.with("STORY_FAULTS", "429,reset");
    assert_told!("faults_at_one_call", rehearsal.fails("faults::it_insists", "replay"));
}

#[test]
fn a_fault_hides_no_changed_request() {
    let rehearsal = recorded().with("STORY_FAULTS", "429").with("STORY_ASKS", "Oslo,Voss");
    let told = rehearsal.fails("faults::it_insists", "replay");
    assert!(
        told.starts_with("\nthread 'faults::it_insists' ")
            && told.contains("cassette mismatch: `faults` holds no recording of call 1, "),
        "{told}"
    );
}

#[cassette("faults-live")]
#[test]
#[ignore]
fn it_plans_a_fault(cassette: Cassette) {
    cassette.fault(Fault::reset());
}

#[test]
fn nothing_is_recorded_through_a_fault() {
    let rehearsal = Rehearsal::of(timetable);
    assert_told!("fault_while_recording", rehearsal.fails("faults::it_plans_a_fault", "record"));
    assert_eq!((rehearsal.asked(), rehearsal.file("faults-live")), (0, String::new()));
}

#[cassette("faults", mode = "replay")]
#[test]
#[ignore]
fn it_waits_for_ever(cassette: Cassette) {
    cassette.fault(Fault::stall());
    let _ = ureq::post(format!("{}/chat/completions", base(&cassette))).send_json(question("Bergen"));
}

#[cassette]
#[test]
#[ignore]
fn it_is_named_by_default(cassette: Cassette) {
    ask(&cassette, "Bergen");
}

#[cassette("test/stories/faults/it_is_named_by_default", mode = "replay")]
#[test]
#[ignore]
fn it_waits_for_what_is_named_by_default(cassette: Cassette) {
    cassette.fault(Fault::reset());
}

#[test]
#[ignore]
fn it_sweeps_what_is_named_by_default() {
    let replay = Cassette::builder("test/stories/faults/it_is_named_by_default").mode(Mode::Replay);
    replay.sweep(Fault::reset()).run(|cassette| {
        ask(&cassette, "Bergen");
    });
}

#[cassette("lonely", mode = "replay", dir = "cassettes/faults")]
#[test]
#[ignore]
fn it_waits_for_what_nothing_records(cassette: Cassette) {
    cassette.fault(Fault::reset());
}

#[test]
#[ignore]
fn it_sweeps_what_nothing_records() {
    Cassette::builder("lonely").mode(Mode::Replay).sweep(Fault::reset()).run(|cassette| {
        ask(&cassette, "Bergen");
    });
}

#[test]
fn before_the_run_is_recorded_its_own_test_is_named() {
    let rehearsal = Rehearsal::of(timetable);
    assert_told!("not_recorded", rehearsal.fails("faults::it_waits_for_ever", "replay"));
    let told = ["faults::it_waits_for_what_is_named_by_default", "faults::it_sweeps_what_is_named_by_default"]
        .map(|story| rehearsal.fails(story, "replay"));
    assert_told!("not_recorded_by_default", told.concat());
}

#[test]
fn what_no_other_test_records_is_recorded_without_faults() {
    let rehearsal = Rehearsal::of(timetable);
    let told = ["faults::it_waits_for_what_nothing_records", "faults::it_sweeps_what_nothing_records"]
        .map(|story| rehearsal.fails(story, "replay"));
    assert_told!("not_recorded_by_any", told.concat());
}

#[test]
fn a_program_that_waits_for_ever_is_told_so() {
    assert_told!("stalled_for_ever", recorded().fails("faults::it_waits_for_ever", "replay"));
}

#[test]
#[ignore]
fn it_sweeps() {
    let [fault, program, allowed] = ["STORY_SWEEP", "STORY_PROGRAM", "STORY_ALLOWED"].map(var);
    let fault = match fault.as_str() {
        "503" => Fault::status(503),
        "every cut" => Fault::every_cut(),
        _ => Fault::every_split(),
    };
    let allowed = allowed.split(',').filter(|call| !call.is_empty()).map(|call| call.parse::<usize>().unwrap());
    let survived = Cassette::builder("swept").sweep(fault).may_fail_at(allowed).run(|cassette| {
        for town in towns() {
            let (status, body) = match program.as_str() {
                "patient" => (0..3).map(|_| ask(&cassette, &town)).find(|(status, _)| *status == 200).unwrap(),
                "hasty" if town == "Bergen" => {
                    ask(&cassette, &town);
                    ask(&cassette, &town)
                }
                "careless" => {
                    ask(&cassette, &town);
                    continue;
                }
                "strict" => (200, must_ask(&cassette, &town)),
                "wandering" => match ask(&cassette, &town) {
                    (503, _) => ask(&cassette, "Hamar"),
                    answered => answered,
                },
                _ => ask(&cassette, &town),
            };
            if status != 200 {
                return Err(format!("{town}: {status}"));
            }
            let answer: Value = serde_json::from_str(&body).map_err(|err| err.to_string())?;
            assert!(answer["answer"].is_string());
        }
        Ok(())
    });
    seen(format!("{survived:?}"));
}

/// Asks for all towns at once, and again where it is turned away, but for one town.
#[test]
#[ignore]
fn it_sweeps_at_once() {
    let survived = Cassette::builder("swept").sweep(Fault::status(503)).may_fail_at([2]).run(|cassette| {
        let town = |town: &str| match ask(&cassette, town).0 {
            200 => 200,
            _ if town == "Bergen" => 503,
            _ => ask(&cassette, town).0,
        };
        let statuses: Vec<u16> = match cassette.is_replaying() {
            false => towns().iter().map(|asked| town(asked)).collect(),
            true => std::thread::scope(|scope| {
                let all: Vec<_> = towns().into_iter().map(|asked| scope.spawn(move || town(&asked))).collect();
                all.into_iter().map(|thread| thread.join().unwrap()).collect()
            }),
        };
        if statuses.iter().all(|status| *status == 200) { Ok(()) } else { Err(format!("{statuses:?}")) }
    });
    seen(format!("{survived:?}"));
}

#[test]
fn a_sweep_over_calls_that_are_made_at_once_puts_each_fault_where_it_was_recorded() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Oslo,Bergen,Voss");
    rehearsal.passes("faults::it_sweeps_at_once", "record");
    let all: BTreeSet<_> = (0..8).map(|_| rehearsal.passes("faults::it_sweeps_at_once", "replay").seen).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all.iter().all(|seen| seen.contains("positions: 3, perished: [Perished { call: 2")), "{all:?}");
}

#[test]
fn a_sweep_says_what_is_not_survived() {
    let sweep = |rehearsal: Rehearsal, fault: &str, program: &str, allowed: &str| {
        rehearsal.with("STORY_SWEEP", fault).with("STORY_PROGRAM", program).with("STORY_ALLOWED", allowed)
    };
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    let rehearsal = sweep(rehearsal, "503", "plain", "");
    let told = rehearsal.passes("faults::it_sweeps", "record").told;
    assert_told!("sweep_while_recording", told);
    assert_eq!(rehearsal.asked(), 2, "the body ran once");
    assert_told!("sweep_not_survived", rehearsal.fails("faults::it_sweeps", "replay"));
    let rehearsal = sweep(rehearsal, "503", "plain", "2,1");
    assert_told!("sweep_as_declared", rehearsal.passes("faults::it_sweeps", "replay").seen);
    let rehearsal = sweep(rehearsal, "503", "patient", "");
    assert_told!("sweep_survived", rehearsal.passes("faults::it_sweeps", "replay").seen);
    let rehearsal = sweep(rehearsal, "503", "patient", "2");
    assert_told!("sweep_declared_and_survived", rehearsal.fails("faults::it_sweeps", "replay"));
    let rehearsal = sweep(rehearsal, "every split", "plain", "");
    assert_told!("sweep_of_splits", rehearsal.passes("faults::it_sweeps", "replay").seen);
    let rehearsal = sweep(rehearsal, "every cut", "plain", "");
    assert_told!("sweep_of_cuts", rehearsal.fails("faults::it_sweeps", "replay"));
}

/// Fails, and then asks for what was never recorded.
#[test]
#[ignore]
fn it_sweeps_what_fails_by_itself() {
    struct Parting(Cassette);
    impl Drop for Parting {
        fn drop(&mut self) {
            ask(&self.0, "Hamar");
        }
    }
    Cassette::builder("swept").sweep(Fault::status(503)).run(|cassette| {
        let _parting = Parting(cassette.clone());
        towns().iter().for_each(|town| drop(must_ask(&cassette, town)));
        assert!(towns().is_empty(), "the train is late");
    });
}

#[test]
fn a_sweep_whose_cassette_fails_says_what_moved() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss").with("STORY_SWEEP", "503");
    let rehearsal = rehearsal.with("STORY_PROGRAM", "plain").with("STORY_ALLOWED", "");
    rehearsal.passes("faults::it_sweeps", "record");
    assert_told!("sweep_failed_by_itself", rehearsal.fails("faults::it_sweeps_what_fails_by_itself", "replay"));
    let rehearsal = rehearsal.with("STORY_PROGRAM", "wandering");
    assert_told!("sweep_mismatch_after_a_fault", rehearsal.fails("faults::it_sweeps", "replay"));
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Oslo").with("STORY_PROGRAM", "plain");
    assert_told!("sweep_mismatch_and_an_error", rehearsal.fails("faults::it_sweeps", "replay"));
    let rehearsal = rehearsal.with("STORY_PROGRAM", "strict");
    assert_told!("sweep_mismatch_and_a_panic", rehearsal.fails("faults::it_sweeps", "replay"));
    let rehearsal = rehearsal.with("STORY_PROGRAM", "careless");
    assert_told!("sweep_mismatch_that_nobody_minds", rehearsal.fails("faults::it_sweeps", "replay"));
}

const EVENTS: [&str; 3] =
    ["data: {\"delta\":\"The 09:04\"}\n\n", "data: {\"delta\":\", platform 2 – æ\"}\n\n", "data: [DONE]\n\n"];

#[tokio::test]
#[ignore]
async fn it_reads_events_however_they_are_cut() {
    let survived = Cassette::builder("events").sweep(Fault::every_split()).run_async(read).await;
    seen(format!("{}", survived.positions));
}

/// Reads a stream of events as a client does that waits for the end of each.
async fn read(cassette: Cassette) -> Result<(), String> {
    let reply = reqwest::get(format!("{}/stream", base(&cassette))).await.map_err(|err| err.to_string())?;
    let body = reply.bytes().await.map_err(|err| err.to_string())?;
    let events: Vec<_> = std::str::from_utf8(&body).map_err(|err| err.to_string())?.split_inclusive("\n\n").collect();
    if events == EVENTS { Ok(()) } else { Err(format!("{events:?}")) }
}

#[test]
fn an_asynchronous_body_is_swept_too() {
    let rehearsal = Rehearsal::of(|_| Answer::events(&EVENTS));
    rehearsal.passes("faults::it_reads_events_however_they_are_cut", "record");
    let played = rehearsal.passes("faults::it_reads_events_however_they_are_cut", "replay");
    assert_eq!(played.seen, (EVENTS.concat().len() - 1).to_string());
}
