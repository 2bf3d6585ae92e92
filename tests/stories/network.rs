//! What reaches the network: nothing, while a test replays.

use std::env;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::Duration;

use cassette_test::{Cassette, Mode, cassette};
use stages::{Rehearsal, apart, assert_told, is_set, seen, skipped, var};

use crate::asking::{must_ask, timetable};

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

#[cassette("early")]
#[test]
#[ignore]
fn it_reaches_before_it_asks(cassette: Cassette) {
    if is_set("STORY_REACHES") {
        seen(reach(&var("STORY_REACHES")));
    }
    must_ask(&cassette, "Bergen");
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

/// Runs `curl`, and tells how that ended; nobody minds.
fn run_curl(url: &str) {
    let curl = ["-s", "--noproxy", "*", "--max-time", "5", "--output", "/dev/null", "--fail"];
    let status = Command::new("curl").args(curl).arg(url).status();
    seen(if status.is_ok_and(|status| status.success()) { "reached" } else { "failed" });
}

#[cassette("starting", guard = "strict")]
#[test]
#[ignore]
fn it_starts_a_program(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        run_curl(&var("STORY_REACHES"));
    }
}

#[cassette("unseen")]
#[test]
#[ignore]
fn it_starts_a_program_unseen(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        run_curl(&var("STORY_REACHES"));
    }
}

#[cassette("shimmed")]
#[test]
#[ignore]
fn it_starts_a_shim(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        let server = std::process::Command::new("timetable-server");
        let mut shim = cassette.mcp_command(&server);
        let started = shim.stdin(std::process::Stdio::null()).spawn();
        seen(started.unwrap_err().kind().to_string());
    }
}

#[cassette("within", guard = "strict")]
#[test]
#[ignore]
fn it_is_guarded_within(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    seen("it ran");
}

#[cassette("without", guard = "strict")]
#[test]
#[ignore]
fn it_runs_another_test(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    seen("nothing else ran");
    if cassette.mode() == Mode::Replay {
        std::thread::Builder::new().name("another".to_owned()).spawn(it_is_guarded_within).unwrap().join().unwrap_err();
    }
}

/// Whether a program that the stories start is there, and said so if it is not.
fn has_curl() -> bool {
    let has = Command::new("curl").arg("--version").output().is_ok();
    if !has {
        skipped("`curl` does not run here");
    }
    has
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
    let upstream = rehearsal.url().replace("http://", "");
    let rehearsal = rehearsal.with("STORY_REACHES", &upstream);
    let played = rehearsal.play("network::it_reaches_round_the_seam", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "PermissionDenied"), "{}", played.printed);
    assert_told!("reached_upstream", played.told);
}

#[test]
fn an_upstream_on_this_machine_is_one_before_its_base_url_is_asked_for() {
    let address = |rehearsal: &Rehearsal| rehearsal.url().replace("http://", "");
    let rehearsal = Rehearsal::of(timetable);
    let upstream = address(&rehearsal);
    let rehearsal = rehearsal.with("STORY_REACHES", &upstream);
    let played = rehearsal.play("network::it_reaches_before_it_asks", "record");
    assert_eq!((played.passed, played.seen.as_str()), (false, "reached"), "{}", played.printed);
    assert!(rehearsal.pending("early").contains("\"why\": \"bypass\""));

    let mut rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_reaches_before_it_asks", "record");
    let upstream = address(&rehearsal);
    for address in [upstream.clone(), upstream.replace("127.0.0.1", "127.0.0.2")] {
        rehearsal = rehearsal.with("STORY_REACHES", &address);
        let played = rehearsal.play("network::it_reaches_before_it_asks", "replay");
        assert_eq!((played.passed, played.seen.as_str()), (false, "PermissionDenied"), "{}", played.printed);
    }
}

#[cassette("resolving", mode = "replay")]
#[tokio::test]
#[ignore]
async fn it_names_a_proxy_to_itself(cassette: Cassette) {
    #[expect(unsafe_code, reason = "the story has its process for itself")]
    // SAFETY: nothing else in this process reads the environment now.
    unsafe {
        env::set_var("http_proxy", var("STORY_PROXY"));
    }
    tokio::task::spawn_blocking(move || must_ask(&cassette, "Bergen")).await.unwrap();
    let _ = reqwest::get("http://api.example.com/v1/models").await;
}

