//! The figures of redaction and audit over the corpus that is handed out beside the project.
//!
//! Prints a table and holds the floors. Where the corpus is not there, it says so and passes.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test over files that must be as described, with a table"
)]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cassette_core::audit::{Finding, audit, mask};
use cassette_core::call::{Call, Header};
use cassette_core::frames::Framing;
use cassette_core::json::Json;
use cassette_core::redact::headers;
use cassette_core::redact::{Depth, Rules, Secrets, redact_call, redact_recorded, redact_reply};
use cassette_core::reply::{Chunk, Reply};
use flate2::read::{GzDecoder, ZlibDecoder};
use serde_json::{Value, json};

#[test]
fn the_corpus_is_handled() {
    let Some(folder) = corpus() else {
        println!("skipped: no shared/secrets folder beside the project");
        return;
    };
    let positives: Vec<Outcome> = read(&folder.join("handed-positives.jsonl.gz")).iter().map(positive).collect();
    let negatives: Vec<Outcome> = read(&folder.join("handed-negatives.jsonl.gz")).iter().map(negative).collect();
    let share = |outcomes: &[Outcome], of: fn(&Outcome) -> bool| {
        let count = outcomes.iter().filter(|outcome| of(outcome)).count();
        (count, 100.0 * count as f64 / outcomes.len().max(1) as f64)
    };
    let clear: Vec<Outcome> = negatives.iter().filter(|outcome| !outcome.debatable).cloned().collect();
    let figures = [
        ("positives leaked", share(&positives, |o| o.leaked && !o.refused)),
        ("positives refused", share(&positives, |o| o.refused)),
        ("positives masked yet leaking", share(&positives, |o| o.unmasked)),
        ("harmless refused", share(&clear, |o| o.refused)),
        ("harmless changed", share(&clear, |o| o.leaked)),
        ("debatable refused or changed", share(&negatives, |o| o.debatable && (o.leaked || o.refused))),
        ("not idempotent", share(&positives, |o| o.unsettled)),
    ];
    for outcome in positives.iter().chain(&negatives).filter(|outcome| outcome.is_notable()) {
        println!("  {outcome:?}");
    }
    println!("{} positives, {} harmless, {} debatable", positives.len(), clear.len(), negatives.len() - clear.len());
    figures.iter().for_each(|(name, (count, percent))| println!("{name:>30} {count:>5} {percent:>6.2} %"));
    let [leaked, refused, unmasked, harmless_refused, changed, _, unsettled] = figures.map(|(_, (_, percent))| percent);
    assert!(leaked <= 1.0, "leaks");
    assert!(refused <= 3.0, "refusals of what could have been redacted");
    assert!(harmless_refused + changed <= 0.5, "harmless exchanges refused or changed");
    assert!(unmasked == 0.0, "a masked file holds a secret");
    assert!(unsettled == 0.0, "redacting twice changes something");
}

#[derive(Clone, Debug)]
#[expect(dead_code, reason = "printed")]
struct Outcome {
    id: String,
    kind: String,
    context: String,
    debatable: bool,
    refused: bool,
    /// Of a positive, whether a needle is left; of a negative, whether the payload changed.
    leaked: bool,
    unmasked: bool,
    unsettled: bool,
    findings: Vec<Finding>,
    note: String,
}

impl Outcome {
    fn is_notable(&self) -> bool {
        !self.debatable && (self.refused || self.leaked) || self.unmasked || self.unsettled
    }
}

fn positive(record: &Value) -> Outcome {
    let written = write(record);
    let needles: Vec<&str> =
        record["needles"].as_array().unwrap().iter().map(|needle| needle.as_str().unwrap()).collect();
    let holds = |text: &str| {
        let decodings = decodings(text);
        needles
            .iter()
            .find(|needle| decodings.iter().any(|text| text.contains(**needle)))
            .map(|needle| (*needle).to_owned())
    };
    let left = holds(&written.text);
    let masked = mask(&written.text, &Rules::default(), &written.secrets);
    let refused = !written.findings.is_empty();
    Outcome {
        leaked: left.is_some(),
        unmasked: refused && holds(&masked).is_some(),
        note: left.unwrap_or_default().chars().take(12).collect(),
        ..outcome(record, written)
    }
}

