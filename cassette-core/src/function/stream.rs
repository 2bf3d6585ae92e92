//! Streams that functions give: each item is a chunk of its own, a line of JSON.
//!
//! A line is `{"item": value}`, or `{"error": error}` for an item that is an error. As every body of lines it is redacted as a
//! whole, so that a secret is found which comes piece by piece.

use std::time::Duration;

use super::codec::bytes;
use super::{Codec, Misread, Unwritable};
use crate::json::Json;
use crate::path::Step;
use crate::reply::{Chunk, Reply};

/// Writes the item at this position of a stream, which came after so long.
///
/// # Errors
///
/// Fails as [`Codec::encode`] does, with the position.
pub fn write_item<R>(codec: &impl Codec<R>, item: &R, position: usize, at: Duration) -> Result<Chunk, Unwritable> {
    let one = codec.encode(item, at).map_err(|loss| {
        let dot = if loss.path.is_empty() || loss.path.starts_with('[') { "" } else { "." };
        Unwritable { path: format!("[{position}]{dot}{}", loss.path), ..loss }
    })?;
    let name: &[u8] = if one.is_failure() { b"{\"error\":" } else { b"{\"item\":" };
    Ok(Chunk { bytes: [name, &one.body(), b"}\n"].concat(), at: Some(at) })
}

/// Reads the item at this position of a stream.
///
/// # Errors
///
/// Fails as [`Codec::decode`] does, with the position.
pub fn read_item<R>(codec: &impl Codec<R>, chunk: &Chunk, position: usize) -> Result<R, Misread> {
    let line = Json::parse(&String::from_utf8_lossy(&chunk.bytes)).map_err(|error| Misread::whole(error.what));
    let one = line.and_then(|line| match line.members() {
        [(name, value)] if name.is("item") => Ok(Reply::value(bytes(value), chunk.at.unwrap_or_default())),
        [(name, value)] if name.is("error") => Ok(Reply::failure(bytes(value), chunk.at.unwrap_or_default())),
        _ => Err(Misread::whole("what was recorded is no item of a stream")),
    });
    one.and_then(|one| codec.decode(&one)).map_err(|misread| misread.below(Step::Element(position)))
}

/// Returns the items of a recorded stream.
///
/// # Errors
///
/// Fails where one value was recorded, or an error in place of a stream.
pub fn items(reply: &Reply) -> Result<&[Chunk], Misread> {
    match (reply.is_failure(), reply.is_stream()) {
        (true, _) => Err(Misread::whole("an error was recorded, and the function's type has none")),
        (false, false) => Err(Misread::whole("one value was recorded, and the function gives a stream")),
        (false, true) => Ok(&reply.chunks),
    }
}
