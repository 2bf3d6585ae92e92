//! The types of a generic function that its arguments say nothing of.

use std::fmt::Display;

/// Returns generic arguments as a call spells them, types without the modules in which they stand.
pub(super) fn shown(arguments: &[&dyn Display]) -> String {
    let short: Vec<_> = arguments.iter().map(|argument| short(&argument.to_string())).collect();
    if short.is_empty() { String::new() } else { format!("::<{}>", short.join(", ")) }
}

/// Returns generic arguments in full, after the type of which the function is a method, if that has some of its own.
pub(super) fn in_full(of: Option<&str>, arguments: &[&dyn Display]) -> String {
    let of = of.filter(|of| of.contains('<')).map(str::to_owned);
    let types = of.into_iter().chain(arguments.iter().map(ToString::to_string));
    types.collect::<Vec<_>>().join(", ")
}

/// Returns a type without the modules in which it stands, and those of its own.
fn short(full: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let (mut short, mut rest) = (String::new(), full);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (path, after) = rest.split_at(end);
        short.push_str(path.rsplit("::").next().unwrap_or(path));
        rest = after;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_type_is_shown_without_its_modules() {
        for (full, expected) in [
            ("u32", "u32"),
            ("timetable::Users", "Users"),
            ("alloc::vec::Vec<(timetable::User, &core::option::Option<i8>)>", "Vec<(User, &Option<i8>)>"),
            ("dyn timetable::Finds + core::marker::Send", "dyn Finds + Send"),
            ("<timetable::Users as timetable::Table>::Row", "<Users as Table>::Row"),
            ("[timetable::f::{{closure}}; 3]", "[{{closure}}; 3]"),
            ("3", "3"),
        ] {
            assert_eq!(short(full), expected);
        }
    }
}
