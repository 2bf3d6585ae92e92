//! Which part each place of a request belongs to, and which pairs of requests are one or two.

use super::super::Canonical;
use super::{different, same};
use crate::call::Call;
use crate::dialect::{Dialect, detect};
use crate::matching::{Matching, PartName, Selector};

/// Checks the places of a request to this address, `part: path` each, endpoint and sampling apart.
#[track_caller]
fn check(url: &str, body: &str, expected: &[&str]) {
    let call = Call::http("POST", url, Vec::new(), body.into());
    let form = Canonical::in_dialect(&call, detect(&call), &Matching::default());
    let parts = form.parts().iter().skip(1);
    let places = parts.flat_map(|part| part.elements().map(|(path, _)| format!("{}: {path}", part.name)));
    assert_eq!(places.collect::<Vec<_>>(), expected, "{url}");
}

#[test]
fn what_a_call_without_a_conversation_is_given_are_its_messages() {
    check(
        "https://api.openai.com/v1/embeddings",
        r#"{"model":"m","input":["a","b"],"dimensions":8}"#,
        &["model: model", "messages: input[0]", "messages: input[1]", "rest: dimensions"],
    );
    check(
        "https://api.openai.com/v1/images/generations",
        r#"{"model":"m","prompt":"a","size":"s"}"#,
        &["model: model", "messages: prompt", "rest: size"],
    );
    check(
        "https://api.openai.com/v1/audio/speech",
        r#"{"model":"m","input":"a","voice":"v","instructions":"i"}"#,
        &["model: model", "messages: instructions", "messages: input", "rest: voice"],
    );
    check(
        "https://api.openai.com/v1/moderations",
        r#"{"model":"m","input":"a"}"#,
        &["model: model", "messages: input"],
    );
    check(
        "https://api.cohere.com/v2/embed",
        r#"{"model":"m","texts":["a"],"input_type":"t"}"#,
        &["model: model", "messages: texts[0]", "rest: input_type"],
    );
    check(
        "https://api.cohere.com/v2/rerank",
        r#"{"model":"m","query":"q","documents":["a"],"top_n":1}"#,
        &["model: model", "messages: query", "messages: documents[0]", "rest: top_n"],
    );
    check(
        "https://api.cohere.com/v2/chat",
        r#"{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"t"}}],"tool_choice":"REQUIRED","response_format":{},"thinking":{},"documents":["d"]}"#,
        &[
            "model: model",
            "messages: messages[0]",
            "messages: documents[0]",
            "tools: tools[0]",
            "tools: tool_choice",
            "output_schema: response_format",
            "reasoning: thinking",
        ],
    );
    check(
        "https://api-inference.huggingface.co/models/o/m",
        r#"{"inputs":"a","parameters":{"return_full_text":true,"top_p":1}}"#,
        &["model: model", "messages: inputs", "rest: parameters"],
    );
    check(
        "https://api.mistral.ai/v1/fim/completions",
        r#"{"model":"m","prompt":"a","suffix":"b","min_tokens":1}"#,
        &["model: model", "messages: prompt", "messages: suffix", "rest: min_tokens"],
    );
    check(
        "https://api.mistral.ai/v1/agents/completions",
        r#"{"agent_id":"ag","messages":[{"role":"user","content":"a"}]}"#,
        &["model: agent_id", "messages: messages[0]"],
    );
    check(
        "https://eu-de.ml.cloud.ibm.com/ml/v1/text/chat?version=1",
        r#"{"model_id":"m","messages":[{"role":"user","content":"a"}],"project_id":"p"}"#,
        &["model: model_id", "messages: messages[0]", "rest: project_id"],
    );
    check(
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/count-tokens",
        r#"{"input":{"converse":{"messages":[{"role":"user","content":[{"text":"a"}]}]}}}"#,
        &["model: model", "messages: input.converse.messages[0]"],
    );
}

