//! A scripted model behind an address, for code that takes a base URL.

use std::fmt;
use std::io;
use std::sync::Arc;

use cassette_core::json::{Json, Layout};
use cassette_core::report::Report;

use super::endpoint::{Answer, Answering, Came, Endpoint};
use super::scripted::ScriptedLlm;

/// A scripted model that speaks OpenAI's chat completions on loopback: for code that takes a base URL, in whatever language.
///
/// It answers `POST ../chat/completions` by its script, whole or as a stream, as it is asked for; a stream comes in one piece. What
/// holds of [`ScriptedLlm`] holds of it: a call beyond the script fails the test, here with a 404 to the client that no client tries
/// again, and by the drop of the double.
///
/// ```
/// use cassette_test::ScriptedChat;
///
/// let model = ScriptedChat::new("planner").calls_tool("departures", r#"{"to":"Bergen"}"#).status(429).says("At 09:04.");
/// let base = model.base_url(); // http://127.0.0.1:49153/v1
/// // .. the agent under test, with this base URL; then
/// assert_eq!((model.calls().len(), model.remaining()), (0, 3));
/// ```
pub struct ScriptedChat {
    /// Dropped first: so the last handle to the model goes on the test's own thread.
    endpoint: Endpoint,
    model: ScriptedLlm<Request, Said, u16>,
}

/// A request's body.
#[derive(Clone)]
struct Request(Json);

/// What the model says.
enum Said {
    Text(String),
    Tool(String, String),
}

impl ScriptedChat {
    /// Starts a model of this name, for reports, without an answer.
    ///
    /// # Panics
    ///
    /// Panics where no socket or thread is to be had.
    #[track_caller]
    #[must_use]
    pub fn new(name: impl Into<String>) -> ScriptedChat {
        match ScriptedChat::try_new(name) {
            Ok(chat) => chat,
            Err(error) => panic!("a scripted model could not be started: {error}"),
        }
    }

    /// Starts a model of this name, as [`new`](ScriptedChat::new) does.
    ///
    /// # Errors
    ///
    /// Fails where no socket or thread is to be had.
    pub fn try_new(name: impl Into<String>) -> io::Result<ScriptedChat> {
        let model = ScriptedLlm::new(name);
        let asked = model.clone();
        let answering: Answering = Arc::new(move |came| answer(&asked, &came));
        Ok(ScriptedChat { model, endpoint: Endpoint::start(answering)? })
    }

    /// Says this next.
    #[must_use]
    pub fn says(self, text: impl Into<String>) -> ScriptedChat {
        ScriptedChat { model: self.model.value(Said::Text(text.into())), ..self }
    }

    /// Calls this tool next, with arguments as a text of JSON, which is passed on as it is.
    #[must_use]
    pub fn calls_tool(self, name: impl Into<String>, arguments: impl Into<String>) -> ScriptedChat {
        ScriptedChat { model: self.model.value(Said::Tool(name.into(), arguments.into())), ..self }
    }

    /// Fails with this status next, in the shape of the provider's errors.
    #[must_use]
    pub fn status(self, status: u16) -> ScriptedChat {
        ScriptedChat { model: self.model.error(status), ..self }
    }

    /// Says next what this makes of the request's body.
    #[must_use]
    pub fn answers(self, answer: impl FnOnce(&Json) -> String + Send + 'static) -> ScriptedChat {
        ScriptedChat { model: self.model.answer(move |asked: &Request| Ok(Said::Text(answer(&asked.0)))), ..self }
    }

    /// Returns the base URL to give to a client.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.endpoint.url())
    }

    /// Returns the bodies of the requests so far, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<Json> {
        self.model.calls().into_iter().map(|Request(body)| body).collect()
    }

    /// Returns how many answers have not been asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.model.remaining()
    }

    /// Asserts that every answer was asked for, and no more.
    ///
    /// # Panics
    ///
    /// Panics where answers are left, and where a call found none.
    #[track_caller]
    pub fn assert_finished(&self) {
        self.model.assert_finished();
    }

    /// Tells whether every answer was asked for and no more, as [`assert_finished`](ScriptedChat::assert_finished) does.
    ///
    /// # Errors
    ///
    /// Fails where answers are left, and where a call found none.
    pub fn try_assert_finished(&self) -> Result<(), Arc<Report>> {
        self.model.try_assert_finished()
    }
}

