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
    let text = |value: &Json| match value {
        Json::String(text) => Some(text.value().into_owned()),
        _ => None,
    };
    let naming =
        members.iter().find_map(|(name, value)| indirect::is_naming(&name.value()).then(|| text(value)).flatten());
    for (i, (name, value)) in members.iter().enumerate() {
        let name = name.value();
        let other = match &naming {
            Some(naming) if indirect::is_named(&name) => naming,
            _ if indirect::is_carrying(&name, object) => object,
            _ => continue,
        };
        if let Some(said) = text(value).filter(|said| said != other) {
            found.push((member_step(&name, i, false), auditor.under(other, &said)));
        }
    }
    found.extend(of_table(auditor, members));
    found
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
