//! Replaying what was recorded, and comparing it byte for byte with the source.

use std::time::Duration;

use cargo_cassette::import::Exchange;
use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::redact::{Depth, Rules, Secrets, placeholders, redact_call, redact_error, redact_reply};
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Session, Step};
use cassette_core::tape::Tape;

use crate::shelf::{Kept, plan};

#[derive(Default)]
pub(crate) struct Replay {
    pub(crate) exact: usize,
    pub(crate) hidden: usize,
    pub(crate) wrong: Vec<String>,
}

/// Replays every call of a file, in this order, and compares each answer with what redaction leaves of the source.
pub(crate) fn replayed(kept: &Kept, exchanges: &[Exchange], order: &[usize]) -> Replay {
    let mut replay = Replay::default();
    if kept.tape.interactions.len() != exchanges.len() {
        replay.wrong.push(format!("{} exchanges became {}", exchanges.len(), kept.tape.interactions.len()));
        return replay;
    }
    let session = match Session::open(plan(&kept.store, Mode::Replay)) {
        Ok(session) => session,
        Err(report) => return Replay { wrong: vec![report.to_string()], ..replay },
    };
    let left = redacted(exchanges);
    for &i in order {
        let exchange = &exchanges[i];
        let (asked, answered) = &left[i];
        let served = match session.begin(exchange.call.clone()) {
            Step::Serve(served) => served.outcome,
            other => {
                replay.wrong.push(format!("exchange {}: not served: {other:?}", i + 1));
                return replay;
            }
        };
        let same_request = same_request_as(
            kept.tape.interactions[i].call().expect("an import holds whole requests"),
            asked,
            &exchange.call,
        );
        let same_reply = same_reply_as(&served, answered, &exchange.reply);
        match same_request.and_then(|request| Ok(request & same_reply?)) {
            Ok(true) => replay.exact += 1,
            Ok(false) => replay.hidden += 1,
            Err(what) => replay.wrong.push(format!("exchange {}: {what}", i + 1)),
        }
    }
    let verdict = session.finish(BodyEnd::Passed);
    replay.wrong.extend(verdict.reports.iter().map(|report| report.to_string()));
    replay
}

/// Returns what redaction leaves of the exchanges of a file.
pub(crate) fn redacted(exchanges: &[Exchange]) -> Vec<(Call, Outcome)> {
    let rules = Rules::default();
    let mut secrets = Secrets::default();
    let one = |Exchange { call, reply, .. }: &Exchange| {
        let asked = redact_call(call, &rules, Depth::Known, &mut secrets);
        let left = match reply {
            Outcome::Reply(reply) => Outcome::Reply((*redact_reply(reply, call, &rules, &mut secrets)).clone()),
            Outcome::Error(error) => Outcome::Error((*redact_error(error, &rules, &mut secrets)).clone()),
        };
        ((*asked).clone(), left)
    };
    exchanges.iter().map(one).collect()
}

/// Cuts each reply's body into up to ten pieces, anywhere.
pub(crate) fn in_other_pieces(exchanges: &mut [Exchange], numbers: &mut Numbers) {
    let replies = exchanges.iter_mut().filter_map(|exchange| match &mut exchange.reply {
        Outcome::Reply(reply) if !reply.chunks.is_empty() => Some(reply),
        _ => None,
    });
    for reply in replies {
        let body = reply.body();
        let mut cuts: Vec<usize> = (0..numbers.below(10)).map(|_| numbers.below(body.len())).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let piece = |cut: &[usize]| Chunk { bytes: body[cut[0]..cut[1]].to_vec(), at: Some(Duration::ZERO) };
        reply.chunks = cuts.windows(2).map(piece).collect();
    }
}

