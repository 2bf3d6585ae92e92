//! The types that a function is of: that which has it, and those of a generic one that its arguments say nothing of.

use std::any::type_name;
use std::fmt::Display;

/// Returns what has a function without a receiver: a type, or the function in which it stands; `None` where it stands in its module.
///
/// An attribute cannot see it, but the compiler names a closure after all that stands round it.
pub fn owner<F>(_: &F, module: &str, ident: &str) -> Option<&'static str> {
    let mut path = type_name::<F>();
    while let Some(outer) = path.strip_suffix("::{{closure}}") {
        path = outer;
    }
    let ident = ident.strip_prefix("r#").unwrap_or(ident);
    let name = path.strip_suffix('>').map_or(path, |_| without_arguments(path));
    let owner = name.strip_suffix(ident)?.strip_suffix("::")?;
    if owner == module {
        return None;
    }
    // An implementation stands in the module where it is written, and of a trait it is named by both.
    let implementation = owner.rsplit_once("::<impl ").map(|(_, of)| of).or_else(|| owner.strip_prefix('<'));
    let of = implementation.and_then(|of| of.strip_suffix('>')).unwrap_or(owner);
    Some(without_trait(of))
}

/// Returns a path without the generic arguments at its end.
fn without_arguments(path: &str) -> &str {
    let mut depth = 0;
    for (at, c) in path.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &path[..at];
        }
    }
    path
}

/// Returns the type of which a trait is implemented: the first of `Type as Trait`, the second of `Trait for Type`.
fn without_trait(of: &str) -> &str {
    let at_top = |pattern: &str| {
        let places = of.match_indices(pattern).map(|(at, _)| at);
        places.into_iter().find(|at| of[..*at].matches('<').count() == of[..*at].matches('>').count())
    };
    match (at_top(" as "), at_top(" for ")) {
        (Some(at), _) => &of[..at],
        (None, Some(at)) => &of[at + " for ".len()..],
        (None, None) => of,
    }
}

/// Returns generic arguments as a call spells them, types without the modules in which they stand.
pub(super) fn shown(arguments: &[&dyn Display]) -> String {
    let short: Vec<_> = arguments.iter().map(|argument| short(&argument.to_string())).collect();
    if short.is_empty() { String::new() } else { format!("::<{}>", short.join(", ")) }
}

/// Returns the name of a closure's type, which tells what stands round it, with all generic arguments.
pub fn around<F>(_: &F) -> &'static str {
    type_name::<F>()
}

/// Texts, whoever owns them: what is asked by one is asked by the other.
const TEXTS: [&str; 5] = [
    "alloc::string::String",
    "alloc::borrow::Cow<str>",
    "alloc::boxed::Box<str>",
    "alloc::rc::Rc<str>",
    "alloc::sync::Arc<str>",
];

/// Returns what stands round a function's body, alike for types that say the same: lent or owned, a row of any kind, a closure of whichever
/// place. Nothing where nothing of it is generic.
pub(super) fn alike(around: &str) -> String {
    let mut path = around;
    while let Some(outer) = path.strip_suffix("::{{closure}}") {
        path = outer;
    }
    if !path.contains('<') {
        return String::new();
    }
    let texts = TEXTS.iter().fold(path.replace("&mut ", "").replace('&', ""), |path, text| path.replace(text, "str"));
    let rows = texts.replace("alloc::vec::Vec<", "<").replace('[', "<").replace(']', ">");
    let lengthless = rows.split("; ").enumerate().map(|(i, part)| match i {
        0 => part,
        _ => part.trim_start_matches(|c: char| c.is_ascii_digit()),
    });
    each_path(&lengthless.collect::<String>(), |path| if path.contains("{{") { "_" } else { path })
}

/// Returns a type without the crate in which it stands, if that is the one of this module, and so for those of its own.
pub(super) fn relative(full: &str, module: &str) -> String {
    let own = module.split("::").next().unwrap_or(module);
    each_path(full, |path| path.strip_prefix(own).and_then(|rest| rest.strip_prefix("::")).unwrap_or(path))
}

/// Returns a type without the modules in which it stands, and those of its own.
fn short(full: &str) -> String {
    each_path(full, |path| path.rsplit("::").next().unwrap_or(path))
}

