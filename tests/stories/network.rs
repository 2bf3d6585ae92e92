//! What reaches the network: nothing, while a test replays.

use std::env;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use cassette_test::{Cassette, cassette};
use stages::apart;

use crate::asking::{must_ask, timetable};
use crate::assert_told;
use crate::told::{Rehearsal, is_set, seen, skipped, var};

/// An address that belongs to nobody (RFC 1112, section 4).
const OUTSIDE: &str = "240.0.0.1:443";

/// Connects, and tells how that ended; nobody answers, so that a moment is enough.
fn reach(address: &str) -> String {
    let address: SocketAddr = address.parse().unwrap();
    match TcpStream::connect_timeout(&address, Duration::from_millis(100)) {
        Ok(_) => "reached".to_owned(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

#[cassette("reaching")]
#[test]
#[ignore]
fn it_reaches_round_the_seam(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        let address = var("STORY_REACHES");
        let worker = std::thread::Builder::new().name("worker".to_owned());
        seen(worker.spawn(move || reach(&address)).unwrap().join().unwrap());
    }
}

#[cassette("resolving")]
#[tokio::test]
#[ignore]
async fn it_asks_a_host_by_name(cassette: Cassette) {
    tokio::task::spawn_blocking(move || must_ask(&cassette, "Bergen")).await.unwrap();
    if is_set("STORY_REACHES") {
        // Nobody looks at the error.
        let _ = reqwest::get(var("STORY_REACHES")).await;
    }
}

#[cassette("allowing", allow_hosts("240.0.0.1"))]
#[test]
#[ignore]
fn it_reaches_where_it_may(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    seen(reach(OUTSIDE));
}

/// Records a story that reaches nowhere, and replays it so that it does.
#[track_caller]
fn check(name: &str, story: &str, reaches: &str) {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes(story, "record");
    assert_told!(name, rehearsal.with("STORY_REACHES", reaches).fails(story, "replay"));
}

#[test]
fn a_connection_round_the_seam_fails_naming_host_and_thread() {
    check("reached_by_address", "network::it_reaches_round_the_seam", OUTSIDE);
}

#[test]
fn a_client_that_looks_up_a_host_fails_even_if_nobody_minds() {
    check("reached_by_name", "network::it_asks_a_host_by_name", "http://api.example.com/v1/models");
}

#[test]
fn an_upstream_on_this_machine_is_not_reached_either() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_reaches_round_the_seam", "record");
    let upstream = rehearsal.provider.url().replace("http://", "");
    let rehearsal = rehearsal.with("STORY_REACHES", &upstream);
    let played = rehearsal.play("network::it_reaches_round_the_seam", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "PermissionDenied"), "{}", played.printed);
    assert_told!("reached_upstream", played.told);
}

#[test]
fn what_is_allowed_passes() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_reaches_where_it_may", "record");
    let played = rehearsal.passes("network::it_reaches_where_it_may", "replay");
    assert_ne!(played.seen, "PermissionDenied");
    rehearsal.passes("network::it_reaches_round_the_seam", "record");
    let rehearsal = rehearsal.with("STORY_REACHES", OUTSIDE).with("CASSETTE_ALLOW_HOSTS", "db.example, 240.0.0.1");
    let played = rehearsal.passes("network::it_reaches_round_the_seam", "replay");
    assert_ne!(played.seen, "PermissionDenied");
}

#[test]
fn a_recording_that_went_round_the_seam_stays_pending() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_REACHES", OUTSIDE);
    assert_told!("recorded_round_the_seam", rehearsal.fails("network::it_reaches_round_the_seam", "record"));
    assert_eq!(rehearsal.file("reaching"), "");
    assert!(rehearsal.pending("reaching").contains("\"pending\": \"a host was reached round every seam\""));
}

#[test]
fn every_story_replays_with_nothing_but_loopback() {
    let devices = apart(Path::new("cat")).arg("/proc/net/dev").output();
    let Some(devices) = devices.ok().filter(|output| output.status.success()) else {
        return skipped("this machine does not let a user make a network namespace");
    };
    let devices = String::from_utf8(devices.stdout).unwrap();
    let named: Vec<_> = devices.lines().filter_map(|line| Some(line.split_once(':')?.0.trim())).collect();
    assert_eq!(named, ["lo"], "{devices}");
    // One of the streams waits for ten seconds, which it need not do twice.
    let told = ["clients::", "streams::", "misses::", "orders::", "handle::", "--skip", "waiting_for_more"];
    let mut suite = Command::new(env::current_exe().unwrap());
    let output = suite.args(told).env("STORY_APART", "1").output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("clients::async_openai ... ok"), "{printed}");
}
