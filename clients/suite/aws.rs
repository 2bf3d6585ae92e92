//! AWS's own client for Bedrock: the program runs the tool and asks again, plain and streamed.
//!
//! It signs what it sends, for the host that it is told to call: here the gateway's. A provider on loopback does not look at
//! signatures, and neither does a replay; the real one would refuse them, so recording the real one is not shown here.

use std::collections::HashMap;

use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_bedrockruntime::types::{
    ContentBlock, ContentBlockDelta, ContentBlockStart, ConversationRole, ConverseStreamOutput, Message,
    SystemContentBlock, Tool, ToolConfiguration, ToolInputSchema, ToolResultBlock, ToolResultContentBlock,
    ToolSpecification, ToolUseBlock,
};
use aws_smithy_types::{Document, Number};
use cassette_test::Cassette;
use serde_json::Value;

use crate::services::{self, FOLLOW_UP, PURPOSE, SYSTEM, TOOL, parameters, question, result};
use crate::told::{Said, Way, base, secret, stories, town};

const MODEL: &str = "amazon.nova-lite-v1:0";

/// Returns the client.
pub(crate) fn client(cassette: &Cassette) -> Client {
    let config = aws_sdk_bedrockruntime::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("an-access-key", secret(cassette), None, None, "story"))
        .endpoint_url(base(cassette, "bedrock-runtime.us-east-1.amazonaws.com", ""))
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Client::from_conf(config.build())
}

/// Holds a conversation: a question that needs the tool, and one that does not.
pub(crate) async fn hold(client: Client, way: Way) -> Result<Said, aws_sdk_bedrockruntime::Error> {
    let mut said = Said::default();
    let mut messages = vec![user(ContentBlock::Text(question(&town())))];
    while said.answers.len() < 2 {
        let content = ask(&client, &messages, way).await?;
        let asked = match &content {
            ContentBlock::Text(text) => {
                said.answers.push(text.clone());
                user(ContentBlock::Text(FOLLOW_UP.to_owned()))
            }
            ContentBlock::ToolUse(call) => {
                assert_eq!(call.name(), TOOL);
                said.arguments.push(value(call.input()).to_string());
                let answered = ToolResultBlock::builder()
                    .tool_use_id(call.tool_use_id())
                    .content(ToolResultContentBlock::Json(document(&result())));
                user(ContentBlock::ToolResult(answered.build()?))
            }
            content => panic!("{content:?}"),
        };
        messages.push(Message::builder().role(ConversationRole::Assistant).content(content).build()?);
        messages.push(asked);
    }
    Ok(said)
}

fn user(content: ContentBlock) -> Message {
    Message::builder().role(ConversationRole::User).content(content).build().unwrap()
}

async fn ask(client: &Client, messages: &[Message], way: Way) -> Result<ContentBlock, aws_sdk_bedrockruntime::Error> {
    let schema = ToolInputSchema::Json(document(&parameters()));
    let tool = ToolSpecification::builder().name(TOOL).description(PURPOSE).input_schema(schema).build()?;
    let tools = ToolConfiguration::builder().tools(Tool::ToolSpec(tool)).build()?;
    let (system, messages) = (SystemContentBlock::Text(SYSTEM.to_owned()), Some(messages.to_vec()));
    if way == Way::Whole {
        let asked = client.converse().model_id(MODEL).system(system).tool_config(tools).set_messages(messages);
        let answered = asked.send().await?.output.unwrap();
        return Ok(answered.as_message().unwrap().content()[0].clone());
    }
    let asked = client.converse_stream().model_id(MODEL).system(system).tool_config(tools).set_messages(messages);
    let mut stream = asked.send().await?.stream;
    let (mut text, mut call) = (String::new(), None);
    while let Some(event) = stream.recv().await? {
        match event {
            ConverseStreamOutput::ContentBlockStart(start) => {
                if let Some(ContentBlockStart::ToolUse(start)) = start.start {
                    call = Some(start);
                }
            }
            ConverseStreamOutput::ContentBlockDelta(delta) => match delta.delta.unwrap() {
                ContentBlockDelta::Text(piece) => text.push_str(&piece),
                ContentBlockDelta::ToolUse(piece) => text.push_str(&piece.input),
                delta => panic!("{delta:?}"),
            },
            _ => {}
        }
    }
    let Some(start) = call else { return Ok(ContentBlock::Text(text)) };
    let input = document(&serde_json::from_str(&text).unwrap());
    let call = ToolUseBlock::builder().name(start.name).tool_use_id(start.tool_use_id).input(input);
    Ok(ContentBlock::ToolUse(call.build()?))
}

/// Returns JSON as this client has it. Its objects have no order, so that each run sends them in another.
fn document(value: &Value) -> Document {
    match value {
        Value::Null => Document::Null,
        Value::Bool(is) => Document::Bool(*is),
        Value::Number(number) => {
            Document::Number(number.as_u64().map_or_else(|| Number::Float(number.as_f64().unwrap()), Number::PosInt))
        }
        Value::String(text) => Document::String(text.clone()),
        Value::Array(elements) => Document::Array(elements.iter().map(document).collect()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), document(value)));
            Document::Object(members.collect::<HashMap<_, _>>())
        }
    }
}

/// Returns JSON, its members in the alphabet's order.
fn value(document: &Document) -> Value {
    match document {
        Document::Null => Value::Null,
        Document::Bool(is) => Value::Bool(*is),
        Document::Number(Number::PosInt(number)) => (*number).into(),
        Document::Number(Number::NegInt(number)) => (*number).into(),
        Document::Number(Number::Float(number)) => (*number).into(),
        Document::String(text) => text.as_str().into(),
        Document::Array(elements) => elements.iter().map(value).collect(),
        Document::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, document)| (name.clone(), value(document))).collect();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(members.into_iter().collect())
        }
    }
}

stories!(bedrock, 3, services::bedrock, |cassette, way| hold(client(cassette), way));
