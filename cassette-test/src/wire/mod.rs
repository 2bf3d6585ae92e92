//! What every seam for HTTP does the same way: the gateway and the adapters within a client.
//!
//! A call is taken to a [`desk`], which says what becomes of it. A recorded reply is played back ([`playback`]); a live one
//! passes through a [`tee`], which keeps a copy of each piece and never asks for the next before the client does, and is filed
//! once whatever becomes of it ([`filing`]). Seams translate between these and what their client speaks.
//!
//! The invariants: what a client sees does not depend on whether it was recorded or replayed, save for time; and a live call
//! is filed once, or the session misses it at its end and says so.

mod limits;

mod reads;

mod desk;

mod headers;

mod held;

mod refused;

mod alarm;
mod rhythm;

mod cut;

#[cfg(feature = "_live")]
mod coding;
#[cfg(feature = "_live")]
#[cfg_attr(not(feature = "record"), allow(dead_code, reason = "not every adapter asks for all of it"))]
pub(crate) mod failure;
#[cfg(feature = "_live")]
mod filing;
#[cfg(feature = "_live")]
mod tee;

mod waiting;

mod playback;

#[cfg(feature = "_adapters")]
pub(crate) use cut::Cut;
pub(crate) use desk::{Desk, File, Ruling, place, truncated};
#[cfg(feature = "_adapters")]
pub(crate) use headers::Recorded;
pub(crate) use headers::{asked, belongs_to_connection, map, recorded, takes_trailers, value_of};
pub(crate) use held::{Held, Silence};
pub(crate) use limits::Limits;
pub(crate) use playback::Playback;
pub(crate) use reads::Reads;
pub(crate) use refused::{too_long, websocket};
pub(crate) use rhythm::{Clock, Pause, Rhythm};
pub(crate) use waiting::{Player, Waiting};

#[cfg(feature = "_live")]
pub(crate) use filing::Filing;
#[cfg(feature = "_live")]
pub(crate) use headers::arrived;
#[cfg(feature = "_live")]
pub(crate) use tee::{Keeper, Tee};
