//! HTTP/2 without TLS, by reqwest and by hyper, given the gateway's URL.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use cassette_test::{Cassette, Fault, cassette};
use futures_util::StreamExt as _;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use stages::{Rehearsal, assert_told, is_set, seen, story, upstream};
use tokio::sync::{Barrier, oneshot};

type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// A server of both kinds of HTTP on a port of its own, gone once it is dropped.
struct Web {
    address: SocketAddr,
    /// How many connections it has had.
    connections: Arc<AtomicUsize>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Web {
    fn start(answer: impl Fn(Request<Incoming>) -> BoxFuture<'static, Response<Body>> + Send + Sync + 'static) -> Web {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::<AtomicUsize>::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let (answer, count) = (Arc::new(answer), Arc::clone(&connections));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let serving = async {
                    loop {
                        let (stream, _) = listener.accept().await.unwrap();
                        count.fetch_add(1, Ordering::SeqCst);
                        let answer = Arc::clone(&answer);
                        tokio::spawn(async move {
                            let service = service_fn(move |request| {
                                let answer = answer(request);
                                async { Ok::<_, Infallible>(answer.await) }
                            });
                            let server = auto::Builder::new(TokioExecutor::new());
                            let _ = server.serve_connection(TokioIo::new(stream), service).await;
                        });
                    }
                };
                tokio::select! { () = serving => {}, _ = stopped => {} }
            });
            runtime.shutdown_background();
        });
        Web { address, connections, stop: Some(stop), thread: Some(thread) }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// Returns a body of these frames; an error of it resets the stream.
fn framed(frames: Vec<Result<Frame<Bytes>, std::io::Error>>) -> Body {
    StreamBody::new(stream::iter(frames)).boxed_unsync()
}

fn data(text: &str) -> Result<Frame<Bytes>, std::io::Error> {
    Ok(Frame::data(Bytes::from(text.to_owned())))
}

/// When a server is shut down.
enum Gone {
    /// Before it is recorded.
    First,
    /// Before it is replayed.
    Last,
}

/// Records a story, shuts the server down, and replays it to the same; returns the file.
#[track_caller]
fn tell(story: &str, server: Web) -> String {
    tell_at(story, server, Gone::Last)
}

