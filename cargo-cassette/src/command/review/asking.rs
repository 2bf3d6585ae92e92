//! The questions, and what the answers do.

use std::collections::BTreeSet;
use std::io::{BufRead as _, IsTerminal as _};

use cassette_core::upkeep::{Candidate, Refusal};

use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::settling::{
    Comes, Refused, Run, SettlingError, Verdict, Waiting, proved, refused, settle, settle_unseen,
};
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
            Some(answer) => {
                if let Some(verdict) = answer.verdict() {
                    let comes = settle_unseen(verdict, waiting, Run::Real);
                    told(verdict, waiting, comes, &mut settled, output)?;
                }
            }
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
                let test = page.candidate.tape().head.test.clone();
                let left = left(page, &dropped).map_err(|refusal| Refused::Pending(refusal, test));
                let comes = left.and_then(|left| settle(Verdict::Accept, waiting, &left, Run::Real));
                let is_refused = comes.is_err();
                told(Verdict::Accept, waiting, comes, settled, output)?;
                if !is_refused || settled.rest.is_some() {
                    return Ok(());
                }
            }
            (Answer::Reject | Answer::RejectAll, page) => {
                settled.rest = (answer == Answer::RejectAll).then_some(answer);
                let comes = match page {
                    Some(page) => settle(Verdict::Reject, waiting, &page.candidate, Run::Real),
                    None => settle_unseen(Verdict::Reject, waiting, Run::Real),
                };
                return told(Verdict::Reject, waiting, comes, settled, output);
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
                        let test = page.candidate.tape().head.test.clone();
                        refused(&waiting.spot, &Refused::Pending(refusal, test), output)?;
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

/// Returns the recording without what is dropped.
fn left(page: &Page, dropped: &BTreeSet<usize>) -> Result<Candidate, Refusal> {
    if dropped.is_empty() { Ok(page.candidate.clone()) } else { page.candidate.without(dropped) }
}

/// Proves what would be left, and returns how many calls that are. What is refused whatever is dropped is told when it is
/// accepted.
fn proof(waiting: &Waiting, page: &Page, dropped: &BTreeSet<usize>) -> Result<usize, Refusal> {
    let left = left(page, dropped)?;
    match proved(waiting, &left) {
        Err(refusal @ Refusal::Broken(_)) => Err(refusal),
        _ => Ok(left.tape().interactions.len()),
    }
}

/// Tells what became of a file, and counts it.
fn told(
    verdict: Verdict,
    waiting: &Waiting,
    comes: Result<Comes, Refused>,
    settled: &mut Settled,
    output: &mut Output,
) -> Result<(), Failure> {
    match comes {
        Err(why) => refused(&waiting.spot, &why, output),
        Ok(comes) => {
            match verdict {
                Verdict::Accept | Verdict::Replace => settled.accepted += 1,
                Verdict::Reject => settled.rejected += 1,
            }
            let verb = Line::of("  ").ink(verdict.ink(), verdict.past());
            Ok(output.line(&comes.told(verb, &waiting.spot.label()))?)
        }
    }
}

/// Returns how many were settled, in words.
fn tally(accepted: usize, rejected: usize, left: usize) -> String {
    let left = if left == 0 { "nothing is left".to_owned() } else { format!("{} left", count(left, "recording")) };
    format!("{accepted} accepted, {rejected} rejected, {left}")
}
