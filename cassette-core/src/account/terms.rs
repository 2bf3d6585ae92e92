//! What has a price of its own, which tokens of text do not tell.

use crate::json::Json;
use crate::view::RequestView;

/// Members that say on what terms a call is served, each with what it says where the list price holds.
const TERMS: [(&str, &[&str]); 4] = [
    ("service_tier", &ORDINARY),
    ("serviceTier", &ORDINARY),
    ("speed", &["standard"]),
    ("inference_geo", &["global", "not_available"]),
];

/// Tiers of service that cost what the list says.
const ORDINARY: [&str; 5] = ["auto", "default", "standard", "standard_only", "on_demand"];

/// Where a document tells of the whole answer.
const WHOLE: [&str; 3] = ["", "response", "message"];

/// Where a document counts.
const COUNTS: [&str; 7] =
    ["usage", "response.usage", "message.usage", "usageMetadata", "response.usageMetadata", "x_groq.usage", "meta"];

/// What is counted that costs something beside tokens of text, or more than they do.
const BESIDE: [&str; 12] = [
    "prompt_tokens_details.audio_tokens",
    "completion_tokens_details.audio_tokens",
    "input_tokens_details.audio_tokens",
    "output_tokens_details.audio_tokens",
    "input_token_details.audio_tokens",
    "output_token_details.audio_tokens",
    "output_tokens_details.image_tokens",
    "cache_creation.ephemeral_1h_input_tokens",
    "server_tool_use.web_search_requests",
    "num_sources_used",
    "num_search_queries",
    "billed_units.search_units",
];

/// Tokens that Gemini counts by what they are of, each with what costs what text costs.
const MODALITIES: [(&str, &[&str]); 2] = [
    ("promptTokensDetails", &["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "MODALITY_UNSPECIFIED"]),
    ("candidatesTokensDetails", &["TEXT", "MODALITY_UNSPECIFIED"]),
];

/// What a provider runs itself during an answer and charges apart.
const RUNS: [&str; 4] = ["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"];

/// Returns whether a call asks to be served on terms of its own.
pub(super) fn asks_for_own(asked: &RequestView) -> bool {
    let said = |(name, ordinary): &(&str, &[&str])| {
        let (_, said) = asked.settings.iter().find(|(path, _)| path == name)?;
        Some(!ordinary.contains(&&*said.as_str()?))
    };
    TERMS.iter().filter_map(said).any(|own| own)
}

/// Returns whether an answer was served on terms of its own, or took something beside tokens of text. What the reply says of a term
/// counts more than what was asked for.
pub(super) fn are_own(asked: &RequestView, documents: &[Json]) -> bool {
    let told = |name: &str| {
        let places =
            documents.iter().rev().flat_map(|document| WHOLE.into_iter().chain(COUNTS).map(move |at| (document, at)));
        places.filter_map(|(document, at)| below(document, at)?.get(name)).find_map(Json::as_str)
    };
    let replied = TERMS.iter().filter_map(|(name, ordinary)| Some(!ordinary.contains(&&*told(name)?)));
    let replied: Vec<bool> = replied.collect();
    let terms = if replied.is_empty() { asks_for_own(asked) } else { replied.contains(&true) };
    terms || documents.iter().any(takes_more)
}

fn takes_more(document: &Json) -> bool {
    let counts = COUNTS.iter().filter_map(|at| below(document, at));
    let runs = |item: &Json| item.get("type").and_then(Json::as_str).is_some_and(|kind| RUNS.contains(&&*kind));
    let wholes = WHOLE.iter().filter_map(|at| below(document, at));
    counts.into_iter().any(counts_more)
        || wholes.into_iter().any(|whole| elements(whole, "output").iter().any(runs))
        || document.get("item").is_some_and(runs)
        || searches(document)
}

/// Returns whether something is counted that is no text.
fn counts_more(counts: &Json) -> bool {
    let is_some = |count: &Json| count.as_u64().is_some_and(|count| count > 0);
    let of_other = |(list, like_text): &(&str, &[&str])| {
        elements(counts, list).iter().any(|part| {
            let modality = part.get("modality").and_then(Json::as_str);
            modality.is_some_and(|modality| !like_text.contains(&&*modality))
                && part.get("tokenCount").is_some_and(is_some)
        })
    };
    BESIDE.iter().filter_map(|path| below(counts, path)).any(is_some)
        || MODALITIES.iter().any(of_other)
        || counts.get("search_context_size").is_some()
}

/// Returns whether Gemini has searched.
fn searches(document: &Json) -> bool {
    let candidates = below(document, "candidates").or_else(|| below(document, "response.candidates"));
    let queries = |candidate: &Json| {
        below(candidate, "groundingMetadata.webSearchQueries").is_some_and(|queries| !queries.elements().is_empty())
    };
    candidates.is_some_and(|candidates| candidates.elements().iter().any(queries))
}

fn elements<'a>(json: &'a Json, name: &str) -> &'a [Json] {
    json.get(name).map_or(&[], Json::elements)
}

fn below<'a>(json: &'a Json, path: &str) -> Option<&'a Json> {
    if path.is_empty() { Some(json) } else { path.split('.').try_fold(json, Json::get) }
}
