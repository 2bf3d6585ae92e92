//! What is kept of a live stream, until it ends.

use std::ops::Range;
use std::task::Poll;
use std::time::Instant;

use cassette_core::busy::Busy;
use cassette_core::function::{Codec, items, read_item, write_item};
use cassette_core::reply::{Chunk, Reply, Truncation};

use super::start::Running;
use crate::inside;

/// The longest stream that is recorded, in bytes: it is kept in memory until it ends, since a secret may come piece by piece.
const LONGEST: usize = 256 << 20;

/// What is kept of a live stream.
pub(super) struct Kept {
    running: Running,
    items: Vec<Chunk>,
    bytes: usize,
    step: Step,
    /// Since when the program waits for an item, if it does.
    awaited: Option<Instant>,
    /// When the function was at work: until it gave the stream, and while that was asked for an item.
    busy: Vec<Range<Instant>>,
}

/// Where a live stream stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The program has what it asked for.
    Resting,
    /// The stream is asked for an item: if this is where it stays, it has panicked.
    Asked,
    /// An item cannot be kept, and the cassette has failed.
    Lost,
    /// It has given all it had.
    Ended,
}

impl Kept {
    /// Returns what is kept of the stream of this function.
    pub(super) fn new(running: Running) -> Kept {
        let busy = vec![running.start()..Instant::now()];
        Kept { running, items: Vec::new(), bytes: 0, step: Step::Resting, awaited: None, busy }
    }

    /// Asks the stream for an item; what it calls meanwhile is a part of the function.
    pub(super) fn ask<T>(&mut self, stream: impl FnOnce() -> Poll<T>) -> Poll<T> {
        let since = self.awaited.unwrap_or_else(Instant::now);
        let before = std::mem::replace(&mut self.step, Step::Asked);
        let given = inside::run(&self.running.inside(), stream);
        self.step = before;
        self.awaited = given.is_pending().then_some(since);
        if given.is_ready() {
            self.busy.push(since..Instant::now());
        }
        given
    }

    /// Keeps an item. A failure to is latched; the program gets its item all the same.
    pub(super) fn take<R>(&mut self, item: &R, codec: &impl Codec<R>) {
        if self.step == Step::Lost || !self.running.records() {
            return;
        }
        match write_item(codec, item, self.items.len(), self.running.elapsed()) {
            Ok(item) => {
                self.bytes += item.bytes.len();
                self.items.push(item);
                if self.bytes > LONGEST {
                    self.running.too_long(LONGEST);
                    self.step = Step::Lost;
                }
            }
            Err(loss) => {
                self.running.lossy(&loss);
                self.step = Step::Lost;
            }
        }
    }

    /// Notes that the stream has given all it had.
    pub(super) fn end(&mut self) {
        if self.step == Step::Resting {
            self.step = Step::Ended;
        }
    }

    /// Lets go of the stream, which may call something as it goes, and files what it gave.
    pub(super) fn file<R, S>(mut self, stream: S, codec: &impl Codec<R>) {
        let since = self.awaited.unwrap_or_else(Instant::now);
        inside::run(&self.running.inside(), || drop(stream));
        self.busy.push(since..Instant::now());
        let end = match self.step {
            Step::Asked => return self.running.panicked(),
            Step::Lost => return self.running.forget(),
            Step::Resting if self.awaited.is_some() => Some(Truncation::Client),
            Step::Resting => Some(Truncation::Left),
            Step::Ended => None,
        };
        self.running.file(Reply::stream(self.items, end), Busy::only(self.busy), |reply| {
            let items = items(reply)?;
            items.iter().enumerate().try_for_each(|(i, item)| read_item(codec, item, i).map(drop))
        });
    }
}
