//! The key of a request: the same however the request is spelled, and another whatever leaf of it is changed.
//!
//! Which leaves are sampling is told from the documentation, by dialect. A leaf in which redaction hid something is left
//! out: that it may change is what redaction is for. Of a large body leaves are picked at even distances.

use cassette_core::call::Call;
use cassette_core::canonical::Canonical;
use cassette_core::dialect::Dialect::{self, *};
use cassette_core::json::{Json, Layout};
use cassette_core::key::Key;
use cassette_core::matching::Matching;
use cassette_core::redact::{Depth, Rules, Secrets, placeholders, redact_call};

use crate::tally::Count;

/// How many bytes of bodies are spent on the leaves of one request, and how many leaves are changed at least.
const SPENT: (usize, usize) = (80_000, 6);

/// What is sampling: leaves at these places, or within them.
const SAMPLING: &[(&[Dialect], &[&str])] = &[
    (
        &[OpenAiChat, OpenAiResponses, OpenAiCompletions],
        &[
            "temperature",
            "top_p",
            "top_k",
            "min_p",
            "max_tokens",
            "max_completion_tokens",
            "max_output_tokens",
            "seed",
            "random_seed",
            "presence_penalty",
            "frequency_penalty",
            "repetition_penalty",
        ],
    ),
    (&[OpenAiAssistants], &["temperature", "top_p", "max_prompt_tokens", "max_completion_tokens"]),
    (&[OpenAiAudio], &["temperature"]),
    (&[Anthropic], &["temperature", "top_p", "top_k", "max_tokens"]),
    (
        &[Gemini],
        &[
            "generationConfig.temperature",
            "generationConfig.topP",
            "generationConfig.topK",
            "generationConfig.maxOutputTokens",
            "generationConfig.seed",
            "generationConfig.presencePenalty",
            "generationConfig.frequencyPenalty",
            "generation_config.temperature",
            "generation_config.max_output_tokens",
        ],
    ),
    (
        &[GeminiInteractions],
        &[
            "generation_config.temperature",
            "generation_config.top_p",
            "generation_config.seed",
            "generation_config.max_output_tokens",
        ],
    ),
    (
        &[BedrockConverse, BedrockInvoke],
        &["inferenceConfig.temperature", "inferenceConfig.topP", "inferenceConfig.topK", "inferenceConfig.maxTokens"],
    ),
    (
        &[BedrockInvoke],
        &[
            "temperature",
            "top_p",
            "top_k",
            "p",
            "k",
            "max_tokens",
            "max_gen_len",
            "max_tokens_to_sample",
            "textGenerationConfig.temperature",
            "textGenerationConfig.topP",
            "textGenerationConfig.maxTokenCount",
        ],
    ),
    (
        &[CohereV1, CohereV2],
        &["temperature", "p", "k", "max_tokens", "max_input_tokens", "seed", "presence_penalty", "frequency_penalty"],
    ),
    (
        &[Ollama],
        &[
            "options.temperature",
            "options.top_p",
            "options.top_k",
            "options.num_predict",
            "options.seed",
            "options.repeat_penalty",
        ],
    ),
    (
        &[HuggingFace, Watsonx],
        &[
            "parameters.temperature",
            "parameters.top_p",
            "parameters.max_new_tokens",
            "parameters.seed",
            "parameters.random_seed",
        ],
    ),
    (&[MistralConversations], &["completion_args.temperature", "completion_args.max_tokens"]),
    (&[Replicate], &["input.temperature", "input.top_p", "input.max_tokens", "input.seed"]),
    (&[Sourcegraph], &["temperature", "topP", "topK", "maxTokensToSample"]),
];

/// What the leaves of a request came to.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) reordered: Count,
    pub(crate) changed: Count,
    /// Leaves that were not tried: those beyond what is spent, and those in which something is hidden.
    pub(crate) untried: usize,
    pub(crate) wrong: Vec<String>,
}

