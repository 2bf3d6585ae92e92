//! Texts in the messages of gRPC, by tonic and prost: secrets, lengths of two and three bytes, and what is compressed.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream;
use hyper::http;
use stages::{Rehearsal, is_set, seen, story, upstream};
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::codec::CompressionEncoding::Gzip;
use tonic::codegen::Service;
use tonic::server::{NamedService, ServerStreamingService, UnaryService};
use tonic::transport::{Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::grpc::{Grpc, layered};

/// A server that says again what it is told, between words of its own. Both messages are protocol buffers of one text.
#[derive(Clone)]
struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "timetable.Echo";
}

impl UnaryService<String> for Echo {
    type Response = String;
    type Future = Ready<Result<Response<String>, Status>>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        ready(Ok(Response::new(format!("it is {} ok", request.get_ref()))))
    }
}

/// Says a key in pieces of six letters, a message each.
#[derive(Clone)]
struct Speller;

impl ServerStreamingService<String> for Speller {
    type Response = String;
    type ResponseStream = stream::Iter<std::vec::IntoIter<Result<String, Status>>>;
    type Future = Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, _: Request<String>) -> Self::Future {
        let said = format!("the key is {} today", telling_key());
        let pieces = said.as_bytes().chunks(6).map(|piece| Ok(String::from_utf8_lossy(piece).into_owned()));
        ready(Ok(Response::new(stream::iter(pieces.collect::<Vec<_>>()))))
    }
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let codec = ProstCodec::<String, String>::default();
        let mut grpc = tonic::server::Grpc::new(codec).accept_compressed(Gzip).send_compressed(Gzip);
        Box::pin(async move {
            Ok(match request.uri().path() {
                "/timetable.Echo/Spell" => grpc.server_streaming(Speller, request).await,
                _ => grpc.unary(Echo, request).await,
            })
        })
    }
}

/// Says something to it, and returns what comes back.
async fn say<C>(channel: C, text: &str) -> String
where
    C: GrpcService<Body>,
    C::ResponseBody: hyper::body::Body<Data = hyper::body::Bytes> + Send + 'static,
    <C::ResponseBody as hyper::body::Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send,
{
    let mut client = tonic::client::Grpc::new(channel);
    if is_set("STORY_PACKS") {
        client = client.send_compressed(Gzip).accept_compressed(Gzip);
    }
    client.ready().await.map_err(|_| "it is not ready").unwrap();
    let path = http::uri::PathAndQuery::from_static("/timetable.Echo/Say");
    let codec = ProstCodec::<String, String>::default();
    match client.unary(Request::new(text.to_owned()), path, codec).await {
        Ok(said) => said.into_inner(),
        Err(status) => format!("{status:?}"),
    }
}

/// A credential, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

