//! A recording without some of its interactions.

use std::collections::BTreeSet;

use super::Refusal;
use crate::agreement::agree;
use crate::call::Call;
use crate::renaming::Renaming;
use crate::tape::{Interaction, Tape};

/// Returns the tape without these interactions and what was asked during them, the others in their order.
pub(super) fn without(tape: &Tape, positions: &BTreeSet<usize>) -> Result<Tape, Refusal> {
    let goes = |i: usize, interaction: &Interaction| {
        positions.contains(&i) || interaction.within.is_some_and(|function| positions.contains(&function))
    };
    let all = || tape.interactions.iter().enumerate();
    let gone: BTreeSet<usize> = all().filter(|(i, interaction)| goes(*i, interaction)).map(|(i, _)| i).collect();
    if gone.len() == tape.interactions.len() {
        return Err(Refusal::Empty);
    }
    let needed = needed(tape, &gone);
    if !needed.is_empty() {
        return Err(Refusal::Needed(needed));
    }
    let moved = |i: usize| i - gone.range(..i).count();
    let mut kept = Vec::new();
    // Whether what goes was the first of those that overlapped, so that the next one is.
    let mut opens = false;
    for (i, interaction) in all() {
        if gone.contains(&i) {
            opens |= !interaction.overlaps;
            continue;
        }
        let within = interaction.within.map(moved);
        let overlaps = interaction.overlaps && !(opens && within.is_none());
        opens = false;
        kept.push(Interaction { within, overlaps, ..interaction.clone() });
    }
    Ok(Tape { head: tape.head.clone(), interactions: kept })
}

/// Returns which requests that stay hold an id that only replies give which go.
fn needed(tape: &Tape, gone: &BTreeSet<usize>) -> Vec<String> {
    let ids = |interaction: &Interaction| {
        let (call, outcome) = (interaction.asked.known(), &interaction.outcome);
        agree(&call, outcome, outcome, &mut Renaming::default()).named
    };
    let named: Vec<_> = tape.interactions.iter().map(ids).collect();
    let mut lines = Vec::new();
    for giver in gone {
        for (taker, interaction) in tape.interactions.iter().enumerate().skip(giver + 1) {
            let Some(call) = interaction.call().filter(|_| !gone.contains(&taker)) else { continue };
            let given = |id: &&String| {
                let elsewhere = (0..taker).any(|i| !gone.contains(&i) && named[i].contains(*id));
                !elsewhere && holds(call, id)
            };
            if let Some(id) = named[*giver].iter().find(given) {
                lines.push(format!("interaction {} takes `{id}` from interaction {}", taker + 1, giver + 1));
            }
        }
    }
    lines
}

fn holds(call: &Call, id: &str) -> bool {
    let body = String::from_utf8_lossy(&call.body);
    call.name.contains(id) || body.contains(id) || call.headers.iter().any(|(_, value)| value.contains(id))
}
