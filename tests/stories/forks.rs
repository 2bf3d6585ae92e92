//! Forks: a run goes the way of another one, and from there its own.

use std::fmt::Write as _;

use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use stages::{Answer, Rehearsal, Request, assert_told, seen};

use crate::asking::{must_ask, question, timetable, towns};
use crate::told::base;

fn asks_all(cassette: &Cassette) {
    seen(towns().iter().map(|town| must_ask(cassette, town)).collect::<Vec<_>>().join("\n"));
}

#[cassette("run")]
#[test]
#[ignore]
fn it_runs(cassette: Cassette) {
    asks_all(&cassette);
}

#[cassette("fixed", fork("run", at = 2))]
#[test]
#[ignore]
fn it_forks(cassette: Cassette) {
    asks_all(&cassette);
}

#[test]
#[ignore]
fn it_forks_in_code() {
    let session = Cassette::builder("fixed").fork("run", 2).open().unwrap();
    asks_all(&session);
    session.finish().unwrap();
}

fn leaves(town: &str) -> String {
    format!(r#"{{"answer":"The train to {town} leaves at 09:04."}}"#)
}

/// Records a run to three towns.
fn recorded() -> Rehearsal {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Oslo,Voss");
    rehearsal.passes("forks::it_runs", "record");
    rehearsal
}

#[test]
fn a_changed_run_pays_only_for_what_changed_and_replays_when_the_first_is_gone() {
    for story in ["forks::it_forks", "forks::it_forks_in_code"] {
        let mut rehearsal = recorded().with("STORY_ASKS", "Bergen,Oslo,Flåm,Hamar");
        let before = (rehearsal.asked(), rehearsal.file("run"));
        let live = rehearsal.passes(story, "record");
        assert_eq!(rehearsal.asked() - before.0, 2, "what the run had asked is not asked again");
        assert_eq!(live.seen, ["Bergen", "Oslo", "Flåm", "Hamar"].map(leaves).join("\n"));
        assert_eq!(rehearsal.file("run"), before.1);
        assert!(rehearsal.file("fixed").contains("\"origin\": {\n    \"cassette\": \"run\",\n    \"at\": 2\n  },"));
        std::fs::remove_file(rehearsal.path("run")).unwrap();
        rehearsal.shut_down();
        let replayed = rehearsal.passes(story, "replay");
        assert_eq!(replayed.seen, live.seen);
    }
}

#[test]
fn a_refresh_asks_again_for_what_is_behind_the_fork_alone() {
    let rehearsal = recorded().with("STORY_ASKS", "Bergen,Oslo,Flåm");
    rehearsal.passes("forks::it_forks", "record");
    let (asked, file) = (rehearsal.asked(), rehearsal.file("fixed"));
    rehearsal.passes("forks::it_forks", "refresh");
    assert_eq!((rehearsal.asked() - asked, rehearsal.file("fixed")), (1, file));
}

#[test]
fn what_leaves_the_way_before_the_fork_fails_and_costs_nothing() {
    let rehearsal = recorded().with("STORY_ASKS", "Bergen,Flåm");
    let asked = rehearsal.asked();
    let mut told = rehearsal.fails("forks::it_forks", "record");
    let early = rehearsal.with("STORY_ASKS", "Bergen");
    write!(told, "== it ends\n{}", early.fails("forks::it_forks", "record")).unwrap();
    let far = early.with("STORY_ASKS", "Bergen");
    std::fs::remove_file(far.path("run")).unwrap();
    far.passes("forks::it_runs", "record");
    write!(told, "== the run is shorter\n{}", far.fails("forks::it_forks", "record")).unwrap();
    std::fs::remove_file(far.path("run")).unwrap();
    write!(told, "== the run is gone\n{}", far.fails("forks::it_forks", "record")).unwrap();
    assert_told!("unreached", told);
    assert_eq!((far.asked() - asked, far.file("fixed")), (1, String::new()));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Full(String);

#[cassette_test::tool(crate = cassette_test)]
fn seats(train: &str) -> Result<u32, Full> {
    if train == "09:04" { Err(Full(train.to_owned())) } else { Ok(12) }
}

/// Says what each call came to: a limit, a stream that breaks, a connection that does, an error of a function.
async fn trouble(base: &str) -> String {
    let (client, mut notes) = (reqwest::Client::new(), String::new());
    let limited = client.post(format!("{base}/limited")).json(&question("Bergen")).send().await.unwrap();
    let wait = limited.headers().get("retry-after").cloned();
    writeln!(notes, "{} {wait:?} {}", limited.status(), limited.text().await.unwrap()).unwrap();
    let mut stream = client.post(format!("{base}/broken")).send().await.unwrap().bytes_stream();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => writeln!(notes, "{}", String::from_utf8_lossy(&chunk).trim()).unwrap(),
            Err(err) => writeln!(notes, "half a reply: {}", err.is_body() || err.is_decode()).unwrap(),
        }
    }
    let reset = client.post(format!("{base}/nothing")).send().await;
    writeln!(notes, "no reply: {}", reset.is_err_and(|err| err.is_request())).unwrap();
    writeln!(notes, "{:?} {:?}", seats("09:04"), seats("17:30")).unwrap();
    notes
}

