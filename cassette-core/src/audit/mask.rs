//! Taking what was found out of a text that is kept for a person to look at.

use super::Finding;
use super::walk::member_step;
use crate::json::{Json, Text};
use crate::redact::detect::find_shapes;

/// Returns the text of a file with every string that has a finding replaced by `MASKED.` and the rule.
///
/// The rest stays as it was, so that the recording can still be read, but the file is not fit to be replayed.
pub fn mask(text: &str, findings: &[Finding]) -> String {
    let mut masked = text.to_owned();
    if let Ok(document) = Json::parse(text) {
        let mut found = Vec::new();
        collect(&document, "", findings, &mut found);
        // The longest first: a string that is part of another one's text must not break it.
        found.sort_by_key(|(source, _)| std::cmp::Reverse(source.len()));
        for (source, rule) in found {
            masked = masked.replace(&format!("\"{source}\""), &format!("\"MASKED.{rule}\""));
        }
    }
    if findings.is_empty() { masked } else { without_shapes(&masked) }
}

/// Finds the strings, values and names, at the paths of the findings.
fn collect(value: &Json, path: &str, findings: &[Finding], found: &mut Vec<(String, String)>) {
    let rule = findings.iter().find(|finding| finding.path == path).map(|finding| finding.rule.clone());
    match value {
        Json::String(text) => found.extend(rule.map(|rule| (text.source().to_owned(), rule))),
        Json::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                collect(element, &format!("{path}[{i}]"), findings, found);
            }
        }
        Json::Object(members) => {
            for (i, (name, value)) in members.iter().enumerate() {
                member(name, value, [path, &i.to_string()], findings, found);
            }
        }
        _ => {}
    }
}

fn member(
    name: &Text,
    value: &Json,
    [path, place]: [&str; 2],
    findings: &[Finding],
    found: &mut Vec<(String, String)>,
) {
    let place = place.parse().unwrap_or_default();
    let below = |step: String| format!("{path}{}", if path.is_empty() { step.trim_start_matches('.') } else { &step });
    let hidden = below(member_step(&name.value(), place, true));
    if let Some(finding) = findings.iter().find(|finding| finding.path.starts_with(&hidden)) {
        found.push((name.source().to_owned(), finding.rule.clone()));
        collect(value, &hidden, findings, found);
    } else {
        collect(value, &below(member_step(&name.value(), place, false)), findings, found);
    }
}

/// Takes out what is left in clear, wherever it stands.
fn without_shapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    let mut found = find_shapes(text);
    found.sort_by_key(|found| found.range.start);
    for found in found.into_iter().filter(|found| !text[found.range.clone()].contains("MASKED.")) {
        if found.range.start >= copied {
            out.push_str(&text[copied..found.range.start]);
            out.push_str("MASKED");
            copied = found.range.end;
        }
    }
    out.push_str(&text[copied..]);
    out
}
