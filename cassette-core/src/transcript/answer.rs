//! What was answered.

use super::body::body;
use super::enclosed::in_reply;
use super::question::{called, text_or_json};
use super::{Entry, Exchange, What};
use crate::account::tokens;
use crate::call::{Call, Kind};
use crate::reply::{Outcome, Reply, Truncation};
use crate::view::{Choice, ReplyError, ReplyView, view};

/// Reads how a call ended.
pub(super) fn read(exchange: &mut Exchange, call: &Call, outcome: &Outcome) {
    match outcome {
        Outcome::Error(error) => {
            exchange.answer.push(Entry::new(What::Error, format!("{} error", error.class.as_str()), &error.message));
        }
        Outcome::Reply(reply) if call.kind != Kind::Http => {
            let (what, label) = match (reply.is_failure(), reply.is_stream()) {
                (true, _) => (What::Error, "failed"),
                (false, true) => (What::Returned, "streamed"),
                (false, false) => (What::Returned, "returned"),
            };
            let value = body(&reply.body(), Some(reply.header("content-type").unwrap_or("application/json")), label);
            exchange.answer.extend(value.into_iter().map(|entry| Entry { what, ..entry }));
            exchange.answer.extend(truncated(reply));
        }
        Outcome::Reply(reply) => {
            exchange.answer.push(Entry::new(What::Status, "answered", reply.status.to_string()));
            let view = view(call, reply);
            exchange.usage = tokens(call, reply);
            match view.filter(says_something) {
                Some(view) => {
                    exchange.answer.extend(words(view));
                    let files = in_reply(&reply.body()).into_iter();
                    exchange.answer.extend(files.map(|file| Entry::of_file("assistant shows", file)));
                }
                None => exchange.answer.extend(body(&reply.body(), reply.header("content-type"), "body")),
            }
            exchange.answer.extend(truncated(reply));
        }
    }
}

fn says_something(view: &ReplyView) -> bool {
    let ReplyView { text, reasoning, tool_calls, refusal, error, others, .. } = view;
    let silent = text.is_empty() && reasoning.is_empty() && tool_calls.is_empty() && others.is_empty();
    let tells_an_error = error.as_ref().is_some_and(says_what);
    !(silent && refusal.is_none() && !tells_an_error) || view.finish.as_deref().is_some_and(is_out_of_room)
}

/// Returns whether an error says anything: of one without a body the status is all that is known.
fn says_what(error: &ReplyError) -> bool {
    error.kind.is_some() || error.code.is_some() || !error.message.trim().is_empty()
}

/// Returns whether an answer ended since it may not be longer: a model that thinks may then have said nothing.
fn is_out_of_room(finish: &str) -> bool {
    ["length", "max_tokens", "max_output_tokens", "model_length"].iter().any(|end| finish.eq_ignore_ascii_case(end))
}

fn words(view: ReplyView) -> Vec<Entry> {
    let ReplyView { text, reasoning, tool_calls, finish, refusal, others, error, .. } = view;
    let mut entries = choice(Choice { text, reasoning, tool_calls, finish, refusal });
    for (i, other) in others.into_iter().enumerate() {
        let numbered = |entry: Entry| Entry { label: format!("{} ({})", entry.label, i + 2), ..entry };
        entries.extend(choice(other).into_iter().map(numbered));
    }
    entries.extend(error.filter(says_what).map(|error| {
        let kind = error.kind.or(error.code).map_or("error".to_owned(), |kind| format!("error {kind}"));
        Entry::new(What::Error, kind, text_or_json(&error.message))
    }));
    entries
}

fn choice(choice: Choice) -> Vec<Entry> {
    let said = [(What::Thought, "thinks", choice.reasoning), (What::Said, "assistant", choice.text)];
    let said = said.into_iter().filter(|(.., text)| !text.trim().is_empty());
    let mut entries: Vec<_> = said.map(|(what, label, text)| Entry::new(what, label, text)).collect();
    entries.extend(choice.tool_calls.iter().map(called));
    let is_silent = entries.is_empty() && choice.refusal.is_none();
    if is_silent && choice.finish.as_deref().is_some_and(is_out_of_room) {
        entries.push(Entry::new(What::Said, "assistant", "(nothing)"));
    }
    entries.extend(choice.refusal.map(|refusal| Entry::new(What::Refusal, "refuses", refusal)));
    entries.extend(choice.finish.map(|finish| Entry::new(What::Finish, "finish", finish)));
    entries
}

fn truncated(reply: &Reply) -> Option<Entry> {
    let is_bare = reply.chunks.iter().all(|chunk| chunk.bytes.is_empty());
    let by = match (reply.truncated?, is_bare) {
        (Truncation::Client | Truncation::Left, false) => "here: the program stopped reading",
        (Truncation::Client | Truncation::Left, true) => "here: the program read nothing of what was answered",
        (Truncation::Upstream, false) => "here: the connection to the upstream broke",
        (Truncation::Upstream, true) => "here: the connection to the upstream broke before anything of the body came",
    };
    Some(Entry::new(What::Truncated, "cut", by))
}
