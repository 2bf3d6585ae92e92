//! Where no screen can be had: a call, then a line that says which is next.

use std::io::BufRead;

use super::super::settling::Verdict;
use super::super::transcript::Detail;
use super::offer::Offer;
use super::reel::Reel;
use super::screen::{heading, prompt};
use super::state::{Next, STAYS, Stand, State};
use crate::output::{Ink, Line, Output};

/// What lines may say where a recording waits to be settled.
const SETTLING: &str = "a accept what is pending · r reject it";

/// What lines may say.
const HELP: &str = "enter next · - back · 12 call 12 · /text search · d next difference · v everything · q quit";

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// Show this call.
    Show(usize, Detail),
    /// Tell this.
    Tell(String),
    /// This is to be said of the recording that is shown.
    Say(Verdict),
    /// It is enough.
    Quit,
}

/// Shows one call after the other, as the lines say.
pub(super) fn run(
    reel: &Reel,
    offer: Option<&Offer>,
    state: &mut State,
    lines: &mut dyn BufRead,
    output: &mut Output,
) -> std::io::Result<()> {
    let width = output.width();
    let mut head = vec![heading(reel, &state.stand, None), Line::new().ink(Ink::Faint, HELP)];
    head.extend((state.stand == Stand::Waiting).then(|| Line::new().ink(Ink::Faint, SETTLING)));
    head.iter().flat_map(|line| line.wrapped(width)).try_for_each(|line| output.line(&line))?;
    let mut needle = String::new();
    let mut said = Said::Show(state.step, Detail::Brief);
    loop {
        match &said {
            Said::Quit => return Ok(()),
            Said::Tell(what) => output.line(&Line::new().ink(Ink::Warn, what))?,
            Said::Say(verdict) => settle(*verdict, offer, state, lines, output)?,
            Said::Show(step, detail) => {
                state.step = *step;
                output.gap()?;
                let width = width.unwrap_or(usize::MAX / 2);
                reel.lines(state.step, *detail, width).iter().try_for_each(|line| output.line(line))?;
            }
        }
        output.line(&Line::new().ink(Ink::Faint, &format!("call {} of {}", state.step + 1, reel.len())))?;
        let line = read(lines, output)?;
        said = line.map_or(Said::Quit, |line| answer(line.trim(), state.step, &mut needle, reel));
    }
}

/// Asks what is asked before a recording is settled, and settles it where the answer is yes.
fn settle(
    verdict: Verdict,
    offer: Option<&Offer>,
    state: &mut State,
    lines: &mut dyn BufRead,
    output: &mut Output,
) -> std::io::Result<()> {
    let (Next::Do(_), Some(offer)) = (state.say(verdict), offer) else {
        return output.line(&Line::new().ink(Ink::Warn, &state.note));
    };
    let question = offer.question(verdict);
    let width = output.width();
    question.lines.iter().flat_map(|line| line.wrapped(width)).try_for_each(|line| output.line(&line))?;
    state.ask(question);
    output.line(&Line::new().ink(Ink::Warn, &prompt(&state.panel)))?;
    if read(lines, output)?.is_some_and(|line| line.trim() == "y") {
        state.settled(offer.settle(verdict));
        state.last.iter().flat_map(|line| line.wrapped(width)).try_for_each(|line| output.line(&line))
    } else {
        output.line(&Line::new().ink(Ink::Warn, STAYS))
    }
}

/// Reads a line; `None` where nobody says anything any more.
fn read(lines: &mut dyn BufRead, output: &mut Output) -> std::io::Result<Option<String>> {
    output.flush()?;
    let mut line = String::new();
    Ok((lines.read_line(&mut line)? > 0).then_some(line))
}

fn answer(line: &str, at: usize, needle: &mut String, reel: &Reel) -> Said {
    let brief = |step: usize| Said::Show(step, Detail::Brief);
    match line {
        "" if at + 1 < reel.len() => brief(at + 1),
        "" => Said::Tell("this is the last call".to_owned()),
        "-" if at > 0 => brief(at - 1),
        "-" => Said::Tell("this is the first call".to_owned()),
        "q" => Said::Quit,
        "a" => Said::Say(Verdict::Accept),
        "r" => Said::Say(Verdict::Reject),
        "v" => Said::Show(at, Detail::Full),
        "d" => {
            let next = (1..reel.len()).map(|i| (at + i) % reel.len()).find(|step| reel.differs(*step));
            next.map_or(Said::Tell("no other call differs".to_owned()), brief)
        }
        line => match (line.strip_prefix('/'), line.parse()) {
            (Some(text), _) => {
                if !text.is_empty() {
                    *needle = text.to_lowercase();
                }
                let next = (1..=reel.len()).map(|i| (at + i) % reel.len()).find(|step| reel.says(*step, needle));
                next.map_or(Said::Tell(format!("nobody says {needle:?}")), brief)
            }
            (None, Ok(number)) => match reel.numbered(number) {
                Some(step) => brief(step),
                None => Said::Tell(format!("there is no call {number}")),
            },
            (None, Err(_)) => Said::Tell(HELP.to_owned()),
        },
    }
}
