//! What was asked.

use std::collections::HashMap;

use super::body::{body, json};
use super::{Entry, Exchange, What};
use crate::call::Call;
use crate::matching::Matching;
use crate::view::{Block, Message, ToolCall, asked_in};
use crate::{canonical, dialect};

/// Reads what a call says: of a model call its parts, of any other its body.
pub(super) fn read(exchange: &mut Exchange, call: &Call) {
    // Without what changes with every call, so that a run's transcript can be kept as a snapshot.
    let read = |dialect| asked_in(dialect, canonical::document(call, &Matching::default())?, &call.name);
    let Some(view) = dialect::detect(call).and_then(read) else {
        return exchange.said.extend(body(&call.body, call.header("content-type"), "sends"));
    };
    let setting = |(label, text): (String, String)| Entry::new(What::Setting, label, text);
    exchange.model = view.model.as_deref().map(crate::redact::unescape);
    exchange.settings.extend(view.model.into_iter().map(|model| setting(("model".to_owned(), model))));
    exchange.settings.extend(view.settings.into_iter().map(|(path, value)| setting((path, json(&value)))));
    let tools =
        view.tools.iter().map(|tool| Entry::new(What::Tool, format!("tool {}", tool.name), json(&tool.definition)));
    exchange.settings.extend(tools);
    let mut names = HashMap::new();
    exchange.said = view.messages.into_iter().flat_map(|message| entries(message, &mut names)).collect();
}

/// Returns the entries of a message. `names` learns which call has which id, for what it returns.
fn entries(message: Message, names: &mut HashMap<String, String>) -> Vec<Entry> {
    let Message { role, blocks } = message;
    let mut entries: Vec<Entry> = Vec::with_capacity(blocks.len());
    let is_silent = |block: &Block| matches!(block, Block::Text(text) if text.trim().is_empty());
    for block in blocks.into_iter().filter(|block| !is_silent(block)) {
        entries.push(match block {
            Block::Text(text) => Entry::new(What::Said, role.as_str(), text),
            Block::Thought(text) => Entry::new(What::Thought, "thinks", text),
            Block::Call(call) => {
                names.insert(call.id.clone(), call.name.clone());
                called(&call)
            }
            Block::Returned(id, text) => {
                // Gemini has the function's name where others have the call's id.
                let name = names.get(&id).cloned().unwrap_or(if id.starts_with("call_") { String::new() } else { id });
                let label = if name.is_empty() { "returns".to_owned() } else { format!("{name} returns") };
                Entry::new(What::Returned, label, text_or_json(&text))
            }
            Block::File(shown) => Entry::of_file(format!("{role} shows"), shown),
            Block::Other(other) => Entry::new(What::Other, format!("{role} has"), json(&other)),
        });
    }
    if entries.is_empty() {
        entries.push(Entry::new(What::Said, role, ""));
    }
    entries
}

/// Returns the entry of a call: the same for one that a model asks for and one that is sent back to it.
pub(super) fn called(call: &ToolCall) -> Entry {
    Entry::new(What::Called, "calls", format!("{}({})", call.name, text_or_json(&call.arguments)))
}

/// Returns a text that is a JSON document in one spelling, and any other as it is.
pub(super) fn text_or_json(text: &str) -> String {
    let document = text.trim_start().starts_with(['{', '[']).then(|| crate::json::Json::parse(text).ok()).flatten();
    document.map_or_else(|| text.trim_end().to_owned(), |document| json(&document))
}
