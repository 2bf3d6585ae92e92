//! What changed in what was answered.

use std::collections::BTreeSet;

use super::leaves::{Leaf, Stream, leaves};
use super::question::header_changes;
use super::{Aspect, Change};
use crate::account::{Tokens, tokens};
use crate::call::Kind;
use crate::dialect;
use crate::difference::{Said, between};
use crate::json::{Json, Layout};
use crate::reply::{Outcome, Reply, Truncation};
use crate::tape::Interaction;
use crate::view::{Choice, ReplyView, ToolCall, documents_of, view};
use crate::volatile::Slots;

/// Returns what changed between two answers, how many places differ that change with every recording, how a stream was cut among them, and
/// whether a model's reply says the same and is spelled otherwise.
pub(super) fn changes(ours: &Interaction, theirs: &Interaction) -> (Vec<Change>, usize, bool) {
    let mut changes = of(Aspect::Ending, ending(&ours.outcome), ending(&theirs.outcome));
    let (Outcome::Reply(old), Outcome::Reply(new)) = (&ours.outcome, &theirs.outcome) else {
        return (changes, 0, false);
    };
    let (mut noise, mut is_respelled) = (0, false);
    let calls = [ours.asked.known(), theirs.asked.known()];
    match (view(&calls[0], old), view(&calls[1], new)) {
        (Some(a), Some(b)) => {
            let counted = [tokens(&calls[0], old), tokens(&calls[1], new)];
            let ends = of(Aspect::Ending, end_mark(old), end_mark(new));
            changes = [words(&a, &b), changes, ends, counts_of(counted)].concat();
            let counts = if counted[0] == counted[1] { Counts::Same } else { Counts::Differ };
            let (rest, more) = rest(Slots::of(&calls[0]), [(old, &a), (new, &b)], counts);
            changes.extend(rest);
            noise += more;
            if changes.is_empty() && noise == 0 && old.body() != new.body() {
                is_respelled = say_the_same(old, new);
                noise += usize::from(!is_respelled);
            }
        }
        _ => changes = [bodies(old, new), changes].concat(),
    }
    let (headers, more) = header_changes(&old.headers, &new.headers);
    changes.extend(headers);
    (changes, noise + more, is_respelled)
}

/// Returns whether two bodies are the same documents, however they are spelled.
fn say_the_same(old: &Reply, new: &Reply) -> bool {
    let [ours, theirs] = [old, new].map(|reply| documents_of(&reply.body()));
    ours.iter().map(Json::canonical).eq(theirs.iter().map(Json::canonical))
}

/// Returns all that changed in a call. Where one side alone failed, that is told first, and what follows from it last and as such.
pub(super) fn after(asked: Vec<Change>, answered: Vec<Change>, sides: [&Interaction; 2]) -> Vec<Change> {
    if is_failure(sides[0]) == is_failure(sides[1]) {
        return [asked, answered].concat();
    }
    let is_ending = |change: &Change| change.aspect == Aspect::Ending && change.difference.path != "finish";
    let (mut endings, mut rest): (Vec<_>, Vec<_>) = answered.into_iter().partition(is_ending);
    endings.sort_by_key(|change| change.difference.path != "status");
    // What is no model's has nothing but its body to tell why.
    let is_model = sides.iter().all(|side| dialect::detect(&side.asked.known()).is_some());
    rest.iter_mut().for_each(|change| change.follows = is_model);
    [endings, asked, rest].concat()
}

fn is_failure(interaction: &Interaction) -> bool {
    match &interaction.outcome {
        Outcome::Error(_) => true,
        Outcome::Reply(reply) if interaction.asked.kind() == Kind::Http => reply.status >= 400,
        Outcome::Reply(reply) => reply.is_failure(),
    }
}

type Fields = Vec<(String, Said)>;

fn of(aspect: Aspect, ours: Fields, theirs: Fields) -> Vec<Change> {
    between(ours, theirs).into_iter().map(|difference| Change::of(aspect, difference)).collect()
}

