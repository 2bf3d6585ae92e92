//! Bedrock: `converse`, `count-tokens`, and `invoke` for models that have no form of their own here.

use super::form::{Body, Form};
use super::part::Element;
use super::{message, openai, plain, tool};
use crate::json::Json;

/// `converse` and `converse-stream`; the model stands in the path.
pub(super) const CONVERSE: Form = Form {
    model: &[],
    messages: |body, found| {
        message::single(body, "system", found);
        message::each(body, "messages", found, |_| {});
        message::single(body, "promptVariables", found);
    },
    tools: Some(|body, found| {
        tools(body, "toolConfig.tools", found);
        tool::choice(body, "toolConfig.toolChoice", found);
    }),
    output_schema: &["outputConfig"],
    reasoning: &[
        "additionalModelRequestFields.thinking",
        "additionalModelRequestFields.reasoning_config",
        "additionalModelRequestFields.reasoningConfig",
        "additionalModelRequestFields.reasoning_effort",
        "additionalModelRequestFields.output_config.effort",
    ],
    sampling: &[
        "inferenceConfig.temperature",
        "inferenceConfig.topP",
        "inferenceConfig.topK",
        "inferenceConfig.maxTokens",
    ],
    streams: false,
};

/// `count-tokens`: a request within a request.
pub(super) const COUNT: Form = Form {
    messages: |body, found| {
        message::single(body, "input.converse.system", found);
        message::each(body, "input.converse.messages", found, |_| {});
        message::single(body, "input.invokeModel.body", found);
    },
    tools: Some(|body, found| {
        tools(body, "input.converse.toolConfig.tools", found);
        tool::choice(body, "input.converse.toolConfig.toolChoice", found);
    }),
    output_schema: &[],
    reasoning: &[],
    sampling: &[],
    ..CONVERSE
};

/// What a model is given by `invoke`: a conversation of Cohere's, texts to embed or rank, what an image or a film is to show.
const GIVEN: &[&str] = &[
    "chat_history",
    "message",
    "documents",
    "query",
    "texts",
    "inputs",
    "inputImage",
    "images",
    "image",
    "text_prompts",
    "negative_prompt",
    "init_image",
    "mask",
    "textToImageParams",
    "imageVariationParams",
    "inPaintingParams",
    "outPaintingParams",
    "colorGuidedGenerationParams",
    "backgroundRemovalParams",
    "textToVideoParams",
    "multiShotAutomatedParams",
    "multiShotManualParams",
    "singleEmbeddingParams",
];

/// `invoke`, in the language of a model that is neither Claude nor Nova.
pub(super) const INVOKE: Form = Form {
    model: &[],
    messages: |body, found| {
        message::single(body, "system", found);
        message::single(body, "prompt", found);
        message::single(body, "inputText", found);
        message::each(body, "messages", found, openai::chat);
        plain::given(body, GIVEN, found);
    },
    tools: Some(openai::chat_tools),
    output_schema: &["response_format"],
    reasoning: &["thinking", "reasoning_effort"],
    sampling: &[
        "temperature",
        "top_p",
        "top_k",
        "p",
        "k",
        "max_tokens",
        "max_gen_len",
        "max_tokens_to_sample",
        "seed",
        "presence_penalty",
        "frequency_penalty",
        "textGenerationConfig.temperature",
        "textGenerationConfig.topP",
        "textGenerationConfig.maxTokenCount",
    ],
    streams: false,
};

fn tools(body: &mut Body, path: &str, found: &mut Vec<Element>) {
    match body.take(path) {
        Some(Json::Array(tools)) if !tools.is_empty() => {
            let tools = tools.into_iter().enumerate();
            found.extend(tools.map(|(i, tool)| Element::at(format!("{path}[{i}]"), specified(tool).canonical())));
        }
        Some(other) => found.push(Element::at(path, format!("tools {}", other.canonical()))),
        None => {}
    }
}

/// Returns a tool that is nothing but a `toolSpec` in the shape of all tools.
fn specified(tool: Json) -> Json {
    match tool.members() {
        [(name, Json::Object(_))] if name.is("toolSpec") => {
            unwrapped(tool::renamed(tool::lifted(tool, "toolSpec"), "inputSchema"))
        }
        _ => tool,
    }
}

/// Returns a tool whose parameters stand within a member `json`, as they do here alone, as they stand elsewhere.
fn unwrapped(mut tool: Json) -> Json {
    if let Json::Object(members) = &mut tool
        && let Some((_, parameters)) = members.iter_mut().find(|(name, _)| name.is("parameters"))
        && let [(name, schema)] = parameters.members()
        && name.is("json")
    {
        *parameters = schema.clone();
    }
    tool
}
