//! The test's signature: the handle among its arguments, and the attributes that make it a test.

use syn::{Attribute, FnArg, GenericArgument, ItemFn, Pat, PatType, PathArguments, ReturnType, Type};

/// Takes every `Cassette` and `&Cassette` out of the arguments.
pub(crate) fn take_handles(function: &mut ItemFn) -> Vec<PatType> {
    let mut handles = Vec::new();
    let arguments = std::mem::take(&mut function.sig.inputs);
    for argument in arguments {
        match argument {
            FnArg::Typed(argument) if is_handle(&argument.ty) => handles.push(argument),
            other => function.sig.inputs.push(other),
        }
    }
    handles
}

/// Returns whether this type is the handle, or a reference to it, by its last segment: an import may rename what comes before.
fn is_handle(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| segment.ident == "Cassette"),
        Type::Reference(reference) if reference.mutability.is_none() => is_handle(&reference.elem),
        Type::Group(group) => is_handle(&group.elem),
        Type::Paren(paren) => is_handle(&paren.elem),
        _ => false,
    }
}

/// Returns the attributes that may make a test of an `async fn`: all but those that are known not to.
pub(crate) fn test_attributes(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| !is_inert(attribute)).collect()
}

fn is_inert(attribute: &Attribute) -> bool {
    const INERT: [&str; 16] = [
        "allow",
        "case",
        "cfg",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "forbid",
        "ignore",
        "inline",
        "must_use",
        "should_panic",
        "track_caller",
        "values",
        "warn",
    ];
    const TOOLS: [&str; 3] = ["clippy", "diagnostic", "rustfmt"];
    let path = attribute.path();
    let tool = path.segments.len() > 1
        && path.segments.first().is_some_and(|segment| TOOLS.iter().any(|tool| segment.ident == tool));
    tool || path.get_ident().is_some_and(|ident| INERT.iter().any(|inert| ident == inert))
}

/// Returns whether this is the attribute `#[cassette]` itself.
pub(crate) fn is_cassette(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "cassette")
}

/// Returns whether a value of this type says without being taken whether the test failed: nothing, an `ExitCode`, and a
/// `Result` of one of these. The types are known by their names alone.
pub(crate) fn tells_its_end(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => is_told(ty),
    }
}

fn is_told(ty: &Type) -> bool {
    let segment = match ty {
        Type::Tuple(tuple) => return tuple.elems.is_empty(),
        Type::Never(_) => return true,
        Type::Group(group) => return is_told(&group.elem),
        Type::Paren(paren) => return is_told(&paren.elem),
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let Some(segment) = segment else { return false };
    let first = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.first(),
        _ => None,
    };
    let of_told = first.is_none_or(|first| matches!(first, GenericArgument::Type(ty) if is_told(ty)));
    segment.ident == "ExitCode" || (segment.ident == "Result" && of_told)
}

/// Returns the argument's name, where it has one.
pub(crate) fn name(argument: &FnArg) -> Option<&syn::Ident> {
    match argument {
        FnArg::Typed(PatType { pat, .. }) => match &**pat {
            Pat::Ident(pat) => Some(&pat.ident),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}
