//! Where no screen can be had: a call, then a line that says which is next.

use std::io::BufRead;

use super::super::transcript::Detail;
use super::reel::Reel;
use crate::output::{Ink, Line, Output};

/// What lines may say.
const HELP: &str = "enter next · - back · 12 call 12 · /text search · d next difference · v everything · q quit";

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// Show this call.
    Show(usize, Detail),
    /// Tell this.
    Tell(String),
    /// It is enough.
    Quit,
}

/// Shows one call after the other, as the lines say.
pub(super) fn run(reel: &Reel, start: usize, lines: &mut dyn BufRead, output: &mut Output) -> std::io::Result<()> {
    output.line(&Line::new().ink(Ink::Strong, &reel.title).ink(Ink::Faint, &format!("  {}", reel.facts)))?;
    output.line(&Line::new().ink(Ink::Faint, HELP))?;
    let mut at = start;
    let mut needle = String::new();
    let mut said = Said::Show(at, Detail::Brief);
    loop {
        match &said {
            Said::Quit => return Ok(()),
            Said::Tell(what) => output.line(&Line::new().ink(Ink::Warn, what))?,
            Said::Show(step, detail) => {
                at = *step;
                output.gap()?;
                let width = output.width().unwrap_or(usize::MAX / 2);
                reel.lines(at, *detail, width).iter().try_for_each(|line| output.line(line))?;
            }
        }
        output.line(&Line::new().ink(Ink::Faint, &format!("call {} of {}", at + 1, reel.len())))?;
        output.flush()?;
        let mut line = String::new();
        said = if lines.read_line(&mut line)? == 0 { Said::Quit } else { answer(line.trim(), at, &mut needle, reel) };
    }
}

fn answer(line: &str, at: usize, needle: &mut String, reel: &Reel) -> Said {
    let brief = |step: usize| Said::Show(step, Detail::Brief);
    match line {
        "" if at + 1 < reel.len() => brief(at + 1),
        "" => Said::Tell("this is the last call".to_owned()),
        "-" if at > 0 => brief(at - 1),
        "-" => Said::Tell("this is the first call".to_owned()),
        "q" => Said::Quit,
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