/// Returns the positions of a file's interactions in another order, equal requests among themselves in theirs.
pub(crate) fn another_order(tape: &Tape, numbers: &mut Numbers) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tape.interactions.len()).collect();
    (1..order.len()).rev().for_each(|i| order.swap(i, numbers.below(i + 1)));
    let key = |i: usize| tape.interactions[i].key();
    let mut unused: Vec<usize> = (0..order.len()).collect();
    let first_of_its_key = |i: usize| {
        let at = unused.iter().position(|other| key(*other) == key(i)).expect("each stands once in the order");
        unused.remove(at)
    };
    order.into_iter().map(first_of_its_key).collect()
}

/// The same numbers in every run (Knuth's MMIX generator).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

/// Returns whether the file has the source's own request, or one from which redaction took something.
pub(crate) fn same_request_as(kept: &Call, left: &Call, source: &Call) -> Result<bool, String> {
    let parts = |call: &Call| [call.name.clone().into_bytes(), call.body.clone()].map(|part| without_numbers(&part));
    if parts(kept) != parts(left) {
        let (kept, left) = (parts(kept).concat(), parts(left).concat());
        return Err(format!("the request is another: {}", first_difference(left.as_bytes(), kept.as_bytes())));
    }
    Ok((&kept.name, &kept.body) == (&source.name, &source.body))
}

/// Returns whether the answer is the source's own, byte for byte and piece for piece, or what redaction left of it.
pub(crate) fn same_reply_as(served: &Outcome, left: &Outcome, source: &Outcome) -> Result<bool, String> {
    let (source, left, served) = match (source, left, served) {
        (Outcome::Reply(source), Outcome::Reply(left), Outcome::Reply(served)) => (source, left, served),
        (source, _, served) if source == served => return Ok(true),
        _ => return Err("the failure is another".to_owned()),
    };
    if source.status != served.status {
        return Err("the status is another".to_owned());
    }
    // A volatile header has a stand-in, unless a later request took its value up.
    let headers = |reply: &Reply| {
        let header = |(name, value): &(String, String)| (name.clone(), without_numbers(value.as_bytes()));
        reply.headers.iter().map(header).collect::<Vec<_>>()
    };
    let (was, is_left, is) = (headers(source), headers(left), headers(served));
    let is_either = |i: usize| is_left.get(i) == Some(&is[i]) || was.get(i) == Some(&is[i]);
    if was.len() != is.len() || !(0..is.len()).all(is_either) {
        return Err(format!("the headers are others: {is:?}, and not {is_left:?}"));
    }
    if pieces(source) == pieces(served) {
        return Ok(true);
    }
    let is_hidden = placeholders(&String::from_utf8_lossy(&left.body())).next().is_some();
    let unnumbered = |reply: &Reply| pieces(reply).iter().map(|piece| without_numbers(piece)).collect::<Vec<_>>();
    if !is_hidden || unnumbered(left) != unnumbered(served) {
        return Err(format!("the body is another: {}", first_difference(&left.body(), &served.body())));
    }
    Ok(false)
}

pub(crate) fn pieces(reply: &Reply) -> Vec<Vec<u8>> {
    reply.chunks.iter().map(|chunk| chunk.bytes.clone()).collect()
}

/// Returns a text in which every placeholder has the same number: they are numbered by the whole file.
pub(crate) fn without_numbers(piece: &[u8]) -> String {
    let text = String::from_utf8_lossy(piece).into_owned();
    let mut found: Vec<_> = placeholders(&text).map(str::to_owned).collect();
    found.sort_by_key(|placeholder| std::cmp::Reverse(placeholder.len()));
    found.iter().fold(text.clone(), |text, placeholder| {
        let stem = placeholder.rsplit_once('.').map_or("", |(stem, _)| stem);
        text.replace(placeholder.as_str(), &format!("{stem}.N"))
    })
}

pub(crate) fn first_difference(left: &[u8], served: &[u8]) -> String {
    let at = left.iter().zip(served).take_while(|(left, served)| left == served).count();
    let around =
        |bytes: &[u8]| String::from_utf8_lossy(&bytes[at.saturating_sub(30)..bytes.len().min(at + 30)]).into_owned();
    format!("at byte {at} `{}`, and not `{}`", around(served), around(left))
}
