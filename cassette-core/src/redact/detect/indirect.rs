//! Names that stand beside or above a value instead of being its own.

use super::names::{self, Strength};

/// Members that hold the name of what stands beside them.
const NAMING: &[&str] =
    &["name", "key", "header", "field", "param", "parameter", "option", "variable", "Name", "Key", "Header", "Field"];

/// Members that hold such a name now and then.
const ALSO_NAMING: &[&str] = &["path", "label", "id", "title", "attribute", "property", "column", "Label", "Path"];

/// Members that hold what such a name is of.
const NAMED: &[&str] = &["value", "Value", "val", "Val", "v"];

/// Members that hold it where it looks secret.
const ALSO_NAMED: &[&str] = &[
    "new",
    "old",
    "from",
    "to",
    "before",
    "after",
    "newValue",
    "oldValue",
    "new_value",
    "old_value",
    "content",
    "text",
    "default",
    "example",
    "data",
];

/// Members that say what a value is, and what they say of one that is secret.
const KINDS: &[&str] = &["type", "Type", "kind", "purpose", "format"];
const SECURE: &[&str] = &["SecureString", "CONCEALED", "concealed"];
const SECRET: &[&str] = &["password", "PASSWORD", "Password", "secret", "SECRET", "Secret"];

/// Members that say by `true` that the value beside them is secret.
const FLAGS: &[&str] = &["sensitive", "isSecret", "is_secret", "secret", "masked", "concealed"];

/// What says in the identifier of an answer that it is a secret of Azure's.
const AZURE: &str = ".vault.azure.net/secrets/";

/// Members that say no more of a value than the name of the object they are in.
const CARRYING: &[&str] = &[
    "value",
    "Value",
    "val",
    "Val",
    "v",
    "values",
    "current",
    "previous",
    "new",
    "old",
    "next",
    "from",
    "to",
    "before",
    "after",
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
    "S",
    "N",
    "SS",
];

/// Last words of members that tell something of a password.
const TELLING: &[&str] = &[
    "id",
    "ids",
    "type",
    "kind",
    "format",
    "pattern",
    "regex",
    "title",
    "description",
    "help",
    "hint",
    "ref",
    "url",
    "uri",
    "href",
    "link",
    "path",
    "at",
    "on",
    "date",
    "time",
    "created",
    "updated",
    "changed",
    "modified",
    "expires",
    "expiry",
    "hash",
    "hashed",
    "algorithm",
    "alg",
    "salt",
    "name",
    "label",
    "version",
    "status",
    "state",
    "class",
    "style",
    "icon",
    "message",
    "error",
    "errors",
    "rule",
    "rules",
    "validator",
    "policy",
    "environment",
    "env",
    "source",
    "file",
    "code",
    "email",
    "user",
    "username",
    "count",
    "length",
    "min",
    "max",
    "charset",
    "placeholder",
    "model",
    "component",
    "selector",
    "digest",
    "fingerprint",
    "arn",
    "enum",
    "examples",
    "locale",
    "properties",
    "required",
];

/// Members that name the columns of a table, those that hold its rows, and those that name a column or hold a cell.
const COLUMNS: &[&str] = &[
    "columns",
    "fields",
    "headers",
    "header",
    "keys",
    "names",
    "cols",
    "columnMetadata",
    "rowType",
    "ColumnInfo",
    "column_names",
    "columnNames",
];
const ROWS: &[&str] =
    &["rows", "values", "data", "records", "row", "f", "result", "results", "data_array", "Data", "Rows", "dataRows"];
const HEADS: &[&str] = &["name", "Name", "column", "columnName", "column_name", "field", "key", "id", "label"];
const CELLS: &[&str] = &["v", "value", "Value", "stringValue", "VarCharValue", "text"];

/// Arrays of pairs that are sure to be names and values.
const HEADERS: &[&str] = &["headers", "trailers", "metadata", "Headers", "cookies", "env", "environment"];

/// How surely a name is that of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// As surely as if it stood before it.
    Sure,
    /// It may be a neighbour by chance: the value has to look secret too.
    Likely,
}

/// Returns which of an object's members the others name, each with that name: a member is its name and what it says.
pub(crate) fn named<'a>(members: &[(&str, &'a str)]) -> Vec<(usize, &'a str, Bond)> {
    let holding = |also: bool| {
        let holds = move |member: &str| NAMED.contains(&member) || also && ALSO_NAMED.contains(&member);
        members.iter().enumerate().filter(move |(_, (member, _))| holds(member)).map(|(i, _)| i)
    };
    let says =
        |of: &[&str], what: &[&str]| members.iter().any(|(member, said)| of.contains(member) && what.contains(said));
    let mut named = Vec::new();
    let naming = members.iter().find(|(member, _)| NAMING.contains(member));
    let speaks = |(member, said): &&(&str, &'a str)| {
        (NAMING.contains(member) || ALSO_NAMING.contains(member)) && is_strong(last(said))
    };
    let azure = members.iter().any(|(member, said)| *member == "id" && said.contains(AZURE));
    if azure || says(KINDS, SECURE) || says(FLAGS, &["true"]) {
        named.extend(holding(false).map(|i| (i, "secret", Bond::Sure)));
    } else if says(KINDS, SECRET) {
        named.extend(holding(true).map(|i| (i, "password", Bond::Likely)));
    }
    if let Some((_, said)) = members.iter().find(speaks) {
        named.extend(holding(true).map(|i| (i, last(said), Bond::Likely)));
    }
    if let Some((_, said)) = naming {
        // What says nothing itself does not stand before what does.
        let at = if names::judge(said).is_some() { 0 } else { named.len() };
        named.splice(at..at, holding(false).map(|i| (i, *said, Bond::Sure)));
    }
    named
}

/// Returns whether some member says something of what stands beside it.
pub(crate) fn is_speaking(member: &str) -> bool {
    [NAMING, ALSO_NAMING, KINDS, FLAGS].iter().any(|list| list.contains(&member))
}

/// Returns whether a name makes whatever stands under it secret.
pub(crate) fn is_strong(name: &str) -> bool {
    names::judge(name).is_some_and(|named| named.strength == Strength::Strong)
}

/// Returns whether a member below a name that is secret beyond doubt says no more than that: `{"password": {"new": {"v": ..}}}`.
pub(crate) fn is_carrying(member: &str, above: &str) -> bool {
    CARRYING.contains(&member)
        || names::judge(above).is_some_and(|named| named.rule == "password")
            && !TELLING.contains(&names::last_word(member).as_str())
}

/// Returns whether a member says nothing at all of a value.
pub(crate) fn is_blank(member: &str) -> bool {
    CARRYING.contains(&member)
}

/// Returns whether a member names the columns of a table.
pub(crate) fn is_columns(member: &str) -> bool {
    COLUMNS.contains(&member)
}

/// Returns whether a member holds the rows of a table.
pub(crate) fn is_rows(member: &str) -> bool {
    ROWS.contains(&member)
}

/// Returns whether a member of a column holds its name.
pub(crate) fn is_head(member: &str) -> bool {
    HEADS.contains(&member)
}

/// Returns whether a member of a cell holds what stands in it.
pub(crate) fn is_cell(member: &str) -> bool {
    CELLS.contains(&member)
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

/// Returns the last step of a path.
fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
