//! The questions, and what the answers do.

use std::collections::BTreeSet;
use std::io::{BufRead as _, IsTerminal as _};

use cassette_core::store::Store as _;
use cassette_core::upkeep::{Candidate, Refusal};

use super::super::accept::tally;
use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::settling::{Of, SettlingError, Waiting, refused};
use super::answer::{Answer, KEYS, parse};
use super::page::{self, Page};
use crate::output::{Ink, Line, Output, count};

/// What was settled so far.
#[derive(Default)]
struct Settled {
    accepted: usize,
    rejected: usize,
    /// What becomes of all that follows, where that was said.
    rest: Option<Answer>,
}

/// Asks about each file, and returns how many are still pending.
pub(super) fn ask(all: &[Waiting], around: &Surroundings, output: &mut Output) -> Result<usize, Failure> {
    let mut settled = Settled::default();
    for (i, waiting) in all.iter().enumerate() {
        match settled.rest {
            Some(Answer::AcceptAll) => {
                let candidate = waiting.candidate();
                let accepted = candidate.and_then(|candidate| accept(waiting, &candidate));
                told(waiting, accepted, &mut settled, output)?;
            }
            Some(Answer::RejectAll) => rejected(waiting, &mut settled, output)?,
            Some(_) => {}
            None => {
                if i > 0 {
                    output.gap()?;
                }
                page::title(waiting, (i, all.len()), output)?;
                one(waiting, around, &mut settled, output)?;
            }
        }
    }
    let left = all.len() - settled.accepted - settled.rejected;
    output.gap()?;
    output.line(&Line::of(&tally(settled.accepted, settled.rejected, left)))?;
    Ok(left)
}

/// Asks about one file until it is settled or skipped.
fn one(waiting: &Waiting, around: &Surroundings, settled: &mut Settled, output: &mut Output) -> Result<(), Failure> {
    let page = match Page::of(waiting) {
        Ok(page) => {
            page.head(waiting, around, output)?;
            Some(page)
        }
        Err(refusal) => {
            page::unreadable(waiting, &refusal, output)?;
            None
        }
    };
    let calls = page.as_ref().map_or(0, |page| page.candidate.tape().interactions.len());
    let (mut at, mut dropped, mut shown) = (0, BTreeSet::new(), None);
    loop {
        if let Some(page) = page.as_ref().filter(|_| calls > 0 && shown != Some(at)) {
            output.gap()?;
            page.call(at, output)?;
            shown = Some(at);
        }
        let Some(answer) = question(at, calls, dropped.contains(&at), output)? else {
            settled.rest = Some(Answer::Quit);
            return Ok(());
        };
        match (answer, &page) {
            (Answer::Accept | Answer::AcceptAll, Some(page)) => {
                settled.rest = (answer == Answer::AcceptAll).then_some(answer);
                let left =
                    if dropped.is_empty() { Ok(page.candidate.clone()) } else { page.candidate.without(&dropped) };
                let accepted = left.and_then(|left| accept(waiting, &left));
                let is_refused = accepted.is_err();
                told(waiting, accepted, settled, output)?;
                if !is_refused || settled.rest.is_some() {
                    return Ok(());
                }
            }
            (Answer::Reject | Answer::RejectAll, _) => {
                settled.rest = (answer == Answer::RejectAll).then_some(answer);
                return rejected(waiting, settled, output);
            }
            (Answer::Skip, _) => return Ok(()),
            (Answer::Quit, _) => {
                settled.rest = Some(answer);
                return Ok(());
            }
            (Answer::Drop, Some(page)) if calls > 0 => {
                let was = dropped.clone();
                if !dropped.remove(&at) {
                    dropped.insert(at);
                }
                match proof(waiting, page, &dropped) {
                    Err(refusal) => {
                        let of = Of::Pending(page.candidate.tape().head.test.as_deref());
                        refused(&waiting.spot.name, &refusal, of, output)?;
                        dropped = was;
                    }
                    Ok(left) => {
                        let verb = if dropped.contains(&at) { "drops" } else { "keeps" };
                        let what =
                            format!("{verb} call {} once the file is accepted: {} then", at + 1, count(left, "call"));
                        output.line(&Line::of("  ").ink(Ink::Warn, &what))?;
                        at = (at + 1).min(calls - 1);
                    }
                }
            }
            (Answer::Next, _) if at + 1 < calls => at += 1,
            (Answer::Back, _) if at > 0 => at -= 1,
            (Answer::Next | Answer::Back, _) => {
                let what = if answer == Answer::Next { "that was the last call" } else { "that was the first call" };
                output.line(&Line::of("  ").ink(Ink::Faint, &format!("{what}; accept, reject or skip the file")))?;
            }
            (Answer::Help, _) => help(output)?,
            (Answer::Accept | Answer::AcceptAll | Answer::Drop, _) => {
                output.line(&Line::of("  ").ink(Ink::Bad, "it cannot be read; reject or skip it"))?;
            }
        }
    }
}