/// Returns how a call ended, by itself.
fn ending(outcome: &Outcome) -> Fields {
    let text = |name: &str, text: &str| (name.to_owned(), Said::Text(text.to_owned()));
    match outcome {
        Outcome::Error(error) => vec![text("error", error.class.as_str()), text("error.message", &error.message)],
        Outcome::Reply(reply) => {
            let mut fields = vec![("status".to_owned(), Said::Json(u64::from(reply.status).into()))];
            fields.extend(reply.truncated.map(|by| match by {
                Truncation::Client | Truncation::Left => text("truncated", "by the program"),
                Truncation::Upstream => text("truncated", "by the upstream"),
            }));
            // Of gRPC they are the outcome.
            fields.extend(reply.trailers.iter().map(|(name, value)| text(&format!("@trailer.{name}"), value)));
            fields
        }
    }
}

/// Returns the mark that ends a stream, where it has one: a client may wait for it.
fn end_mark(reply: &Reply) -> Fields {
    let has_it =
        reply.body().split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| line.trim_ascii_end() == b"data: [DONE]");
    has_it.then(|| ("stream.end".to_owned(), Said::Text("[DONE]".to_owned()))).into_iter().collect()
}

/// Returns what changed in the words of two replies.
fn words(a: &ReplyView, b: &ReplyView) -> Vec<Change> {
    let text = |name: &str, text: &str| {
        if text.is_empty() { Vec::new() } else { vec![(name.to_owned(), Said::Text(text.to_owned()))] }
    };
    let each = |aspect: Aspect, fields: &dyn Fn(&ReplyView) -> Fields| of(aspect, fields(a), fields(b));
    let mut changes = each(Aspect::Answer, &|view| {
        let first = text("text", &view.text);
        let others = view.others.iter().enumerate();
        first
            .into_iter()
            .chain(others.flat_map(|(i, other)| text(&format!("choices[{}].text", i + 1), &other.text)))
            .collect()
    });
    changes.extend(each(Aspect::Thought, &|view| text("reasoning", &view.reasoning)));
    changes.extend(each(Aspect::ToolCall, &|view| {
        let calls = calls(&view.tool_calls);
        calls
            .into_iter()
            .chain(view.others.iter().flat_map(|Choice { tool_calls, .. }| self::calls(tool_calls)))
            .collect()
    }));
    changes.extend(each(Aspect::Model, &|view| text("reply.model", view.model.as_deref().unwrap_or_default())));
    changes.extend(each(Aspect::Ending, &|view| {
        let error = view.error.clone().unwrap_or_default();
        let parts = [
            ("finish", view.finish.clone()),
            ("refusal", view.refusal.clone()),
            ("error.kind", error.kind),
            ("error.code", error.code),
            ("error.message", Some(error.message)),
        ];
        parts.into_iter().flat_map(|(name, said)| text(name, said.as_deref().unwrap_or_default())).collect()
    }));
    changes
}

/// Returns which tokens are counted otherwise, in the shape in which an account has them.
fn counts_of(counted: [Option<Tokens>; 2]) -> Vec<Change> {
    let fields = |tokens: Option<Tokens>| {
        let kinds = tokens.unwrap_or_default().kinds().into_iter();
        kinds.filter_map(|(kind, count)| Some((format!("tokens.{kind}"), Said::Json(count?.into())))).collect()
    };
    let [ours, theirs] = counted.map(fields);
    of(Aspect::Usage, ours, theirs)
}

/// Whether two replies count the same tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    Same,
    Differ,
}

/// Returns the calls that a model asks for as one list, without their ids.
fn calls(calls: &[ToolCall]) -> Fields {
    let arguments = |text: &str| Json::parse(text).unwrap_or_else(|_| text.into());
    let one = |call: &ToolCall| {
        Json::object([("name", call.name.as_str().into()), ("arguments", arguments(&call.arguments))])
    };
    if calls.is_empty() {
        Vec::new()
    } else {
        vec![("tool_calls".to_owned(), Said::Json(calls.iter().map(one).collect::<Vec<_>>().into()))]
    }
}

/// Returns what changed in two replies that are no model's: by their bytes where they are one document that is spelled otherwise, since
/// a program may read `1` and not `1.0`.
fn bodies(old: &Reply, new: &Reply) -> Vec<Change> {
    let [ours, theirs] = [old, new].map(Reply::body);
    let changed =
        |ours: Said, theirs: Said| of(Aspect::Answer, vec![(String::new(), ours)], vec![(String::new(), theirs)]);
    let changes = changed(said_in(&ours), said_in(&theirs));
    if changes.is_empty() { changed(Said::Bytes(ours), Said::Bytes(theirs)) } else { changes }
}

