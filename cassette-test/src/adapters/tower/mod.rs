//! The layer for services of the shape that tower gives to HTTP clients.

mod body;

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use cassette_core::report::{Report, Wiring};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes};
use hyper::header::{ACCEPT_ENCODING, HOST};
use hyper::http::request;
use hyper::{Request, Response, Uri};
use tower_layer::Layer;
use tower_service::Service;

pub use self::body::ReplyBody;
use super::failed::Failed;
use super::live::{Live, class};
use super::seam::{Asked, Seam, Turn};
use super::stream::{BoxError, Stream};
use crate::cassette::Cassette;
use crate::wire::{Clock, Recorded, failure};

/// A layer that takes the calls of an HTTP client to a cassette.
///
/// The client is any `Service<http::Request<B>>` that answers with an `http::Response`. Where `B` cannot be made of bytes by
/// `From`, [`body`](CassetteLayer::body) says how it is made.
#[derive(Clone, Debug)]
pub struct CassetteLayer<M = FromBytes> {
    seam: Seam,
    origin: Option<String>,
    make: M,
}

/// A client behind a [`CassetteLayer`].
#[derive(Clone, Debug)]
pub struct CassetteService<S, M = FromBytes> {
    layer: CassetteLayer<M>,
    client: S,
}

/// Makes a request's body again, for the client to send: of its bytes, by `From`.
#[derive(Clone, Copy, Debug)]
pub struct FromBytes;

/// Makes a request's body again, by a function.
#[derive(Clone, Copy)]
pub struct By<F>(F);

/// A way to make a request's body again, once it has been read.
pub trait Make<B> {
    /// Returns the body of these bytes.
    fn make(&self, bytes: Bytes) -> B;
}

impl Cassette {
    /// Returns the layer to put round an HTTP client: what the client asks goes through the cassette.
    ///
    #[cfg_attr(feature = "tower", doc = "```no_run")]
    /// # let cassette = cassette_test::Cassette::current();
    /// # #[derive(Clone)] struct Client;
    /// # impl tower_service::Service<hyper::Request<http_body_util::Full<hyper::body::Bytes>>> for Client {
    /// #     type Response = hyper::Response<hyper::body::Incoming>;
    /// #     type Error = hyper::Error;
    /// #     type Future = std::future::Ready<Result<Self::Response, hyper::Error>>;
    /// #     fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), hyper::Error>> { unimplemented!() }
    /// #     fn call(&mut self, _: hyper::Request<http_body_util::Full<hyper::body::Bytes>>) -> Self::Future { unimplemented!() }
    /// # }
    /// # let client = Client;
    /// use tower_layer::Layer;
    ///
    /// let client = cassette.layer().layer(client);
    /// # fn is_a_client(_: impl tower_service::Service<hyper::Request<http_body_util::Full<hyper::body::Bytes>>>) {}
    /// # is_a_client(client);
    /// ```
    ///
    /// It stands next to the client: layers that retry or give up go round it. Errors are boxed; a failure of the transport is
    /// a [`Failed`], live and recorded, and where the cassette fails the error is its [`Report`] in an `Arc`.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn layer(&self) -> CassetteLayer {
        match self.try_layer() {
            Ok(layer) => layer,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the layer to put round an HTTP client, as [`layer`](Cassette::layer) does.
    ///
    /// # Errors
    ///
    /// Fails where the test's name hangs on its arguments, and the test has not begun.
    pub fn try_layer(&self) -> Result<CassetteLayer, Arc<Report>> {
        Ok(CassetteLayer { seam: Seam::of(self.as_scope())?, origin: None, make: FromBytes })
    }
}

impl<M> CassetteLayer<M> {
    /// Names the server of requests that name none, as those of gRPC clients below which the server is added:
    /// `https://api.example.com`.
    #[must_use]
    pub fn origin(self, origin: impl Into<String>) -> CassetteLayer<M> {
        CassetteLayer { origin: Some(origin.into()), ..self }
    }

    /// Says how a request's body is made again of its bytes, for the client to send: for tonic, `tonic::body::Body::new`.
    #[must_use]
    pub fn body<B, F: Fn(Full<Bytes>) -> B + Clone>(self, make: F) -> CassetteLayer<By<F>> {
        CassetteLayer { seam: self.seam, origin: self.origin, make: By(make) }
    }
}

impl<S, M: Clone> Layer<S> for CassetteLayer<M> {
    type Service = CassetteService<S, M>;

