//! No test here sends a packet outside: addresses are of 240.0.0.0/4, which nobody has. Children are given a moment.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixListener;
use std::process::{Command, Output};
use std::thread;

use super::*;
use crate::guard::{GuardScope, current, exempt};

const OUTSIDE: &str = "240.0.0.1:443";

fn policy() -> GuardPolicy {
    GuardPolicy { guard: Guard::Strict, ..GuardPolicy::new(GuardMode::Deny) }
}

fn strict(policy: GuardPolicy) -> (Strict, GuardScope) {
    let scope = enter(policy);
    (Strict::stand(scope.id()).unwrap(), scope)
}

/// Connects a datagram socket past libc, and tells whether the guard let it.
fn passes(address: &str) -> bool {
    let ended = seccomp::connect_raw(address.parse().unwrap());
    !ended.is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

fn attempted(scope: &GuardScope) -> Vec<String> {
    scope.attempts().iter().map(|attempt| attempt.place()).collect()
}

/// Runs a program with these arguments, or says that there is none.
fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(arguments).output();
    output.inspect_err(|error| skipped(&format!("`{program}` does not run here: {error}"))).ok()
}

#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

#[test]
fn calls_past_libc_are_denied_on_every_thread_of_the_test() {
    let (_strict, scope) = strict(policy());
    assert!(!passes(OUTSIDE));
    let inner = || thread::Builder::new().name("inner".to_owned()).spawn(|| passes("240.0.0.2:443")).unwrap();
    assert!(!thread::spawn(move || inner().join().unwrap()).join().unwrap());
    let threads: Vec<_> = scope.attempts().iter().map(|attempt| attempt.thread.clone()).collect();
    assert_eq!(threads, [thread::current().name().unwrap(), "inner"]);
    assert_eq!(attempted(&scope), [OUTSIDE, "240.0.0.2:443"]);
    assert!(scope.attempts().iter().all(|attempt| attempt.process.is_none() && !attempt.late));
}

#[test]
fn loopback_unix_sockets_and_the_list_pass_and_an_upstream_does_not() {
    let [listener, upstream] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [open, denied] = [&listener, &upstream].map(|listener| listener.local_addr().unwrap());
    let allow_hosts = vec!["240.0.0.2".to_owned(), "db.example".to_owned()];
    let (_strict, scope) = strict(GuardPolicy { allow_hosts, upstreams: vec![denied.port()], ..policy() });
    let dir = std::env::temp_dir().join(format!("cassette-strict-{}.sock", std::process::id()));
    let unix = UnixListener::bind(&dir).unwrap();
    std::os::unix::net::UnixStream::connect(&dir).unwrap();
    drop(unix);
    std::fs::remove_file(&dir).unwrap();
    TcpStream::connect(open).unwrap();
    assert!(passes(&open.to_string()) && passes("0.0.0.0:9") && passes("240.0.0.2:9"));
    book::find(scope.id()).unwrap().learn("db.example", &["240.0.0.3".parse().unwrap()]);
    assert!(passes("240.0.0.3:9"));
    assert_eq!(attempted(&scope), [""; 0]);
    assert!(!passes(&denied.to_string()));
    assert_eq!(attempted(&scope), [denied.to_string()]);
}

#[test]
fn a_child_and_its_children_are_denied_and_named() {
    let (_strict, scope) = strict(policy());
    let curl = ["-sS", "--noproxy", "*", "--max-time", "5", "http://240.0.0.1:8080/"];
    let Some(output) = run("curl", &curl) else { return };
    assert!(!output.status.success());
    let nested = format!("curl {}; exit 0", curl.join(" ").replace('*', "'*'"));
    run("sh", &["-c", &nested]).unwrap();
    let attempts = scope.attempts();
    let told: Vec<_> = attempts.iter().map(|attempt| (attempt.thread.as_str(), attempt.place())).collect();
    assert_eq!(told, [("curl", "240.0.0.1:8080".to_owned()), ("curl", "240.0.0.1:8080".to_owned())]);
    for attempt in attempts {
        let process = attempt.process.unwrap();
        let number = process.strip_suffix(" (`curl`)").unwrap();
        assert!(number.parse::<u32>().unwrap() != std::process::id(), "{process}");
    }
}

#[test]
fn a_program_without_a_shared_libc_is_denied() {
    let dir = std::env::temp_dir().join(format!("cassette-static-{}", std::process::id()));
    let connects = "#include <arpa/inet.h>\nint main(void) { struct sockaddr_in to = { AF_INET, htons(9) };
        inet_pton(AF_INET, \"240.0.0.1\", &to.sin_addr);
        return connect(socket(AF_INET, SOCK_DGRAM, 0), (void *)&to, sizeof to) ? 3 : 0; }";
    let compile = format!("printf '%s' \"$0\" | cc -static -x c -o '{}' -", dir.display());
    let compiled = run("sh", &["-c", &compile, connects]).is_some_and(|output| output.status.success());
    let (_strict, scope) = strict(policy());
    let ended = compiled.then(|| run(dir.to_str().unwrap(), &[])).flatten();
    let _ = std::fs::remove_file(&dir);
    let Some(ended) = ended else { return skipped("no C compiler links a static program here") };
    assert_eq!((ended.status.code(), attempted(&scope)), (Some(3), vec!["240.0.0.1:9".to_owned()]));
}

