//! genai: the program runs the tool and asks again, plain and streamed.

use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, MessageContent, Tool, ToolCall, ToolResponse,
};
use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
use genai::{Client, ModelIden, ServiceTarget};
use stages::var;

use crate::services::{self, FOLLOW_UP, PURPOSE, SYSTEM, TOOL, parameters, question, result};
use crate::told::{Said, Way, base, secret, stories, tell, town};

/// A client, and the model that it asks.
pub(crate) struct Asked {
    client: Client,
    model: &'static str,
}

impl Asked {
    /// Returns a client that speaks to `https://host/path` through the cassette. The path ends in a slash.
    pub(crate) fn of(cassette: &Cassette, kind: AdapterKind, model: &'static str, host: &str, path: &str) -> Asked {
        let (base, key) = (base(cassette, host, path), secret(cassette));
        let resolver = ServiceTargetResolver::from_resolver_fn(move |target: ServiceTarget| {
            Ok(ServiceTarget {
                endpoint: Endpoint::from_owned(base),
                auth: AuthData::from_single(key),
                model: ModelIden::new(kind, target.model.model_name),
            })
        });
        Asked { client: Client::builder().with_service_target_resolver(resolver).build().unwrap(), model }
    }
}

/// Holds a conversation: a question that needs the tool, and one that does not.
pub(crate) async fn hold(asked: Asked, way: Way) -> Result<Said, genai::Error> {
    let tool = Tool::new(TOOL).with_description(PURPOSE).with_schema(parameters());
    let request = ChatRequest::from_system(SYSTEM).with_tools([tool]);
    let mut request = request.append_message(ChatMessage::user(question(&town())));
    let mut said = Said::default();
    let mut content = ask(&asked, &request, way).await?;
    while !content.tool_calls().is_empty() {
        let calls: Vec<ToolCall> = content.tool_calls().into_iter().cloned().collect();
        request = request.append_message(ChatMessage::assistant(content));
        for call in calls {
            assert_eq!(call.fn_name, TOOL);
            said.arguments.push(call.fn_arguments.to_string());
            request = request.append_message(ToolResponse::from_tool_call(&call, result().to_string()));
        }
        content = ask(&asked, &request, way).await?;
    }
    said.answers.push(content.joined_texts().unwrap());
    let request = request.append_message(ChatMessage::assistant(content)).append_message(ChatMessage::user(FOLLOW_UP));
    said.answers.push(ask(&asked, &request, way).await?.joined_texts().unwrap());
    Ok(said)
}

async fn ask(asked: &Asked, request: &ChatRequest, way: Way) -> Result<MessageContent, genai::Error> {
    if way == Way::Whole {
        return Ok(asked.client.exec_chat(asked.model, request.clone(), None).await?.content);
    }
    let options =
        ChatOptions::default().with_capture_content(true).with_capture_tool_calls(true).with_capture_usage(true);
    let mut stream = asked.client.exec_chat_stream(asked.model, request.clone(), Some(&options)).await?.stream;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ChatStreamEvent::Chunk(chunk) => text.push_str(&chunk.content),
            ChatStreamEvent::End(end) => {
                let content = end.captured_content.unwrap();
                assert_eq!(content.joined_texts().unwrap_or_default(), text);
                return Ok(content);
            }
            _ => {}
        }
    }
    panic!("the stream ends without an end");
}

stories!(chat, 3, services::chat, |cassette, way| {
    hold(Asked::of(cassette, AdapterKind::OpenAI, "gpt-4o-mini", "api.openai.com", "/v1/"), way)
});

stories!(responses, 3, services::responses, |cassette, way| {
    hold(Asked::of(cassette, AdapterKind::OpenAIResp, "gpt-4o-mini", "api.openai.com", "/v1/"), way)
});

stories!(anthropic, 3, services::anthropic, |cassette, way| {
    hold(Asked::of(cassette, AdapterKind::Anthropic, "claude-sonnet-4-5", "api.anthropic.com", "/v1/"), way)
});

stories!(gemini, 3, services::gemini, |cassette, way| {
    hold(
        Asked::of(cassette, AdapterKind::Gemini, "gemini-2.5-flash", "generativelanguage.googleapis.com", "/v1beta/"),
        way,
    )
});

stories!(ollama, 3, services::ollama, |cassette, way| {
    hold(Asked::of(cassette, AdapterKind::Ollama, "qwen3:4b", "ollama.com", "/"), way)
});

stories!(bedrock, 3, services::bedrock, |cassette, way| {
    hold(
        Asked::of(
            cassette,
            AdapterKind::BedrockApi,
            "amazon.nova-lite-v1:0",
            "bedrock-runtime.us-east-1.amazonaws.com",
            "/",
        ),
        way,
    )
});

// It speaks Cohere's version 1, and there without tools.
stories!(cohere, 2, services::cohere_v1, |cassette, way| {
    hold(Asked::of(cassette, AdapterKind::Cohere, "command-r", "api.cohere.com", "/v1/"), way)
});

/// Whoever else speaks chat completions, each with its own ways.
const VENDORS: [(&str, AdapterKind, &str, &str); 6] = [
    ("deepseek", AdapterKind::DeepSeek, "api.deepseek.com", "/v1/"),
    ("fireworks", AdapterKind::Fireworks, "api.fireworks.ai", "/inference/v1/"),
    ("groq", AdapterKind::Groq, "api.groq.com", "/openai/v1/"),
    ("mistral", AdapterKind::Mistral, "api.mistral.ai", "/v1/"),
    ("together", AdapterKind::Together, "api.together.xyz", "/v1/"),
    ("xai", AdapterKind::Xai, "api.x.ai", "/v1/"),
];

#[cassette]
#[tokio::test]
#[ignore]
async fn vendor(cassette: Cassette) {
    let name = var("STORY_VENDOR");
    let (_, kind, host, path) = VENDORS.iter().find(|(known, ..)| *known == name).unwrap();
    hold(Asked::of(&cassette, *kind, "a-model", host, path), Way::Whole).await.unwrap().note(&cassette);
}

#[test]
fn told_vendors() {
    for (name, ..) in VENDORS {
        tell("genai::vendor", &[("STORY_VENDOR", name)], 3, services::chat);
    }
}
