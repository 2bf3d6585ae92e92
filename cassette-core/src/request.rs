//! A request as a function of the user's may see it.

use std::collections::HashMap;

use crate::call::Call;
use crate::canonical::{Canonical, Part};
use crate::dialect;
use crate::json::Json;
use crate::matching::Matching;
use crate::redact::replace_placeholders;

/// A request as a function of the user's may see it: redacted, its placeholders numbered within it, and what of it is compared.
#[derive(Clone, Debug)]
pub struct Request {
    call: Call,
    canonical: Canonical,
}

/// A text of a request: what it is called there, and what it says.
pub(crate) struct Leaf {
    /// The member that it stands in, or its path where it stands in none.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Request {
    /// Returns the request of a redacted call.
    pub(crate) fn of(call: &Call, matching: &Matching) -> Request {
        let canonical = Canonical::in_dialect(call, dialect::detect(call), matching);
        Request { call: numbered(call), canonical }
    }

    /// Returns the call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns what the request says, a line for each text of it that is compared: the values of its parameters, its headers
    /// and its body, without the names of members, and of messages without role and type.
    pub fn text(&self) -> String {
        joined(self.leaves())
    }

    /// Returns what the last message says; `None` where the request is no conversation.
    pub fn last_message(&self) -> Option<String> {
        self.last_leaves().map(joined)
    }

    pub(crate) fn canonical(&self) -> &Canonical {
        &self.canonical
    }

    /// Returns where the request goes: kind, method, host, path and streaming, or a function's name; as far as it counts.
    pub(crate) fn endpoint(&self) -> Vec<&str> {
        let elements = self.canonical.parts().first().into_iter().flat_map(Part::elements);
        elements.filter(|(path, _)| !path.starts_with(QUERY)).map(|(_, text)| text).collect()
    }

    /// Returns the texts that are compared.
    pub(crate) fn leaves(&self) -> Vec<Leaf> {
        let mut parts = self.canonical.parts().iter();
        let query = parts.next().into_iter().flat_map(Part::elements).filter(|(path, _)| path.starts_with(QUERY));
        let mut leaves = Vec::new();
        for (path, text) in query {
            let value = text.split_once('=').map_or("", |(_, value)| value);
            leaves.push(Leaf { name: path.to_owned(), text: value.to_owned() });
        }
        parts.for_each(|part| leaves.extend(of_part(part)));
        leaves
    }

    /// Returns the texts of the last message.
    pub(crate) fn last_leaves(&self) -> Option<Vec<Leaf>> {
        let messages = self.canonical.parts().iter().find(|part| part.name == MESSAGES)?;
        let (path, text) = messages.elements().last()?;
        Some(said(path, text))
    }
}

const QUERY: &str = "@query.";
const MESSAGES: &str = "messages";

fn of_part(part: &Part) -> Vec<Leaf> {
    let one = |(path, text)| if part.name == MESSAGES { said(path, text) } else { leaves(path, text) };
    part.elements().flat_map(one).collect()
}

/// Returns the texts of a message, but for what says who speaks and in which form.
fn said(path: &str, text: &str) -> Vec<Leaf> {
    leaves(path, text).into_iter().filter(|leaf| !matches!(leaf.name.as_str(), "role" | "type")).collect()
}

/// Returns the texts at one place of a canonical form.
fn leaves(path: &str, text: &str) -> Vec<Leaf> {
    let mut found = Vec::new();
    match document(path, text) {
        Some(json) => collect(&json, path, &mut found),
        None => found.push(Leaf { name: path.to_owned(), text: text.to_owned() }),
    }
    found
}

/// Returns the JSON that stands at one place: by itself, behind its path, or behind its name.
fn document(path: &str, text: &str) -> Option<Json> {
    let behind = text.strip_prefix(path).and_then(|rest| rest.strip_prefix([':', ' ']));
    let named = text.strip_prefix('"').and_then(|rest| rest.split_once("\":")).map(|(_, rest)| rest);
    [Some(text), behind, named].into_iter().flatten().find_map(|text| Json::parse(text).ok())
}

