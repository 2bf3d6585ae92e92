//! Adapters within a client: for code that is built on one of these shapes already, they do without the gateway's socket.
//!
//! Each has a feature of its own, off by default, and takes one line of the test; the handle gives it. It translates a
//! client's request into a call and an answer back, and nothing more: what becomes of the call is the session's affair, as it
//! is behind the gateway.
//!
//! | feature | for | the line |
//! |---|---|---|
//! | `reqwest-middleware` | reqwest-middleware 0.5, on reqwest 0.13 | `.with(cassette.middleware())`, after every other middleware |
//! | `reqwest-middleware-04` | reqwest-middleware 0.4, on reqwest 0.12 | the same |
//! | `tower` | any `tower::Service` of `http` requests, such as hyper-util's client | `cassette.layer().layer(client)` |
//! | `tower` | tonic's clients, unary and streaming from the server | `cassette.layer().origin(url).body(tonic::body::Body::new).layer(channel)` |
//! | `ureq` | ureq 3 | `.middleware(cassette.middleware())` |
//! | `rmcp` | rmcp 3: MCP servers in the same process or as a child of it | `.serve(cassette.mcp(transport))` |
//! | `aws-smithy` | the SDKs of AWS, Bedrock among them | `.http_client(cassette.http_client(client))` |
//!
//! But for ureq's, the client calls live by itself, with its own TLS, so that nothing else is needed to record: the feature
//! `record` may be off. While a call is live, the network guard lets the client reach its host; in a replay it lets nothing through.
//!
//! A reply is passed on piece by piece and kept as it passes; recorded chunks come back as the frames of a body. It is
//! the same reply live and replayed, so what says something of one connection is in neither: connection headers, the HTTP
//! version, the peer's address. No coding is asked for in a client's name, but in that of an
//! AWS SDK, whose requests are signed; a body that comes coded all the same is decoded.
//! A body that came in one piece is announced with its length in a replay, though it may have come without one.
//! Trailers are kept, and come back after the last frame. A stream that the program sends is read to its end first.
//! ureq's agents do much of their work below a middleware, so theirs leads to the gateway instead, whatever the URL.
//! Another client that follows redirects itself hides them from its adapter: such a reply cannot be recorded, and the test is told.
//! So it is where a client has two of them, one below the other, which would record each call twice.
#![cfg_attr(
    not(any(
        feature = "reqwest-middleware",
        feature = "reqwest-middleware-04",
        feature = "tower",
        feature = "aws-smithy"
    )),
    allow(dead_code, reason = "the middleware of ureq leads to the gateway")
)]

mod calling;

mod seam;

mod stream;

mod live;

mod failed;

#[cfg(any(feature = "reqwest-middleware", feature = "reqwest-middleware-04", feature = "ureq"))]
mod middleware;

#[cfg(feature = "aws-smithy")]
mod aws;

#[cfg(feature = "reqwest-middleware-04")]
#[cfg_attr(feature = "reqwest-middleware", expect(clippy::duplicate_mod, reason = "the same for two majors"))]
mod reqwest_012;
#[cfg(feature = "reqwest-middleware")]
mod reqwest_013;
#[cfg(feature = "rmcp")]
mod rmcp;
#[cfg(feature = "tower")]
mod tower;
#[cfg(feature = "ureq")]
mod ureq;

#[cfg(feature = "aws-smithy")]
pub use aws::CassetteHttpClient;
pub use failed::Failed;
#[cfg(any(feature = "reqwest-middleware", feature = "reqwest-middleware-04", feature = "ureq"))]
pub use middleware::Middleware;
#[cfg(feature = "rmcp")]
pub use rmcp::{CassetteTransport, TransportFailed};
#[cfg(feature = "tower")]
pub use tower::{By, CassetteLayer, CassetteService, FromBytes, Make, ReplyBody};