#[test]
fn a_proxy_that_a_program_names_to_itself_is_no_way_out_either() {
    let asked = proxied(|proxy| {
        let rehearsal = Rehearsal::of(timetable).with("STORY_PROXY", proxy);
        rehearsal.passes("network::it_asks_a_host_by_name", "record");
        let told = rehearsal.fails("network::it_names_a_proxy_to_itself", "replay");
        assert_told!("reached_by_a_late_proxy", told);
    });
    assert!(!asked, "nothing was asked of it");
}

#[expect(unsafe_code, reason = "a library in C that forks")]
mod c {
    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
        safe fn _exit(code: i32) -> !;
    }

    /// Does something in a child that has no program of its own, and returns whether that was done.
    pub(super) fn forked(work: impl FnOnce() -> bool) -> bool {
        let mut status = -1;
        // SAFETY: the child comes back from none of it.
        unsafe {
            match fork() {
                0 => _exit(i32::from(!work())),
                child => assert_eq!(waitpid(child, &raw mut status, 0), child),
            }
        }
        status == 0
    }
}

#[cassette("forking")]
#[test]
#[ignore]
fn it_forks_a_child(cassette: Cassette) {
    match is_set("STORY_FORKS") {
        true => it_forks(&cassette),
        false => drop(must_ask(&cassette, "Bergen")),
    }
}

#[cassette("forking", mode = "replay", guard = "strict")]
#[test]
#[ignore]
fn it_forks_a_child_strictly(cassette: Cassette) {
    it_forks(&cassette);
}

fn it_forks(cassette: &Cassette) {
    must_ask(cassette, "Bergen");
    seen(format!("{}", c::forked(|| reach(OUTSIDE) == "PermissionDenied")));
}

#[test]
fn what_a_forked_child_tries_fails_its_test() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_forks_a_child", "record");
    rehearsal.passes("network::it_forks_a_child", "replay");
    let rehearsal = rehearsal.with("STORY_FORKS", "1");
    let played = rehearsal.play("network::it_forks_a_child", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "true"), "{}", played.printed);
    assert_told!("reached_by_a_forked_child", played.told);
    let strict = rehearsal.play("network::it_forks_a_child_strictly", "replay");
    if !strict.printed.contains("the strict guard is unavailable") {
        assert_eq!((strict.passed, strict.seen.as_str()), (false, "true"), "{}", strict.printed);
    }
}

/// Stands for a proxy, and tells whether it was asked before it was told to end.
fn proxied(story: impl FnOnce(&str)) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let proxy = std::thread::spawn(move || {
        let mut asked = [0; 1024];
        let (mut stream, _) = listener.accept().unwrap();
        let length = stream.read(&mut asked).unwrap();
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
        asked[..length].starts_with(b"GET http://api.example.com/v1/models ")
    });
    story(&format!("http://{address}"));
    // Whoever was asked already listens no more.
    let _ = TcpStream::connect(address).and_then(|mut stream| stream.write_all(b"end"));
    proxy.join().unwrap()
}

#[test]
fn a_proxy_on_this_machine_is_no_way_out() {
    let outside = "http://api.example.com/v1/models";
    let story = "network::it_asks_a_host_by_name";
    let proxied = |mode: &str, more: Option<(&str, &str)>, check: &dyn Fn(&Rehearsal, bool, &str)| {
        proxied(|proxy| {
            let rehearsal = Rehearsal::of(timetable);
            if mode == "replay" {
                rehearsal.passes(story, "record");
            }
            let rehearsal = rehearsal.with("STORY_REACHES", outside).with("http_proxy", proxy);
            let rehearsal = more.iter().fold(rehearsal, |rehearsal, (name, value)| rehearsal.with(name, value));
            let played = rehearsal.play(story, mode);
            check(&rehearsal, played.passed, &played.told);
        })
    };
    let asked = proxied("replay", None, &|_, _, told| {
        assert_told!("reached_by_proxy", told);
    });
    assert!(!asked, "nothing was asked of it");
    let allowed = Some(("CASSETTE_ALLOW_HOSTS", "127.0.0.1"));
    let asked = proxied("replay", allowed, &|_, passed, told| assert!(passed, "{told}"));
    assert!(asked, "it was allowed");
    let asked = proxied("record", None, &|rehearsal, passed, told| {
        assert!(!passed, "{told}");
        assert!(rehearsal.pending("resolving").contains("\"why\": \"bypass\""));
    });
    assert!(asked, "a recording passes");
}

