//! The model that a path names.

use std::ops::Range;

use super::address::decode;

/// Segments behind which one segment names the model: a deployment counts as one.
const ONE: &[&str] = &["deployments", "endpoints", "engines", "model", "tunedModels"];
/// Segments behind which everything names it, up to what is asked of it: `models/o/m/predictions`.
const MANY: &[&str] = &["models"];
/// What is asked of a model.
const ASKED: &[&str] =
    &["audio", "chat", "completions", "embeddings", "images", "info", "pipeline", "predictions", "responses", "v1"];

/// Returns where in the name of an HTTP call its path names a model, `POST https://host/models/m:generateContent`.
///
/// Only for a call that speaks a dialect: elsewhere `models` is a word like any other.
pub(crate) fn model_in(name: &str) -> Option<Range<usize>> {
    let end = name.find(['?', '#']).unwrap_or(name.len());
    let host = name[..end].find("://").map_or(0, |at| at + "://".len());
    let start = host + name[host..end].find('/')?;
    let segments = segments(name, start..end);
    let said = |at: usize| segments.get(at).map(|segment| decode(&name[segment.clone()]));
    for at in 0..segments.len() {
        let word = said(at).unwrap_or_default();
        let last = match word.as_str() {
            word if ONE.contains(&word) => at + 1,
            word if MANY.contains(&word) => {
                let asked = (at + 1..segments.len()).find(|at| said(*at).is_some_and(|s| ASKED.contains(&s.as_str())));
                asked.unwrap_or(segments.len()) - 1
            }
            // A task stands before the model: `pipeline/feature-extraction/o/m`.
            "pipeline" if segments.len() > at + 2 => return Some(segments[at + 2].start..segments.last()?.end),
            _ => continue,
        };
        if last > at && last < segments.len() {
            let (first, last) = (segments[at + 1].start, segments[last].end);
            return Some(first..first + without_verb(&name[first..last]));
        }
    }
    None
}

/// Returns the model that the path of an HTTP call names.
pub(crate) fn model_of(name: &str) -> Option<String> {
    model_in(name).map(|at| decode(&name[at]))
}

/// Returns the places of the segments of the path within `path`, empty ones left out.
fn segments(name: &str, path: Range<usize>) -> Vec<Range<usize>> {
    let mut start = path.start;
    let pieces = name[path].split('/').map(|piece| {
        let at = start;
        start += piece.len() + 1;
        at..at + piece.len()
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// Returns how much of a segment is the model's name where the method stands behind a colon: `m:generateContent`.
fn without_verb(segment: &str) -> usize {
    let colon = [segment.rfind(':').map(|at| (at, 1)), segment.rfind("%3A").map(|at| (at, 3))];
    match colon.into_iter().flatten().max() {
        Some((at, length)) if VERBS.contains(&&segment[at + length..]) => at,
        _ => segment.len(),
    }
}

/// What Google's APIs ask of a model behind a colon.
const VERBS: &[&str] = &[
    "batchEmbedContents",
    "batchGenerateContent",
    "countTokens",
    "embedContent",
    "generateContent",
    "predict",
    "rawPredict",
    "streamGenerateContent",
    "streamRawPredict",
];

#[cfg(test)]
mod tests {
    use super::model_in;

    #[track_caller]
    fn check(name: &str, model: Option<&str>) {
        assert_eq!(model_in(name).map(|at| &name[at]), model, "{name}");
    }

    #[test]
    fn each_provider_has_a_place_for_the_model() {
        check("POST https://g.example/v1beta/models/gemini-2.5-pro:generateContent?key=k", Some("gemini-2.5-pro"));
        check("POST https://g.example/v1beta/models/g%3AstreamGenerateContent", Some("g"));
        check("POST https://g.example/v1/projects/p/publishers/anthropic/models/c@1:rawPredict", Some("c@1"));
        check("POST https://g.example/v1beta/tunedModels/t:generateContent", Some("t"));
        check("POST https://b.example/model/a.b-v1:0/converse", Some("a.b-v1:0"));
        check("POST https://b.example/model/a.b-v1%3A0/invoke", Some("a.b-v1%3A0"));
        check("POST https://b.example/model/arn%3Aaws%3Ax%2Fy/count-tokens", Some("arn%3Aaws%3Ax%2Fy"));
        check("POST https://a.example//openai/deployments/d/chat/completions?api-version=1", Some("d"));
        check("POST https://a.example/v1/engines/davinci/completions", Some("davinci"));
        check("POST https://h.example/models/gpt2", Some("gpt2"));
        check("POST https://h.example/models/o/m/v1/chat/completions", Some("o/m"));
        check("POST https://h.example/hf-inference/models/o/m/pipeline/feature-extraction", Some("o/m"));
        check("POST https://h.example/pipeline/feature-extraction/o/m", Some("o/m"));
        check("POST https://r.example/v1/models/o/m/predictions", Some("o/m"));
    }

    #[test]
    fn where_a_path_names_none_there_is_none() {
        check("POST https://api.example/v1/chat/completions", None);
        check("POST https://a.example/models/chat/completions?api-version=1", None);
        check("POST https://a.example/models/embeddings", None);
        check("GET https://api.example/v1/models", None);
        check("POST https://deployments.example/models", None);
        check("POST https://api.example", None);
        check("POST /v1/x?models/m", None);
    }
}
