//! Everything that is promised of the exchanges of one file.

use cargo_cassette::import::Exchange;
use cassette_core::dialect::{Dialect, detect, provider};
use cassette_core::reply::Outcome;
use cassette_core::tape::Tape;
use cassette_core::view::view;

use crate::address::expected;
use crate::leaves;
use crate::replay::replayed;
use crate::said::{said, viewed};
use crate::shelf::recorded;
use crate::tally::Tally;

/// What the exchanges of a file came to.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) tally: Tally,
    pub(crate) wrong: Vec<String>,
    pub(crate) vouched: Vec<String>,
    pub(crate) tape: Option<Tape>,
}

/// Whether exchanges can replay at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replays {
    /// They are whole, and must.
    ByteForByte,
    /// Bytes are lost.
    Never,
}

/// Checks every promise.
pub(crate) fn check(exchanges: &[Exchange], replays: Replays) -> Checked {
    let mut checked = Checked::default();
    for (i, exchange) in exchanges.iter().enumerate() {
        let before = checked.wrong.len();
        let dialect = checked.recognise(exchange);
        let found = leaves::check(&exchange.call, dialect);
        checked.tally.reordered.add(found.reordered);
        checked.tally.leaves.add(found.changed);
        checked.tally.untried += found.untried;
        checked.wrong.extend(found.wrong);
        checked.read(exchange, dialect);
        let name: String = exchange.call.name.chars().take(90).collect();
        checked.wrong[before..].iter_mut().for_each(|what| *what = format!("exchange {}, {name}: {what}", i + 1));
    }
    if replays == Replays::ByteForByte {
        checked.replay(exchanges);
    }
    checked
}

impl Checked {
    /// Checks who answers and in which language, and returns what is expected of it.
    fn recognise(&mut self, exchange: &Exchange) -> Option<Dialect> {
        let call = &exchange.call;
        let Some(expected) = expected(&call.name) else {
            self.tally.recognised.note(false);
            self.wrong.push("the address is not listed".to_owned());
            return detect(call);
        };
        let found = (detect(call), provider(call));
        let right = found.0 == expected.dialect && (expected.provider.is_empty() || found.1 == expected.provider);
        self.tally.recognised.note(right);
        if !right {
            self.wrong.push(format!("recognised as {found:?}, and not as {expected:?}"));
        }
        expected.dialect
    }

    /// Checks that the view says what the reply says, and nothing of a call that speaks no dialect.
    fn read(&mut self, exchange: &Exchange, dialect: Option<Dialect>) {
        let Outcome::Reply(reply) = &exchange.reply else { return };
        let view = view(&exchange.call, reply);
        let told = match (dialect, &view) {
            (Some(dialect), Some(view)) if reply.status >= 400 => {
                view.error.is_none().then(|| format!("{dialect:?}: the view tells of no error"))
            }
            (Some(dialect), _) => {
                let said = said(dialect, reply);
                let viewed = view.as_ref().map(viewed).unwrap_or_default();
                (said != viewed).then(|| format!("{dialect:?}: the view says {viewed:?}, and the reply {said:?}"))
            }
            (None, view) => view.as_ref().map(|view| format!("there is a view, {view:?}")),
        };
        self.tally.views.note(told.is_none());
        self.wrong.extend(told);
    }

    /// Checks that the cassette made of the exchanges replays byte for byte.
    fn replay(&mut self, exchanges: &[Exchange]) {
        if exchanges.is_empty() {
            return;
        }
        self.tally.replayed.of += exchanges.len();
        match recorded(exchanges) {
            Err(why) => self.wrong.push(format!("not saved: {why}")),
            Ok(kept) => {
                let in_order: Vec<usize> = (0..exchanges.len()).collect();
                let replay = replayed(&kept, exchanges, &in_order);
                self.tally.replayed.right += replay.exact + replay.hidden;
                self.tally.hidden += replay.hidden;
                self.wrong.extend(replay.wrong);
                self.vouched.extend(kept.vouched);
                self.tape = Some(kept.tape);
            }
        }
    }
}
