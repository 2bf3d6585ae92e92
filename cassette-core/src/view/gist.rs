//! What a call asks, in a few words: by which a reader tells one call of a conversation from the next.

use super::{Block, RequestView, asked};
use crate::call::Call;
use crate::json::{Json, Layout};

/// How many characters are told of one thing.
const MOST: usize = 64;

/// How many of each of two.
const HALF: usize = 40;

/// Returns what a call asks, on one line and cut: the last thing that the user tells a model, with the tool call whose result
/// the model is given; of a function the arguments, of any other call the body. `None` where there is nothing to tell.
///
/// # Examples
///
/// ```
/// use cassette_core::{call::Call, view::gist};
///
/// let body = br#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"When does\nthe train leave?"}]}"#;
/// let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", vec![], body.to_vec());
/// assert_eq!(gist(&call).as_deref(), Some("\"When does the train leave?\""));
/// ```
pub fn gist(call: &Call) -> Option<String> {
    asked(call).and_then(|view| told(&view)).or_else(|| sent(call))
}

/// Returns the last thing that is said in a conversation.
fn told(view: &RequestView) -> Option<String> {
    let last = view.messages.last()?;
    match last.blocks.iter().rev().find(|block| !matches!(block, Block::Other(_)))? {
        Block::Text(text) | Block::Thought(text) => (!text.trim().is_empty()).then(|| quoted(text, MOST)),
        Block::Call(call) => Some(cut(&format!("{} {}", call.name, call.arguments), MOST)),
        Block::Returned(id, text) => {
            let blocks = view.messages.iter().rev().flat_map(|message| &message.blocks);
            let mut calls = blocks.filter_map(|block| match block {
                Block::Call(call) if call.id == *id || call.name == *id => Some(call),
                _ => None,
            });
            let after = calls.next().map(|call| cut(&format!("{} {}", call.name, call.arguments), HALF));
            let after = format!("after {}", after.unwrap_or_else(|| quoted(text, HALF)));
            Some(match question(view) {
                Some(question) => format!("{}, {after}", quoted(question, HALF)),
                None => after,
            })
        }
        Block::File(file) => Some(cut(file.name.as_deref().unwrap_or(&file.media), MOST)),
        Block::Other(_) => None,
    }
}

/// Returns the last text of the user's.
fn question(view: &RequestView) -> Option<&str> {
    let users = view.messages.iter().rev().filter(|message| message.role == "user");
    users.flat_map(|message| message.blocks.iter().rev()).find_map(|block| match block {
        Block::Text(text) if !text.trim().is_empty() => Some(text.as_str()),
        _ => None,
    })
}

/// Returns the beginning of a body that is text.
fn sent(call: &Call) -> Option<String> {
    let text = std::str::from_utf8(&call.body).ok().filter(|text| !text.trim().is_empty())?;
    let is_parts = call.header("content-type").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("multipart/"));
    match Json::parse(text) {
        _ if is_parts => None,
        Ok(Json::Object(members)) if members.is_empty() => None,
        Ok(json) => Some(cut(&sorted(json).print(Layout::Spaced), MOST)),
        Err(_) => Some(quoted(text, MOST)),
    }
}

/// Returns a document with its members in one order: in which they are sent, a feature of some other package may decide.
fn sorted(json: Json) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.into_iter().map(sorted).collect()),
        Json::Object(mut members) => {
            members.sort_by(|(a, _), (b, _)| a.value().cmp(&b.value()));
            Json::Object(members.into_iter().map(|(name, value)| (name, sorted(value))).collect())
        }
        scalar => scalar,
    }
}

fn quoted(text: &str, most: usize) -> String {
    Json::from(cut(text, most).as_str()).print(Layout::Compact)
}

/// Returns the beginning of a text on one line, with nothing in it that no eye could see.
fn cut(text: &str, most: usize) -> String {
    let visible = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    // Twice as much as is told is enough to be looked at, however long the text is.
    let mut line = String::new();
    for word in text.split_whitespace() {
        line.extend((!line.is_empty()).then_some(' '));
        line.extend(word.chars().filter(visible).take(2 * MOST));
        if line.len() > 8 * MOST {
            break;
        }
    }
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::gist;
    use crate::call::{Call, Kind};

    #[track_caller]
    fn check(url: &str, body: &str, expected: Option<&str>) {
        let call = Call::http("POST", url, Vec::new(), body.as_bytes().to_vec());
        assert_eq!(gist(&call).as_deref(), expected, "{body}");
    }

    const CHAT: &str = "https://api.openai.com/v1/chat/completions";

    #[test]
    fn the_last_message_is_told() {
        let asked = |text: &str| {
            format!(
                r#"{{"messages":[{{"role":"system","content":"Be brief."}},{{"role":"user","content":"{text}"}}]}}"#
            )
        };
        check(CHAT, &asked("When?"), Some("\"When?\""));
        check(CHAT, &asked("When\\n  does\\tit \\\"leave\\\"\\u200b?"), Some(r#""When does it \"leave\"?""#));
        let long = gist(&Call::http("POST", CHAT, Vec::new(), asked(&"word ".repeat(1_000)).into_bytes())).unwrap();
        assert_eq!((long.chars().count(), long.ends_with("word…\"")), (67, true), "{long}");
        check(
            "https://api.anthropic.com/v1/messages",
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Which train?"}]}]}"#,
            Some("\"Which train?\""),
        );
    }

    #[test]
    fn of_a_result_its_call_is_told() {
        check(
            CHAT,
            r#"{"messages":[{"role":"user","content":"When?"},
                {"role":"assistant","tool_calls":[
                    {"id":"a","type":"function","function":{"name":"departures","arguments":"{\"to\":\"Voss\"}"}},
                    {"id":"b","type":"function","function":{"name":"fares","arguments":"{}"}}]},
                {"role":"tool","tool_call_id":"a","content":"09:04"}]}"#,
            Some(r#""When?", after departures {"to":"Voss"}"#),
        );
        check(CHAT, r#"{"messages":[{"role":"tool","tool_call_id":"a","content":"09:04"}]}"#, Some("after \"09:04\""));
    }

    #[test]
    fn of_other_calls_what_they_send_is_told() {
        check("https://api.openai.com/v1/embeddings", r#"{"model":"m","input":"a station"}"#, Some("\"a station\""));
        check("https://api.example.com/x", r#"{"to":"Voss","days":[1,2]}"#, Some(r#"{"days": [1, 2], "to": "Voss"}"#));
        check("https://api.example.com/x", "to=Voss&day=1", Some("\"to=Voss&day=1\""));
        check("https://api.example.com/x", "{}", None);
        check("https://api.example.com/x", "", None);
        let tool = Call::function(Kind::Tool, "search", br#"{"city":"Bergen"}"#.to_vec());
        assert_eq!(gist(&tool).as_deref(), Some(r#"{"city": "Bergen"}"#));
    }
}
