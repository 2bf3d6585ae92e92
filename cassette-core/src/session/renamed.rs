//! What to do where a call goes by another name than it was recorded under: where that name stands is another place for each kind.

use crate::call::{Call, Kind};

/// What tells a message of the Model Context Protocol from a function's name, with its server's name before it.
const MESSAGES: [&str; 4] = ["answer to ", "tools/call ", "prompts/get ", "resources/read"];

/// Returns what keeps a recording of this name, if nothing but the name of the call is another.
pub(super) fn keeping(recorded: &str, call: &Call) -> Option<String> {
    let server = |name| server(name, call.kind);
    match (server(recorded), server(&call.name)) {
        (Some((before, said)), Some((now, says))) => (before != now && said == says).then(|| of_server(before)),
        (None, None) => Some(of_function(recorded, call)),
        _ => None,
    }
}

fn of_server(recorded: &str) -> String {
    match recorded {
        "" => {
            "where the server is the one that had no name, leaving out `.named(..)`, of the shim `--name`, keeps the \
               recording"
                .to_owned()
        }
        name => {
            format!(
                "where the server was renamed, `.named({name:?})`, for the shim `--name {name}`, keeps the recording"
            )
        }
    }
}

fn of_function(recorded: &str, call: &Call) -> String {
    let (kind, name) = (call.kind.as_str(), call.name.as_str());
    if call.kind == Kind::Value {
        return format!("where it was renamed, `cassette.value({recorded:?}, ..)` keeps the recording");
    }
    match (of_trait(recorded), of_trait(name)) {
        (Some((before, method)), Some((now, same))) if before != now && method == same => {
            format!(
                "where what is wrapped was moved or renamed, `cassette.wrap(..).named({before:?})` keeps the recording"
            )
        }
        (_, Some(_)) => format!(
            "where its method or trait was moved or renamed, and nothing else is wrapped that has it, `name = {recorded:?}` in the \
             method's attribute keeps the recording, without `.named(..)`"
        ),
        // A function is named after its module; a call, or a function at the crate's root, by one word.
        _ if name.contains("::") => {
            format!("where it was moved or renamed, `name = {recorded:?}` in its attribute keeps the recording")
        }
        _ => format!(
            "where it was moved or renamed, `name = {recorded:?}` in its attribute keeps the recording, or `Call::{kind}({recorded:?}, ..)` \
             where the call is made so"
        ),
    }
}

/// Returns the name of what is wrapped, and its method: `<Live as Provider>::answer`, or `<Live>::answer` where the attribute names it.
fn of_trait(name: &str) -> Option<(&str, &str)> {
    let (before, method) = name.strip_prefix('<')?.rsplit_once(">::")?;
    let at = before.rfind(" as ").unwrap_or(before.len());
    (!method.is_empty()).then(|| (&before[..at], &name[1 + at..]))
}

/// Returns the server's name, which may be none, and what its client says, if the name is that of a message.
fn server(name: &str, kind: Kind) -> Option<(&str, &str)> {
    let starts = |(at, _): &(usize, &str)| *at == 0 || name[..*at].ends_with(' ');
    let found = MESSAGES.iter().filter_map(|message| name.match_indices(message).find(starts)).map(|(at, _)| at).min();
    let at = match (found, kind) {
        (Some(at), Kind::Tool | Kind::Memory | Kind::Mcp) => at,
        (None, Kind::Mcp) => name.rfind(' ').map_or(0, |at| at + 1),
        _ => return None,
    };
    Some((name[..at].trim_end(), &name[at..]))
}

#[cfg(test)]
mod tests {
    use super::keeping;
    use crate::call::{Call, Kind};

    fn check(kind: Kind, (recorded, incoming): (&str, &str), expected: &str) {
        let call = Call::function(kind, incoming, Vec::new());
        let told = keeping(recorded, &call).unwrap_or_default();
        assert_eq!(told, expected, "{recorded} -> {incoming}");
    }

    #[test]
    fn a_server_is_named_at_its_transport() {
        let named = "where the server was renamed, `.named(\"b\")`, for the shim `--name b`, keeps the recording";
        check(Kind::Mcp, ("b initialize", "c initialize"), named);
        check(Kind::Mcp, ("b prompts/get greet", "prompts/get greet"), named);
        check(Kind::Mcp, ("b answer to roots/list", "c answer to roots/list"), named);
        check(Kind::Tool, ("b tools/call search", "c tools/call search"), named);
        check(Kind::Memory, ("b resources/read", "resources/read"), named);
        let unnamed = "where the server is the one that had no name, leaving out `.named(..)`, of the shim `--name`, keeps the recording";
        check(Kind::Mcp, ("initialize", "c initialize"), unnamed);
    }

    #[test]
    fn what_a_server_is_asked_has_no_name_that_could_be_kept() {
        check(Kind::Tool, ("tools/call search", "tools/call find"), "");
        check(Kind::Mcp, ("b initialize", "b tools/list"), "");
        check(Kind::Tool, ("search", "b tools/call search"), "");
    }

    #[test]
    fn a_value_is_named_where_it_is_asked_for() {
        let expected = "where it was renamed, `cassette.value(\"old\", ..)` keeps the recording";
        check(Kind::Value, ("old", "new"), expected);
    }

    #[test]
    fn what_is_wrapped_is_named_where_it_is_wrapped() {
        let named = |name: &str| {
            format!(
                "where what is wrapped was moved or renamed, `cassette.wrap(..).named({name:?})` keeps the recording"
            )
        };
        check(Kind::Llm, ("<old as Provider>::answer", "<new as Provider>::answer"), &named("old"));
        check(Kind::Llm, ("<old>::ask", "<new>::ask"), &named("old"));
        check(
            Kind::Llm,
            ("<Live<<u8 as Id>::Key> as a::Provider>::answer", "<b::Live as a::Provider>::answer"),
            &named("Live<<u8 as Id>::Key>"),
        );
        check(
            Kind::Llm,
            ("<Live as Provider>::answer", "<Live as Provider>::reply"),
            "where its method or trait was moved or renamed, and nothing else is wrapped that has it, \
             `name = \"<Live as Provider>::answer\"` in the method's attribute keeps the recording, without `.named(..)`",
        );
    }

    #[test]
    fn a_function_is_named_in_its_attribute_and_a_call_where_it_is_made() {
        let attribute = "where it was moved or renamed, `name = \"old\"` in its attribute keeps the recording";
        check(Kind::Tool, ("old", "moved::new"), attribute);
        let either = format!("{attribute}, or `Call::memory(\"old\", ..)` where the call is made so");
        check(Kind::Memory, ("old", "new"), &either);
    }
}
