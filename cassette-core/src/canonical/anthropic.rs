//! Anthropic messages, wherever they are served: by Anthropic, Vertex, Azure or Bedrock.

use super::form::Form;
use super::{message, plain, tool};
use crate::json::Json;

/// Messages, `count_tokens`, and batches of them.
pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::system(body, "system", found, blocks);
        message::each(body, "messages", found, blocks);
        plain::given(body, &["requests"], found);
    },
    tools: Some(|body, found| {
        tool::each(body, "tools", found, tool::schema);
        tool::choice(body, "tool_choice", found);
        message::single(body, "mcp_servers", found);
    }),
    output_schema: &["output_config.format", "output_format"],
    reasoning: &["thinking", "output_config.effort"],
    sampling: &["temperature", "top_p", "top_k", "max_tokens"],
    streams: false,
};

/// Brings a message into one shape, the results of tools in it too.
fn blocks(json: &mut Json) {
    message::blocks(json, "text");
    message::for_each(json.get_mut("content"), |block| {
        if block.get("type").and_then(Json::as_str).is_some_and(|kind| kind == "tool_result") {
            message::blocks(block, "text");
        }
    });
}