/// Returns a type in which each path is spelled so.
fn each_path(full: &str, spelled: impl Fn(&str) -> &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | '}' | '#');
    let (mut all, mut rest) = (String::new(), full);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (path, after) = rest.split_at(end);
        // What follows a type is none of its path.
        all.push_str(if path.starts_with(':') { path } else { spelled(path) });
        rest = after;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{alike, owner, relative, short, without_arguments, without_trait};

    struct Plain;
    struct Generic<T>(T);

    trait Tells {
        fn told() -> Option<&'static str>;
    }

    impl Plain {
        fn told() -> Option<&'static str> {
            owner(&|| (), module_path!(), "told")
        }

        #[expect(clippy::extra_unused_type_parameters, reason = "it is not to be in the name")]
        fn told_of<T>() -> Option<&'static str> {
            owner(&|| (), module_path!(), "told_of")
        }

        async fn told_later() -> Option<&'static str> {
            owner(&|| (), module_path!(), "told_later")
        }
    }

    impl<T> Generic<T> {
        fn r#type() -> Option<&'static str> {
            owner(&|| (), module_path!(), "r#type")
        }
    }

    impl Tells for Generic<Vec<u8>> {
        fn told() -> Option<&'static str> {
            owner(&|| (), module_path!(), "told")
        }
    }

    #[expect(clippy::extra_unused_type_parameters, reason = "it is not to be in the name")]
    fn told_free<T>() -> Option<&'static str> {
        owner(&|| (), module_path!(), "told_free")
    }

    mod elsewhere {
        impl super::Generic<u8> {
            pub(super) fn told_elsewhere() -> Option<&'static str> {
                super::owner(&|| (), module_path!(), "told_elsewhere")
            }
        }
    }

    #[test]
    fn what_has_a_function_is_known_from_within_it() {
        fn nested() -> Option<&'static str> {
            owner(&|| (), module_path!(), "nested")
        }
        let here = "cassette_test::function::types::tests";
        let later = std::pin::pin!(Plain::told_later());
        let std::task::Poll::Ready(later) = later.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
        else {
            panic!("it waits for nothing")
        };
        for (told, expected) in [
            (told_free::<Plain>(), None),
            (Plain::told(), Some(format!("{here}::Plain"))),
            (Plain::told_of::<Option<u8>>(), Some(format!("{here}::Plain"))),
            (later, Some(format!("{here}::Plain"))),
            (Generic::<Option<u8>>::r#type(), Some(format!("{here}::Generic<core::option::Option<u8>>"))),
            (<Generic<Vec<u8>>>::told(), Some(format!("{here}::Generic<alloc::vec::Vec<u8>>"))),
            (Generic::<u8>::told_elsewhere(), Some(format!("{here}::Generic<u8>"))),
            (nested(), Some(format!("{here}::what_has_a_function_is_known_from_within_it"))),
        ] {
            assert_eq!(told, expected.as_deref());
        }
    }

    #[test]
    fn paths_are_taken_apart_at_their_own_depth() {
        assert_eq!(without_arguments("a::f<b::C<d>, [e; 3]>"), "a::f");
        assert_eq!(without_trait("a::B<<c::D as e::F>::G> as h::I"), "a::B<<c::D as e::F>::G>");
        assert_eq!(without_trait("h::I<for<'a> fn(&'a u8)> for a::B"), "a::B");
        assert_eq!(relative("a::b::C<a::D, e::a::F>", "a::g"), "b::C<D, e::a::F>");
    }

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

    #[test]
    fn types_that_say_the_same_are_alike() {
        let check = |around: &str, expected: &str| assert_eq!(alike(around), expected);
        check("a::ask::{{closure}}::{{closure}}", "");
        check("a::ask<alloc::string::String>::{{closure}}", "a::ask<str>");
        check("a::ask<&&str>::{{closure}}", "a::ask<str>");
        check("a::ask<alloc::vec::Vec<&u8>>::{{closure}}", "a::ask<<u8>>");
        check("a::ask<[u8; 3]>::{{closure}}", "a::ask<<u8>>");
        check("a::ask<&mut [u8]>::{{closure}}", "a::ask<<u8>>");
        check("a::ask<a::tests::one::{{closure}}, a::Id<a::User>>::{{closure}}", "a::ask<_, a::Id<a::User>>");
    }
}
