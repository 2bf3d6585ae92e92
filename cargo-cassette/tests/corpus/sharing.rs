//! Which requests of the whole corpus share a key.

use std::collections::HashMap;

use cassette_core::call::Call;
use cassette_core::json::Json;
use cassette_core::key::Key;

use crate::replay::{first_difference, without_numbers};

/// Pairs of different requests that share a key, by a word of each, with the reason.
pub(crate) const SAME_KEY: &[(&str, &str)] = &[];

/// Notes each request of a file under its key.
pub(crate) fn collect<'a>(keys: &mut HashMap<String, Vec<String>>, requests: impl Iterator<Item = (Key, &'a Call)>) {
    for (key, call) in requests {
        let meaning = meaning(call);
        let known = keys.entry(key.to_string()).or_default();
        if !known.contains(&meaning) {
            known.push(meaning);
        }
    }
}

/// Returns what two requests must have in common to be the same: the name, and the body but for its white space.
pub(crate) fn meaning(call: &Call) -> String {
    let body = String::from_utf8_lossy(&call.body);
    let body = Json::parse(&body).map_or_else(|_| body.clone().into_owned(), |tree| tree.canonical());
    without_numbers(format!("{}\n{body}", call.name).as_bytes())
}

pub(crate) fn shared_keys(keys: &HashMap<String, Vec<String>>) -> Vec<String> {
    let listed =
        |requests: &[String]| SAME_KEY.iter().any(|(word, _)| requests.iter().all(|request| request.contains(word)));
    let shared = keys.iter().filter(|(_, requests)| requests.len() > 1 && !listed(requests));
    shared
        .map(|(key, requests)| {
            let difference = first_difference(requests[0].as_bytes(), requests[1].as_bytes());
            let name = requests[0].lines().next().unwrap_or_default();
            format!("{key} is shared by {} requests of {name}: {difference}", requests.len())
        })
        .collect()
}
