//! No test here sends a packet outside: addresses are of 240.0.0.0/4, which nobody has, and where a call is to pass, the
//! socket is a datagram socket, for which `connect` sends nothing.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::*;

const OUTSIDE: &str = "240.0.0.1:443";

fn deny_all() -> GuardPolicy {
    GuardPolicy::new(GuardMode::Deny)
}

fn allowing(hosts: &[&str]) -> GuardPolicy {
    GuardPolicy { allow_hosts: hosts.iter().map(|&host| host.to_owned()).collect(), ..deny_all() }
}

/// Connects a datagram socket: the guard is asked, the network is not. For an IPv6 address the socket is of the wrong
/// family, which the guard does not see and the kernel, if it is asked, refuses.
fn probe(address: &str) -> io::Result<()> {
    UdpSocket::bind("0.0.0.0:0")?.connect(address.parse::<SocketAddr>().unwrap())
}

#[track_caller]
fn denied<T: std::fmt::Debug>(result: io::Result<T>) {
    assert_eq!(result.unwrap_err().kind(), ErrorKind::PermissionDenied);
}

/// Whether the guard let a call go on, whatever the kernel then said to it: a sandbox may have no route.
fn went_on<T: std::fmt::Debug>(result: io::Result<T>) -> bool {
    result.map_or_else(|error| error.kind() != ErrorKind::PermissionDenied, |_| true)
}

/// Asserts calls and addresses (or names, for those without) of everything that was attempted.
#[track_caller]
fn attempted(scope: &GuardScope, expected: &[(&str, &str)]) {
    let attempts = scope.attempts();
    let told: Vec<_> = attempts
        .iter()
        .map(|attempt| (attempt.call, attempt.addr.map_or_else(|| attempt.host.clone().unwrap(), |to| to.to_string())))
        .collect();
    let told: Vec<_> = told.iter().map(|(call, to)| (*call, to.as_str())).collect();
    assert_eq!(told, expected);
}

#[test]
fn std_sockets_are_denied_and_the_attempts_kept() {
    let before = Instant::now();
    let scope = enter(deny_all());
    denied(TcpStream::connect(OUTSIDE));
    denied(UdpSocket::bind("0.0.0.0:0").unwrap().send_to(b"x", OUTSIDE));
    denied(probe("[::ffff:240.0.0.1]:443"));
    attempted(&scope, &[("connect", OUTSIDE), ("sendto", OUTSIDE), ("connect", OUTSIDE)]);

    let attempts = scope.attempts();
    let name = thread::current().name().unwrap().to_owned();
    assert!(attempts.iter().all(|attempt| attempt.thread == name && !attempt.late && attempt.host.is_none()));
    assert!(attempts.iter().map(|attempt| attempt.at).is_sorted());
    assert!(before <= attempts[0].at && attempts[2].at <= Instant::now());
}

#[test]
fn a_name_that_is_none_and_a_datagram_are_told_as_what_they_are() {
    let scope = enter(deny_all());
    ("", 443).to_socket_addrs().unwrap_err();
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    for port in [53, 9999, 443] {
        denied(socket.send_to(b"x", ("240.0.0.1", port)));
    }
    denied(probe("240.0.0.1:5353"));
    denied(TcpStream::connect(OUTSIDE));
    let told: Vec<_> = scope.attempts().iter().map(|attempt| (attempt.place(), attempt.is_datagram())).collect();
    let expected = [
        ("a host without a name", false),
        ("240.0.0.1:53", true),
        ("240.0.0.1:9999", true),
        ("240.0.0.1:443", false),
        ("240.0.0.1:5353", true),
        (OUTSIDE, false),
    ];
    assert_eq!(told, expected.map(|(place, datagram)| (place.to_owned(), datagram)));
}

#[test]
fn addresses_of_ipv6_are_denied() {
    let scope = enter(deny_all());
    denied(probe("[2001:db8::1]:9"));
    attempted(&scope, &[("connect", "[2001:db8::1]:9")]);
}

#[test]
fn tokio_is_denied_on_workers_and_blocking_threads() {
    let scope = enter(deny_all());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        denied(tokio::net::TcpStream::connect(OUTSIDE).await);
        let (task, blocking) = (
            tokio::spawn(async { tokio::net::TcpStream::connect(OUTSIDE).await.map(drop) }),
            tokio::task::spawn_blocking(|| TcpStream::connect(OUTSIDE).map(drop)),
        );
        denied(task.await.unwrap());
        denied(blocking.await.unwrap());
        let named = tokio::net::TcpStream::connect("api.example.com:443").await;
        assert!(named.unwrap_err().to_string().contains("Non-recoverable failure"));
        let udp = tokio::net::UdpSocket::bind("0.0.0.0:0").await.unwrap();
        denied(udp.send_to(b"x", OUTSIDE).await);
    });
    drop(runtime);
    let attempts = scope.attempts();
    assert_eq!(attempts.len(), 5);
    assert!(attempts.iter().any(|attempt| attempt.thread.starts_with("tokio-")), "{attempts:?}");
}