/// A pool of one thread, which belongs to the test that asked first.
fn in_pool(job: impl FnOnce() + Send + 'static) {
    type Job = Box<dyn FnOnce() + Send>;
    static POOL: OnceLock<Mutex<mpsc::Sender<Job>>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let (jobs, wanted) = mpsc::channel::<Job>();
        let worker = std::thread::Builder::new().name("pool-1".to_owned());
        worker.spawn(move || wanted.iter().for_each(|job| job())).unwrap();
        Mutex::new(jobs)
    });
    let (done, ended) = mpsc::channel();
    let job = move || {
        job();
        done.send(()).unwrap();
    };
    pool.lock().unwrap().send(Box::new(job)).unwrap();
    ended.recv().unwrap();
}

#[cassette("early-pool")]
#[test]
#[ignore]
fn it_makes_the_pool(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    in_pool(|| ());
}

#[cassette("late-pool")]
#[test]
#[ignore]
fn it_reaches_by_the_pool(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        in_pool(|| seen(reach(&var("STORY_REACHES"))));
    }
}

/// As libtest runs them, each on a thread of its own.
#[test]
#[ignore]
fn one_after_the_other() {
    for (name, test) in [("first", it_makes_the_pool as fn()), ("second", it_reaches_by_the_pool)] {
        std::thread::Builder::new().name(name.to_owned()).spawn(test).unwrap().join().unwrap();
    }
}

#[test]
fn a_thread_of_a_test_that_has_ended_reaches_nothing_unseen() {
    check("reached_late", "network::one_after_the_other", OUTSIDE);
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
    assert!(rehearsal.pending("reaching").contains("\"why\": \"bypass\""));
}

#[test]
fn a_recording_that_went_round_to_its_upstream_stays_pending_too() {
    let rehearsal = Rehearsal::of(timetable);
    let upstream = rehearsal.url().replace("http://", "");
    let rehearsal = rehearsal.with("STORY_REACHES", &upstream);
    let played = rehearsal.play("network::it_reaches_round_the_seam", "record");
    assert_eq!((played.passed, played.seen.as_str()), (false, "reached"), "{}", played.printed);
    assert_told!("recorded_round_to_the_upstream", played.told);
    assert_eq!(rehearsal.file("reaching"), "");
}

#[test]
fn a_child_is_denied_and_named_where_the_guard_is_strict() {
    if !has_curl() {
        return;
    }
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_starts_a_program", "record");
    let rehearsal = rehearsal.with("STORY_REACHES", "http://240.0.0.1:8080/");
    let played = rehearsal.play("network::it_starts_a_program", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "failed"), "{}", played.printed);
    assert_told!("reached_by_a_child", played.told);

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]).unwrap();
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
    });
    let rehearsal = rehearsal.with("STORY_REACHES", &format!("http://{address}/"));
    let played = rehearsal.passes("network::it_starts_a_program", "replay");
    assert_eq!(played.seen, "reached");
    server.join().unwrap();
}

#[test]
fn a_test_that_cannot_be_guarded_strictly_does_not_run() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_is_guarded_within", "record");
    rehearsal.passes("network::it_runs_another_test", "record");
    let played = rehearsal.passes("network::it_runs_another_test", "replay");
    assert_eq!(played.seen, "nothing else ran");
    assert_told!("not_strict", played.told);
}

#[test]
fn the_environment_makes_every_guard_strict() {
    if !has_curl() {
        return;
    }
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_starts_a_program_unseen", "record");
    let rehearsal = rehearsal.with("STORY_REACHES", "http://240.0.0.1:8080/").with("CASSETTE_GUARD", "strict");
    assert_told!("reached_in_a_strict_environment", rehearsal.fails("network::it_starts_a_program_unseen", "replay"));
}

