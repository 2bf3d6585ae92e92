//! async-openai: chat completions and Responses, plain and streamed.

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{CreateChatCompletionRequest, FinishReason};
use async_openai::types::responses::{CreateResponse, OutputItem, OutputMessageContent, ResponseStreamEvent};
use cassette_test::Cassette;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::services::{self, FOLLOW_UP, PURPOSE, SYSTEM, TOOL, parameters, question, result};
use crate::told::{Said, Way, base, secret, stories, town};

/// One answer: its text, and the call of the tool that it asks for, by identifier and arguments.
#[derive(Default)]
struct Turn {
    text: String,
    call: Option<(String, String)>,
}

/// Returns the client.
pub(crate) fn client(cassette: &Cassette) -> Client<OpenAIConfig> {
    let base = base(cassette, "api.openai.com", "/v1");
    Client::with_config(OpenAIConfig::new().with_api_base(base).with_api_key(secret(cassette)))
}

/// Holds a conversation in chat completions: a question that needs the tool, and one that does not.
pub(crate) async fn in_chat(client: Client<OpenAIConfig>, way: Way) -> Result<Said, OpenAIError> {
    let mut said = Said::default();
    let mut messages =
        vec![json!({"role": "system", "content": SYSTEM}), json!({"role": "user", "content": question(&town())})];
    loop {
        let turn = ask_chat(&client, &messages, way).await?;
        if let Some((id, arguments)) = turn.call {
            let function = json!({"name": TOOL, "arguments": arguments});
            let calls = json!([{"id": id, "type": "function", "function": function}]);
            messages.push(json!({"role": "assistant", "tool_calls": calls}));
            messages.push(json!({"role": "tool", "tool_call_id": id, "content": result().to_string()}));
            said.arguments.push(arguments);
            continue;
        }
        messages.push(json!({"role": "assistant", "content": turn.text}));
        messages.push(json!({"role": "user", "content": FOLLOW_UP}));
        said.answers.push(turn.text);
        if said.answers.len() == 2 {
            return Ok(said);
        }
    }
}

async fn ask_chat(client: &Client<OpenAIConfig>, messages: &[Value], way: Way) -> Result<Turn, OpenAIError> {
    let function = json!({"name": TOOL, "description": PURPOSE, "parameters": parameters()});
    let tools = json!([{"type": "function", "function": function}]);
    let mut request = json!({"model": "gpt-4o-mini", "messages": messages, "tools": tools});
    let mut turn = Turn::default();
    if way == Way::Whole {
        let request: CreateChatCompletionRequest = serde_json::from_value(request).unwrap();
        let choice = client.chat().create(request).await?.choices.remove(0);
        turn.text = choice.message.content.unwrap_or_default();
        turn.call = choice.message.tool_calls.map(|calls| {
            let call = serde_json::to_value(&calls[0]).unwrap();
            let arguments = call["function"]["arguments"].as_str().unwrap();
            (call["id"].as_str().unwrap().to_owned(), arguments.to_owned())
        });
        return Ok(turn);
    }
    // With its feature `byot`, which another package of a build may switch on, the client does not say so itself.
    request["stream"] = true.into();
    request["stream_options"] = json!({"include_usage": true});
    let request: CreateChatCompletionRequest = serde_json::from_value(request).unwrap();
    let mut stream = client.chat().create_stream(request).await?;
    let mut reason = None;
    while let Some(chunk) = stream.next().await {
        for choice in chunk?.choices {
            turn.text.push_str(&choice.delta.content.unwrap_or_default());
            for piece in choice.delta.tool_calls.unwrap_or_default() {
                let (id, arguments) = turn.call.get_or_insert_default();
                id.push_str(&piece.id.unwrap_or_default());
                arguments.push_str(&piece.function.and_then(|function| function.arguments).unwrap_or_default());
            }
            reason = choice.finish_reason.or(reason);
        }
    }
    assert_eq!(reason, Some(if turn.call.is_some() { FinishReason::ToolCalls } else { FinishReason::Stop }));
    Ok(turn)
}

async fn in_responses(client: Client<OpenAIConfig>, way: Way) -> Result<Said, OpenAIError> {
    let mut said = Said::default();
    let mut input = vec![json!({"role": "user", "content": question(&town())})];
    loop {
        let items = ask_responses(&client, &input, way).await?;
        for item in items {
            input.push(serde_json::to_value(&item).unwrap());
            match item {
                OutputItem::FunctionCall(call) => {
                    let output = result().to_string();
                    input.push(json!({"type": "function_call_output", "call_id": call.call_id, "output": output}));
                    said.arguments.push(call.arguments);
                }
                OutputItem::Message(message) => {
                    let OutputMessageContent::OutputText(text) = &message.content[0] else { panic!("{message:?}") };
                    said.answers.push(text.text.clone());
                    input.push(json!({"role": "user", "content": FOLLOW_UP}));
                }
                item => panic!("{item:?}"),
            }
        }
        if said.answers.len() == 2 {
            return Ok(said);
        }
    }
}

async fn ask_responses(
    client: &Client<OpenAIConfig>,
    input: &[Value],
    way: Way,
) -> Result<Vec<OutputItem>, OpenAIError> {
    let tool = json!({
        "type": "function", "name": TOOL, "description": PURPOSE, "parameters": parameters(), "strict": false
    });
    let mut request = json!({"model": "gpt-4o-mini", "instructions": SYSTEM, "input": input, "tools": [tool]});
    if way == Way::Streamed {
        request["stream"] = true.into();
    }
    let request: CreateResponse = serde_json::from_value(request).unwrap();
    if way == Way::Whole {
        return Ok(client.responses().create(request).await?.output);
    }
    let mut stream = client.responses().create_stream(request).await?;
    let mut items = Vec::new();
    while let Some(event) = stream.next().await {
        match event? {
            ResponseStreamEvent::ResponseOutputItemDone(done) => items.push(done.item),
            ResponseStreamEvent::ResponseCompleted(completed) => assert_eq!(completed.response.output, items),
            _ => {}
        }
    }
    Ok(items)
}

stories!(chat, 3, services::chat, |cassette, way| in_chat(client(cassette), way));

stories!(responses, 3, services::responses, |cassette, way| in_responses(client(cassette), way));
