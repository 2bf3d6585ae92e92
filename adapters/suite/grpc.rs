//! gRPC, by tonic behind the tower layer.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use cassette_test::adapters::{By, CassetteService};
use cassette_test::{Cassette, cassette};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http_body_util::Full;
use hyper::body::Bytes;
use stages::{Rehearsal, assert_told, seen, story, upstream};
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
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
struct Grpc {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Grpc {
    fn start() -> Grpc {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let incoming = TcpIncoming::from(tokio::net::TcpListener::from_std(listener).unwrap());
                let serving = Server::builder().add_service(HealthServer::new(Timetable)).serve_with_incoming(incoming);
                tokio::select! { _ = serving => {}, _ = stopped => {} }
            });
            runtime.shutdown_background();
        });
        Grpc { address, stop: Some(stop), thread: Some(thread) }
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

fn client(cassette: &Cassette) -> HealthClient<Recorded> {
    let layer = cassette.layer().origin(upstream()).body(Body::new as fn(Full<Bytes>) -> Body);
    HealthClient::new(layer.layer(Endpoint::from_shared(upstream()).unwrap().connect_lazy()))
}

fn about(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks(cassette: Cassette) {
    let mut state = client(&cassette).check(about("trains")).await.unwrap();
    let mut unknown = client(&cassette).check(about("planes")).await.unwrap_err();
    for metadata in [state.metadata_mut(), unknown.metadata_mut()] {
        metadata.remove("date").unwrap();
    }
    seen(format!("{:?} {:?} {unknown:?}", state.get_ref(), state.metadata()));
}

#[test]
fn a_call_and_its_status_are_the_same_live_and_replayed() {
    let file = tell(story!(it_asks));
    assert!(file.contains("/grpc.health.v1.Health/Check\",") && file.contains("[\"grpc-status\", \"0\"]"), "{file}");
}

async fn states(cassette: &Cassette, service: &str, limit: usize) -> String {
    let mut stream = client(cassette).watch(about(service)).await.unwrap().into_inner();
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
    let trains = states(&cassette, "trains", usize::MAX).await;
    seen(format!("{trains} {}", states(&cassette, "ferries", 99).await));
}

#[test]
fn a_stream_and_its_trailers_are_the_same_live_and_replayed() {
    let file = tell(story!(it_watches));
    assert!(file.contains("\"trailers\": [\n          [\"grpc-status\", \"0\"]\n"), "{file}");
    assert!(file.contains("the%20last%20ferry%20has%20left"), "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_watching(cassette: Cassette) {
    seen(states(&cassette, "planes", 2).await);
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    assert!(tell(story!(it_stops_watching)).contains("\"truncated\": \"client\""));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_about_another(cassette: Cassette) {
    let service = if cassette.is_replaying() { "ferries" } else { "trains" };
    let _ = client(&cassette).check(about(service)).await;
}

#[test]
fn a_miss_fails_with_the_whole_report() {
    let server = Grpc::start();
    let rehearsal = Rehearsal::at(&format!("http://{}", server.address));
    rehearsal.passes(story!(it_asks_about_another), "record");
    assert_told!("miss", rehearsal.fails(story!(it_asks_about_another), "replay"));
}
