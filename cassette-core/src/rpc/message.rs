//! One message, and what it is.

use super::span;
use crate::json::{Json, Layout};

/// One message: its text, and its tree.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// The text as it was sent, without its line end.
    pub(crate) text: String,
    /// What it is.
    pub(crate) what: What,
    document: Json,
}

/// What a message is. An id is in its own spelling, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// It asks for an answer.
    Request {
        /// Its id.
        id: String,
        /// What is asked.
        method: String,
    },
    /// It answers the request of this id.
    Answer {
        /// The request's id.
        id: String,
    },
    /// It tells something, and nothing is answered.
    Notice {
        /// What is told.
        method: String,
    },
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    ///
    /// Fails for what is no message, saying why.
    pub(crate) fn read(text: &str) -> Result<Message, String> {
        let text = text.trim();
        let document = Json::parse(text).map_err(|error| format!("it is no JSON: {error}"))?;
        let id = span::value(text, &["id"]).map(|place| text[place].to_owned());
        let method = document.get("method").and_then(Json::as_str).map(|method| method.into_owned());
        let answers = document.get("result").is_some() || document.get("error").is_some();
        let what = match (id, method) {
            (Some(id), Some(method)) => What::Request { id, method },
            (None, Some(method)) => What::Notice { method },
            (Some(id), None) if answers => What::Answer { id },
            _ if matches!(document, Json::Array(_)) => return Err("it is a batch of messages".to_owned()),
            _ => return Err("it has neither a method nor an answer".to_owned()),
        };
        Ok(Message { text: text.to_owned(), what, document })
    }

    /// Returns what stands at this path of members.
    pub(crate) fn get(&self, path: &[&str]) -> Option<&Json> {
        path.iter().try_fold(&self.document, |json, name| json.get(name))
    }

    /// Returns the text of the value at this path, in its own spelling.
    pub(crate) fn spelled(&self, path: &[&str]) -> Option<&str> {
        span::value(&self.text, path).map(|place| &self.text[place])
    }

    /// Returns the parameters, without what changes from connection to connection; nothing where there are none.
    pub(crate) fn params(&self) -> Option<Json> {
        let mut document = self.document.clone();
        super::settle(&mut document);
        document.get("params").cloned()
    }
}

/// Returns the answer to a ping of this id.
pub(crate) fn pong(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// Returns the answer to the request of this id that says why it fails: a text for people, and a word for programs.
pub(crate) fn failure(id: &str, message: &str, code: &str) -> String {
    let [message, code] = [message, code].map(|text| Json::from(text).print(Layout::Compact));
    // "Internal error", which every client knows (JSON-RPC 2.0, section 5.1).
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"message":{message},"data":{{"cassette":{code}}}}}}}"#
    )
}