/// Asks until the answer is one; `None` where nobody answers any more.
fn question(at: usize, calls: usize, dropped: bool, output: &mut Output) -> Result<Option<Answer>, Failure> {
    let place = if calls > 0 { format!("call {} of {calls}", at + 1) } else { "the file".to_owned() };
    let place = if dropped { format!("{place}, dropped") } else { place };
    loop {
        let keys: Vec<_> = KEYS.iter().map(|(key, ..)| *key).collect();
        let prompt = Line::new().ink(Ink::Voice, &place).plain(&format!(" [{}] ", keys.join(",")));
        output.prompt(&prompt)?;
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if read.map_err(|error| Failure::Settling(SettlingError::Answers(error)))? == 0 {
            output.gap()?;
            return Ok(None);
        }
        // A terminal has shown it already.
        if !std::io::stdin().is_terminal() {
            output.line(&Line::of(line.trim()))?;
        }
        match parse(&line) {
            Some(answer) => return Ok(Some(answer)),
            None => {
                let what = format!("`{}` is none of the answers", line.trim());
                output.line(&Line::of("  ").ink(Ink::Bad, &what))?;
                help(output)?;
            }
        }
    }
}

fn help(output: &mut Output) -> Result<(), Failure> {
    for (key, _, what) in KEYS {
        output.line(&Line::of("  ").ink(Ink::Strong, key).plain(&format!("  {what}")))?;
    }
    Ok(())
}

/// Proves what would be left, and returns how many calls that are. What is refused whatever is dropped is told when it is
/// accepted.
fn proof(waiting: &Waiting, page: &Page, dropped: &BTreeSet<usize>) -> Result<usize, Refusal> {
    let left = page.candidate.without(dropped)?;
    match left.prove(&waiting.store(), &waiting.known(left.name())?) {
        Err(refusal @ Refusal::Broken(_)) => Err(refusal),
        _ => Ok(left.tape().interactions.len()),
    }
}

fn accept(waiting: &Waiting, candidate: &Candidate) -> Result<String, Refusal> {
    let becomes = page::becomes(waiting, candidate.tape());
    candidate.accept(&waiting.store(), &waiting.known(candidate.name())?)?;
    Ok(becomes)
}

/// Tells what became of a file that was to be accepted.
fn told(
    waiting: &Waiting,
    accepted: Result<String, Refusal>,
    settled: &mut Settled,
    output: &mut Output,
) -> Result<(), Failure> {
    let name = &waiting.spot.name;
    match accepted {
        Err(refusal) => {
            let test = waiting.candidate().ok().and_then(|candidate| candidate.tape().head.test.clone());
            refused(name, &refusal, Of::Pending(test.as_deref()), output)
        }
        Ok(becomes) => {
            settled.accepted += 1;
            let line = Line::of("  ").ink(Ink::Good, "accepted ").ink(Ink::Strong, name);
            Ok(output.line(&line.plain(&format!(": {becomes}")))?)
        }
    }
}

fn rejected(waiting: &Waiting, settled: &mut Settled, output: &mut Output) -> Result<(), Failure> {
    let name = &waiting.spot.name;
    if let Err(error) = waiting.store().drop_pending(name) {
        return refused(name, &error.into(), Of::Pending(None), output);
    }
    settled.rejected += 1;
    Ok(output.line(&Line::of("  ").ink(Ink::Warn, "rejected ").ink(Ink::Strong, name))?)
}
