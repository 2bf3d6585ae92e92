//! The middleware for reqwest-middleware, of the majors that the module above names.

mod rebuilt;

use std::future::{Future, poll_fn};
use std::pin::Pin;

use cassette_core::reply::TransportClass;
use cassette_core::report::Wiring;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::ACCEPT_ENCODING;
use hyper::http::{Extensions, response};

use self::rebuilt::rebuilt;
use super::reqwest::{self, Body, Request, Response, ResponseBuilderExt, Url};
use super::reqwest_middleware::{self, Error, Next};
use crate::adapters::Middleware;
use crate::adapters::live::{Live, connect_class};
use crate::adapters::seam::{Asked, Seam, Turn};
use crate::adapters::stream::{BoxError, Stream};
use crate::wire::{Clock, Recorded, failure};

impl reqwest_middleware::Middleware for Middleware {
    fn handle<'a, 'b, 'c, 'd>(
        &'a self,
        request: Request,
        extensions: &'b mut Extensions,
        next: Next<'c>,
    ) -> Pin<Box<dyn Future<Output = Result<Response, Error>> + Send + 'd>>
    where
        'a: 'd,
        'b: 'd,
        'c: 'd,
        Self: 'd,
    {
        Box::pin(handle(&self.seam, request, extensions, next))
    }
}

async fn handle(
    seam: &Seam,
    mut request: Request,
    extensions: &mut Extensions,
    next: Next<'_>,
) -> Result<Response, Error> {
    let turn = match whole(&mut request, seam.longest()).await? {
        Some(body) => seam.begin(&asked(&request, &body), Clock::Runtime),
        None => seam.refuse_length(request.method().as_str(), request.url().as_str()),
    };
    match turn {
        Turn::Reply(head, body) => Ok(response(request.url(), &head, Stream::recorded(*body))),
        Turn::Error(error) => Err(rebuilt(error, request.url())),
        Turn::Silence(mut waiting) => Err(Error::middleware(poll_fn(|cx| waiting.poll(cx)).await)),
        Turn::Live(live) => call(live, request, extensions, next).await,
        Turn::Fail(report) => Err(Error::middleware(report)),
    }
}

/// Reads a body whole, and leaves it in its request, to be sent; `None` where it is longer than `limit`.
async fn whole(request: &mut Request, limit: usize) -> Result<Option<Bytes>, Error> {
    let Some(body) = request.body_mut().take() else { return Ok(Some(Bytes::new())) };
    let read = match body.as_bytes() {
        Some(bytes) => Ok(Bytes::copy_from_slice(bytes)),
        None => Limited::new(body, limit).collect().await.map(http_body_util::Collected::to_bytes),
    };
    let bytes = match read {
        Ok(bytes) if bytes.len() <= limit => bytes,
        Ok(_) => return Ok(None),
        Err(err) if err.is::<LengthLimitError>() => return Ok(None),
        Err(err) => return Err(own(err)),
    };
    *request.body_mut() = Some(bytes.clone().into());
    Ok(Some(bytes))
}

/// Returns the error of a body that the program itself streams.
fn own(err: BoxError) -> Error {
    match err.downcast::<reqwest::Error>() {
        Ok(err) => Error::Reqwest(*err),
        Err(err) => Error::middleware(std::io::Error::other(err)),
    }
}

fn asked<'a>(request: &'a Request, body: &'a [u8]) -> Asked<'a> {
    Asked { method: request.method().as_str(), url: request.url().as_str(), headers: request.headers(), body }
}

/// Lets the client call, and passes the reply on.
async fn call(
    live: Live,
    mut request: Request,
    extensions: &mut Extensions,
    next: Next<'_>,
) -> Result<Response, Error> {
    request.headers_mut().remove(ACCEPT_ENCODING);
    let url = request.url().clone();
    let reply = match live.wait(next.run(request, extensions)).await {
        Ok(reply) => reply,
        Err(Error::Reqwest(err)) if class(&err).is_none() => {
            let what =
                format!("{} was not sent, or not answered: {}", live.shown(), failure::said(failure::chain(&err)));
            live.refuse(Wiring::new(
                what,
                "mend the request, or follow no redirects: the client's failure cannot be recorded",
            ));
            return Err(Error::Reqwest(err));
        }
        Err(Error::Reqwest(err)) => {
            live.error(class(&err).unwrap_or(TransportClass::Closed), &err);
            return Err(Error::Reqwest(err));
        }
        Err(Error::Middleware(err)) => {
            let what = format!("a middleware between the cassette and the client failed {}: {err}", live.shown());
            live.refuse(Wiring::new(
                what,
                "give the client `.with(cassette.middleware())` after every other middleware",
            ));
            return Err(Error::Middleware(err));
        }
    };
    if !is_same(reply.url(), &url) {
        let what = format!("the client followed a redirect of {} by itself, where no cassette sees it", live.shown());
        let help = "build the client with `redirect(Policy::none())`, or give it `cassette.base_url(..)`, which records each hop";
        return Err(Error::middleware(live.refuse(Wiring::new(what, help))));
    }
    let (parts, body) = hyper::Response::<Body>::from(reply).into_parts();
    let (head, body) = live.reply((parts.status, &parts.headers), body).map_err(Error::middleware)?;
    Ok(response(&url, &head, body))
}

/// Returns the response that a client is given, the same live and replayed.
fn response(url: &Url, head: &Recorded, body: Stream<Body>) -> Response {
    let headers = body.headers(head);
    let (mut parts, ()) = response::Builder::new().url(url.clone()).body(()).unwrap_or_default().into_parts();
    parts.status = head.status;
    parts.headers = headers;
    Response::from(hyper::Response::from_parts(parts, Body::wrap(body)))
}

/// Returns the class of a client's failure; `None` where it is none of the transport.
fn class(err: &reqwest::Error) -> Option<TransportClass> {
    if err.is_builder() || err.is_redirect() {
        None
    } else if err.is_timeout() {
        Some(TransportClass::Timeout)
    } else if err.is_connect() {
        Some(connect_class(err))
    } else {
        Some(failure::exchange_class(err))
    }
}

fn is_same(a: &Url, b: &Url) -> bool {
    let [a, b] = [a, b].map(|url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    });
    a == b
}
