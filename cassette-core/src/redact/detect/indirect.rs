//! Names that stand beside or above a value instead of being its own.

use super::names::{self, Strength};

/// Members that hold the name of what stands beside them.
const NAMING: &[&str] =
    &["name", "key", "header", "field", "param", "parameter", "option", "variable", "Name", "Key", "Header", "Field"];

/// Members that hold what such a name is of.
const NAMED: &[&str] = &["value", "Value", "val", "Val", "v"];

/// Members that say no more of a value than the name of the object they are in.
const CARRYING: &[&str] = &[
    "value",
    "Value",
    "val",
    "Val",
    "current",
    "previous",
    "new",
    "old",
    "next",
    "confirm",
    "confirmation",
    "repeat",
    "raw",
    "plain",
    "plaintext",
    "clear",
    "text",
    "string",
    "stringValue",
    "string_value",
    "#text",
    "_text",
    "$t",
];

/// Members that name the columns of a table, and those that hold its rows.
const COLUMNS: &[&str] = &["columns", "fields", "headers", "header", "keys", "names"];
const ROWS: &[&str] = &["rows", "values", "data", "records", "row"];

/// Arrays of pairs that are sure to be names and values.
const HEADERS: &[&str] = &["headers", "trailers", "metadata", "Headers", "cookies", "env", "environment"];

/// Returns whether a member holds the name of what stands beside it.
pub(crate) fn is_naming(member: &str) -> bool {
    NAMING.contains(&member)
}

/// Returns whether a member holds what the member beside it names.
pub(crate) fn is_named(member: &str) -> bool {
    NAMED.contains(&member)
}

/// Returns whether a member of an object of this name holds what the object is named for: `{"password": {"current": ..}}`.
pub(crate) fn is_carrying(member: &str, object: &str) -> bool {
    CARRYING.contains(&member) && names::judge(object).is_some_and(|named| named.strength == Strength::Strong)
}

/// Returns whether a member names the columns of a table.
pub(crate) fn is_columns(member: &str) -> bool {
    COLUMNS.contains(&member)
}

/// Returns whether a member holds the rows of a table.
pub(crate) fn is_rows(member: &str) -> bool {
    ROWS.contains(&member)
}

/// Returns whether two strings in an array of this name, or of none, are surely a name and its value.
pub(crate) fn is_of_pairs(array: &str) -> bool {
    array.is_empty() || HEADERS.contains(&array)
}

/// Returns the name that an option of a command line gives what follows it: `--password`.
pub(crate) fn option(argument: &str) -> Option<&str> {
    let name = argument.trim_start_matches('-');
    (name.len() < argument.len() && !name.is_empty() && !name.contains(['=', ' '])).then_some(name)
}
