//! What is looked through with `-i`: a cassette, and what is pending under its name.

use cargo_cassette::presentable::{presentable_text, presented};
use cargo_cassette::seen;
use cassette_core::alignment::diff;
use cassette_core::pending::Pending;
use cassette_core::tape::Tape;

use super::super::around::Surroundings;
use super::super::browse::{Offer, Offered, Reel, Side};
use super::super::by_hand;
use super::super::failure::Failure;
use super::super::in_plain;
use super::super::named::{NoCassette, named};
use super::{ShowError, facts};

/// Returns the cassette that a word means, beside it the recording that would replace it; where there is only that, the recording.
pub(super) fn reel(word: &str, around: &Surroundings) -> Result<(Reel, Offered), Failure> {
    let spot = match named(word, around) {
        Ok(spot) => spot,
        Err(missing @ (NoCassette::Unknown { .. } | NoCassette::Elsewhere { .. } | NoCassette::Pending { .. })) => {
            let offer = Offer::named(word, around).and_then(Result::ok);
            return offer.map(|offer| alone(offer, around)).ok_or(missing.into());
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(Ok(offer)) = Offer::at(&spot.path, around) {
        return Ok(alone(offer, around));
    }
    let seen = seen::of(&spot).map_err(|error| ShowError::Unreadable(spot.clone(), error))?;
    let presented = presented(seen.tape, Some(&spot));
    let tape = presented.tape;
    let in_plain = in_plain::told(presented.in_plain, &seen.by_hand, &spot.typed());
    let in_plain = in_plain.map(|told| format!("{} · ", around.advice.here(&told))).unwrap_or_default();
    let by_hand = by_hand::told(&seen.by_hand).map(|told| format!("{told} · ")).unwrap_or_default();
    let told = by_hand + &in_plain + &told(&tape, around);
    Ok(match Offer::over(&spot, around) {
        Some(Ok(offer)) => {
            let new = offer.tape().clone();
            let alignment = diff(&tape, &new);
            let told = why(&new).map_or(told.clone(), |why| format!("{why} · {told}"));
            let reel = Reel::beside(&spot.label(), &told, (tape, new, alignment), Side::Before);
            (reel, Offered::This(Box::new(offer)))
        }
        Some(Err(refusal)) => {
            let text = refusal.to_string();
            let why = format!("what is pending cannot be read: {}", text.lines().next().unwrap_or_default());
            (Reel::of(&spot.label(), &format!("{why} · {told}"), tape), Offered::Nothing(why))
        }
        None => (Reel::of(&spot.label(), &told, tape), Offered::nothing()),
    })
}

/// Returns a recording that was not taken over, by itself.
fn alone(offer: Offer, around: &Surroundings) -> (Reel, Offered) {
    let told = told(offer.tape(), around);
    let reel = Reel::of(offer.name(), &told, offer.tape().clone());
    (reel, Offered::This(Box::new(offer)))
}

fn told(tape: &Tape, around: &Surroundings) -> String {
    why(tape).into_iter().chain(facts(tape, around)).collect::<Vec<_>>().join(" · ")
}

/// Returns why a recording was not taken over, where it was not.
fn why(tape: &Tape) -> Option<String> {
    Pending::of(&tape.head).map(|pending| presentable_text(pending.reason.words()))
}
