//! HTTP/2: what no client of it does, what its upstreams are asked over TLS and through a proxy, and what breaks.

use std::future::Future;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use cassette_core::reply::{Outcome, TransportClass};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper::header::HeaderValue;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::{ServerConnection, StreamOwned};

use super::PATIENCE;
use super::alone;
use super::authority::Authority;
use super::client::authority;
use super::notebook::Notebook;
use super::stage::Stage;
use super::upstream::whole;
use crate::wire::Limits;

type Body = http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>;

/// Runs what a client does in a runtime of its own.
fn play<F: Future>(client: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(PATIENCE, client).await.expect("a client is not left waiting") })
}

async fn connect(url: &str) -> SendRequest<Body> {
    let stream = tokio::net::TcpStream::connect(authority(url)).await.unwrap();
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

fn request(url: &str) -> Request<Body> {
    Request::get(url).body(Full::default().boxed()).unwrap()
}

async fn text(reply: Response<hyper::body::Incoming>) -> String {
    String::from_utf8(reply.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

/// Returns a plain server of HTTP/1.1 behind this many bytes of something else.
fn server_of_one(answer: impl FnOnce(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    // The thread ends with the process; a test that fails must not wait for it.
    std::thread::spawn(move || answer(listener.accept().unwrap().0));
    url
}

#[test]
fn a_preface_may_come_in_pieces() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url("http://upstream.example");
    let mut stream = TcpStream::connect(authority(&url)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    for piece in ["PR", "I * HTTP/2.0\r\n\r\nSM", "\r\n\r\n"] {
        stream.write_all(piece.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }
    // SETTINGS without any (RFC 9113 section 6.5).
    stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).unwrap();
    let mut head = [0; 9];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(head[3], 4, "the gateway answers in frames");
}

#[test]
fn a_request_of_http_1_may_begin_as_a_preface_does() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url("http://upstream.example");
    for (first, rest) in [("P", "OST / HTTP/1.1\r\nhost: x\r\n\r\n"), ("PR", "OPFIND / HTTP/1.1\r\nhost: x\r\n\r\n")] {
        let mut stream = TcpStream::connect(authority(&url)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(first.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(3));
        stream.write_all(rest.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 404");
    }
}

#[test]
fn half_a_preface_is_not_waited_for() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url("http://upstream.example");
    let mut stream = TcpStream::connect(authority(&url)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(b"PRI * HT").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    // Whatever is answered, the connection comes to its end.
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
}

#[test]
fn what_is_no_frame_is_not_overlooked() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url("http://upstream.example");
    let mut stream = TcpStream::connect(authority(&url)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let _ = stream.read_to_end(&mut Vec::new());
    let told = stage.notebook.failure();
    assert!(
        told.starts_with("cassette wiring: a client of http://upstream.example sent what is no HTTP/2: "),
        "{told}"
    );
}

#[test]
fn a_client_that_goes_breaks_nothing() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url("http://upstream.example");
    let mut stream = TcpStream::connect(authority(&url)).unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
    drop(stream);
    stage.gateways.stop();
    stage.notebook.assert_content();
}

#[test]
fn a_panic_in_the_gateway_fails_the_test() {
    let stage = Stage::live();
    let url = stage.url("http://upstream.example");
    play(async {
        let mut request = request(&url);
        request.headers_mut().insert("x-panic", HeaderValue::from_static("begin"));
        connect(&url).await.send_request(request).await.unwrap_err();
    });
    assert!(stage.notebook.failure().contains("the gateway panicked"));
}

#[test]
fn a_request_that_waits_for_its_answer_is_told_that_none_comes() {
    let limits = Limits { hold: Duration::from_millis(20), ..Limits::default() };
    let stage = Stage::limited(limits, Notebook::live());
    let url = stage.url("http://upstream.example");
    let status = play(async {
        let (mut words, body) = tokio::sync::mpsc::channel::<Bytes>(1);
        let body = StreamBody::new(Words(body));
        let request = Request::post(format!("{url}/talk?key=hunter2")).body(body.boxed()).unwrap();
        words.send(Bytes::from_static(b"hello")).await.unwrap();
        let reply = connect(&url).await.send_request(request).await.unwrap();
        words = words.clone();
        drop(words);
        reply.status()
    });
    assert_eq!(status, 501);
    assert_eq!(
        stage.notebook.failure(),
        "cassette wiring: POST http://upstream.example/talk?key=REDACTED was begun and not ended: nothing more of it came for 0 \
         seconds\n\
         help: a request is read to its end before it is answered, so no stream in both directions can be recorded; let the \
         client end what it sends"
    );
}

/// What is sent, word by word.
struct Words(tokio::sync::mpsc::Receiver<Bytes>);

impl futures_core::Stream for Words {
    type Item = Result<Frame<Bytes>, std::convert::Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|word| word.map(|word| Ok(Frame::data(word))))
    }
}

#[test]
fn a_call_that_its_upstream_resets_is_a_reset() {
    // A server that resets each call, and leaves its connection.
    let url = server_of_one(|mut stream| {
        let mut preface = [0; 24];
        stream.read_exact(&mut preface).unwrap();
        stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).unwrap();
        loop {
            let mut head = [0; 9];
            if stream.read_exact(&mut head).is_err() {
                return;
            }
            let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
            stream.read_exact(&mut vec![0; length]).unwrap();
            if head[3] == 1 {
                // RST_STREAM with ENHANCE_YOUR_CALM (RFC 9113 sections 6.4 and 7).
                let reset = [&[0, 0, 4, 3, 0], &head[5..9], &[0, 0, 0, 11]].concat();
                stream.write_all(&reset).unwrap();
            }
        }
    });
    let act = |stage: &Stage| {
        let gateway = stage.url(&url);
        play(async { connect(&gateway).await.send_request(request(&gateway)).await.unwrap_err().to_string() })
    };
    let live = Stage::live();
    let seen = act(&live);
    let written = live.notebook.written(1);
    match &written[0].1 {
        Outcome::Error(error) => {
            assert_eq!(error.class, TransportClass::Reset, "{error:?}");
            assert!(error.message.contains("stream error received: detected excessive load"), "{error:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(act(&Stage::replay(written)), seen);
}

#[test]
fn over_tls_the_upstream_picks() {
    for (offered, expected) in [("h2", "HTTP/2.0"), ("http/1.1", "HTTP/1.1")] {
        let roots = Authority::new();
        let mut config = roots.vouch("localhost");
        config.alpn_protocols = vec![offered.as_bytes().to_vec()];
        let url = server_of_one(move |stream| {
            let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), stream);
            let mut first = [0; 24];
            stream.read_exact(&mut first).unwrap();
            if first.starts_with(b"GET / HTTP/1.1") {
                stream.write_all(&whole("text/plain", b"HTTP/1.1")).unwrap();
            } else {
                assert!(first.starts_with(b"PRI * HTTP/2.0"));
                // SETTINGS; of the first call HEADERS, `:status: 200` of the static table, and DATA that ends it.
                stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).unwrap();
                stream.write_all(&[0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]).unwrap();
                stream.write_all(&[0, 0, 8, 0, 1, 0, 0, 0, 1]).unwrap();
                stream.write_all(b"HTTP/2.0").unwrap();
            }
            stream.flush().unwrap();
            let _ = stream.read_to_end(&mut Vec::new());
        });
        let url = url.replacen("http://127.0.0.1", "https://localhost", 1);
        let file = roots.file.to_str().unwrap();
        let variables = [("SSL_CERT_FILE", file), (alone::UPSTREAM, url.as_str()), (EXPECTED, expected)];
        alone::run("gateway::tests::http2::picked", &variables);
    }
}

/// The variable that says what an upstream answers.
const EXPECTED: &str = "GATEWAY_TEST_EXPECTED";

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn picked() {
    let stage = Stage::live();
    let url = stage.url(&alone::upstream());
    let seen = play(async { text(connect(&url).await.send_request(request(&url)).await.unwrap()).await });
    assert_eq!(seen, cassette_core::env::var(EXPECTED).unwrap());
    assert_eq!(stage.notebook.reply().status, 200);
}

#[test]
fn without_tls_a_proxy_is_asked_for_a_way() {
    let proxy = server_of_one(|mut stream| {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
        let mut preface = [0; 24];
        stream.read_exact(&mut preface).unwrap();
        assert!(preface.starts_with(b"PRI * HTTP/2.0"));
        stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).unwrap();
        stream.write_all(&[0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]).unwrap();
        let length = u8::try_from(head.len()).unwrap();
        stream.write_all(&[0, 0, length, 0, 1, 0, 0, 0, 1]).unwrap();
        stream.write_all(&head).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let proxy = proxy.replacen("//", "//joe:pw@", 1);
    alone::run("gateway::tests::http2::tunnelled", &[("http_proxy", &proxy)]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn tunnelled() {
    let stage = Stage::live();
    let url = stage.url("http://upstream.invalid/v1");
    let head = play(async { text(connect(&url).await.send_request(request(&url)).await.unwrap()).await });
    assert!(head.starts_with("CONNECT upstream.invalid:80 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("Basic am9lOnB3"), "{head}");
}
