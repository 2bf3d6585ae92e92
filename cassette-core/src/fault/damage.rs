//! What becomes of the chunks of a body.

use super::What;
use crate::reply::{Chunk, Reply, Truncation};

/// Damages a reply, or cuts it into other pieces.
///
/// # Errors
///
/// Fails with the reason where this reply has no such place.
pub(super) fn damage(reply: &mut Reply, what: &What) -> Result<(), String> {
    match *what {
        What::CutAfter(chunks) => end(reply, chunks, Truncation::Upstream),
        What::StallAfter(chunks) => end(reply, chunks, Truncation::Client),
        What::Garbage(chunk) => {
            let count = reply.chunks.len();
            let found = chunk.checked_sub(1).and_then(|i| reply.chunks.get_mut(i));
            found.map(|chunk| chunk.bytes.fill(0xFF)).ok_or_else(|| short(count))
        }
        What::ByteByByte => {
            let bytes =
                |chunk: &Chunk| chunk.bytes.iter().map(|byte| Chunk { bytes: vec![*byte], at: chunk.at }).collect();
            let pieces: Vec<Chunk> = reply.chunks.iter().flat_map(|chunk| -> Vec<Chunk> { bytes(chunk) }).collect();
            if pieces.len() < 2 {
                return Err("the recorded body is too short to be split".to_owned());
            }
            reply.chunks = pieces;
            Ok(())
        }
        What::SplitAt(at) => {
            let mut body = reply.body();
            if at == 0 || at >= body.len() {
                return Err(format!("the recorded body has {} bytes", body.len()));
            }
            let time = reply.chunks.first().and_then(|chunk| chunk.at);
            let rest = body.split_off(at);
            reply.chunks = [body, rest].map(|bytes| Chunk { bytes, at: time }).to_vec();
            Ok(())
        }
        What::Status { .. } | What::Reset | What::Stall | What::EverySplit | What::EveryCut | What::Misused => Ok(()),
    }
}

fn end(reply: &mut Reply, chunks: usize, by: Truncation) -> Result<(), String> {
    if chunks > reply.chunks.len() {
        return Err(short(reply.chunks.len()));
    }
    reply.chunks.truncate(chunks);
    reply.trailers.clear();
    reply.truncated = Some(by);
    Ok(())
}

fn short(chunks: usize) -> String {
    format!("the recorded body has {chunks} chunk{}", if chunks == 1 { "" } else { "s" })
}