#[test]
fn threads_inherit_from_their_creator_and_its_creator() {
    let scope = enter(deny_all());
    let id = Some(scope.id());
    let inner = || thread::Builder::new().name("inner".to_owned()).spawn(|| (current(), probe(OUTSIDE))).unwrap();
    let (found, result) = thread::spawn(move || inner().join().unwrap()).join().unwrap();
    assert_eq!(found, id);
    denied(result);
    thread::scope(|threads| assert_eq!(threads.spawn(current).join().unwrap(), id));
    assert_eq!(scope.attempts()[0].thread, "inner");
}

#[test]
fn a_thread_without_a_name_is_told_by_its_id() {
    let scope = enter(deny_all());
    let id = thread::spawn(|| {
        denied(probe(OUTSIDE));
        thread::current().id()
    });
    assert_eq!(format!("{:?}", id.join().unwrap()), scope.attempts()[0].thread);
}

#[test]
fn a_thread_that_is_ending_is_denied() {
    struct Connects(mpsc::Sender<bool>);
    impl Drop for Connects {
        fn drop(&mut self) {
            let denied = probe(OUTSIDE).is_err_and(|error| error.kind() == ErrorKind::PermissionDenied);
            self.0.send(denied).unwrap();
        }
    }
    thread_local!(static LAST: RefCell<Option<Connects>> = const { RefCell::new(None) });

    let scope = enter(deny_all());
    let (tell, told) = mpsc::channel();
    thread::spawn(move || LAST.set(Some(Connects(tell)))).join().unwrap();
    assert!(told.recv().unwrap());
    assert_eq!(scope.attempts().len(), 1);
}

#[test]
fn a_thread_that_outlives_its_scope_stays_denied() {
    let called = Arc::new(AtomicUsize::new(0));
    let counter = called.clone();
    let policy = GuardPolicy {
        on_attempt: Some(Arc::new(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        })),
        ..deny_all()
    };
    let scope = enter(policy);
    let id = scope.id();
    let (start, started) = mpsc::channel::<()>();
    let outlives = thread::spawn(move || {
        started.recv().unwrap();
        (probe(OUTSIDE), current(), thread::spawn(|| probe(OUTSIDE)).join().unwrap())
    });
    drop(scope);
    assert_eq!(Arc::strong_count(&called), 1, "an ended scope lets go of its callback");
    assert!(went_on(probe(OUTSIDE)));
    start.send(()).unwrap();
    let (own, still, child) = outlives.join().unwrap();
    denied(own);
    denied(child);
    assert_eq!(still, Some(id));
    assert_eq!(attempts(id).iter().map(|attempt| attempt.late).collect::<Vec<_>>(), [true, true]);
    assert_eq!(called.load(Ordering::SeqCst), 0);
}

#[test]
fn a_name_is_refused_before_any_name_server_is_asked() {
    let scope = enter(deny_all());
    let error = "api.example.com:443".to_socket_addrs().unwrap_err();
    // Without a name server it would be a temporary failure, with one there would be an address.
    assert!(error.to_string().contains("Non-recoverable failure in name resolution"), "{error}");
    attempted(&scope, &[("getaddrinfo", "api.example.com")]);
    assert_eq!(scope.attempts()[0].host.as_deref(), Some("api.example.com"));
}

#[test]
fn local_names_and_numbers_are_resolved() {
    let scope = enter(deny_all());
    for host in ["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "::1", "240.0.0.1", "127.1"] {
        let addresses = (host, 80).to_socket_addrs().unwrap_or_else(|error| panic!("{host}: {error}"));
        let local = host.starts_with("240.") || addresses.clone().all(|address| address.ip().is_loopback());
        assert!(local && addresses.len() > 0, "{host}");
    }
    attempted(&scope, &[]);
}

#[test]
fn loopback_passes_in_all_its_forms() {
    let scope = enter(deny_all());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for ip in ["127.0.0.1", "0.0.0.0"] {
        let mut stream = TcpStream::connect((ip, port)).unwrap();
        stream.write_all(b"x").unwrap();
        listener.accept().unwrap().0.read_exact(&mut [0]).unwrap();
    }
    for address in ["127.8.9.10:9", "[::1]:9", "[::]:9", "[::ffff:127.0.0.1]:9"] {
        assert!(went_on(probe(address)), "{address}");
    }
    UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", ("127.0.0.1", port)).unwrap();
    attempted(&scope, &[]);
}

