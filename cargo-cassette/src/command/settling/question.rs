//! What a person is told before a recording is settled.

use cargo_cassette::presentable::presentable_text;
use cassette_core::upkeep::Candidate;

use super::refused::{Of, help};
use super::verdict::{Comes, Verdict, proved};
use super::waiting::Waiting;
use crate::output::{Advice, Ink, Line, count};

/// Returns why a recording was not taken over: the reason, and what was found.
pub(in crate::command) fn why(candidate: &Candidate) -> Vec<Line> {
    let pending = candidate.pending();
    let mut lines =
        vec![Line::of("  ").ink(Ink::Warn, &format!("not taken over: {}", presentable_text(pending.reason.words())))];
    lines.extend(pending.found.iter().map(|line| Line::of(&format!("    {}", presentable_text(line)))));
    lines
}

/// Returns why a recording cannot be accepted as it is, and what to do; nothing where it can.
pub(in crate::command) fn against(waiting: &Waiting, candidate: &Candidate, advice: &Advice) -> Vec<Line> {
    let Err(refusal) = proved(waiting, candidate) else { return Vec::new() };
    let text = presentable_text(&refusal.to_string());
    let first = text.lines().next().unwrap_or_default();
    let help = help(&waiting.spot, &refusal, Of::Pending(candidate.tape().head.test.as_deref()));
    vec![
        Line::of("  ").ink(Ink::Bad, &format!("cannot be accepted: {first}")),
        Line::of("    ").ink(Ink::Faint, &format!("help: {}", presentable_text(&advice.here(&help)))),
    ]
}

/// Returns what comes of a recording, if this is said of it: of one that is refused nothing does.
pub(in crate::command) fn consequence(verdict: Verdict, waiting: &Waiting, candidate: &Candidate) -> Line {
    let text = match Comes::of(verdict, waiting, candidate.tape()) {
        Comes::Becomes(becomes) => format!("  accepted, {becomes}"),
        Comes::Goes(calls) => {
            let file = waiting.shelf.spot(&waiting.spot.name);
            let stays = match file.path.is_file() {
                true => format!(", and {} stays as it is", file.place()),
                false => format!("; there is no {}", file.place()),
            };
            let calls = calls.map(|calls| format!(", with {}", count(calls, "call"))).unwrap_or_default();
            format!("  rejected, {} goes{calls}{stays}", waiting.spot.place())
        }
    };
    Line::of(&text)
}