#[track_caller]
fn tell_at(story: &str, server: Web, gone: Gone) -> String {
    let rehearsal = Rehearsal::at(&server.url());
    let server = match gone {
        Gone::First => {
            drop(server);
            None
        }
        Gone::Last => Some(server),
    };
    let live = rehearsal.passes(story, "record");
    drop(server);
    let replayed = rehearsal.passes(story, "replay");
    assert_eq!(replayed.seen, live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    rehearsal.only_file()
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().http2_prior_knowledge().build().unwrap()
}

/// Reads a reply piece by piece, each within this time.
async fn pieces_within(mut reply: reqwest::Response, patience: Duration) -> String {
    let mut pieces = Vec::new();
    loop {
        let end = match tokio::time::timeout(patience, reply.chunk()).await {
            Ok(Ok(Some(piece))) => {
                pieces.push(String::from_utf8_lossy(&piece).into_owned());
                continue;
            }
            Ok(Ok(None)) => break,
            Ok(Err(_)) => "broken",
            Err(_) => "silent",
        };
        pieces.push(end.to_owned());
        break;
    }
    pieces.join("|")
}

async fn pieces(reply: reqwest::Response) -> String {
    pieces_within(reply, Duration::from_secs(30)).await
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let reply = client().post(format!("{url}/v1/trains?to=Bergen")).body("When?").send().await.unwrap();
    let mut headers = reply.headers().clone();
    headers.remove("date");
    // A body that came in one piece is announced with its length in a replay.
    headers.remove("content-length");
    seen(format!("{:?} {} {headers:?} {}", reply.version(), reply.status(), reply.text().await.unwrap()));
}

#[test]
fn a_whole_reply_is_the_same_live_and_replayed() {
    let file = tell(
        story!(it_asks),
        Web::start(|request| {
            Box::pin(async move {
                assert_eq!(request.version(), hyper::Version::HTTP_2, "the upstream is spoken to as the gateway is");
                let query = request.uri().query().unwrap_or_default().to_owned();
                let asked = request.into_body().collect().await.unwrap().to_bytes();
                let reply = Response::builder().status(201).header("x-a", "1").header("x-a", "2");
                reply.body(whole(format!("{query} {asked:?}"))).unwrap()
            })
        }),
    );
    assert!(file.contains("/v1/trains?to=Bergen\",") && file.contains("[\"x-a\", \"2\"]"), "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_sends_a_stream(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let words = stream::iter(["When ", "does it ", "leave?"].map(Ok::<_, Infallible>));
    let reply = client().post(format!("{url}/v1")).body(reqwest::Body::wrap_stream(words)).send().await.unwrap();
    seen(reply.text().await.unwrap());
}

#[test]
fn a_request_that_comes_in_pieces_is_one_request() {
    let file = tell(
        story!(it_sends_a_stream),
        Web::start(|request| {
            Box::pin(async move { Response::new(whole(request.into_body().collect().await.unwrap().to_bytes())) })
        }),
    );
    assert!(file.contains("\"text\": \"When does it leave?\""), "{file}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_reads(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    seen(pieces(client().get(format!("{url}/v1/departures")).send().await.unwrap()).await);
}

#[test]
fn a_stream_keeps_its_pieces_and_what_comes_after_them() {
    let file = tell(
        story!(it_reads),
        Web::start(|_| {
            Box::pin(async {
                let mut trailers = HeaderMap::new();
                trailers.insert("x-checked", "yes".parse().unwrap());
                let pieces = ["a", "bcd", "\n\n", "ef"].map(data);
                let frames = pieces.into_iter().chain([Ok(Frame::trailers(trailers))]).collect();
                Response::new(framed(frames))
            })
        }),
    );
    assert!(file.contains("\"chunks\": [1, 3, 2, 2]"), "{file}");
    assert!(file.contains("\"trailers\": [\n          [\"x-checked\", \"yes\"]\n"), "{file}");
}

#[test]
fn a_stream_that_was_reset_is_reset_again() {
    let broken = || std::io::Error::other("out of order");
    let file = tell(
        story!(it_reads),
        Web::start(move |_| {
            Box::pin(async move {
                // Behind a pause, so that what went before it has left.
                let late = stream::once(async move {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Err(broken())
                });
                let frames = stream::iter([data("one"), data("two")]).chain(late);
                Response::new(StreamBody::new(Box::pin(frames)).boxed_unsync())
            })
        }),
    );
    assert!(file.contains("\"truncated\": \"upstream\"") && file.contains("\"chunks\": [3, 3]"), "{file}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_reads_much(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let mut reply = client().get(format!("{url}/v1/all")).send().await.unwrap();
    let (mut length, mut sum) = (0, 0_u64);
    let end = loop {
        match reply.chunk().await {
            Ok(Some(piece)) => {
                length += piece.len();
                sum = piece.iter().fold(sum, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
            }
            Ok(None) => break "whole",
            Err(_) => break "broken",
        }
    };
    seen(format!("{length} {sum} {end}"));
}

#[test]
fn a_long_reply_that_breaks_off_comes_as_far_as_it_came() {
    let text: String = (0..400_000).map(|n| format!("{n},")).collect();
    let file = tell(
        story!(it_reads_much),
        Web::start(move |_| {
            let pieces: Vec<_> =
                text.as_bytes().chunks(16_000).map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece)))).collect();
            Box::pin(async move {
                let late = stream::once(async {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    Err(std::io::Error::other("out of order"))
                });
                Response::new(StreamBody::new(Box::pin(stream::iter(pieces).chain(late))).boxed_unsync())
            })
        }),
    );
    assert!(file.contains("\"truncated\": \"upstream\""));
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_is_refused(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    seen(format!("{:?}", client().get(format!("{url}/v1")).send().await.unwrap_err().is_request()));
}

#[test]
fn a_server_that_is_not_there_is_not_there_again() {
    let file =
        tell_at(story!(it_is_refused), Web::start(|_| Box::pin(async { Response::new(whole("")) })), Gone::First);
    assert!(file.contains("\"class\": \"connect\""), "{file}");
}

const CALLS: usize = 24;

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_much_at_once(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let client = client();
    // The first call opens the connection that the others share.
    client.get(format!("{url}/v1/first")).send().await.unwrap();
    let calls = (0..CALLS).map(|n| {
        let request = client.post(format!("{url}/v1/trains")).body(format!("train {n}"));
        async move { request.send().await.unwrap().text().await.unwrap() }
    });
    seen(join_all(calls).await.join("|"));
}

#[test]
fn calls_on_one_connection_are_told_apart() {
    let all = Arc::new(Barrier::new(CALLS));
    let server = Web::start(move |request| {
        let all = Arc::clone(&all);
        Box::pin(async move {
            let is_first = request.uri().path() == "/v1/first";
            let asked = request.into_body().collect().await.unwrap().to_bytes();
            if !is_first {
                // None is answered before all have been asked.
                all.wait().await;
            }
            Response::new(whole(format!("about {}", String::from_utf8_lossy(&asked))))
        })
    });
    let connections = Arc::clone(&server.connections);
    let file = tell(story!(it_asks_much_at_once), server);
    assert_eq!(connections.load(Ordering::SeqCst), 1, "the upstream is called on one connection");
    assert_eq!(file.matches("\"overlaps\": true").count(), CALLS - 1, "{file}");
}

/// A program whose client changed: what was recorded by one kind of HTTP is served to the other.
#[cassette]
#[tokio::test]
#[ignore]
async fn it_speaks_the_other(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let speaks_http2 = cassette.is_replaying() == is_set("STORY_OTHER");
    let client = if speaks_http2 { client() } else { reqwest::Client::new() };
    seen(pieces(client.get(format!("{url}/v1")).send().await.unwrap()).await);
}

#[test]
fn both_kinds_share_the_port_and_the_cassette() {
    for other in [None, Some("1")] {
        let server = Web::start(|_| Box::pin(async { Response::new(framed(["ab", "c"].map(data).into())) }));
        let mut rehearsal = Rehearsal::at(&server.url());
        if let Some(other) = other {
            rehearsal = rehearsal.with("STORY_OTHER", other);
        }
        rehearsal.passes(story!(it_speaks_the_other), "record");
        let live = rehearsal.seen();
        drop(server);
        rehearsal.passes(story!(it_speaks_the_other), "replay");
        // The end of a body is a frame of its own over HTTP/2, and reqwest shows it.
        let mut seen = [live, rehearsal.seen()];
        seen.sort();
        assert_eq!(seen, ["ab|c", "ab|c|"]);
    }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_for_another(cassette: Cassette) {
    let url = cassette.base_url(upstream());
    let to = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    let _ = client().post(format!("{url}/v1")).body(format!("When is the train to {to}?")).send().await;
}

#[test]
fn a_miss_fails_with_the_whole_report() {
    let server = Web::start(|_| Box::pin(async { Response::new(whole("09:04")) }));
    let rehearsal = Rehearsal::at(&server.url());
    rehearsal.passes(story!(it_asks_for_another), "record");
    assert_told!("miss", rehearsal.fails(story!(it_asks_for_another), "replay"));
}

/// Asks under each fault in its turn.
#[cassette]
#[tokio::test]
#[ignore]
async fn it_meets_faults(cassette: Cassette) {
    let url = format!("{}/v1", cassette.base_url(upstream()));
    let client = client();
    let faults = [Fault::status(429), Fault::reset(), Fault::cut_after(1), Fault::stall_after(1), Fault::split_at(1)];
    if !cassette.is_replaying() {
        seen(pieces(client.get(&url).send().await.unwrap()).await);
        return;
    }
    for (fault, call) in faults.into_iter().zip(1..) {
        cassette.fault(fault.at(call));
    }
    let mut met = Vec::new();
    for _ in 0..5 {
        met.push(match client.get(&url).send().await {
            Ok(reply) if reply.status() != 200 => reply.status().to_string(),
            Ok(reply) => pieces_within(reply, Duration::from_millis(300)).await,
            Err(_) => "no answer".to_owned(),
        });
    }
    seen(met.join(" "));
}

#[test]
fn faults_are_met_as_streams_have_them() {
    let server = Web::start(|_| Box::pin(async { Response::new(framed(["abc", "de"].map(data).into())) }));
    let rehearsal = Rehearsal::at(&server.url());
    rehearsal.passes(story!(it_meets_faults), "record");
    assert_eq!(rehearsal.seen(), "abc|de|");
    rehearsal.passes(story!(it_meets_faults), "replay");
    assert_eq!(rehearsal.seen(), "429 Too Many Requests no answer abc|broken abc|silent a|bcde|");
}
