//! What is waited for: nothing, the function itself, or the future that it returns.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    AngleBracketedGenericArguments, Expr, GenericArgument, Ident, ItemFn, PathArguments, ReturnType, Signature, Stmt,
    Type, TypeParamBound,
};

use super::flow::Flow;
use super::options::{Errors, Options};

/// What is waited for.
pub(super) enum Form {
    /// Nothing: `fn`.
    Blocking,
    /// The function: `async fn`.
    Async,
    /// A boxed future, as `#[async_trait]` makes one: the type of its output, and its own.
    Boxed(Box<Type>, Box<Type>),
    /// A future without a name: the type of its output.
    Future(Box<Type>),
}

impl Form {
    /// Returns the form of a function with this signature, in a trait with these associated streams.
    pub(super) fn of(sig: &Signature, streams: &[(Ident, Type)]) -> syn::Result<Form> {
        let own = || if sig.asyncness.is_some() { Form::Async } else { Form::Blocking };
        let ReturnType::Type(_, ty) = &sig.output else { return Ok(own()) };
        if matches!(**ty, Type::Never(_)) {
            return Err(syn::Error::new_spanned(ty, "what never returns gives nothing that could be recorded"));
        }
        if Flow::of(ty, streams).is_some() {
            return Ok(own());
        }
        if sig.asyncness.is_none() {
            if let Some(output) = boxed(ty) {
                return Ok(Form::Boxed(Box::new(output), ty.clone()));
            }
            if let Type::ImplTrait(opaque) = &**ty
                && let Some(output) = output(opaque.bounds.iter())
            {
                return Ok(Form::Future(Box::new(output)));
            }
        }
        let opaque = ty.to_token_stream().into_iter().any(|token| token.to_string() == "impl");
        if opaque {
            let what =
                "what is recorded needs a type with a name: return a boxed or a named one in place of `impl Trait`";
            return Err(syn::Error::new_spanned(ty, what));
        }
        Ok(own())
    }

    /// Returns the type of what the program gets; `None` where it gets nothing.
    pub(super) fn value<'a>(&'a self, declared: &'a ReturnType) -> Option<&'a Type> {
        match (self, declared) {
            (Form::Boxed(value, _) | Form::Future(value), _) => Some(value),
            (_, ReturnType::Default) => None,
            (_, ReturnType::Type(_, ty)) => Some(ty),
        }
    }
}

/// Refuses what the function lends: nothing holds it on replay.
pub(super) fn refuse_lent(form: &Form, declared: &ReturnType) -> syn::Result<()> {
    match form.value(declared).and_then(lends) {
        Some(ty) => {
            let what = "a recording has nothing to lend: return an owned value, such as a `String` for a `&str`";
            Err(syn::Error::new_spanned(ty, what))
        }
        None => Ok(()),
    }
}

/// Refuses an error that is lent, where nothing says how it comes back.
pub(super) fn refuse_lent_error(form: &Form, declared: &ReturnType, options: &Options) -> syn::Result<()> {
    let error = form.value(declared).and_then(error_of).filter(|error| matches!(error, Type::Reference(_)));
    match error {
        Some(error) if matches!(options.errors, Errors::Asked | Errors::Serde | Errors::From) => {
            let what = "a recording has no such error to lend: let it be a `String`, or say how it comes back, `describe = .., rebuild = ..`";
            Err(syn::Error::new_spanned(error, what))
        }
        _ => Ok(()),
    }
}

/// Returns the error of a `Result` that has one by name.
fn error_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    types(arguments).nth(1)
}

/// Refuses a body that does something before it gives its future: it is not known before that is awaited whether it is to run.
pub(super) fn refuse_early(form: &Form, function: &ItemFn) -> syn::Result<()> {
    let gives = function.block.stmts.iter().filter(|statement| !matches!(statement, Stmt::Item(_)));
    let is_late = match gives.collect::<Vec<_>>().as_slice() {
        [Stmt::Expr(expression, None)] => is_block(expression),
        _ => false,
    };
    match form {
        Form::Boxed(..) | Form::Future(_) if !is_late => {
            let what = "what this does before it gives its future would not be done when it is called: write `async fn`, or put all of \
                        the body into the `async move { .. }` that is given";
            Err(syn::Error::new_spanned(&function.sig.output, what))
        }
        _ => Ok(()),
    }
}

