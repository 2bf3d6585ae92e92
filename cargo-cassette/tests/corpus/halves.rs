//! What a refused file says all the same: where the bytes of a body are lost, its tree is not, and where a reply has no
//! request, it is known where such a reply comes from. Nothing of it can replay; everything else is checked.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cargo_cassette::import::Exchange;
use cassette_core::call::Call;
use cassette_core::json::{Json, Layout, Member};
use cassette_core::reply::{Chunk, Outcome, Reply};
use libyaml_safer::{Event, EventData, Parser, ScalarStyle};

/// Replies without their requests: the end of the file's path, and what they answer.
const ALONE: &[(&str, &str)] = &[
    (
        "model_us.amazon.nova-lite-v10_converse-d4ca11559e3b.json",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse",
    ),
    ("chat_completions-30dce66613ab.json", "https://api.openai.com/v1/chat/completions"),
    ("anthropic/stream-with-tools-3.sse", "https://api.anthropic.com/v1/messages"),
    (
        "gemini/stream-basic-text-1.sse",
        "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent",
    ),
    ("gemini/tts-flash-1-1.json", "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
    ("groq/stream-with-tools-2.sse", "https://api.groq.com/openai/v1/chat/completions"),
    ("alibaba-tool-call.chunks.txt", "http://unknown.invalid/v1/chat/completions"),
    ("anthropic-advisor-stop-reasons.json", "https://api.anthropic.com/v1/messages"),
    ("openai-file-search-tool.1.json", "https://x.cognitiveservices.azure.com/openai/responses"),
    ("xai-image-generation-tool.1.json", "https://api.x.ai/v1/responses"),
];

/// Returns the exchanges of a refused file as far as it has them.
pub(crate) fn halves(path: &str, bytes: &[u8]) -> Vec<Exchange> {
    if let Some((_, url)) = ALONE.iter().find(|(end, _)| path.ends_with(end)) {
        let url = (*url).to_owned();
        return vec![exchange(Half { url, answered: Some(bytes.to_vec()), ..Half::default() })];
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let tree = Json::parse(text).ok().or_else(|| yaml(text));
    tree.map(|tree| found(&tree).into_iter().map(exchange).collect()).unwrap_or_default()
}

/// What a file says of an exchange.
#[derive(Default)]
struct Half {
    method: String,
    url: String,
    asked: Vec<u8>,
    status: Option<u64>,
    answered: Option<Vec<u8>>,
}

fn found(tree: &Json) -> Vec<Half> {
    let list = |path: &str| at(tree, path).map_or(&[][..], Json::elements);
    let (vcrpy, har) = (list("interactions"), list("log.entries"));
    if !vcrpy.is_empty() && at(&vcrpy[0], "request.uri").is_some() {
        vcrpy.iter().map(of_vcrpy).collect()
    } else if !har.is_empty() {
        har.iter().map(of_har).collect()
    } else if tree.elements().iter().any(|one| one.get("scope").is_some()) {
        tree.elements().iter().map(of_nock).collect()
    } else if at(tree, "request.url").is_some() && at(tree, "response").is_some() {
        vec![of_fixture(tree)]
    } else {
        Vec::new()
    }
}

fn of_vcrpy(one: &Json) -> Half {
    let body = |message: &str| {
        let parsed = at(one, &format!("{message}.parsed_body")).map(printed);
        let places = [format!("{message}.body.string"), format!("{message}.body")];
        parsed.or_else(|| places.iter().find_map(|path| words(at(one, path)?)))
    };
    Half {
        method: word(one, "request.method"),
        url: word(one, "request.uri"),
        asked: body("request").unwrap_or_default(),
        status: at(one, "response.status.code").and_then(Json::as_u64),
        answered: body("response"),
    }
}

fn of_har(one: &Json) -> Half {
    let asked = at(one, "request.postData.textJSON").map(printed);
    Half {
        method: word(one, "request.method"),
        url: word(one, "request.url"),
        asked: asked.or_else(|| words(at(one, "request.postData.text")?)).unwrap_or_default(),
        status: at(one, "response.status").and_then(Json::as_u64),
        answered: at(one, "response.content.text").and_then(words),
    }
}

fn of_nock(one: &Json) -> Half {
    let hex = |text: &str| {
        let digits = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
        digits.collect::<Option<Vec<u8>>>()
    };
    let response = one.get("response").unwrap_or(&Json::Null);
    let pieces: String = response.elements().iter().filter_map(Json::as_str).collect();
    Half {
        method: word(one, "method"),
        url: word(one, "scope").replace(":443", "") + &word(one, "path"),
        asked: one.get("body").map(printed).unwrap_or_default(),
        status: one.get("status").and_then(Json::as_u64),
        answered: if pieces.is_empty() { Some(printed(response)) } else { hex(&pieces) },
    }
}

/// Reads the fixtures of req_llm and of llama-stack, of which the one has pieces and the other objects with their types.
fn of_fixture(one: &Json) -> Half {
    let encoded = at(one, "request.body.b64").and_then(Json::as_str).and_then(|text| STANDARD.decode(&*text).ok());
    let answer = at(one, "response.body").unwrap_or(&Json::Null);
    let untyped = |json: &Json| json.get("__data__").cloned().unwrap_or_else(|| json.clone());
    let answered = match answer {
        Json::Array(events) if events.iter().any(|event| event.get("__data__").is_some()) => events
            .iter()
            .flat_map(|event| [b"data: ".to_vec(), printed(&untyped(event)), b"\n\n".to_vec()].concat())
            .collect(),
        whole => printed(&untyped(whole)),
    };
    Half {
        method: word(one, "request.method"),
        url: word(one, "request.url"),
        asked: encoded.unwrap_or_else(|| at(one, "request.body").map(printed).unwrap_or_default()),
        status: at(one, "response.status").and_then(Json::as_u64),
        answered: (!matches!(answer, Json::Null)).then_some(answered),
    }
}

fn exchange(half: Half) -> Exchange {
    let method = if half.method.is_empty() { "POST".to_owned() } else { half.method.to_ascii_uppercase() };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let chunks = half.answered.map(|bytes| Chunk { bytes, at: Some(Duration::ZERO) }).into_iter().collect();
    let status = half.status.and_then(|status| u16::try_from(status).ok()).unwrap_or(200);
    Exchange {
        call: Call::http(&method, &half.url, headers, half.asked),
        reply: Outcome::Reply(Reply { status, headers: Vec::new(), chunks, trailers: Vec::new(), truncated: None }),
        line: None,
        note: None,
    }
}

fn at<'a>(json: &'a Json, path: &str) -> Option<&'a Json> {
    path.split('.').try_fold(json, Json::get)
}