fn said_in(bytes: &[u8]) -> Said {
    let json = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text).ok());
    json.map_or_else(|| Said::Bytes(bytes.to_vec()), Said::Json)
}

/// Returns what changed beside the words, and how much of what changes with every recording.
fn rest(slots: Slots, sides: [(&Reply, &ReplyView); 2], counted: Counts) -> (Vec<Change>, usize) {
    let documents = sides.map(|(reply, _)| documents_of(&reply.body()));
    let is_stream =
        |documents: &Vec<Json>| documents.len() > 1 && documents.iter().all(|it| matches!(it, Json::Object(_)));
    let stream = if documents.iter().any(is_stream) { Stream::Yes } else { Stream::No };
    let [old, new] = documents.map(|documents| leaves(&documents, stream));
    let views = sides.map(|(_, view)| view);
    let words = views.map(said);
    // The words are cut into other pieces, or are others: else no word explains what differs.
    let words_differ = stream == Stream::Yes || words[0] != words[1];
    let (mut changes, mut noise) = (Vec::new(), 0);
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths {
        let sides = [old.get(path), new.get(path)];
        let values = sides.map(|leaf| leaf.map_or(&[][..], |leaf| leaf.values.as_slice()));
        if values[0].iter().map(|value| value.canonical()).eq(values[1].iter().map(|value| value.canonical())) {
            continue;
        }
        let is_volatile = |leaf: &Leaf| slots.at(&leaf.place, &Json::Null, &Json::Null).is_some();
        if sides.into_iter().flatten().any(is_volatile) {
            noise += 1;
        } else if !(words_differ && is_told(path, values, &words) || counted == Counts::Differ && counts(path, values))
        {
            let field = |values: &[Json]| match values {
                [] => Vec::new(),
                [only] => vec![(path.clone(), Said::Json(only.clone()))],
                several => vec![(path.clone(), Said::Json(several.to_vec().into()))],
            };
            changes.extend(of(Aspect::Reply, field(values[0]), field(values[1])));
        }
    }
    (changes, noise)
}

/// Returns everything that a view says in words, of which a stream's pieces are pieces.
fn said(view: &ReplyView) -> Vec<String> {
    let calls = view.tool_calls.iter().chain(view.others.iter().flat_map(|other| &other.tool_calls));
    let mut said: Vec<String> = calls.flat_map(|call| [call.name.clone(), call.arguments.clone()]).collect();
    let others = view.others.iter().flat_map(|other| [&other.text, &other.reasoning]);
    said.extend([&view.text, &view.reasoning].into_iter().chain(others).cloned());
    let error =
        view.error.iter().flat_map(|error| [error.kind.clone(), error.code.clone(), Some(error.message.clone())]);
    said.extend([&view.finish, &view.refusal, &view.model].into_iter().cloned().chain(error).flatten());
    said
}

/// Returns whether every value that only one side has is one which that side's view tells.
fn is_told(path: &str, values: [&[Json]; 2], words: &[Vec<String>; 2]) -> bool {
    let is_argument = ["arguments", "args", "input"].iter().any(|name| path.split('.').any(|step| step == *name));
    let told = |value: &Json, words: &[String]| match value {
        Json::String(text) => words.iter().any(|said| said.contains(&*text.value())),
        // Arguments that are an object, whose leaves these are.
        other => is_argument && words.iter().any(|said| said.contains(&other.print(Layout::Compact))),
    };
    (0..2).all(|side| {
        let other = values[1 - side];
        let own = values[side].iter().filter(|value| !other.contains(value));
        own.into_iter().all(|value| told(value, &words[side]))
    })
}

/// Returns whether a path counts tokens, in any provider's words.
fn counts(path: &str, values: [&[Json]; 2]) -> bool {
    let path = path.to_ascii_lowercase();
    let are_numbers = values.iter().flat_map(|side| side.iter()).all(|value| matches!(value, Json::Number(_)));
    are_numbers && ["usage", "token", "billed_units", "_count"].iter().any(|word| path.contains(word))
}
