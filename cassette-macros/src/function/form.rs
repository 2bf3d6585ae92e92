//! What is waited for: nothing, the function itself, or the future that it returns.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{AngleBracketedGenericArguments, GenericArgument, ItemFn, PathArguments, ReturnType, Type, TypeParamBound};

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
    /// Returns the form of this function.
    pub(super) fn of(function: &ItemFn) -> syn::Result<Form> {
        let ReturnType::Type(_, ty) = &function.sig.output else {
            return Ok(if function.sig.asyncness.is_some() { Form::Async } else { Form::Blocking });
        };
        if function.sig.asyncness.is_none() {
            if let Some(output) = boxed(ty) {
                return Ok(Form::Boxed(Box::new(output), ty.clone()));
            }
            if let Type::ImplTrait(opaque) = &**ty
                && let Some(output) = output(opaque.bounds.iter())
            {
                return Ok(Form::Future(Box::new(output)));
            }
        }
        if matches!(**ty, Type::Reference(_)) {
            let what = "a recording has nothing to lend: return an owned value, such as a `String` for a `&str`";
            return Err(syn::Error::new_spanned(ty, what));
        }
        let opaque = ty.to_token_stream().into_iter().any(|token| token.to_string() == "impl");
        if opaque {
            let what =
                "what is recorded needs a type with a name: return a boxed or a named one in place of `impl Trait`";
            return Err(syn::Error::new_spanned(ty, what));
        }
        Ok(if function.sig.asyncness.is_some() { Form::Async } else { Form::Blocking })
    }

    /// Returns the type of what is recorded.
    pub(super) fn output(&self, declared: &ReturnType) -> TokenStream {
        match (self, declared) {
            (Form::Boxed(output, _) | Form::Future(output), _) => quote!(#output),
            (_, ReturnType::Default) => quote!(()),
            (_, ReturnType::Type(_, ty)) => quote!(#ty),
        }
    }
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

fn first(arguments: &AngleBracketedGenericArguments) -> Option<&Type> {
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns `T` of the bound `Future<Output = T>`.
fn output<'a>(bounds: impl Iterator<Item = &'a TypeParamBound>) -> Option<Type> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|segment| segment.ident == "Future")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(found) if found.ident == "Output" => Some(found.ty.clone()),
            _ => None,
        })
    })
}