/// A key of the environment, which has no form of its own.
fn telling_key() -> String {
    ["Zq9Horse", "bat+tery77=xK"].join("/")
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_is_spelled_a_key(cassette: Cassette) {
    let mut client = tonic::client::Grpc::new(layered(&cassette));
    if is_set("STORY_PACKS") {
        client = client.accept_compressed(Gzip);
    }
    client.ready().await.map_err(|_| "it is not ready").unwrap();
    let path = http::uri::PathAndQuery::from_static("/timetable.Echo/Spell");
    let codec = ProstCodec::<String, String>::default();
    let reply = client.server_streaming(Request::new("spell".to_owned()), path, codec).await.unwrap();
    let pieces: Vec<Result<String, Status>> = reply.into_inner().collect().await;
    seen(pieces.into_iter().collect::<Result<String, _>>().unwrap());
}

/// What is said, a line each.
fn texts() -> Vec<String> {
    let length = |length: usize| "the next train to Bergen ".chars().cycle().take(length).collect::<String>();
    let long = [1, 117, 127, 128, 300, 20_000].map(length);
    match () {
        () if is_set("STORY_HIDES") => vec![key(), format!("{} {}", long[3], key()), format!("{} {}", key(), long[5])],
        () => long.to_vec(),
    }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_says_to_an_address(cassette: Cassette) {
    let channel = Endpoint::from_shared(cassette.base_url(upstream())).unwrap().connect_lazy();
    let mut told = Vec::new();
    for text in texts() {
        told.push(say(channel.clone(), &text).await);
    }
    seen(told.join("\n"));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_says_by_the_layer(cassette: Cassette) {
    let mut told = Vec::new();
    for text in texts() {
        told.push(say(layered(&cassette), &text).await);
    }
    seen(told.join("\n"));
}

/// Tells the stories live and with the server gone, with this set; returns what each saw live and replayed, and its file.
fn tell(set: &[&str]) -> Vec<(String, String, String)> {
    let one = |story: &str| {
        let server = Grpc::serving(|incoming| Server::builder().add_service(Echo).serve_with_incoming(incoming));
        let mut rehearsal = Rehearsal::at(&format!("http://{}", server.address()));
        for name in set {
            rehearsal = rehearsal.with(name, "1");
        }
        rehearsal.passes(story, "record");
        let live = rehearsal.seen();
        drop(server);
        rehearsal.passes(story, "replay");
        (live, rehearsal.seen(), rehearsal.only_file())
    };
    [story!(it_says_to_an_address), story!(it_says_by_the_layer)].map(one).to_vec()
}

#[test]
fn texts_of_any_length_are_recorded_and_replayed() {
    for (live, replayed, file) in tell(&[]) {
        assert_eq!(replayed, live);
        let expected: Vec<_> = texts().iter().map(|text| format!("it is {text} ok")).collect();
        assert_eq!(live, expected.join("\n"));
        assert_eq!(file.matches("/timetable.Echo/Say\"").count(), expected.len(), "{file}");
    }
}

#[test]
fn compressed_messages_are_too() {
    for (live, replayed, file) in tell(&["STORY_PACKS"]) {
        assert_eq!(replayed, live);
        let expected: Vec<_> = texts().iter().map(|text| format!("it is {text} ok")).collect();
        assert_eq!(live, expected.join("\n"));
        assert!(file.contains("[\"grpc-encoding\", \"gzip\"]"), "{file}");
    }
}

#[test]
fn a_secret_in_a_message_is_not_in_the_file_and_stands_there_in_as_many_bytes() {
    for (live, replayed, file) in tell(&["STORY_HIDES"]) {
        assert_eq!(live.matches(&key()).count(), 3);
        let before = "REDACTED.openai-key.";
        let hidden = format!("{before}{}", "0".repeat(key().len() - before.len()));
        assert_eq!(replayed, live.replace(&key(), &hidden));
        assert!(!file.contains(&key()));
    }
}

#[test]
fn a_secret_in_a_compressed_message_cannot_be_hidden_and_is_a_leak() {
    let server = Grpc::serving(|incoming| Server::builder().add_service(Echo).serve_with_incoming(incoming));
    let rehearsal =
        Rehearsal::at(&format!("http://{}", server.address())).with("STORY_HIDES", "1").with("STORY_PACKS", "1");
    let told = rehearsal.fails(story!(it_says_to_an_address), "record");
    assert!(
        told.contains("cassette leak: ") && told.contains("interaction 1, reply.body.base64: openai-key"),
        "{told}"
    );
    assert!(!told.contains(&key()), "{told}");
}

#[test]
fn a_key_in_pieces_over_messages_is_hidden_in_as_many_bytes() {
    let server = Grpc::serving(|incoming| Server::builder().add_service(Echo).serve_with_incoming(incoming));
    let rehearsal = Rehearsal::at(&format!("http://{}", server.address())).with("LAB_API_KEY", &telling_key());
    rehearsal.passes(story!(it_is_spelled_a_key), "record");
    assert_eq!(rehearsal.seen(), format!("the key is {} today", telling_key()));
    drop(server);
    rehearsal.passes(story!(it_is_spelled_a_key), "replay");
    assert_eq!(rehearsal.seen(), "the key is REDACTED.secret.000000 today");
}

#[test]
fn a_key_in_pieces_over_compressed_messages_is_a_leak() {
    let server = Grpc::serving(|incoming| Server::builder().add_service(Echo).serve_with_incoming(incoming));
    let rehearsal = Rehearsal::at(&format!("http://{}", server.address())).with("LAB_API_KEY", &telling_key());
    let told = rehearsal.with("STORY_PACKS", "1").fails(story!(it_is_spelled_a_key), "record");
    assert!(told.contains("cassette leak: ") && told.contains("interaction 1, reply.body.base64: secret"), "{told}");
    assert!(!told.contains(&telling_key()), "{told}");
}