/// Spells a request otherwise, and changes its leaves one by one.
pub(crate) fn check(call: &Call, dialect: Option<Dialect>) -> Leaves {
    let call = (*redacted(call)).clone();
    let whole = key(&call);
    let mut found = Leaves::default();
    found.reordered.note(key(&respelled(&call)) == whole);
    if found.reordered.is_short() {
        found.wrong.push("spelled otherwise it has another key".to_owned());
    }
    let changes = changes(&call);
    let spent = (SPENT.0 / call.body.len().max(1)).max(SPENT.1);
    let stride = changes.len().div_ceil(spent).max(1);
    found.untried = changes.len() - changes.iter().step_by(stride).count();
    for Change { path, hidden, make } in changes.iter().step_by(stride) {
        if *hidden {
            found.untried += 1;
            continue;
        }
        let counts = !is_sampling(dialect, path) && !is_volatile(dialect, path);
        let sound = (key(&make(&call)) != whole) == counts;
        found.changed.note(sound);
        if !sound {
            found.wrong.push(format!("{path} {}", if counts { "does not count" } else { "counts" }));
        }
    }
    found
}

fn redacted(call: &Call) -> cassette_core::redact::RedactedCall {
    redact_call(call, &Rules::default(), Depth::Known, &mut Secrets::default())
}

/// Returns the key of a request, as it is compared by default.
pub(crate) fn key(call: &Call) -> Key {
    Canonical::of(&redacted(call), &Matching::default()).key()
}

fn is_sampling(dialect: Option<Dialect>, path: &str) -> bool {
    let settings = SAMPLING.iter().filter(|(spoken, _)| dialect.is_some_and(|dialect| spoken.contains(&dialect)));
    settings
        .flat_map(|(_, settings)| *settings)
        .any(|setting| path.strip_prefix(setting).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.'])))
}

/// Returns whether the documentation names the leaf as one that is left out: the time in a message's metadata.
fn is_volatile(dialect: Option<Dialect>, path: &str) -> bool {
    let of_message = |list: &str| path.starts_with(&format!("{list}[")) && path.ends_with("].metadata.timestamp");
    dialect.is_some()
        && (path == "metadata.timestamp"
            || ["messages", "input", "contents", "chat_history"].into_iter().any(of_message))
}

/// Returns the same request with its members and parameters the other way round, other white space, other escapes and
/// another boundary.
fn respelled(call: &Call) -> Call {
    let mut other = call.clone();
    if let Some((line, query)) = call.name.split_once('?') {
        let parameters: Vec<_> = query.split('&').rev().collect();
        other.name = format!("{line}?{}", parameters.join("&"));
    }
    if let Some(json) = json(call) {
        other.body = turned(&json).print(Layout::Indent(3)).into_bytes();
        return other;
    }
    if let Some(boundary) = boundary(call) {
        let new = "----another-boundary";
        other.headers.iter_mut().for_each(|(_, value)| *value = value.replace(boundary, new));
        let text: String = call.body.iter().map(|byte| char::from(*byte)).collect();
        let text = text.replace(&format!("--{boundary}"), &format!("--{new}"));
        other.body = text.chars().map(|c| u8::try_from(u32::from(c)).expect("a byte each")).collect();
    }
    other
}

fn turned(json: &Json) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.iter().map(turned).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().rev().map(|(name, value)| (name.ascii(), turned(value))).collect())
        }
        Json::String(text) => Json::String(text.ascii()),
        other => other.clone(),
    }
}

/// A leaf, and how to change it.
struct Change {
    path: String,
    hidden: bool,
    make: Box<dyn Fn(&Call) -> Call>,
}

fn changes(call: &Call) -> Vec<Change> {
    let mut found = vec![changed_line(call, "@path", call.name.find('?').unwrap_or(call.name.len()))];
    if let Some((line, query)) = call.name.split_once('?') {
        let mut at = line.len() + 1;
        for parameter in query.split('&') {
            at += parameter.len();
            found.push(Change {
                hidden: is_hidden(parameter),
                ..changed_line(call, &format!("@query.{parameter}"), at)
            });
            at += 1;
        }
    }
    match (json(call), boundary(call)) {
        (Some(json), _) => found.extend(of_json(&json)),
        (None, Some(boundary)) => found.extend(of_parts(call, boundary)),
        (None, None) if !call.body.is_empty() => found.extend(of_bytes(call)),
        _ => {}
    }
    found
}