#[test]
fn a_child_that_is_not_seen_is_told() {
    if !has_curl() {
        return;
    }
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_starts_a_program_unseen", "record");
    let rehearsal = rehearsal.with("STORY_REACHES", "http://127.0.0.1:9/");
    assert_told!("a_child_unseen", rehearsal.passes("network::it_starts_a_program_unseen", "replay").told);
}

#[test]
fn a_shim_that_cannot_be_started_is_told_and_is_no_child_that_is_not_seen() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::it_starts_a_shim", "record");
    let rehearsal = rehearsal.with("STORY_REACHES", "its servers").with("PATH", "/nowhere");
    assert_told!("a_shim_without_its_program", rehearsal.passes("network::it_starts_a_shim", "replay").told);
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

/// The address that the first test was given, as a client in a `static` keeps it.
static KEPT: OnceLock<String> = OnceLock::new();

#[cassette("keeps")]
#[test]
#[ignore]
fn it_keeps_an_address(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    KEPT.get_or_init(|| cassette.base_url(var("STORY_UPSTREAM")));
}

#[cassette("asked-elsewhere")]
#[test]
#[ignore]
fn it_asks_where_another_did(cassette: Cassette) {
    must_ask(&cassette, "Oslo");
    if !is_set("STORY_KEPT") {
        return;
    }
    let place = KEPT.get().unwrap().trim_start_matches("http://").to_owned();
    if is_set("STORY_BY_THE_POOL") {
        in_pool(move || drop(std::net::TcpStream::connect(place)));
    } else {
        let _ = std::net::TcpStream::connect(place);
    }
}

#[test]
#[ignore]
fn the_address_outlives_its_test() {
    for (name, test) in [("first", it_keeps_an_address as fn()), ("second", it_asks_where_another_did)] {
        if name == "first" && is_set("STORY_BY_THE_POOL") {
            it_makes_the_pool();
        }
        std::thread::Builder::new().name(name.to_owned()).spawn(test).unwrap().join().unwrap();
    }
}

#[test]
fn the_address_of_a_test_that_has_ended_fails_whoever_asks_there() {
    for (name, mode) in [("kept_recording", "record"), ("kept_replaying", "replay")] {
        let rehearsal = Rehearsal::of(timetable);
        if mode == "replay" {
            rehearsal.passes("network::the_address_outlives_its_test", "record");
        }
        assert_told!(name, rehearsal.with("STORY_KEPT", "1").fails("network::the_address_outlives_its_test", mode));
    }
    let by_the_pool = Rehearsal::of(timetable).with("STORY_KEPT", "1").with("STORY_BY_THE_POOL", "1");
    assert_told!("kept_by_a_pool", by_the_pool.fails("network::the_address_outlives_its_test", "record"));
}

#[cassette("left-behind")]
#[test]
#[ignore]
fn it_leaves_a_thread(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_REACHES") {
        let (ended, end) = mpsc::channel::<()>();
        AFTER.lock().unwrap().replace(ended);
        let place = var("STORY_REACHES");
        let left = std::thread::Builder::new().name("left".to_owned()).spawn(move || {
            end.recv().unwrap();
            reach(&place)
        });
        LEFT.lock().unwrap().replace(left.unwrap());
    }
}

static AFTER: Mutex<Option<mpsc::Sender<()>>> = Mutex::new(None);
static LEFT: Mutex<Option<std::thread::JoinHandle<String>>> = Mutex::new(None);

#[test]
#[ignore]
fn a_thread_is_left() {
    std::thread::Builder::new().name("first".to_owned()).spawn(it_leaves_a_thread).unwrap().join().unwrap();
    if let Some(after) = AFTER.lock().unwrap().take() {
        after.send(()).unwrap();
        seen(LEFT.lock().unwrap().take().unwrap().join().unwrap());
    }
}

#[test]
fn what_a_thread_reaches_after_its_test_fails_the_process() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("network::a_thread_is_left", "record");
    let played = rehearsal.with("STORY_REACHES", OUTSIDE).play("network::a_thread_is_left", "replay");
    assert!(!played.passed, "{}", played.printed);
    assert_eq!(played.seen, "PermissionDenied");
    let told = played.printed.lines().filter(|line| line.contains("which the test")).collect::<Vec<_>>();
    insta::assert_snapshot!("left_behind", told.join("\n"));
}