fn collect(json: &Json, name: &str, found: &mut Vec<Leaf>) {
    let leaf = |text: String| Leaf { name: name.to_owned(), text };
    match json {
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, name, found)),
        Json::Object(members) => members.iter().for_each(|(name, value)| collect(value, &name.value(), found)),
        Json::String(text) => match Json::parse(&text.value()) {
            Ok(json @ (Json::Object(_) | Json::Array(_))) if name == "arguments" => collect(&json, name, found),
            _ => found.push(leaf(text.value().into_owned())),
        },
        other => found.push(leaf(other.canonical())),
    }
}

fn joined(leaves: Vec<Leaf>) -> String {
    leaves.into_iter().map(|leaf| leaf.text).collect::<Vec<_>>().join("\n")
}

/// Returns a call with its placeholders numbered by where they first stand in it: the numbers of a file or of a run say
/// nothing about the request.
fn numbered(call: &Call) -> Call {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut number = |text: &str| {
        replace_placeholders(text, |placeholder| {
            let next = numbers.len() + 1;
            format!("REDACTED.hidden.{}", numbers.entry(placeholder.to_owned()).or_insert(next))
        })
    };
    let name = number(&call.name);
    let headers = call.headers.iter().map(|(name, value)| (name.clone(), number(value))).collect();
    let body = std::str::from_utf8(&call.body).map_or_else(|_| call.body.clone(), |text| number(text).into_bytes());
    Call { kind: call.kind, name, headers, body }
}

#[cfg(test)]
mod tests {
    use super::Request;
    use crate::call::{Call, Kind};
    use crate::matching::Matching;

    fn post(path: &str, body: &str) -> Request {
        let call = Call::http("POST", &format!("https://api.example.com{path}"), Vec::new(), body.into());
        Request::of(&call, &Matching::default())
    }

    #[test]
    fn a_text_is_what_is_said() {
        let chat = r#"{"model":"m","seed":1,"user":"u-7","messages":[{"role":"system","content":"Be brief."},
            {"role":"user","content":[{"type":"text","text":"To\nBergen?"}]}],"tools":[{"type":"function","function":{"name":"next"}}]}"#;
        let request = post("/v1/chat/completions?key=a%20b", chat);
        assert_eq!(request.text(), "a%20b\nm\nBe brief.\nTo\nBergen?\nnext\nfunction\nu-7");
        assert_eq!(request.last_message().as_deref(), Some("To\nBergen?"));
        assert_eq!(post("/search", r#"{"to":"Bergen","via":["Voss",2,null]}"#).text(), "Bergen\nVoss\n2\nnull");
        assert_eq!(post("/search", "plain, text").text(), "plain, text");
        assert_eq!(post("/search", "plain").last_message(), None);
        let tool =
            Call { kind: Kind::Tool, name: "next".into(), headers: Vec::new(), body: b"{\"to\":\"Voss\"}".to_vec() };
        assert_eq!(Request::of(&tool, &Matching::default()).text(), "Voss");
    }

    #[test]
    fn placeholders_are_numbered_within_the_request() {
        let request = post("/ask?key=REDACTED.a.7", r#"{"a":"REDACTED.b.3 REDACTED.a.7"}"#);
        assert_eq!(request.call().name, "POST https://api.example.com/ask?key=REDACTED.hidden.1");
        assert_eq!(request.call().body, br#"{"a":"REDACTED.hidden.2 REDACTED.hidden.1"}"#);
    }

    #[test]
    fn where_a_request_goes_hangs_on_no_parameter() {
        assert_eq!(post("/ask?a=1", "{}").endpoint(), post("/ask?b=2", "x").endpoint());
        for other in [post("/asked", "{}"), post("/ask", r#"{"stream":true}"#)] {
            assert_ne!(post("/ask", "{}").endpoint(), other.endpoint());
        }
        let get = Call::http("GET", "https://api.example.com/ask", Vec::new(), Vec::new());
        assert_ne!(Request::of(&get, &Matching::default()).endpoint(), post("/ask", "").endpoint());
    }
}
