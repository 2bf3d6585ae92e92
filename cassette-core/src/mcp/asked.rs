//! What a client says, as calls.

use crate::call::{Call, Kind};
use crate::json::{Json, Layout, Member};
use crate::rpc::Message;

/// A question of a server's that its client has not answered yet.
#[derive(Debug)]
pub(super) struct Question {
    /// The id under which the client knows it.
    pub(super) id: String,
    /// What is asked.
    pub(super) method: String,
    /// About what.
    pub(super) params: Option<Json>,
    /// The number of the request in whose course it was put, if it was.
    pub(super) turn: Option<u64>,
    /// Who put it.
    pub(super) by: By,
}

/// Who put a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The server.
    Server,
    /// A recording of it.
    Recording,
}

/// Returns the kind of what is asked by this method.
pub(super) fn kind(method: &str) -> Kind {
    match method {
        "tools/call" => Kind::Tool,
        "resources/read" => Kind::Memory,
        _ => Kind::Mcp,
    }
}

/// Returns the call that a request or a notification makes: named by its method and the tool or prompt that it is for.
pub(super) fn call(server: Option<&str>, method: &str, message: &Message) -> Call {
    let target = match method {
        "tools/call" | "prompts/get" => message.get(&["params", "name"]).and_then(Json::as_str),
        _ => None,
    };
    let words = [server, Some(method), target.as_deref()];
    let name = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Call::function(kind(method), name, message.params().as_ref().map(bytes).unwrap_or_default())
}

/// Returns the call that an answer makes: it holds the question too, for the same answer to another one is another call.
pub(super) fn answer(server: Option<&str>, kind: Kind, question: &Question, message: &Message) -> Call {
    let words = [server, Some("answer to"), Some(question.method.as_str())];
    let name = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut members: Vec<Member> = Vec::new();
    members.extend(question.params.clone().map(|params| ("params".into(), params)));
    let given = |name: &str| message.get(&[name]).cloned().map(|value| (name.into(), value));
    members.extend(["result", "error"].into_iter().filter_map(given));
    Call::function(kind, name, bytes(&Json::Object(members)))
}

fn bytes(json: &Json) -> Vec<u8> {
    json.print(Layout::Compact).into_bytes()
}
