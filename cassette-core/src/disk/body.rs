//! A body in the most readable form that keeps its bytes.
//!
//! The forms, tried in this order: `events` for a stream, `json` where printing the tree in a [`Style`] gives the bytes
//! again, `text` where they are UTF-8, `base64` otherwise. Every form is checked by decoding it before it is used.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::frames::Framing;
use crate::json::{Json, Member, Style, Text};

/// The first member of an object that is a marker of ours and no recorded value.
const MARKER: &str = "$cassette";

/// Returns the members that hold this body: one of `json`, `text`, `events`, `base64`, and `style` where it is not `compact`.
pub(super) fn encode(bytes: &[u8], content_type: Option<&str>) -> Json {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Json::object([("base64", STANDARD.encode(bytes).into())]);
    };
    let forms = [content_type.and_then(Framing::of).map(|framing| events(framing, text)), json(text)];
    let readable = forms.into_iter().flatten().find(|form| decode(form).is_ok_and(|back| back == bytes));
    readable.unwrap_or_else(|| Json::object([("text", text.into())]))
}

/// Returns the bytes of a body, and where its events end if it is a stream.
pub(super) fn decode_with_events(body: &Json) -> Result<(Vec<u8>, Option<Vec<usize>>), String> {
    let Some(events) = body.get("events") else { return Ok((decode(body)?, None)) };
    let style = EventStyle::of(body)?;
    let texts = events.elements().iter().map(|event| style.text(event)).collect::<Result<Vec<_>, _>>()?;
    Ok((texts.concat().into_bytes(), Some(texts.iter().map(String::len).collect())))
}

/// Returns the bytes of a body.
fn decode(body: &Json) -> Result<Vec<u8>, String> {
    let forms: Vec<_> = body.members().iter().filter(|(name, _)| !name.is("style")).collect();
    let [(name, value)] = forms.as_slice() else {
        return Err("a body has exactly one of `json`, `text`, `events` and `base64`".into());
    };
    match (name.value().as_ref(), value) {
        ("json", tree) => Ok(style_of(body)?.print(tree).into_bytes()),
        ("text", Json::String(text)) => Ok(text.value().into_owned().into_bytes()),
        ("events", Json::Array(_)) => decode_with_events(body).map(|(bytes, _)| bytes),
        ("base64", Json::String(text)) => {
            STANDARD.decode(text.value().as_ref()).map_err(|error| format!("the base64 of a body is damaged: {error}"))
        }
        (name, _) => Err(format!("`{name}` is no form of a body")),
    }
}

fn json(text: &str) -> Option<Json> {
    let (tree, style) = Style::detect(text)?;
    if holds_marker(&tree) {
        return None;
    }
    let name = style.name();
    Some(if style == Style::COMPACT {
        Json::object([("json", tree)])
    } else {
        Json::object([("style", name.into()), ("json", tree)])
    })
}

fn events(framing: Framing, text: &str) -> Json {
    let parts = framing.split(text);
    let style = parts.iter().find_map(|part| EventStyle::detect(framing, part)).unwrap_or_default();
    let events = parts.iter().map(|part| style.event(framing, part)).collect::<Vec<_>>();
    let name = style.name();
    if name == "compact" {
        Json::object([("events", events.into())])
    } else {
        Json::object([("style", name.into()), ("events", events.into())])
    }
}

fn style_of(body: &Json) -> Result<Style, String> {
    let Some(name) = body.get("style") else { return Ok(Style::COMPACT) };
    let name = name.as_str().unwrap_or_default();
    Style::from_name(&name).ok_or_else(|| format!("`{name}` is no style of a body"))
}

fn holds_marker(tree: &Json) -> bool {
    match tree {
        Json::Object(members) => {
            members.first().is_some_and(|(name, _)| name.is(MARKER))
                || members.iter().any(|(_, value)| holds_marker(value))
        }
        Json::Array(elements) => elements.iter().any(holds_marker),
        _ => false,
    }
}

/// How the events of a stream are written around their JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EventStyle {
    json: Style,
    crlf: bool,
}

impl Default for EventStyle {
    fn default() -> EventStyle {
        EventStyle { json: Style::COMPACT, crlf: false }
    }
}

impl EventStyle {
    fn detect(framing: Framing, event: &str) -> Option<EventStyle> {
        let crlf = event.ends_with("\r\n");
        let line = match framing {
            Framing::Lines => event,
            Framing::Sse => event.split_inclusive('\n').find_map(|line| line.strip_prefix("data: "))?,
        };
        let (_, json) = Style::detect(line.trim_end_matches(['\r', '\n']))?;
        Some(EventStyle { json, crlf })
    }

    fn of(body: &Json) -> Result<EventStyle, String> {
        let name = body.get("style").and_then(Json::as_str).unwrap_or_else(|| "compact".into()).into_owned();
        let (json, crlf) = name.strip_suffix(" crlf").map_or((name.as_str(), false), |json| (json, true));
        let json = Style::from_name(json).ok_or_else(|| format!("`{name}` is no style of events"))?;
        Ok(EventStyle { json, crlf })
    }