fn answer(model: &ScriptedLlm<Request, Said, u16>, came: &Came) -> Answer {
    let is_chat = came.line.starts_with("POST ") && came.line.ends_with("/chat/completions");
    let body = String::from_utf8_lossy(&came.body);
    let Some(body) = Json::parse(&body).ok().filter(|_| is_chat) else {
        return error(
            404,
            "scripted",
            &format!("a scripted model answers POST /chat/completions alone, not {}", came.line),
        );
    };
    let streamed = body.get("stream").and_then(Json::as_bool) == Some(true);
    let asked_for = body.get("model").and_then(Json::as_str).unwrap_or_default().into_owned();
    match model.try_call(Request(body)) {
        Err(report) => error(404, &format!("cassette_{}", report.code()), &report.to_string()),
        Ok(Err(status)) => error(status, "scripted", &format!("the script says {status}")),
        Ok(Ok(said)) => {
            let reply = Reply { number: model.calls().len(), model: &asked_for, said };
            if streamed { reply.stream() } else { reply.whole() }
        }
    }
}

fn error(status: u16, kind: &str, message: &str) -> Answer {
    let members = [("message", message.into()), ("type", kind.into()), ("param", Json::Null), ("code", kind.into())];
    json(status, &Json::object([("error", Json::object(members))]))
}

fn json(status: u16, body: &Json) -> Answer {
    Answer { status, content_type: "application/json", body: body.print(Layout::Compact) }
}

struct Reply<'a> {
    /// Which call it answers, from 1.
    number: usize,
    model: &'a str,
    said: Said,
}

impl Reply<'_> {
    fn whole(&self) -> Answer {
        let message = match &self.said {
            Said::Text(text) => Json::object([("role", "assistant".into()), ("content", text.as_str().into())]),
            Said::Tool(..) => Json::object([
                ("role", "assistant".into()),
                ("content", Json::Null),
                ("tool_calls", vec![Json::object(self.tool())].into()),
            ]),
        };
        let choice =
            [("index", 0_u64.into()), ("message", message), ("logprobs", Json::Null), ("finish_reason", self.finish())];
        let counts = ["prompt_tokens", "completion_tokens", "total_tokens"].map(|name| (name, Json::from(0_u64)));
        let mut body = self.head("chat.completion", Json::object(choice));
        if let Json::Object(members) = &mut body {
            members.push(("usage".into(), Json::object(counts)));
        }
        json(200, &body)
    }

    fn stream(&self) -> Answer {
        let delta = match &self.said {
            Said::Text(text) => Json::object([("role", "assistant".into()), ("content", text.as_str().into())]),
            Said::Tool(..) => {
                let [id, kind, function] = self.tool();
                let tool = Json::object([("index", 0_u64.into()), id, kind, function]);
                Json::object([("role", "assistant".into()), ("tool_calls", vec![tool].into())])
            }
        };
        let chunk = |delta: Json, finish: Json| {
            let choice = [("index", 0_u64.into()), ("delta", delta), ("finish_reason", finish)];
            let body = self.head("chat.completion.chunk", Json::object(choice));
            format!("data: {}\n\n", body.print(Layout::Compact))
        };
        let body = [chunk(delta, Json::Null), chunk(Json::object([]), self.finish()), "data: [DONE]\n\n".to_owned()];
        Answer { status: 200, content_type: "text/event-stream", body: body.concat() }
    }

    fn head(&self, object: &str, choice: Json) -> Json {
        Json::object([
            ("id", format!("chatcmpl-scripted-{}", self.number).into()),
            ("object", object.into()),
            ("created", 0_u64.into()),
            ("model", self.model.into()),
            ("choices", vec![choice].into()),
        ])
    }

    fn tool(&self) -> [(&'static str, Json); 3] {
        let (name, arguments) = match &self.said {
            Said::Tool(name, arguments) => (name.as_str(), arguments.as_str()),
            Said::Text(_) => ("", ""),
        };
        let function = Json::object([("name", name.into()), ("arguments", arguments.into())]);
        [("id", format!("call_scripted_{}", self.number).into()), ("type", "function".into()), ("function", function)]
    }

    fn finish(&self) -> Json {
        match self.said {
            Said::Text(_) => "stop".into(),
            Said::Tool(..) => "tool_calls".into(),
        }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.print(Layout::Compact))
    }
}

impl fmt::Debug for ScriptedChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedChat").field("model", &self.model).field("endpoint", &self.endpoint).finish()
    }
}
