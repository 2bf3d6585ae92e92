//! What is shown of a recording that was not taken over.

use cargo_cassette::comparison::{Comparison, Fate};
use cargo_cassette::listing::facts;
use cargo_cassette::presentable::presentable_text;
use cassette_core::alignment::Pair;
use cassette_core::json::Json;
use cassette_core::tape::Tape;
use cassette_core::transcript::{Exchange, transcript};
use cassette_core::upkeep::{Candidate, Refusal};

use super::super::around::Surroundings;
use super::super::diff::{call, exchange, heading};
use super::super::failure::Failure;
use super::super::settling::{Of, Verdict, Waiting, against, becomes, beside, consequence, help, proved, why};
use super::super::status::{recorded, tokens_of};
use super::super::transcript::{Detail, content};
use crate::output::{Ink, Line, Output, count, wrap};

/// A recording that was not taken over, beside the file that it would replace.
pub(super) struct Page {
    pub(super) candidate: Candidate,
    /// The recording as it may be shown.
    tape: Tape,
    comparison: Option<Comparison>,
    exchanges: [Vec<Exchange>; 2],
}

impl Page {
    pub(super) fn of(waiting: &Waiting) -> Result<Page, Refusal> {
        let candidate = waiting.candidate()?;
        let tape = waiting.presentable(&candidate);
        let comparison = beside(waiting, &tape);
        let before = match comparison.as_ref().map(|comparison| &comparison.fate) {
            Some(Fate::Kept(kept)) => transcript(&kept.0.interactions),
            _ => Vec::new(),
        };
        let exchanges = [before, transcript(&tape.interactions)];
        Ok(Page { candidate, tape, comparison, exchanges })
    }

    /// Prints the top: why it was not taken over first, then what it is, and what would become of the file.
    pub(super) fn head(&self, waiting: &Waiting, around: &Surroundings, output: &mut Output) -> Result<(), Failure> {
        why(&self.candidate).into_iter().try_for_each(|line| output.line(&line.fitted(output.width())))?;
        let against = against(waiting, &self.candidate, output.advice());
        let width = output.width();
        against.iter().flat_map(|line| line.wrapped(width)).try_for_each(|line| output.line(&line))?;
        let facts = facts(self.candidate.tape(), &around.today);
        let mut told = vec![count(facts.calls, "call")];
        told.extend(recorded(&facts));
        told.extend(facts.owner.as_ref().map(|owner| format!("test {owner}")));
        told.extend(Some(tokens_of(&facts)).filter(|tokens| !tokens.is_empty()));
        for line in wrap(&told.join(" · "), output.width().map(|width| width - 2)) {
            output.line(&Line::of("  ").ink(Ink::Faint, &line))?;
        }
        if against.is_empty() {
            let comes = consequence(Verdict::Accept, waiting, &self.candidate);
            output.line(&comes.fitted(output.width()))?;
        }
        Ok(())
    }

    /// Prints a call of the recording: what changed in it, or what it says. Those that are gone stand where they stood, before it, or
    /// behind it where it is the last.
    pub(super) fn call(&self, position: usize, output: &mut Output) -> Result<(), Failure> {
        let pairs = self.kept().map_or(&[][..], |(_, pairs)| pairs);
        let at = pairs.iter().position(|pair| pair.after == Some(position));
        let is_gone = |pair: &&Pair| pair.after.is_none();
        let before = pairs[..at.unwrap_or_default()].iter().rev().take_while(is_gone).collect::<Vec<_>>();
        for pair in before.into_iter().rev() {
            self.pair(pair, output)?;
            output.gap()?;
        }
        self.one(position, at.map(|at| &pairs[at]), output)?;
        for pair in at.map_or(&[][..], |at| &pairs[at + 1..]).iter().take_while(is_gone) {
            if position + 1 == self.exchanges[1].len() {
                output.gap()?;
                self.pair(pair, output)?;
            }
        }
        Ok(())
    }

    fn one(&self, position: usize, pair: Option<&Pair>, output: &mut Output) -> Result<(), Failure> {
        match pair {
            Some(pair) if !pair.is_same() => self.pair(pair, output),
            pair => {
                let (sign, ink) = if pair.is_some() { ("=", Ink::Faint) } else { ("+", Ink::Good) };
                let exchange = &self.exchanges[1][position];
                let head =
                    Line::of("  ").ink(ink, &format!("{sign} {}  ", position + 1)).ink(Ink::Strong, &exchange.name);
                output.line(&head.fitted(output.width()))?;
                let interaction = &self.tape.interactions[position];
                let lines = content(exchange, interaction, Detail::Aside, output.width());
                Ok(lines.iter().try_for_each(|line| output.line(line))?)
            }
        }
    }