fn changed_line(call: &Call, path: &str, at: usize) -> Change {
    let mut name = call.name.clone();
    name.insert_str(at, "-x");
    Change {
        path: path.to_owned(),
        hidden: false,
        make: Box::new(move |call| Call { name: name.clone(), ..call.clone() }),
    }
}

fn of_json(json: &Json) -> Vec<Change> {
    let mut places = Vec::new();
    leaves(json, &mut Vec::new(), String::new(), &mut places);
    let change = |(place, path, hidden): (Vec<usize>, String, bool)| {
        let json = json.clone();
        let make = move |call: &Call| {
            let mut json = json.clone();
            let leaf = place.iter().fold(&mut json, |json, at| match json {
                Json::Array(elements) => &mut elements[*at],
                Json::Object(members) => &mut members[*at].1,
                leaf => leaf,
            });
            *leaf = changed(leaf);
            Call { body: json.print(Layout::Compact).into_bytes(), ..call.clone() }
        };
        Change { path, hidden, make: Box::new(make) }
    };
    places.into_iter().map(change).collect()
}

fn leaves(json: &Json, place: &mut Vec<usize>, path: String, found: &mut Vec<(Vec<usize>, String, bool)>) {
    let children: Vec<(String, &Json)> = match json {
        Json::Array(elements) => {
            elements.iter().enumerate().map(|(i, element)| (format!("{path}[{i}]"), element)).collect()
        }
        Json::Object(members) => {
            let dot = if path.is_empty() { "" } else { "." };
            members.iter().map(|(name, value)| (format!("{path}{dot}{}", name.value()), value)).collect()
        }
        _ => Vec::new(),
    };
    if children.is_empty() {
        let hidden = json.as_str().is_some_and(|text| is_hidden(&text));
        found.push((place.clone(), path, hidden));
    }
    for (at, (path, child)) in children.into_iter().enumerate() {
        place.push(at);
        leaves(child, place, path, found);
        place.pop();
    }
}

fn changed(leaf: &Json) -> Json {
    match leaf {
        Json::Bool(value) => Json::Bool(!value),
        Json::String(text) => format!("{}~", text.value()).as_str().into(),
        Json::Number(number) => Json::parse(&format!("{}1", number.source())).unwrap_or(Json::Null),
        _ => "something".into(),
    }
}

/// Returns a change in each part of a multipart body: a byte at its end.
fn of_parts(call: &Call, boundary: &str) -> Vec<Change> {
    let text: String = call.body.iter().map(|byte| char::from(*byte)).collect();
    let delimiter = format!("\r\n--{boundary}");
    let ends: Vec<usize> = text.match_indices(&delimiter).map(|(at, _)| at).collect();
    // Characters above a byte's first half take two bytes in `text`, and one in the body.
    let place = |at: usize| text[..at].chars().count();
    let name = |at: usize| {
        let head = &text[..at];
        let begin = head.rfind(&format!("--{boundary}\r\n")).unwrap_or(0);
        let name = head[begin..].split_once("name=\"").and_then(|(_, rest)| rest.split('"').next());
        name.unwrap_or_default().to_owned()
    };
    ends.iter().map(|end| inserted(name(*end), place(*end), is_hidden(&text))).collect()
}

/// Returns a change of any other body: a byte in its middle, and one at its end.
fn of_bytes(call: &Call) -> Vec<Change> {
    let hidden = is_hidden(&String::from_utf8_lossy(&call.body));
    let places = [call.body.len() / 2, call.body.len()];
    places.into_iter().map(|at| inserted(format!("body, byte {at}"), at, hidden)).collect()
}

fn inserted(path: String, at: usize, hidden: bool) -> Change {
    let make = move |call: &Call| {
        let mut body = call.body.clone();
        body.insert(at, b'x');
        Call { body, ..call.clone() }
    };
    Change { path, hidden, make: Box::new(make) }
}

fn json(call: &Call) -> Option<Json> {
    std::str::from_utf8(&call.body).ok().and_then(|text| Json::parse(text).ok())
}

fn boundary(call: &Call) -> Option<&str> {
    let kind = call.header("content-type").filter(|kind| kind.starts_with("multipart/"))?;
    kind.split_once("boundary=").map(|(_, boundary)| boundary.trim_matches('"'))
}

fn is_hidden(text: &str) -> bool {
    placeholders(text).next().is_some()
}
