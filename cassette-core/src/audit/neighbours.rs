//! What is secret by a name that stands beside a value, or above the object that it is in.

use super::inspect::{Auditor, Hit};
use super::walk::member_step;
use crate::json::{Json, Member};
use crate::redact::detect::indirect;

/// Something found beside its name, and the steps to it.
pub(super) type Beside = (String, Vec<Hit>);

/// Returns what the members of an object of this name say of one another.
pub(super) fn of_object(auditor: Auditor<'_>, members: &[Member], object: &str) -> Vec<Beside> {
    let mut found = Vec::new();
    if members.iter().any(|(name, _)| indirect::is_speaking(&name.value())) {
        let names: Vec<String> = members.iter().map(|(name, _)| name.value().into_owned()).collect();
        let said: Vec<String> = members.iter().map(|(_, value)| said(value).unwrap_or_default()).collect();
        let told: Vec<(&str, &str)> = names.iter().zip(&said).map(|(name, said)| (&**name, &**said)).collect();
        let named = indirect::named(&told).into_iter().filter(|(i, other, _)| said[*i] != *other);
        found.extend(named.map(|(i, other, _)| (member_step(&names[i], i, false), auditor.under(other, &said[i]))));
    }
    if indirect::is_strong(object) {
        below(auditor, members, object, "", &mut found);
    }
    found.extend(of_store(auditor, members));
    found.extend(of_table(auditor, members));
    found
}

/// Returns what a string says, or that something is true.
fn said(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.value().into_owned()),
        Json::Bool(true) => Some("true".to_owned()),
        _ => None,
    }
}

/// Finds what stands below a name that is secret beyond doubt, however deep, where nothing between says more.
fn below(auditor: Auditor<'_>, members: &[Member], above: &str, steps: &str, found: &mut Vec<Beside>) {
    for (i, (name, value)) in members.iter().enumerate() {
        let name = name.value();
        // What is secret by its own name is found by that.
        if indirect::is_strong(&name) || !indirect::is_carrying(&name, above) {
            continue;
        }
        let steps = format!("{steps}{}", member_step(&name, i, false));
        let elements = std::iter::once((String::new(), value));
        let within = value.elements().iter().enumerate().map(|(i, value)| (format!("[{i}]"), value));
        for (step, value) in elements.chain(within) {
            match value {
                Json::String(text) => found.push((format!("{steps}{step}"), auditor.under(above, &text.value()))),
                Json::Number(number) if indirect::is_blank(&name) => {
                    found.push((format!("{steps}{step}"), auditor.number(above, number.source())));
                }
                Json::Object(members) => below(auditor, members, above, &format!("{steps}{step}"), found),
                _ => {}
            }
        }
    }
}

/// Finds what stands in the answers of stores that hold nothing but secrets.
fn of_store(auditor: Auditor<'_>, members: &[Member]) -> Vec<Beside> {
    let says = |member: &str, is: fn(&str) -> bool| {
        members.iter().any(|(name, value)| name.is(member) && said(value).is_some_and(|said| is(&said)))
    };
    let held = |member: &'static str| held(members, member);
    let mut found = Vec::new();
    let mut file = |step: &str, (name, value): &Member| {
        if let Json::String(text) = value {
            let step = format!("{step}{}", member_step(&name.value(), 0, false));
            found.push((step, auditor.under("secret", &text.value())));
        }
    };
    if says("kind", |kind| kind == "Secret") {
        held("data").for_each(|member| file(".data", member));
        held("stringData").for_each(|member| file(".stringData", member));
    }
    if says("name", |name| name.contains("/secrets/")) {
        held("payload").for_each(|member| file(".payload", member));
    }
    if says("lease_id", |_| true) {
        held("data").for_each(|member| file(".data", member));
        let inner = held("data").filter(|(name, _)| name.is("data"));
        inner.flat_map(|(_, value)| value.members()).for_each(|member| file(".data.data", member));
    }
    found
}

fn held<'a>(members: &'a [Member], member: &'static str) -> impl Iterator<Item = &'a Member> {
    members.iter().filter(move |(name, _)| name.is(member)).flat_map(|(_, value)| value.members())
}

/// Returns what the elements of an array say of one another.
pub(super) fn of_array(auditor: Auditor<'_>, elements: &[Json]) -> Vec<Beside> {
    let mut found = Vec::new();
    for (i, pair) in elements.windows(2).enumerate() {
        let [Json::String(name), Json::String(said)] = pair else { continue };
        let (name, said) = (name.value(), said.value());
        let name = match indirect::option(&name) {
            Some(option) => option,
            None if elements.len() == 2 => &name,
            None => continue,
        };
        if name != said {
            found.push((format!("[{}]", i + 1), auditor.under(name, &said)));
        }
    }
    found
}

/// Returns what the cells of a table are by its columns.
fn of_table(auditor: Auditor<'_>, members: &[Member]) -> Vec<Beside> {
    let mut found = Vec::new();
    let Some((_, columns)) = members.iter().find(|(name, _)| indirect::is_columns(&name.value())) else { return found };
    let is_row = |row: &Json| !columns.elements().is_empty() && row.elements().len() == columns.elements().len();
    for (name, rows) in members.iter().filter(|(name, _)| indirect::is_rows(&name.value())) {
        let name = name.value();
        let below = rows.elements().iter().enumerate().map(|(i, row)| (format!(".{name}[{i}]"), row));
        for (path, row) in [(format!(".{name}"), rows)].into_iter().chain(below).filter(|(_, row)| is_row(row)) {
            for (i, cell) in columns.elements().iter().zip(row.elements()).enumerate() {
                if let (Json::String(column), Json::String(said)) = cell {
                    found.push((format!("{path}[{i}]"), auditor.under(&column.value(), &said.value())));
                }
            }
        }
    }
    found
}