#[test]
fn pairs_without_a_conversation() {
    use Dialect::*;
    same(OpenAiEmbeddings, r#"{"model":"m","input":["a","b"]}"#, r#"{ "input": ["a", "b"], "model": "m" }"#);
    different(OpenAiEmbeddings, r#"{"input":"a"}"#, r#"{"input":["a"]}"#);
    different(OpenAiEmbeddings, r#"{"input":["a","b"]}"#, r#"{"input":["b","a"]}"#);
    different(OpenAiEmbeddings, r#"{"input":[1,2]}"#, r#"{"input":[[1,2]]}"#);
    different(OpenAiEmbeddings, r#"{"input":["a"]}"#, r#"{"texts":["a"]}"#);
    different(OpenAiEmbeddings, r#"{"input":[]}"#, "{}");
    different(OpenAiImages, r#"{"prompt":"a","n":1}"#, r#"{"prompt":"a","n":2}"#);
    different(OpenAiImages, r#"{"prompt":"a"}"#, r#"{"input":"a"}"#);
    different(OpenAiAudio, r#"{"input":"a","voice":"v"}"#, r#"{"input":"a","voice":"w"}"#);
    same(OpenAiAudio, r#"{"input":"a","temperature":0}"#, r#"{"input":"a","temperature":1}"#);
    different(OpenAiModeration, r#"{"input":"a"}"#, r#"{"input":"b"}"#);
    different(CohereEmbed, r#"{"query":"a","documents":["b"]}"#, r#"{"query":"b","documents":["a"]}"#);
    same(
        CohereV2,
        r#"{"messages":[{"role":"user","content":"a"}],"p":1}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"p":0.5}"#,
    );
    different(CohereV2, r#"{"messages":[],"documents":["a"]}"#, r#"{"messages":[],"documents":["b"]}"#);
    same(HuggingFace, r#"{"inputs":"a","parameters":{"seed":1}}"#, r#"{"inputs":"a"}"#);
    different(HuggingFace, r#"{"inputs":"a","options":{}}"#, r#"{"inputs":"a"}"#);
    same(GeminiInteractions, r#"{"input":"a"}"#, r#"{"input":[{"type":"text","text":"a"}]}"#);
    same(
        GeminiInteractions,
        r#"{"input":[{"role":"user","content":"a"}]}"#,
        r#"{"input":[{"role":"user","content":[{"type":"text","text":"a"}]}]}"#,
    );
    different(
        GeminiInteractions,
        r#"{"input":"a"}"#,
        r#"{"input":[{"type":"user_input","content":[{"type":"text","text":"a"}]}]}"#,
    );
    different(
        OpenAiAssistants,
        r#"{"additional_messages":[{"role":"user","content":"a"}]}"#,
        r#"{"thread":{"messages":[{"role":"user","content":"a"}]}}"#,
    );
    different(MistralConversations, r#"{"inputs":"a"}"#, r#"{"inputs":["a"]}"#);
    different(Replicate, r#"{"input":{"prompt":"a"}}"#, r#"{"input":{"negative_prompt":"a"}}"#);
    different(Watsonx, r#"{"input":"a","model_id":"m"}"#, r#"{"input":"a","model_id":"n"}"#);
}

/// Two addresses that differ in the model that stands in the path, and what it is called in the first.
const IN_PATH: &[(&str, &str, &str)] = &[
    (
        "https://generativelanguage.googleapis.com/v1beta/models/pro:generateContent",
        "https://generativelanguage.googleapis.com/v1beta/models/flash:generateContent",
        r#"model:"pro""#,
    ),
    (
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/a.c-v1%3A0/converse",
        r#"model:"a.b-v1%3A0""#,
    ),
    (
        "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
        "https://x.openai.azure.com/openai/deployments/e/chat/completions?api-version=1",
        r#"model:"d""#,
    ),
    (
        "https://api-inference.huggingface.co/models/o/m",
        "https://api-inference.huggingface.co/models/o/n",
        r#"model:"o/m""#,
    ),
];

#[test]
fn a_model_that_stands_in_the_path_alone_is_the_part_model() {
    let form = |url: &str, body: &str, matching: &Matching| {
        let call = Call::http("POST", url, Vec::new(), body.into());
        Canonical::in_dialect(&call, detect(&call), matching)
    };
    let on = |part: PartName| Matching { match_on: Some(vec![Selector::Part(part)]), ..Matching::default() };
    for (url, other, model) in IN_PATH {
        let [one, two] = [url, other].map(|url| form(url, "{}", &Matching::default()));
        let differing: Vec<_> = one.parts().iter().filter(|part| !two.parts().contains(part)).collect();
        let [part] = differing.as_slice() else { panic!("{url}: {differing:?}") };
        let elements: Vec<_> = part.elements().collect();
        assert_eq!((part.name.as_str(), elements), ("model", vec![("model", *model)]), "{url}");
        assert_ne!(one.key(), two.key());
        // As where the body names it.
        let keys = |matching: &Matching| [url, other].map(|url| form(url, "{}", matching).key());
        let [one, two] = keys(&on(PartName::Model));
        assert_ne!(one, two, "{url}");
        let [one, two] = keys(&on(PartName::Endpoint));
        assert_eq!(one, two, "{url}");
        let same = on(PartName::Model);
        assert_eq!(form(url, r#"{"a":1}"#, &same).key(), form(url, r#"{"a":2}"#, &same).key(), "{url}");
    }
    let both = form(IN_PATH[2].0, r#"{"model":"m"}"#, &Matching::default());
    let model: Vec<_> =
        both.parts().iter().filter(|part| part.name == "model").flat_map(|part| part.elements()).collect();
    assert_eq!(model, [("model", r#"model:"m""#)]);
}