fn word(json: &Json, path: &str) -> String {
    at(json, path).and_then(Json::as_str).unwrap_or_default().into_owned()
}

fn words(json: &Json) -> Option<Vec<u8>> {
    json.as_str().map(|text| text.into_owned().into_bytes())
}

fn printed(json: &Json) -> Vec<u8> {
    json.print(Layout::Compact).into_bytes()
}

/// Reads the first document of a YAML file as the JSON that it stands for.
fn yaml(text: &str) -> Option<Json> {
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut input);
    loop {
        let event = parser.parse().ok()?;
        match event.data {
            EventData::StreamStart { .. } | EventData::DocumentStart { .. } => {}
            EventData::StreamEnd => return None,
            _ => return value(&mut parser, event),
        }
    }
}

fn value(parser: &mut Parser<&mut &[u8]>, event: Event) -> Option<Json> {
    match event.data {
        EventData::Scalar { value, style: ScalarStyle::Plain, tag: None, .. } => {
            let is_bare = matches!(value.as_str(), "" | "~");
            let number = Json::parse(&value).ok().filter(|json| !matches!(json, Json::String(_)));
            Some(if is_bare { Json::Null } else { number.unwrap_or_else(|| value.as_str().into()) })
        }
        EventData::Scalar { value, .. } => Some(value.as_str().into()),
        EventData::SequenceStart { .. } => {
            let mut elements = Vec::new();
            loop {
                let event = parser.parse().ok()?;
                if event.data == EventData::SequenceEnd {
                    return Some(Json::Array(elements));
                }
                elements.push(value(parser, event)?);
            }
        }
        EventData::MappingStart { .. } => {
            let mut members: Vec<Member> = Vec::new();
            loop {
                let event = parser.parse().ok()?;
                if event.data == EventData::MappingEnd {
                    return Some(Json::Object(members));
                }
                let name = value(parser, event)?;
                let event = parser.parse().ok()?;
                let name = name.as_str().map_or_else(|| name.print(Layout::Compact), std::borrow::Cow::into_owned);
                members.push((name.as_str().into(), value(parser, event)?));
            }
        }
        _ => None,
    }
}
