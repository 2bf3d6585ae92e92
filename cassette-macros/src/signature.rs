//! The test's signature: the handle among its arguments, and the attributes that make it a test.

use syn::{Attribute, FnArg, ItemFn, Pat, PatType, Type};

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
