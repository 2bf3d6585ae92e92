//! Secrets in a JSON document: by the names in it, and in each of its strings.

use std::ops::Range;

use super::arrays;
use super::coding::{as_text, base64};
use super::detect::names::{self, Named, Strength};
use super::detect::{passphrase, value};
use super::edit::{By, Edit};
use super::lens::Lens;
use super::scan::{Leaf, Role, decoded, scan, value as value_of};
use super::spoken::{Bond, Name, Spoken, spoken_names};

/// Names of members that hold what a provider signed, encrypted or encoded.
const OPAQUE: &[&str] = &[
    "signature",
    "thoughtSignature",
    "thought_signature",
    "encrypted_content",
    "encrypted_index",
    "encrypted_stdout",
    "data",
    "b64_json",
    "embedding",
    "redactedContent",
    "url",
    "file_data",
    "image_url",
];

/// The private members of a JSON web key (RFC 7518, section 6).
const KEY_MEMBERS: &[&str] = &["d", "p", "q", "dp", "dq", "qi", "k"];

/// Returns the edits of a document, or `None` where the text is none.
pub(crate) fn edits(lens: Lens<'_>, text: &str, depth: usize) -> Option<Vec<Edit>> {
    let scan = scan(text)?;
    let names = spoken_names(text, &scan);
    let mut edits: Vec<Edit> =
        scan.leaves.iter().flat_map(|leaf| leaf_edits(lens, text, leaf, &names, depth)).collect();
    edits.extend(arrays::edits(lens, text, &scan, depth));
    Some(edits)
}

/// Returns the edits of one leaf.
pub(crate) fn leaf_edits(lens: Lens<'_>, text: &str, leaf: &Leaf, spoken: &Spoken, depth: usize) -> Vec<Edit> {
    let name = leaf.name.as_ref().map(|name| value_of(text, name)).unwrap_or_default();
    let other = spoken.of(leaf);
    if leaf.role == Role::Word {
        let said = &text[leaf.span.clone()];
        let rule = number_rule(lens, &name, said).or_else(|| number_rule(lens, &other?.text, said));
        return rule.map(|rule| hide_number(text, leaf.span.clone(), rule)).into_iter().collect();
    }
    let (view, plain) = match decoded(text, &leaf.span) {
        Ok(view) => (Some(view), String::new()),
        Err(span) => (None, text[span].to_owned()),
    };
    let said = view.as_ref().map_or(plain.as_str(), |view| view.text.as_str());
    if said.len() < 4 && !lens.rules.look_into_text() {
        return Vec::new();
    }
    if leaf.role == Role::String {
        let other = other.filter(|other| other.text != said);
        let member = spoken.is_in_key(leaf) && KEY_MEMBERS.contains(&name.as_str());
        let rule =
            named_rule(lens, &name, said, member).or_else(|| other.and_then(|other| spoken_rule(lens, other, said)));
        if let Some(rule) = rule {
            let by = By::Placeholder { value: said.to_owned(), rule, quote: String::new() };
            return vec![Edit { range: leaf.span.clone(), by }];
        }
    }
    let slot = OPAQUE.contains(&name.as_str());
    let inner = |said: &str| if slot && is_opaque(said) { lens.certain(said) } else { lens.edits(said, depth + 1) };
    match &view {
        Some(view) => {
            let edits = super::edit::merge(said, inner(said)).into_iter();
            edits
                .map(|edit| {
                    let range = view.source(&edit.range);
                    edit.carried(range, view.respell).moved(leaf.span.start)
                })
                .collect()
        }
        None => inner(said).into_iter().map(|edit| edit.moved(leaf.span.start)).collect(),
    }
}

/// Returns the rule under which the name of a value alone makes it secret.
pub(crate) fn named_rule(lens: Lens<'_>, name: &str, said: &str, key_member: bool) -> Option<&'static str> {
    if lens.rules.names_field(name) && super::placeholder::parts(said).is_none() && !said.is_empty() {
        return Some("field");
    }
    if key_member && !value::is_placeholder(said) {
        return Some("private-key");
    }
    let named = names::judge(name)?;
    (!said.contains("://") && !said.contains("REDACTED.") && hides(named, said)).then_some(named.rule)
}

/// Returns the rule under which a name that stands elsewhere makes a value secret.
fn spoken_rule(lens: Lens<'_>, other: &Name, said: &str) -> Option<&'static str> {
    if lens.rules.names_header(&other.text) && super::placeholder::parts(said).is_none() && !said.is_empty() {
        return Some("header");
    }
    let looks_secret = || value::is_likely(said) || value::is_random(said) || lens.rules.names_field(&other.text);
    (other.bond == Bond::Sure || looks_secret()).then(|| named_rule(lens, &other.text, said, false)).flatten()
}

/// Returns whether a value under this name is to be hidden as a whole.
pub(crate) fn hides(named: Named, said: &str) -> bool {
    match named.strength {
        Strength::Strong if named.rule == "password" => value::is_secret(said) || passphrase::is_passphrase(said),
        Strength::Strong => value::is_secret(said) && !said.contains([' ', '(', '\n']),
        Strength::Weak => value::is_random(said),
    }
}

/// Returns whether a number under this name is to be hidden: a whole one that is longer than what is counted.
pub(crate) fn hides_number(named: Named, said: &str) -> bool {
    let least = if named.rule == "password" { 8 } else { 11 };
    named.strength == Strength::Strong && said.len() >= least && said.bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether a value is what a provider's own slot holds: one run of base64, perhaps in a data URL, that is no text.
pub(crate) fn is_opaque(said: &str) -> bool {
    let data = said.strip_prefix("data:").and_then(|url| url.split_once(";base64,")).map_or(said, |(_, data)| data);
    let digits = data.trim_end_matches('=');
    let head = base64::decode(data.get(..32).unwrap_or(data).trim_end_matches('='));
    let head = head.unwrap_or_default();
    data.len() >= 16
        && digits.bytes().all(base64::is_digit)
        && as_text(&head).is_none()
        && !super::coding::gzip::is_packed(&head)
        && super::coding::wide_texts(&head).is_empty()
}

/// Returns the rule under which a number is secret: the user's, or that its text is known.
fn number_rule(lens: Lens<'_>, name: &str, said: &str) -> Option<&'static str> {
    if !said.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let field = lens.rules.names_field(name).then_some("field");
    field
        .or_else(|| names::judge(name).filter(|named| hides_number(*named, said)).map(|named| named.rule))
        .or_else(|| lens.in_number(said))
}

/// Hides the whole of a number: what stands for it is a string, so that the document stays one.
fn hide_number(text: &str, range: Range<usize>, rule: &'static str) -> Edit {
    let value = text[range.clone()].to_owned();
    Edit { range, by: By::Placeholder { value, rule, quote: "\"".to_owned() } }
}