#[test]
fn unix_sockets_pass() {
    let scope = enter(deny_all());
    let path = std::env::temp_dir().join(format!("cassette-guard-{}.sock", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    UnixStream::connect(&path).unwrap().write_all(b"x").unwrap();
    listener.accept().unwrap().0.read_exact(&mut [0]).unwrap();
    std::fs::remove_file(&path).unwrap();
    attempted(&scope, &[]);
}

#[test]
fn an_upstream_on_loopback_is_denied() {
    let upstream = TcpListener::bind("127.0.0.1:0").unwrap();
    let later = TcpListener::bind("127.0.0.1:0").unwrap();
    let [upstream, later] = [upstream, later].map(|listener| listener.local_addr().unwrap());
    let scope =
        enter(GuardPolicy { upstreams: vec![upstream.port()], ..allowing(&["127.0.0.1", "127.0.0.2", "localhost"]) });
    denied(TcpStream::connect(upstream));
    // The unspecified address leads to loopback as well, and a server may listen on all of it.
    for ip in ["0.0.0.0", "127.0.0.2", "::1", "::", "::ffff:127.0.0.1"] {
        denied(TcpStream::connect(SocketAddr::new(ip.parse().unwrap(), upstream.port())));
    }
    TcpStream::connect(("localhost", upstream.port())).unwrap_err();
    assert_eq!(scope.attempts().last().unwrap().host.as_deref(), Some("localhost"));

    note_upstream(scope.id(), later.port());
    denied(probe(&later.to_string()));
    note_gateway(scope.id(), later);
    probe(&later.to_string()).unwrap();
}

#[test]
fn what_was_reached_before_it_was_known_for_an_upstream_is_kept_and_told() {
    let servers = ["127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"].map(|address| TcpListener::bind(address).unwrap());
    let [upstream, gateway, other] = servers.each_ref().map(|listener| listener.local_addr().unwrap());
    let told = Arc::default();
    let scope = enter(GuardPolicy { on_attempt: telling(&told), ..deny_all() });
    for address in [upstream, gateway, other, upstream] {
        probe(&address.to_string()).unwrap();
    }
    denied(probe(OUTSIDE));
    note_gateway(scope.id(), gateway);
    [upstream, gateway].iter().for_each(|address| note_upstream(scope.id(), address.port()));
    attempted(&scope, &[("connect", &upstream.to_string()), ("connect", OUTSIDE)]);
    assert_eq!(*told.lock().unwrap(), [OUTSIDE]);

    let second = enter(GuardPolicy { on_attempt: telling(&told), ..deny_all() });
    probe(&upstream.to_string()).unwrap();
    note_upstream(second.id(), upstream.port());
    assert_eq!(*told.lock().unwrap(), [OUTSIDE.to_owned(), upstream.to_string()]);
}

fn telling(told: &Arc<Mutex<Vec<String>>>) -> Option<OnAttempt> {
    let told = Arc::clone(told);
    Some(Arc::new(move |attempt: &Attempt| told.lock().unwrap().push(attempt.place())))
}

#[test]
fn an_address_on_the_list_may_be_reached() {
    let scope = enter(allowing(&["240.0.0.2", "::ffff:240.0.0.3"]));
    assert!(went_on(probe("240.0.0.2:9")));
    assert!(went_on(probe("240.0.0.3:9")));
    denied(probe("240.0.0.4:9"));
    attempted(&scope, &[("connect", "240.0.0.4:9")]);
}

#[test]
fn what_an_allowed_name_stood_for_may_be_reached_in_its_scope() {
    let scope = enter(allowing(&["*.example.com"]));
    // No name leads outside without a name server, so its answer is made up here.
    let learn = |host: &str, ip: [u8; 4]| book::find(scope.id()).unwrap().learn(host, &[Ipv4Addr::from(ip).into()]);
    learn("db.example.com", [240, 0, 0, 2]);
    learn("db.example.org", [240, 0, 0, 3]);
    assert!(went_on(probe("240.0.0.2:9")));
    denied(probe("240.0.0.3:9"));
    attempted(&scope, &[("connect", "240.0.0.3:9")]);
    assert_eq!(scope.attempts()[0].host.as_deref(), Some("db.example.org"));

    let other = enter(allowing(&["*.example.com"]));
    denied(probe("240.0.0.2:9"));
    attempted(&other, &[("connect", "240.0.0.2:9")]);
}

#[test]
fn scopes_on_many_threads_do_not_mix() {
    let together = Arc::new(Barrier::new(12));
    let threads: Vec<_> = (0..12)
        .map(|n| {
            let together = together.clone();
            thread::spawn(move || {
                let scope = (n % 2 == 0).then(|| enter(deny_all()));
                together.wait();
                let results: Vec<_> =
                    (0..5).map(|i| thread::spawn(move || probe(&format!("240.0.{n}.{i}:9")))).collect();
                for result in results {
                    let result = result.join().unwrap();
                    assert_ne!(went_on(result), scope.is_some());
                }
                together.wait();
                let Some(scope) = scope else { return assert_eq!(current(), None) };
                let attempts = scope.attempts();
                assert_eq!(attempts.len(), 5);
                let prefix = format!("240.0.{n}.");
                assert!(attempts.iter().all(|attempt| attempt.addr.unwrap().to_string().starts_with(&prefix)));
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn the_scope_before_comes_back() {
    assert_eq!(current(), None);
    let outer = enter(deny_all());
    let inner = enter(allowing(&["240.0.0.1"]));
    assert_ne!(outer.id(), inner.id());
    assert!(went_on(probe(OUTSIDE)));
    drop(inner);
    assert_eq!(current(), Some(outer.id()));
    denied(probe(OUTSIDE));
    assert_eq!(outer.attempts().len(), 1);
    drop(outer);
    assert_eq!(current(), None);
    assert!(went_on(probe(OUTSIDE)));
}

#[test]
fn the_harness_itself_is_exempt() {
    let upstream = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = upstream.local_addr().unwrap();
    let scope = enter(GuardPolicy { upstreams: vec![address.port()], ..deny_all() });
    exempt(|| TcpStream::connect(address)).unwrap();
    let gateway = spawn_exempt("gateway", move || {
        let child = thread::spawn(move || TcpStream::connect(address)).join().unwrap();
        (thread::current().name().map(str::to_owned), current(), child)
    });
    let (name, none, child) = gateway.unwrap().join().unwrap();
    assert_eq!((name.as_deref(), none), (Some("gateway"), None));
    child.unwrap();
    attempted(&scope, &[]);

    std::panic::catch_unwind(|| exempt(|| std::panic::resume_unwind(Box::new(())))).unwrap_err();
    assert_eq!(current(), Some(scope.id()));
    denied(TcpStream::connect(address));
}

#[test]
fn watching_keeps_attempts_and_lets_them_pass() {
    let upstream = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let scope = enter(GuardPolicy {
        mode: GuardMode::Watch,
        upstreams: vec![upstream.port()],
        on_attempt: Some(Arc::new(|_| std::panic::resume_unwind(Box::new("no reason to deny")))),
        ..allowing(&["240.0.0.9"])
    });
    for address in [OUTSIDE, "240.0.0.9:9", "127.0.0.1:9", &upstream.to_string()] {
        assert!(went_on(probe(address)), "{address}");
    }
    attempted(&scope, &[("connect", OUTSIDE), ("connect", &upstream.to_string())]);
}

#[test]
fn the_first_attempt_is_told_at_once_and_without_a_lock() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let (seen, id) = (told.clone(), Arc::new(Mutex::new(None)));
    let own = id.clone();
    let policy = GuardPolicy {
        on_attempt: Some(Arc::new(move |attempt: &Attempt| {
            // Both take the lock of the scope; its own use of the network is not judged.
            let kept = own.lock().unwrap().map(attempts).unwrap_or_default();
            own.lock().unwrap().map(|id| note_upstream(id, 9));
            seen.lock().unwrap().push((attempt.addr, kept.len(), went_on(probe("240.0.0.5:9"))));
            std::panic::resume_unwind(Box::new("a panic of the callback goes nowhere"));
        })),
        ..deny_all()
    };
    let scope = enter(policy);
    *id.lock().unwrap() = Some(scope.id());
    denied(probe(OUTSIDE));
    denied(probe("240.0.0.2:9"));
    assert_eq!(*told.lock().unwrap(), [(Some(OUTSIDE.parse().unwrap()), 1, true)]);
    attempted(&scope, &[("connect", OUTSIDE), ("connect", "240.0.0.2:9")]);
}

#[test]
fn a_loop_of_retries_is_bounded() {
    let scope = enter(deny_all());
    let started = Instant::now();
    for _ in 0..1_100 {
        denied(probe(OUTSIDE));
    }
    assert_eq!(scope.attempts().len(), 1_000);
    assert!(started.elapsed() < Duration::from_secs(20));
}