fn negative(record: &Value) -> Outcome {
    let written = write(record);
    Outcome {
        leaked: written.changed.is_some(),
        note: written.changed.clone().unwrap_or_default(),
        ..outcome(record, written)
    }
}

fn outcome(record: &Value, written: Written) -> Outcome {
    let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
    Outcome {
        id: field("id"),
        kind: field("kind"),
        context: field("context"),
        debatable: record["debatable"].as_bool().unwrap_or_default(),
        refused: !written.findings.is_empty(),
        leaked: false,
        unmasked: false,
        unsettled: !written.settled,
        findings: written.findings,
        note: String::new(),
    }
}

struct Written {
    text: String,
    findings: Vec<Finding>,
    /// What of the payload is not as it was, beside headers that are never recorded and volatile ones.
    changed: Option<String>,
    settled: bool,
    secrets: Secrets,
}

/// Redacts an exchange and writes it as a cassette would be, then audits what was written.
fn write(record: &Value) -> Written {
    let (call, reply) = exchange(&record["payload"]);
    let rules = Rules::default();
    let mut secrets = Secrets::new(&[]);
    let request = redact_call(&call, &rules, Depth::Known, &mut secrets);
    let answer = redact_reply(&reply, &call, &rules, &mut secrets);
    let again = redact_recorded(request.call(), &rules, Depth::Known, &mut secrets);
    let document = json!({"cassette": 1, "interactions": [{
        "kind": "http", "name": request.name,
        "request": {"headers": request.headers, "body": body(&request.body, request.header("content-type"))},
        "reply": {"status": answer.status, "headers": answer.headers, "body": body(&answer.body(), answer.header("content-type"))},
    }]});
    let text = serde_json::to_string_pretty(&document).unwrap();
    let findings = audit(&text, &rules, &secrets, &[]);
    let changed = [
        (request.name != call.name, "name"),
        (request.body != call.body, "request body"),
        (answer.body() != reply.body(), "reply body"),
        (request.headers.iter().any(|header| !call.headers.contains(header)), "request headers"),
        (
            answer.headers.iter().any(|header| !reply.headers.contains(header) && !headers::is_volatile(&header.0)),
            "reply headers",
        ),
        (answer.headers.len() != reply.headers.len(), "reply headers dropped"),
    ];
    let changed = changed.iter().find(|(changed, _)| *changed).map(|(_, what)| (*what).to_owned());
    Written { text, findings, changed, settled: again.call() == request.call(), secrets }
}

