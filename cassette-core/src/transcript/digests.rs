//! What was asked, where digests of it alone are kept.

use super::body::json;
use super::{Entry, Exchange, What};
use crate::canonical::{Outline, Setting};
use crate::digested::Digested;
use crate::key::Key;

/// What a part is called whose name is not kept.
const NAMELESS: &str = "a part without a name";

/// Reads what digests tell: settings that are numbers, and how many elements each part has. The key stands beside them, so
/// that another request has another text.
pub(super) fn read(exchange: &mut Exchange, key: &Key, digested: &Digested) {
    let Outline { parts, rest, sampling, .. } = &digested.outline;
    exchange.settings.extend(sampling.iter().map(|(path, setting)| {
        let text = match setting {
            Setting::Plain(value) => json(value),
            Setting::Marked(_) => "kept as a digest".to_owned(),
        };
        Entry::new(What::Setting, path.as_str(), text)
    }));
    let mut told: Vec<String> = Vec::new();
    for part in parts.iter().chain(rest).filter(|part| part.name != "endpoint") {
        let name = if part.name.starts_with('#') { NAMELESS } else { &part.name };
        told.push(match part.elements.len() {
            1 => name.to_owned(),
            n => format!("{name} ({n})"),
        });
    }
    let parts = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
    exchange.said = vec![Entry::new(What::Digests, "asks", format!("kept as digests{parts}; key {key}"))];
}