    fn kept(&self) -> Option<(&Tape, &[Pair])> {
        match self.comparison.as_ref().map(|comparison| &comparison.fate) {
            Some(Fate::Kept(kept)) => Some((&kept.0, &kept.2.pairs)),
            _ => None,
        }
    }

    fn pair(&self, pair: &Pair, output: &mut Output) -> Result<(), Failure> {
        let Some((before, _)) = self.kept() else { return Ok(()) };
        let (ink, told) = heading(pair);
        let name = exchange(pair, &self.exchanges).map_or("", |exchange| &exchange.name);
        let head = Line::of("  ").ink(ink, &told).plain("  ").ink(Ink::Strong, name);
        output.line(&head.fitted(output.width()))?;
        let lines = call(pair, [before, &self.tape], &self.exchanges, (Detail::Aside, output.width()));
        Ok(lines.iter().try_for_each(|line| output.line(line))?)
    }
}

/// Prints the name of what is settled, and which one of how many it is.
pub(super) fn title(waiting: &Waiting, (i, n): (usize, usize), output: &mut Output) -> Result<(), Failure> {
    let place = if n > 1 { format!("  {} of {n}", i + 1) } else { String::new() };
    let line = Line::new()
        .ink(Ink::Strong, &waiting.spot.label())
        .ink(Ink::Faint, &format!("  {}{place}", waiting.spot.place()));
    Ok(output.line(&line.fitted(output.width()))?)
}

/// Prints all of a recording.
pub(super) fn print(
    waiting: &Waiting,
    place: (usize, usize),
    around: &Surroundings,
    output: &mut Output,
) -> Result<(), Failure> {
    title(waiting, place, output)?;
    match Page::of(waiting) {
        Err(refusal) => unreadable(waiting, &refusal, output),
        Ok(page) => {
            page.head(waiting, around, output)?;
            for position in 0..page.candidate.tape().interactions.len() {
                output.gap()?;
                page.call(position, output)?;
            }
            Ok(())
        }
    }
}

/// Prints that a file cannot be read.
pub(super) fn unreadable(waiting: &Waiting, refusal: &Refusal, output: &mut Output) -> Result<(), Failure> {
    output.line(&Line::of("  ").ink(Ink::Bad, &presentable_text(&waiting.spot.wrong(&refusal.to_string()))))?;
    let under_way = waiting.at_rest().err();
    let refusal = under_way.as_ref().unwrap_or(refusal);
    Ok(output.help("    ", &help(&waiting.spot, refusal, Of::Pending(None)))?)
}

/// Returns what is pending as an object.
pub(super) fn json(waiting: &Waiting) -> Json {
    let mut members = vec![
        ("name", presentable_text(&waiting.spot.name).as_str().into()),
        ("file", presentable_text(&waiting.spot.shown).as_str().into()),
    ];
    match waiting.candidate() {
        Err(refusal) => {
            let absent = ["why", "what", "test", "calls", "becomes"].map(|name| (name, Json::Null));
            members.extend(absent);
            let text: Json = presentable_text(&waiting.spot.wrong(&refusal.to_string())).as_str().into();
            members.extend([("refused", text.clone()), ("error", text)]);
        }
        Ok(candidate) => {
            let pending = candidate.pending();
            let what: Vec<Json> = pending.found.iter().map(|line| presentable_text(line).as_str().into()).collect();
            let refusal = proved(waiting, &candidate).err();
            // Of what is refused nothing comes.
            let becomes = match &refusal {
                Some(_) => Json::Null,
                None => becomes(waiting, candidate.tape()).as_str().into(),
            };
            members.extend([
                ("why", presentable_text(pending.reason.as_str()).as_str().into()),
                ("what", what.into()),
                (
                    "test",
                    candidate
                        .tape()
                        .head
                        .test
                        .as_deref()
                        .map_or(Json::Null, |test| presentable_text(test).as_str().into()),
                ),
                ("calls", (candidate.tape().interactions.len() as u64).into()),
                ("becomes", becomes),
                (
                    "refused",
                    refusal.map_or(Json::Null, |refusal| presentable_text(&refusal.to_string()).as_str().into()),
                ),
            ]);
        }
    }
    Json::object(members)
}
