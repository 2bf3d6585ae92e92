//! gRPC, by tonic: behind the tower layer, and given the gateway's URL.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use cassette_test::adapters::{By, CassetteService};
use cassette_test::{Cassette, Fault, cassette};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http_body_util::Full;
use hyper::body::Bytes;
use stages::{Rehearsal, assert_told, seen, story, upstream};
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tower::Layer as _;

/// A server that knows the state of one service.
struct Timetable;

#[tonic::async_trait]
impl Health for Timetable {
    type WatchStream = BoxStream<'static, Result<HealthCheckResponse, Status>>;

    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        match request.get_ref().service.as_str() {
            "trains" => Ok(Response::new(answer(ServingStatus::Serving))),
            unknown => Err(Status::not_found(format!("no service `{unknown}`"))),
        }
    }

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let states = [ServingStatus::Unknown, ServingStatus::NotServing, ServingStatus::Serving];
        let states = stream::iter(states.map(|state| Ok(answer(state))));
        Ok(Response::new(match request.get_ref().service.as_str() {
            "trains" => states.boxed(),
            "ferries" => states.chain(stream::once(async { Err(Status::aborted("the last ferry has left")) })).boxed(),
            _ => states.chain(stream::pending()).boxed(),
        }))
    }
}

fn answer(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

/// A gRPC server on a port of its own, gone once it is dropped.
pub(crate) struct Grpc {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Grpc {
    fn start() -> Grpc {
        Grpc::serving(|incoming| {
            Server::builder().add_service(HealthServer::new(Timetable)).serve_with_incoming(incoming)
        })
    }

    /// Starts one that serves so.
    pub(crate) fn serving<F: Future>(serve: impl FnOnce(TcpIncoming) -> F + Send + 'static) -> Grpc {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let incoming = TcpIncoming::from(tokio::net::TcpListener::from_std(listener).unwrap());
                tokio::select! { _ = serve(incoming) => {}, _ = stopped => {} }
            });
            runtime.shutdown_background();
        });
        Grpc { address, stop: Some(stop), thread: Some(thread) }
    }
}

