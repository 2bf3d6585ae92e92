//! rig: its agent runs the tool and asks again, plain and streamed.

use std::sync::{Arc, Mutex};

use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use rig_agent::AgentBuilder;
use rig_agent::agent::MultiTurnStreamItem;
use rig_agent::completion::PromptError;
use rig_agent::prelude::DynModel;
use rig_agent::run::PromptResponse;
use rig_core::message::ToolName;
use rig_core::operation::Completion;
use rig_core::providers::anthropic::AnthropicConfig;
use rig_core::providers::cohere::{ChatRoute, CohereConfig};
use rig_core::providers::gemini::GeminiConfig;
use rig_core::providers::ollama::OllamaConfig;
use rig_core::providers::openai::wire::{self, Dialect};
use rig_core::providers::openai::{OpenAI, OpenAIConfig};
use rig_core::providers::xai;
use rig_core::streaming::{Item, StreamEvent};
use rig_core::tool::{DynamicTool, ToolOutput};
use stages::var;

use crate::services::{self, FOLLOW_UP, PURPOSE, SYSTEM, TOOL, parameters, question, result};
use crate::told::{Said, Way, base, secret, stories, tell, town};

/// Holds a conversation: a question that needs the tool, and one that does not.
#[allow(clippy::result_large_err, reason = "rig's own error; not every version of clippy minds")]
pub(crate) async fn hold(model: impl Into<DynModel<Completion>>, way: Way) -> Result<Said, PromptError> {
    let arguments: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = arguments.clone();
    let tool = DynamicTool::new(ToolName::new(TOOL).unwrap(), PURPOSE, parameters(), move |given| {
        notes.lock().unwrap().push(given.to_string());
        Box::pin(async { Ok(ToolOutput::json(result())) })
    });
    let agent = AgentBuilder::new(model).preamble(SYSTEM).dynamic_tool(tool).build();
    let first = run(agent.prompt(question(&town())).max_turns(2), way).await?;
    let second = run(agent.prompt(FOLLOW_UP).history(first.messages().to_vec()), way).await?;
    let arguments = arguments.lock().unwrap().clone();
    Ok(Said { answers: vec![first.output(), second.output()], arguments })
}

#[allow(clippy::result_large_err, reason = "rig's own error; not every version of clippy minds")]
async fn run(runner: rig_agent::agent::AgentRunner, way: Way) -> Result<PromptResponse, PromptError> {
    if way == Way::Whole {
        return runner.await;
    }
    let (mut stream, mut text) = (runner.stream(), String::new());
    while let Some(item) = stream.next().await {
        match item? {
            MultiTurnStreamItem::StreamAssistantItem(Item::Event(StreamEvent::Text { text: piece, .. })) => {
                text.push_str(&piece);
            }
            MultiTurnStreamItem::FinalResponse(response) => {
                assert!(text.ends_with(&response.output()), "{text}");
                return Ok(response);
            }
            _ => {}
        }
    }
    panic!("the stream ends without an answer");
}

/// Returns OpenAI's client.
pub(crate) fn openai(cassette: &Cassette) -> OpenAI {
    OpenAIConfig::new(secret(cassette)).with_base_url(base(cassette, "api.openai.com", "/v1")).client()
}

stories!(chat, 3, services::chat, |cassette, way| hold(openai(cassette).chat("gpt-4o-mini"), way));

stories!(responses, 3, services::responses, |cassette, way| hold(openai(cassette).responses("gpt-4o-mini"), way));

stories!(anthropic, 3, services::anthropic, |cassette, way| {
    let base = base(cassette, "api.anthropic.com", "");
    hold(AnthropicConfig::new(secret(cassette)).with_base_url(base).client().completion("claude-sonnet-4-5"), way)
});

stories!(gemini, 3, services::gemini, |cassette, way| {
    let base = base(cassette, "generativelanguage.googleapis.com", "");
    hold(GeminiConfig::new(secret(cassette)).with_base_url(base).client().completion("gemini-2.5-flash"), way)
});

stories!(cohere, 3, services::cohere, |cassette, way| {
    let base = base(cassette, "api.cohere.ai", "");
    let mut model = CohereConfig::new(secret(cassette)).with_base_url(base).client().completion("command-a-03-2025");
    // By itself it speaks OpenAI's dialect to Cohere.
    model.wire = model.wire.with_route(ChatRoute::Native);
    hold(model, way)
});

stories!(ollama, 3, services::ollama, |cassette, way| {
    let base = base(cassette, "ollama.com", "");
    // By itself it speaks OpenAI's dialect here too.
    hold(OllamaConfig::new().with_base_url(base).client().native_completion("qwen3:4b"), way)
});

/// A service that speaks OpenAI's dialect: its name, how rig speaks to it, and its host and path.
type Vendor = (&'static str, &'static Dialect, &'static str, &'static str);

/// Whoever else speaks chat completions, each with its own ways. xAI speaks Responses, at a path of the same name.
const VENDORS: [Vendor; 11] = [
    ("azure", &wire::AZURE, "trains.openai.azure.com", ""),
    ("deepseek", &wire::DEEPSEEK, "api.deepseek.com", ""),
    ("groq", &wire::GROQ, "api.groq.com", "/openai/v1"),
    ("huggingface", &wire::HUGGINGFACE, "router.huggingface.co", ""),
    ("llamacpp", &wire::LLAMACPP, "llamacpp", ""),
    ("mistral", &wire::MISTRAL, "api.mistral.ai", ""),
    ("moonshot", &wire::MOONSHOT, "api.moonshot.ai", "/v1"),
    ("openrouter", &wire::OPENROUTER, "openrouter.ai", "/api/v1"),
    ("perplexity", &wire::PERPLEXITY, "api.perplexity.ai", ""),
    ("together", &wire::TOGETHER, "api.together.xyz", ""),
    ("xai", &xai::DIALECT, "api.x.ai", ""),
];

#[cassette]
#[tokio::test]
#[ignore]
async fn vendor(cassette: Cassette) {
    let name = var("STORY_VENDOR");
    let (_, dialect, host, path) = VENDORS.iter().find(|(known, ..)| *known == name).unwrap();
    let config = OpenAIConfig::with_key(dialect, secret(&cassette)).with_base_url(base(&cassette, host, path));
    hold(config.client().completion("a-model"), Way::Whole).await.unwrap().note(&cassette);
}

#[test]
fn told_vendors() {
    for (name, ..) in VENDORS {
        let service = if name == "xai" { services::responses } else { services::chat };
        // rig sends Perplexity no tools.
        let calls = if name == "perplexity" { 2 } else { 3 };
        tell("rig::vendor", &[("STORY_VENDOR", name)], calls, service);
    }
}
