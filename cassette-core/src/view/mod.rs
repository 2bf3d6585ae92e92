//! What a request asks and a reply says, whatever provider's language it is in and however it was framed.
//!
//! [`asked`] reads a request. [`view`] reads a plain reply and every stream of one into the same [`ReplyView`]. Both go
//! one way: the body is cut into JSON documents by what its bytes are, and the dialect's `read` adds one document after
//! the other to a draft; a plain reply is a stream of one. A stream that was cut gives what had arrived. Views are for
//! people, reports and sums: [`gist`] tells a request in a few words, and nothing that is replayed ever comes from one.

mod anthropic;
mod assistants;
mod chat;
mod cohere;
mod conversations;
mod converse;
mod documents;
mod draft;
mod error;
mod field;
mod gemini;
mod gist;
mod huggingface;
mod interactions;
mod invoke;
mod ocr;
mod ollama;
mod plain;
mod replicate;
mod request;
mod responses;
mod sourcegraph;
mod usage;
mod watsonx;

pub(crate) use cohere::billed;
pub(crate) use documents::documents as documents_of;
pub use error::ReplyError;
pub use gist::gist;
pub use request::{Block, File, Message, RequestView, Tool, asked};
pub(crate) use request::{asked_in, decoded, of_url};
pub use usage::Usage;

use crate::call::Call;
use crate::dialect::{Dialect, detect};
use crate::frames::Framing;
use crate::json::Json;
use crate::reply::Reply;
use draft::Draft;

/// What a model answered: the first choice, and what was said about the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyView {
    /// The text, all blocks and deltas joined.
    pub text: String,
    /// What the model thought, as far as it is shown.
    pub reasoning: String,
    /// The calls that the program is to make, in order. What the provider runs itself (its web search) is none.
    pub tool_calls: Vec<ToolCall>,
    /// Why the answer ended, in the provider's words: `stop`, `end_turn`, `MAX_TOKENS`. `None` where it was cut before.
    pub finish: Option<String>,
    /// The text of a refusal, where one is marked as such.
    pub refusal: Option<String>,
    /// The choices after the first, of a request that asked for several.
    pub others: Vec<Choice>,
    /// The model that answered, as the reply names it.
    pub model: Option<String>,
    /// What was counted, if anything was.
    pub usage: Option<Usage>,
    /// What went wrong, if the status is an error's or the reply tells of one.
    pub error: Option<ReplyError>,
}

/// One answer of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The text, all blocks and deltas joined.
    pub text: String,
    /// What the model thought, as far as it is shown.
    pub reasoning: String,
    /// The calls that the program is to make, in order.
    pub tool_calls: Vec<ToolCall>,
    /// Why the answer ended, in the provider's words.
    pub finish: Option<String>,
    /// The text of a refusal, where one is marked as such.
    pub refusal: Option<String>,
}

/// A call that a model asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// The provider's id of the call; empty where it gives none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON text, as the model wrote it where it wrote text; cut where the stream was.
    pub arguments: String,
}

/// Returns what a reply says; `None` for a call that speaks no dialect, or a reply that has no words (speech, an image).
///
/// # Examples
///
/// ```
/// use cassette_core::{call::Call, reply::{Chunk, Reply}, view::view};
///
/// let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", vec![], b"{}".to_vec());
/// let stream = br#"data: {"choices":[{"index":0,"delta":{"content":"At 09:04."},"finish_reason":"stop"}]}"#;
/// let chunks = vec![Chunk { bytes: stream.to_vec(), at: Some(std::time::Duration::ZERO) }];
/// let view = view(&call, &Reply { status: 200, headers: vec![], chunks, trailers: Vec::new(), truncated: None }).unwrap();
/// assert_eq!((view.text.as_str(), view.finish.as_deref()), ("At 09:04.", Some("stop")));
/// assert_eq!(view.usage, None);
/// ```
pub fn view(call: &Call, reply: &Reply) -> Option<ReplyView> {
    let dialect = detect(call)?;
    let body = reply.body();
    let failed = reply.status >= 400;
    let documents = documents::documents(&body);
    let mut draft = Draft::default();
    for document in &documents {
        let error = error::error(document, failed);
        draft.error = draft.error.take().or(error);
        read(dialect, &mut draft, document);
    }
    if documents.is_empty() {
        wordless(dialect, &mut draft, reply)?;
    }
    if failed && draft.error.is_none() {
        draft.error = Some(ReplyError { message: words(&body), ..ReplyError::default() });
    }
    if dialect == Dialect::BedrockInvoke {
        draft.usage_beside(invoke::counted_in_headers(reply));
    }
    Some(draft.finish())
}

/// Adds a document to the draft, as its dialect means it.
fn read(dialect: Dialect, draft: &mut Draft, document: &Json) {
    match dialect {
        Dialect::OpenAiChat | Dialect::OpenAiCompletions => chat::read(draft, document),
        Dialect::OpenAiResponses => responses::read(draft, document),
        Dialect::Anthropic => anthropic::read(draft, document),
        Dialect::Gemini => gemini::read(draft, document),
        Dialect::BedrockConverse => converse::read(draft, document),
        Dialect::BedrockInvoke => invoke::read(draft, document),
        Dialect::CohereV1 => cohere::read_v1(draft, document),
        Dialect::CohereV2 => cohere::read_v2(draft, document),
        Dialect::Ollama => ollama::read(draft, document),
        Dialect::HuggingFace => huggingface::read(draft, document),
        Dialect::OpenAiAssistants => assistants::read(draft, document),
        Dialect::GeminiInteractions => interactions::read(draft, document),
        Dialect::MistralConversations => conversations::read(draft, document),
        Dialect::MistralOcr => ocr::read(draft, document),
        Dialect::Watsonx => watsonx::read(draft, document),
        Dialect::Replicate => replicate::read(draft, document),
        Dialect::Sourcegraph => sourcegraph::read(draft, document),
        Dialect::OpenAiAudio => plain::read_audio(draft, document),
        Dialect::OpenAiEmbeddings | Dialect::OpenAiImages | Dialect::OpenAiModeration | Dialect::CohereEmbed => {
            plain::read(draft, document);
        }
    }
}

/// Returns the text of a body, or what there is instead of one.
fn words(body: &[u8]) -> String {
    let text = documents::text(body);
    if text.contains('\u{fffd}') { format!("{} bytes that are no text", body.len()) } else { text }
}

/// Reads a reply without any JSON: a failure, a transcript as text, or a stream that broke off before its first event.
fn wordless(dialect: Dialect, draft: &mut Draft, reply: &Reply) -> Option<()> {
    let media = reply.header("content-type").unwrap_or_default();
    let streamed = Framing::of(media).is_some() || media.starts_with("application/vnd.amazon.eventstream");
    if dialect == Dialect::OpenAiAudio && media.starts_with("text/") && !streamed && reply.status < 400 {
        draft.answer().block((0, 0)).text = documents::text(&reply.body());
        return Some(());
    }
    (streamed || reply.status >= 400).then_some(())
}

#[cfg(test)]
mod tests;