fn exchange(payload: &Value) -> (Call, Reply) {
    let request = &payload["request"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = Call::http(
        &text(&request["method"]),
        &text(&request["url"]),
        pairs(&request["headers"]),
        chunks(&request["body"]).concat(),
    );
    let response = &payload["response"];
    let chunks = chunks(&response["body"]).into_iter().map(|bytes| Chunk { bytes, at: Some(Duration::ZERO) }).collect();
    let status = response["status"].as_u64().unwrap_or(200) as u16;
    (call, Reply { status, headers: pairs(&response["headers"]), chunks, trailers: Vec::new(), truncated: None })
}

fn pairs(headers: &Value) -> Vec<Header> {
    let pair = |header: &Value| (header[0].as_str().unwrap().to_lowercase(), header[1].as_str().unwrap().to_owned());
    headers.as_array().map(|headers| headers.iter().map(pair).collect()).unwrap_or_default()
}

fn chunks(body: &Value) -> Vec<Vec<u8>> {
    let strings =
        |value: &Value| value.as_array().unwrap().iter().map(|s| s.as_str().unwrap().as_bytes().to_vec()).collect();
    match body.as_object().and_then(|body| body.iter().next()) {
        None => Vec::new(),
        Some((kind, value)) => match kind.as_str() {
            "json" => vec![serde_json::to_vec(value).unwrap()],
            "text" => vec![value.as_str().unwrap().as_bytes().to_vec()],
            "base64" => vec![unbase64(value.as_str().unwrap()).unwrap()],
            _ => strings(value),
        },
    }
}

fn body(bytes: &[u8], content_type: Option<&str>) -> Value {
    let Ok(text) = std::str::from_utf8(bytes) else { return json!({"base64": base64(bytes)}) };
    if let Some(framing) = content_type.and_then(Framing::of) {
        return json!({"events": framing.split(text).into_iter().map(event).collect::<Vec<_>>()});
    }
    match serde_json::from_str::<Value>(text).ok().filter(|_| Json::parse(text).is_ok()) {
        Some(tree) => json!({"json": tree, "style": "compact"}),
        None => json!({"text": text}),
    }
}

fn event(raw: &str) -> Value {
    let data = raw
        .lines()
        .find_map(|line| line.strip_prefix("data: "))
        .and_then(|data| serde_json::from_str::<Value>(data).ok());
    match (data, serde_json::from_str::<Value>(raw).ok()) {
        (Some(data), _) => json!({"data": data}),
        (None, Some(line)) => json!({"line": line}),
        _ => json!(raw),
    }
}

/// Every decoding of the written text in which a needle could be read.
fn decodings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    let mut leaves = Vec::new();
    strings(&serde_json::from_str(text).unwrap_or_default(), &mut leaves);
    all.extend(leaves);
    let mut from = 0;
    for _ in 0..3 {
        let until = all.len();
        for i in from..until {
            let text = all[i].clone();
            let mut deeper = Vec::new();
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                strings(&value, &mut deeper);
            }
            deeper.push(text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\/", "/").replace("\\\\", "\\"));
            deeper.push(unpercent(&text));
            for run in
                text.split(|c: char| !c.is_ascii_alphanumeric() && !"+/=_-".contains(c)).filter(|run| run.len() >= 16)
            {
                if let Some(bytes) = unbase64(run) {
                    deeper.push(String::from_utf8_lossy(&unpacked(&bytes)).into_owned());
                }
            }
            deeper.retain(|deeper| *deeper != text && deeper.len() >= 4);
            all.extend(deeper);
        }
        from = until;
    }
    all
}

fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(elements) => elements.iter().for_each(|element| strings(element, out)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            out.push(name.clone());
            strings(value, out);
        }),
        _ => {}
    }
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let done = GzDecoder::new(bytes).read_to_end(&mut out).is_ok() || {
        out.clear();
        ZlibDecoder::new(bytes).read_to_end(&mut out).is_ok()
    };
    if done { out } else { bytes.to_vec() }
}

fn unpercent(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, i| word << 8 | u32::from(*group.get(i).unwrap_or(&0)));
        for i in 0..4 {
            out.push(if i <= group.len() { char::from(DIGITS[(word >> (18 - 6 * i) & 63) as usize]) } else { '=' });
        }
    }
    out
}

fn unbase64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut word, mut bits) = (0u32, 0);
    for byte in text.bytes().filter(|b| *b != b'=') {
        let digit = match byte {
            b'-' => 62,
            b'_' => 63,
            byte => DIGITS.iter().position(|digit| *digit == byte)? as u32,
        };
        word = word << 6 | digit;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    Some(out)
}

fn read(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Finds the corpus beside the project, wherever the project is.
fn corpus() -> Option<PathBuf> {
    if let Some(shared) = cassette_core::env::var("CASSETTE_SHARED") {
        return Some(PathBuf::from(shared).join("secrets")).filter(|folder| folder.exists());
    }
    let start = Path::new(env!("CARGO_MANIFEST_DIR"));
    start.ancestors().map(|folder| folder.join("shared/secrets")).find(|folder| folder.exists())
}