/// Returns whether nothing is done before this is awaited: an `async` block, boxed or not.
fn is_block(expression: &Expr) -> bool {
    match expression {
        Expr::Async(_) => true,
        Expr::Group(group) => is_block(&group.expr),
        Expr::Paren(paren) => is_block(&paren.expr),
        Expr::Cast(cast) => is_block(&cast.expr),
        Expr::Return(returned) => returned.expr.as_deref().is_some_and(is_block),
        // What a method makes of a block, `boxed`, `instrument` or a time-out, waits with it.
        Expr::MethodCall(call) => is_block(&call.receiver),
        Expr::Call(call) => match (&*call.func, call.args.first()) {
            (Expr::Path(path), Some(given)) => {
                path.path.segments.last().is_some_and(|last| last.ident == "pin") && is_block(given)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Refuses a recorded method that lends a part of what it gives: it may lend all of it.
pub(super) fn refuse_lent_part(form: &Form, declared: &ReturnType) -> syn::Result<()> {
    let part = match form.value(declared) {
        Some(Type::Reference(lent)) => lends(&lent.elem),
        Some(ty) => lends(ty),
        None => None,
    };
    match part {
        Some(ty) => {
            let what =
                "a recording lends a value as a whole, such as a `&str`, and no part of one: return an owned value";
            Err(syn::Error::new_spanned(ty, what))
        }
        None => Ok(()),
    }
}

/// Returns the type of what is lent of a value, if any of it is. Errors are rebuilt, in whichever way.
fn lends(ty: &Type) -> Option<&Type> {
    let result = match ty {
        Type::Path(path) => path.path.segments.last().filter(|last| last.ident == "Result"),
        _ => None,
    };
    if let Some(PathArguments::AngleBracketed(arguments)) = result.map(|last| &last.arguments) {
        return first(arguments).and_then(lends);
    }
    has_reference(ty.to_token_stream()).then_some(ty)
}

fn has_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Group(group) => has_reference(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns the output of `Pin<Box<dyn Future<Output = T> + ..>>`, or of `BoxFuture<'_, T>`.
fn boxed(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let inner = first(arguments)?;
    match last.ident.to_string().as_str() {
        "BoxFuture" | "LocalBoxFuture" => Some(inner.clone()),
        "Pin" => {
            let Type::Path(pinned) = inner else { return None };
            let pinned = pinned.path.segments.last().filter(|segment| segment.ident == "Box")?;
            let PathArguments::AngleBracketed(arguments) = &pinned.arguments else { return None };
            let Type::TraitObject(object) = first(arguments)? else { return None };
            output(object.bounds.iter())
        }
        _ => None,
    }
}

/// Returns the first type among these arguments.
pub(super) fn first(arguments: &AngleBracketedGenericArguments) -> Option<&Type> {
    types(arguments).next()
}

fn types(arguments: &AngleBracketedGenericArguments) -> impl Iterator<Item = &Type> {
    arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns `T` of the bound `Future<Output = T>`.
fn output<'a>(bounds: impl Iterator<Item = &'a TypeParamBound>) -> Option<Type> {
    associated(bounds, "Future", "Output")
}

/// Returns the type that a bound on this trait gives to this name: `T` of `Future<Output = T>`.
pub(super) fn associated<'a>(
    mut bounds: impl Iterator<Item = &'a TypeParamBound>,
    of: &str,
    name: &str,
) -> Option<Type> {
    bounds.find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|segment| segment.ident == of)?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(found) if found.ident == name => Some(found.ty.clone()),
            _ => None,
        })
    })
}
