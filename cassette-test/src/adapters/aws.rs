//! The HTTP client for AWS SDKs. It stands below the signing of requests, so that what is signed is what is sent.

use std::future::poll_fn;
use std::sync::Arc;

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::{RuntimeComponents, RuntimeComponentsBuilder};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::ConfigBag;
use aws_smithy_types::retry::ErrorKind;
use cassette_core::call::Header;
use cassette_core::reply::{TransportClass, TransportError};
use cassette_core::report::{Report, Wiring};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use once_cell::sync::OnceCell;

use super::failed::Failed;
use super::live::{Live, class};
use super::seam::{Asked, Seam, Turn};
use super::stream::Stream;
use crate::cassette::Cassette;
use crate::wire::{self, Clock, Recorded};

/// An HTTP client of an AWS SDK whose calls go through a cassette.
#[derive(Clone, Debug)]
pub struct CassetteHttpClient {
    seam: Seam,
    client: SharedHttpClient,
}

impl Cassette {
    /// Returns the HTTP client to give to an AWS SDK instead of `client`, which makes the calls that go live.
    ///
    #[cfg_attr(feature = "aws-smithy", doc = "```no_run")]
    /// # let cassette = cassette_test::Cassette::current();
    /// # use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpConnector, http_client_fn};
    /// # use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
    /// # let client = http_client_fn(|_: &HttpConnectorSettings, _: &RuntimeComponents| -> SharedHttpConnector { todo!() });
    /// // As in `aws_sdk_bedrockruntime::Config::builder().http_client(..)`:
    /// let http_client = cassette.http_client(client);
    /// # let _ = http_client;
    /// ```
    ///
    /// Requests are signed before they come here, and sent as they are. A replay needs credentials to sign with, but any will
    /// do: a signature is never recorded nor compared.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn http_client(&self, client: impl HttpClient + 'static) -> CassetteHttpClient {
        match self.try_http_client(client) {
            Ok(client) => client,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the HTTP client to give to an AWS SDK, as [`http_client`](Cassette::http_client) does.
    ///
    /// # Errors
    ///
    /// Fails where the test's name hangs on its arguments, and the test has not begun.
    pub fn try_http_client(&self, client: impl HttpClient + 'static) -> Result<CassetteHttpClient, Arc<Report>> {
        Ok(CassetteHttpClient { seam: Seam::of(self.as_scope())?, client: SharedHttpClient::new(client) })
    }
}

impl HttpClient for CassetteHttpClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            seam: self.seam.clone(),
            live: Arc::new(LiveConnector {
                client: self.client.clone(),
                settings: settings.clone(),
                components: components.clone(),
                made: OnceCell::new(),
            }),
        })
    }

    fn validate_base_client_config(
        &self,
        components: &RuntimeComponentsBuilder,
        config: &ConfigBag,
    ) -> Result<(), BoxError> {
        // A client reads certificates here, which a replay does without.
        if self.seam.is_replaying() { Ok(()) } else { self.client.validate_base_client_config(components, config) }
    }

    fn validate_final_config(&self, components: &RuntimeComponents, config: &ConfigBag) -> Result<(), BoxError> {
        if self.seam.is_replaying() { Ok(()) } else { self.client.validate_final_config(components, config) }
    }

    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        self.client.connector_metadata()
    }
}

#[derive(Clone, Debug)]
struct Connector {
    seam: Seam,
    live: Arc<LiveConnector>,
}

/// The client's own connector, made by the first call that goes live.
#[derive(Debug)]
struct LiveConnector {
    client: SharedHttpClient,
    settings: HttpConnectorSettings,
    components: RuntimeComponents,
    made: OnceCell<SharedHttpConnector>,
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move { handle(connector, request).await })
    }
}

async fn handle(connector: Connector, mut request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let Connector { seam, live: connector } = connector;
    let turn = match whole(&mut request, seam.longest()).await.map_err(ConnectorError::user)? {
        Some(body) => {
            let headers = wire::map(&headers(&request));
            seam.begin(
                &Asked { method: request.method(), url: request.uri(), headers: &headers, body: &body },
                Clock::Runtime,
            )
        }
        None => seam.refuse_length(request.method(), request.uri()),
    };
    match turn {
        Turn::Reply(head, body) => response(&head, Stream::<SdkBody>::recorded(*body)),
        Turn::Error(error) => Err(rebuilt(error)),
        Turn::Silence(mut waiting) => Err(ConnectorError::user(poll_fn(|cx| waiting.poll(cx)).await.into())),
        Turn::Live(live) => call(live, &connector, request).await,
        Turn::Fail(report) => Err(ConnectorError::user(report.into())),
    }
}

fn headers(request: &HttpRequest) -> Vec<Header> {
    request.headers().iter().map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect()
}

/// Reads a body whole, and leaves it in its request, to be sent; `None` where it is longer than `limit`.
async fn whole(request: &mut HttpRequest, limit: usize) -> Result<Option<Bytes>, BoxError> {
    if let Some(bytes) = request.body().bytes() {
        return Ok((bytes.len() <= limit).then(|| Bytes::copy_from_slice(bytes)));
    }
    let bytes = match Limited::new(request.take_body(), limit).collect().await {
        Ok(read) => read.to_bytes(),
        Err(err) if err.is::<LengthLimitError>() => return Ok(None),
        Err(err) => return Err(err),
    };
    *request.body_mut() = SdkBody::from(bytes.clone());
    Ok(Some(bytes))
}

/// Lets the client call, and passes the reply on. Nothing is taken from the request: all of it may be signed.
async fn call(live: Live, connector: &LiveConnector, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let made = || connector.client.http_connector(&connector.settings, &connector.components);
    let client = live.run(|| connector.made.get_or_init(made).clone());
    match live.wait(async { client.call(request).await }).await {
        Ok(reply) => {
            let reply = reply.try_into_http1x().map_err(|err| ConnectorError::other(err.into(), None))?;
            let (head, body) = reply.into_parts();
            let passed = live.reply((head.status, &head.headers), Box::pin(body));
            let (head, body) = passed.map_err(|report| ConnectorError::user(report.into()))?;
            response(&head, body)
        }
        Err(err) if err.is_user() => {
            let what = format!("{} was not sent: {err}", live.shown());
            live.refuse(Wiring::new(what, "mend the request: the client's failure cannot be recorded"));
            Err(err)
        }
        Err(err) => {
            let class = if err.is_timeout() { TransportClass::Timeout } else { class(&err) };
            live.error(class, &err);
            Err(err)
        }
    }
}

/// Returns the response that an SDK is given, the same live and replayed.
fn response<B>(head: &Recorded, body: Stream<B>) -> Result<HttpResponse, ConnectorError>
where
    B: hyper::body::Body<Data = Bytes> + Unpin + Send + Sync + 'static,
    B::Error: Into<BoxError>,
{
    let mut response = hyper::Response::new(());
    *response.status_mut() = head.status;
    *response.headers_mut() = body.headers(head);
    let response = response.map(|()| SdkBody::from_body_1_x(body));
    HttpResponse::try_from(response).map_err(|err| ConnectorError::other(err.into(), None))
}

/// Returns the error that a client gives for this failure, of the kind by which an SDK decides whether to try again.
fn rebuilt(error: TransportError) -> ConnectorError {
    let class = error.class;
    let failed = Failed::recorded(error).into();
    match class {
        TransportClass::Timeout => ConnectorError::timeout(failed),
        TransportClass::Closed => ConnectorError::other(failed, Some(ErrorKind::TransientError)),
        _ => ConnectorError::io(failed),
    }
}