#[test]
fn where_another_filter_stands_it_says_so() {
    let ended = thread::spawn(|| {
        let _unserved = seccomp::install().unwrap();
        let scope = enter(policy());
        Strict::stand(scope.id()).map(drop)
    });
    let told = ended.join().unwrap().unwrap_err();
    assert_eq!(told, "another filter with a listener stands round this thread");
}

#[test]
#[ignore = "measures: docs/guard.md says how it is run"]
#[expect(clippy::print_stderr, reason = "what it measures")]
fn what_it_costs() {
    use std::time::Instant;
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let connects = |count: u32| {
        let started = Instant::now();
        (0..count).for_each(|_| socket.connect(HERE).unwrap());
        started.elapsed() / count
    };
    let unguarded = connects(10_000);
    let plain = {
        let _scope = enter(GuardPolicy::new(GuardMode::Deny));
        connects(10_000)
    };
    let started = Instant::now();
    let (_strict, _scope) = strict(policy());
    let first = started.elapsed();
    let connect = connects(10_000);
    eprintln!("put up {first:?}; a connect {unguarded:?} unguarded, {plain:?} plain, {connect:?} strict");
}

#[test]
fn a_child_reaches_this_machine() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (_strict, scope) = strict(policy());
    let connects = format!("import socket; socket.create_connection(('127.0.0.1', {port}))");
    let Some(output) = run("python3", &["-c", &connects]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    listener.accept().unwrap();
    let sends = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('240.0.0.1', 53))";
    assert!(!run("python3", &["-c", sends]).unwrap().status.success());
    assert_eq!(attempted(&scope), ["240.0.0.1:53"]);
}

#[test]
fn a_thread_serves_one_test_after_another() {
    let first = strict(policy());
    assert!(!passes(OUTSIDE));
    let id = first.1.id();
    let (start, started) = mpsc::channel::<()>();
    let outlives = thread::spawn(move || started.recv().map(|()| passes("240.0.0.9:9")));
    drop(first);
    assert!(passes(OUTSIDE), "no test, no guard");
    let plain = enter(GuardPolicy::new(GuardMode::Deny));
    release();
    assert!(passes(OUTSIDE), "a plain test is as it is elsewhere");
    drop(plain);
    let (second, scope) = strict(policy());
    assert!(!passes("240.0.0.3:9"));
    assert_eq!(attempted(&scope), ["240.0.0.3:9"]);
    // What the first has left behind stays its own.
    start.send(()).unwrap();
    assert_eq!(outlives.join().unwrap(), Ok(false));
    assert_eq!(attempted(&scope), ["240.0.0.3:9"]);
    let left = book::attempts(id);
    assert_eq!(left.iter().map(|attempt| attempt.late).collect::<Vec<_>>(), [false, true]);
    drop((second, scope));
}

#[test]
fn a_thread_of_a_strict_test_is_no_second_one() {
    let (_strict, _scope) = strict(policy());
    let inner = thread::spawn(|| {
        let scope = enter(policy());
        Strict::stand(scope.id()).map(drop)
    });
    let told = inner.join().unwrap().unwrap_err();
    assert_eq!(told, "another strict test runs on the thread that this one comes from");
}

#[test]
fn the_harness_itself_is_exempt() {
    let upstream = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (_strict, scope) = strict(GuardPolicy { upstreams: vec![upstream.port()], ..policy() });
    let reaches = move || passes(&SocketAddr::to_string(&upstream));
    assert!(exempt(reaches));
    assert!(spawn_exempt("gateway", move || thread::spawn(reaches).join().unwrap()).unwrap().join().unwrap());
    assert_eq!(attempted(&scope), [""; 0]);
    assert!(!reaches());
    assert_eq!(current(), Some(scope.id()));
}

#[test]
fn tests_side_by_side_do_not_mix() {
    let threads: Vec<_> = (0..8)
        .map(|n| {
            thread::spawn(move || {
                let here = format!("240.0.{n}.1:9");
                if n % 2 == 1 {
                    return (0..20).for_each(|_| assert!(passes(&here)));
                }
                let (_strict, scope) = strict(policy());
                let results: Vec<_> = (0..20)
                    .map(|_| {
                        let here = here.clone();
                        thread::spawn(move || passes(&here))
                    })
                    .collect();
                results.into_iter().for_each(|result| assert!(!result.join().unwrap()));
                assert_eq!(attempted(&scope), vec![here; 20]);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}