    fn name(self) -> String {
        format!("{}{}", self.json.name(), if self.crlf { " crlf" } else { "" })
    }

    fn end(self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }

    /// Returns the event as an object where that gives its bytes again, else its text.
    fn event(self, framing: Framing, text: &str) -> Json {
        let object = match framing {
            Framing::Lines => self.data(text.trim_end_matches(['\r', '\n'])).map(|line| Json::object([("line", line)])),
            Framing::Sse => self.sse(text),
        };
        object.filter(|event| self.text(event).as_deref() == Ok(text)).unwrap_or_else(|| text.into())
    }

    fn sse(self, text: &str) -> Option<Json> {
        let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
        let first = lines.next()?;
        let (event, data) = match first.strip_prefix("event: ") {
            Some(event) => (Some(event), lines.next()?),
            None => (None, first),
        };
        let data = self.data(data.strip_prefix("data: ")?)?;
        Some(match event {
            Some(event) => Json::object([("event", event.into()), ("data", data)]),
            None => Json::object([("data", data)]),
        })
    }

    fn data(self, text: &str) -> Option<Json> {
        let (tree, style) = Style::detect(text)?;
        let fits = style == self.json || self.json.print(&tree) == text;
        (fits && !holds_marker(&tree)).then_some(tree)
    }

    /// Returns the text of an event.
    fn text(self, event: &Json) -> Result<String, String> {
        let end = self.end();
        let named = |member: &Member, name: &str| member.0.is(name);
        match event {
            Json::String(text) => Ok(text.value().into_owned()),
            Json::Object(members) => match members.as_slice() {
                [line] if named(line, "line") => Ok(format!("{}{end}", self.json.print(&line.1))),
                [data] if named(data, "data") => Ok(format!("data: {}{end}{end}", self.json.print(&data.1))),
                [(event, Json::String(name)), data] if event.is("event") && named(data, "data") => {
                    Ok(format!("event: {}{end}data: {}{end}{end}", Text::value(name), self.json.print(&data.1)))
                }
                _ => Err("an event has `data`, `event` and `data`, or `line`".into()),
            },
            _ => Err("an event is an object or a string".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode_with_events, encode};
    use crate::json::Layout;

    #[track_caller]
    fn check(content_type: &str, body: &str, expected: &str) {
        let form = encode(body.as_bytes(), Some(content_type));
        assert_eq!(form.print(Layout::Compact), expected);
        assert_eq!(decode_with_events(&form).unwrap().0, body.as_bytes());
    }

    #[test]
    fn a_body_is_written_in_the_most_readable_form_that_keeps_its_bytes() {
        check("application/json", r#"{"b":1.0,"a":"é"}"#, r#"{"json":{"b":1.0,"a":"é"}}"#);
        check("application/json", r#"{"a": "\u00e9"}"#, r#"{"style":"spaced ascii","json":{"a":"é"}}"#);
        check("application/json", r#"{"a" :1}"#, r#"{"text":"{\"a\" :1}"}"#);
        check("application/json", r#"{"a":1,"a":2}"#, r#"{"text":"{\"a\":1,\"a\":2}"}"#);
        check("text/plain", "hello\r\n", r#"{"text":"hello\r\n"}"#);
        check("text/plain", r#"{"$cassette":"blob"}"#, r#"{"text":"{\"$cassette\":\"blob\"}"}"#);
        let binary = encode(&[0xff, 0], None);
        assert_eq!(binary.print(Layout::Compact), r#"{"base64":"/wA="}"#);
        assert_eq!(decode_with_events(&binary).unwrap().0, [0xff, 0]);
    }

    #[test]
    fn a_stream_is_written_event_by_event() {
        check(
            "text/event-stream",
            "data: {\"a\":1}\n\nevent: end\ndata: {\"b\":2}\n\n: ping\n\ndata: [DONE]\n\n",
            r#"{"events":[{"data":{"a":1}},{"event":"end","data":{"b":2}},": ping\n\n","data: [DONE]\n\n"]}"#,
        );
        check(
            "text/event-stream",
            "data: {\"a\": 1}\r\n\r\n",
            r#"{"style":"spaced crlf","events":[{"data":{"a":1}}]}"#,
        );
        check("text/event-stream", "data: {\"a\":1}\n", r#"{"events":["data: {\"a\":1}\n"]}"#);
        check(
            "application/x-ndjson",
            "{\"a\":1}\n{\"a\": 2}\nx",
            r#"{"events":[{"line":{"a":1}},"{\"a\": 2}\n","x"]}"#,
        );
    }

    proptest! {
        #[test]
        fn every_body_comes_back(body in prop::collection::vec(any::<u8>(), 0..60), stream in any::<bool>()) {
            let form = encode(&body, stream.then_some("text/event-stream"));
            prop_assert_eq!(decode_with_events(&form).unwrap().0, body);
        }

        #[test]
        fn every_stream_comes_back(body in "(data: |event: |\\{\"a\":1\\}|\n|\r|x|:){0,20}") {
            let form = encode(body.as_bytes(), Some("text/event-stream"));
            prop_assert_eq!(decode_with_events(&form).unwrap().0, body.as_bytes());
        }
    }
}
