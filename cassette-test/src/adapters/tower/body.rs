//! The body of a reply.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};

use crate::adapters::stream::BoxError;

/// The body of a reply behind a [`CassetteLayer`](super::CassetteLayer), recorded or live.
pub struct ReplyBody(UnsyncBoxBody<Bytes, BoxError>);

impl ReplyBody {
    /// Returns a body whose type is forgotten.
    pub(super) fn new(body: impl Body<Data = Bytes, Error = BoxError> + Send + 'static) -> ReplyBody {
        ReplyBody(body.boxed_unsync())
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.0).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

impl fmt::Debug for ReplyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyBody").finish_non_exhaustive()
    }
}