#[cassette("trouble", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_meets_trouble(cassette: Cassette) {
    seen(trouble(&base(&cassette)).await);
}

#[cassette("recovery", fork("trouble", at = 5))]
#[tokio::test]
#[ignore]
async fn it_goes_on_from_trouble(cassette: Cassette) {
    let base = base(&cassette);
    let notes = trouble(&base).await;
    let reply = reqwest::Client::new().post(format!("{base}/fine")).json(&question("Bergen")).send().await.unwrap();
    seen(format!("{notes}{}", reply.text().await.unwrap()));
}

fn troublesome(request: &Request) -> Answer {
    let events = || vec!["data: {\"a\":1}\n\n".as_bytes().to_vec(), "data: {\"a\"".as_bytes().to_vec()];
    match request.target.as_str() {
        "/v1/limited" => Answer::json(429, r#"{"error":{"message":"slow down"}}"#).with("retry-after", "2"),
        "/v1/broken" => Answer::Broken(vec![("content-type".to_owned(), "text/event-stream".to_owned())], events()),
        "/v1/nothing" => Answer::Nothing,
        _ => timetable(request),
    }
}

#[test]
fn errors_and_broken_streams_before_the_fork_are_what_they_were() {
    let mut rehearsal = Rehearsal::of(troublesome);
    let live = rehearsal.passes("forks::it_meets_trouble", "record").seen;
    let asked = rehearsal.asked();
    let recovery = rehearsal.passes("forks::it_goes_on_from_trouble", "record").seen;
    assert_eq!(recovery, format!("{live}{}", leaves("Bergen")));
    assert_eq!(rehearsal.asked() - asked, 1);
    assert_told!("trouble", recovery.clone());
    std::fs::remove_file(rehearsal.path("trouble")).unwrap();
    rehearsal.shut_down();
    let replayed = rehearsal.passes("forks::it_goes_on_from_trouble", "replay");
    assert_eq!(replayed.seen, recovery);
}

#[cassette("run", mode = "replay")]
#[test]
#[ignore]
fn it_is_watched(cassette: Cassette) {
    watch(cassette);
}

#[cassette("watched")]
#[test]
#[ignore]
fn it_is_watched_live(cassette: Cassette) {
    watch(cassette);
}

fn watch(cassette: Cassette) {
    let (told, watched) = (std::sync::mpsc::channel::<String>(), cassette.clone());
    cassette.on_step(move |step| {
        let source = if step.is_live() { "live" } else { "recorded" };
        let (calls, told_so_far) = (watched.calls().len(), watched.transcript());
        assert!(told_so_far.ends_with(&step.to_string()), "the transcript has come as far:\n{told_so_far}");
        told.0.send(format!("{source}, {calls} calls so far\n{step}")).unwrap();
    });
    [2, 9].into_iter().for_each(|call| cassette.break_at(call));
    towns().iter().for_each(|town| drop(must_ask(&cassette, town)));
    seen(told.1.try_iter().collect::<Vec<_>>().join("\n"));
}

#[cassette("run", mode = "replay")]
#[test]
#[ignore]
fn it_stops_often(cassette: Cassette) {
    [2, 2, 3].into_iter().for_each(|call| cassette.break_at(call));
    asks_all(&cassette);
}

#[test]
fn a_call_has_one_stop_whoever_asks_for_it() {
    let rehearsal = recorded().with("CASSETTE_BREAK_AT", "2");
    let told = rehearsal.passes("forks::it_stops_often", "replay").told;
    let stops: Vec<_> = told.lines().filter(|line| line.starts_with("cassette `")).collect();
    let stop = |call| format!("cassette `run`: stopped at call {call}, served from interaction {call}");
    assert_eq!(stops, [stop(2), stop(3)], "{told}");
}

#[test]
fn each_step_is_told_and_a_run_stops_where_it_is_asked_to() {
    let rehearsal = recorded();
    let watched = rehearsal.passes("forks::it_is_watched", "replay");
    let program = std::env::current_exe().unwrap().display().to_string();
    let told = watched.told.replace(&program, "PROGRAM");
    let live = rehearsal.passes("forks::it_is_watched_live", "record").seen;
    assert_eq!(live, watched.seen.replace("recorded, ", "live, "));
    assert_told!("watched", format!("{told}== steps\n{}", watched.seen));
    let outside = rehearsal.with("CASSETTE_BREAK_AT", "1").passes("forks::it_runs", "replay");
    assert!(
        outside.told.starts_with("cassette `run`: stopped at call 1, served from interaction 1\n"),
        "{}",
        outside.told
    );
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Voss").with("CASSETTE_BREAK_AT", "first");
    assert!(rehearsal.fails("forks::it_runs", "off").contains("CASSETTE_BREAK_AT is `first`"));
}