impl Grpc {
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Grpc {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Tells a story that has to come out the same, live and replayed with the server gone, and returns the file.
#[track_caller]
fn tell(story: &str) -> String {
    let server = Grpc::start();
    let rehearsal = Rehearsal::at(&format!("http://{}", server.address));
    let live = rehearsal.passes(story, "record");
    drop(server);
    let replayed = rehearsal.passes(story, "replay");
    assert_eq!(replayed.seen, live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    rehearsal.only_file()
}

type Recorded = CassetteService<Channel, By<fn(Full<Bytes>) -> Body>>;

/// Returns a channel to the upstream, behind the layer.
pub(crate) fn layered(cassette: &Cassette) -> Recorded {
    let layer = cassette.layer().origin(upstream()).body(Body::new as fn(Full<Bytes>) -> Body);
    layer.layer(Endpoint::from_shared(upstream()).unwrap().connect_lazy())
}

fn client(cassette: &Cassette) -> HealthClient<Recorded> {
    HealthClient::new(layered(cassette))
}

/// Returns a client that knows nothing of the cassette but an address.
fn addressed(cassette: &Cassette) -> HealthClient<Channel> {
    HealthClient::new(Endpoint::from_shared(cassette.base_url(upstream())).unwrap().connect_lazy())
}

fn about(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

/// Makes these two calls, and tells what came of them.
macro_rules! asked {
    ($client:expr) => {{
        let mut client = $client;
        let mut state = client.check(about("trains")).await.unwrap();
        let mut unknown = client.check(about("planes")).await.unwrap_err();
        for metadata in [state.metadata_mut(), unknown.metadata_mut()] {
            metadata.remove("date").unwrap();
        }
        format!("{:?} {:?} {unknown:?}", state.get_ref(), state.metadata())
    }};
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks(cassette: Cassette) {
    seen(asked!(client(&cassette)));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_an_address(cassette: Cassette) {
    seen(asked!(addressed(&cassette)));
}

#[test]
fn a_call_and_its_status_are_the_same_live_and_replayed() {
    for story in [story!(it_asks), story!(it_asks_an_address)] {
        let file = tell(story);
        assert!(
            file.contains("/grpc.health.v1.Health/Check\",") && file.contains("[\"grpc-status\", \"0\"]"),
            "{file}"
        );
    }
}

/// Reads a stream, up to so many messages, and tells what came.
async fn states(stream: Result<Response<Streaming<HealthCheckResponse>>, Status>, limit: usize) -> String {
    let mut stream = stream.unwrap().into_inner();
    let mut states = Vec::new();
    while states.len() < limit {
        match stream.message().await {
            Ok(Some(state)) => states.push(format!("{:?}", state.status())),
            Ok(None) => break,
            Err(status) => {
                states.push(format!("{:?} {}", status.code(), status.message()));
                break;
            }
        }
    }
    if limit == usize::MAX {
        states.push(format!("{:?}", stream.trailers().await.unwrap()));
    }
    states.join("|")
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_watches(cassette: Cassette) {
    let trains = states(client(&cassette).watch(about("trains")).await, usize::MAX).await;
    seen(format!("{trains} {}", states(client(&cassette).watch(about("ferries")).await, 99).await));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_watches_an_address(cassette: Cassette) {
    let mut client = addressed(&cassette);
    let trains = states(client.watch(about("trains")).await, usize::MAX).await;
    seen(format!("{trains} {}", states(client.watch(about("ferries")).await, 99).await));
}

#[test]
fn a_stream_and_its_trailers_are_the_same_live_and_replayed() {
    for story in [story!(it_watches), story!(it_watches_an_address)] {
        let file = tell(story);
        assert!(file.contains("\"trailers\": [\n          [\"grpc-status\", \"0\"]\n"), "{file}");
        assert!(file.contains("the%20last%20ferry%20has%20left"), "{file}");
    }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_watching(cassette: Cassette) {
    seen(states(client(&cassette).watch(about("planes")).await, 2).await);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_watching_an_address(cassette: Cassette) {
    seen(states(addressed(&cassette).watch(about("planes")).await, 2).await);
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    // An adapter sees that nothing is waited for; the gateway does not.
    assert!(tell(story!(it_stops_watching)).contains("\"truncated\": \"left\""));
    assert!(tell(story!(it_stops_watching_an_address)).contains("\"truncated\": \"client\""));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_about_another(cassette: Cassette) {
    let service = if cassette.is_replaying() { "ferries" } else { "trains" };
    let _ = client(&cassette).check(about(service)).await;
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_asks_an_address_about_another(cassette: Cassette) {
    let service = if cassette.is_replaying() { "ferries" } else { "trains" };
    match addressed(&cassette).check(about(service)).await {
        Ok(state) => seen(format!("{:?}", state.get_ref())),
        Err(status) => seen(format!("{:?}: {}", status.code(), status.message())),
    }
}

#[test]
fn a_miss_fails_with_the_whole_report() {
    let server = Grpc::start();
    for (name, story) in
        [("miss", story!(it_asks_about_another)), ("miss_at_an_address", story!(it_asks_an_address_about_another))]
    {
        let rehearsal = Rehearsal::at(&format!("http://{}", server.address));
        rehearsal.passes(story, "record");
        let told = rehearsal.fails(story, "replay");
        if name == "miss_at_an_address" {
            let report = told[told.find("cassette mismatch").unwrap()..].split("\nnote: run with").next().unwrap();
            assert_eq!(rehearsal.seen(), format!("Unknown: {report}"), "the program is told the same");
        }
        assert_told!(name, told);
    }
}

/// Asks until it is answered.
#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_until_it_is_answered(cassette: Cassette) {
    if cassette.is_replaying() {
        let unavailable = Fault::status(200).header("content-type", "application/grpc").header("grpc-status", "14");
        cassette.fault(unavailable.header("grpc-message", "the line is closed").body("").at(1));
        cassette.fault(Fault::status(429).at(2));
        cassette.fault(Fault::reset().at(3));
    }
    let mut client = addressed(&cassette);
    let mut met = Vec::new();
    loop {
        match client.check(about("trains")).await {
            Ok(state) => {
                met.push(format!("{:?}", state.get_ref().status()));
                break;
            }
            Err(status) => met.push(format!("{:?}", status.code())),
        }
    }
    seen(met.join(" "));
}

#[test]
fn faults_are_met_as_grpc_has_them() {
    let server = Grpc::start();
    let rehearsal = Rehearsal::at(&format!("http://{}", server.address));
    rehearsal.passes(story!(it_asks_until_it_is_answered), "record");
    assert_eq!(rehearsal.seen(), "Serving");
    rehearsal.passes(story!(it_asks_until_it_is_answered), "replay");
    assert_eq!(rehearsal.seen(), "Unavailable Internal Internal Serving");
}

/// A program with both ways to one server: what was recorded by one is served to the other.
#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_one_way_or_the_other(cassette: Cassette) {
    let state = match cassette.is_replaying() {
        true => addressed(&cassette).check(about("trains")).await,
        false => client(&cassette).check(about("trains")).await,
    };
    seen(format!("{:?}", state.unwrap().get_ref()));
}

#[test]
fn the_layer_and_the_gateway_record_the_same() {
    tell(story!(it_asks_one_way_or_the_other));
}