    fn layer(&self, client: S) -> CassetteService<S, M> {
        CassetteService { layer: self.clone(), client }
    }
}

impl<B: From<Bytes>> Make<B> for FromBytes {
    fn make(&self, bytes: Bytes) -> B {
        B::from(bytes)
    }
}

impl<B, F: Fn(Full<Bytes>) -> B> Make<B> for By<F> {
    fn make(&self, bytes: Bytes) -> B {
        (self.0)(Full::new(bytes))
    }
}

impl<F> fmt::Debug for By<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("By").finish_non_exhaustive()
    }
}

impl<S, M, A, B> Service<Request<A>> for CassetteService<S, M>
where
    S: Service<Request<A>, Response = Response<B>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    M: Make<A> + Clone + Send + Sync + 'static,
    A: Body + Send + 'static,
    A::Data: Send,
    A::Error: Into<BoxError>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<ReplyBody>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<ReplyBody>, BoxError>> + Send>>;

    /// Is always ready: the client is asked only where a call goes live, since it may connect to be ready.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        Box::pin(handle(self.clone(), request))
    }
}

async fn handle<S, M, A, B>(
    service: CassetteService<S, M>,
    request: Request<A>,
) -> Result<Response<ReplyBody>, BoxError>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Error: Into<BoxError>,
    M: Make<A>,
    A: Body,
    A::Error: Into<BoxError>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let CassetteService { layer, client } = service;
    let (head, body) = request.into_parts();
    let (turn, body) = match (url(&head, layer.origin.as_deref()), whole(body, layer.seam.longest()).await?) {
        (Some(url), Some(body)) => {
            let asked = Asked { method: head.method.as_str(), url: &url, headers: &head.headers, body: &body };
            (layer.seam.begin(&asked, Clock::Runtime), body)
        }
        (Some(url), None) => (layer.seam.refuse_length(head.method.as_str(), &url), Bytes::new()),
        (None, _) => (layer.seam.refuse(serverless(&head)), Bytes::new()),
    };
    match turn {
        Turn::Reply(head, body) => Ok(response::<Pin<Box<B>>>(&head, Stream::recorded(*body))),
        Turn::Error(error) => Err(Failed::recorded(error).into()),
        Turn::Silence(mut waiting) => Err(poll_fn(|cx| waiting.poll(cx)).await.into()),
        Turn::Live(live) => call(live, client, Request::from_parts(head, layer.make.make(body))).await,
        Turn::Fail(report) => Err(report.into()),
    }
}

/// Reads a body whole; `None` where it is longer than `limit`.
async fn whole<A>(body: A, limit: usize) -> Result<Option<Bytes>, BoxError>
where
    A: Body,
    A::Error: Into<BoxError>,
{
    match Limited::new(body, limit).collect().await {
        Ok(read) => Ok(Some(read.to_bytes())),
        Err(err) if err.is::<LengthLimitError>() => Ok(None),
        Err(err) => Err(err),
    }
}

/// Returns the URL that a request is for.
fn url(head: &request::Parts, origin: Option<&str>) -> Option<String> {
    if head.uri.scheme().is_some() && head.uri.authority().is_some() {
        return Some(head.uri.to_string());
    }
    Some(format!("{}{}", origin?.trim_end_matches('/'), path(&head.uri)))
}

fn path(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", |path| path.as_str())
}

fn serverless(head: &request::Parts) -> Wiring {
    let path = head.uri.path();
    let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("api.example.com");
    Wiring::new(
        format!("a client asked {} for `{path}`, and of no server", head.method),
        format!("name the server in the request, or to the layer: `cassette.layer().origin(\"https://{host}\")`"),
    )
}

/// Lets the client call, and passes the reply on.
async fn call<S, A, B>(live: Live, mut client: S, mut request: Request<A>) -> Result<Response<ReplyBody>, BoxError>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Error: Into<BoxError>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    request.headers_mut().remove(ACCEPT_ENCODING);
    let reply = live.wait(async {
        poll_fn(|cx| client.poll_ready(cx)).await?;
        client.call(request).await
    });
    match reply.await {
        Ok(reply) => {
            let (head, body) = reply.into_parts();
            let (head, body) = live.reply((head.status, &head.headers), Box::pin(body))?;
            Ok(response(&head, body))
        }
        Err(err) => {
            let err = err.into();
            let (class, message) = (class(&*err), failure::said(failure::chain(&*err)));
            live.error(class, &*err);
            Err(Failed::live(class, message, err).into())
        }
    }
}

/// Returns the response that a client's user is given, the same live and replayed.
fn response<B>(head: &Recorded, body: Stream<B>) -> Response<ReplyBody>
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
    B::Error: Into<BoxError>,
{
    let headers = body.headers(head);
    let mut response = Response::new(ReplyBody::new(body));
    *response.status_mut() = head.status;
    *response.headers_mut() = headers;
    response
}
