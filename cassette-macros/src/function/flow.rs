//! A stream that a function gives: how it is written, and what its items are.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type, TypePath};

use super::form::{associated, first};

/// A stream that a function gives.
pub(super) struct Flow {
    /// The type of its items.
    pub(super) item: Type,
    /// The type of what the function gives, with `()` in the place of the stream: where the function may fail before there is one.
    pub(super) errors: Option<Type>,
    /// The type of what the function gives as its body is to be told it: what has no name is left to the compiler.
    pub(super) body: TokenStream,
    shape: Shape,
}

/// How the stream's own type is written.
enum Shape {
    /// `impl Stream`
    Opaque,
    /// `Pin<Box<dyn Stream>>`, `BoxStream`
    Boxed(Box<Type>),
    /// The one that stands for any stream in a recorded trait.
    Recorded,
}

impl Flow {
    /// Returns the stream that a function of this output gives, alone or as a `Result`; `streams` are the associated types of the
    /// trait that are streams, with the types of their items.
    pub(super) fn of(output: &Type, streams: &[(syn::Ident, Type)]) -> Option<Flow> {
        if let Some((item, shape)) = stream(output, streams) {
            let body = shape.body();
            return Some(Flow { item, errors: None, body, shape });
        }
        let Type::Path(path) = output else { return None };
        let last = path.path.segments.last().filter(|segment| segment.ident == "Result")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        let (item, shape) = stream(first(arguments)?, streams)?;
        let errors = with(path, syn::parse_quote!(()));
        let inner = shape.body();
        let body = match inner.is_empty() {
            true => with(path, syn::parse_quote!(_)),
            false => with(path, syn::parse2(inner).ok()?),
        };
        Some(Flow { item, errors: Some(errors), body: body.into_token_stream(), shape })
    }

    /// Returns whether the program gets a type of ours for the stream's own.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self.shape, Shape::Recorded)
    }

    /// Returns the stream that the program gets, made of ours.
    pub(super) fn given(&self, ours: TokenStream, krate: &syn::Path) -> TokenStream {
        let shaped = |ours: TokenStream| match &self.shape {
            Shape::Opaque => ours,
            Shape::Boxed(ty) => quote!({ let __stream: #ty = ::std::boxed::Box::pin(#ours); __stream }),
            Shape::Recorded => quote!(#krate::RecordedStream::new(#ours)),
        };
        match (&self.errors, &self.shape) {
            (None, _) => shaped(ours),
            (Some(_), Shape::Opaque) => ours,
            (Some(_), _) => {
                let shaped = shaped(quote!(__stream));
                quote!(::core::result::Result::map(#ours, |__stream| #shaped))
            }
        }
    }
}

impl Shape {
    /// Returns the type as the function's body is to be told it; nothing where it has no name there.
    fn body(&self) -> TokenStream {
        match self {
            Shape::Boxed(ty) => quote!(#ty),
            Shape::Opaque | Shape::Recorded => TokenStream::new(),
        }
    }
}

/// Returns what the items of a stream's type are, and how it is written.
fn stream(ty: &Type, streams: &[(syn::Ident, Type)]) -> Option<(Type, Shape)> {
    if let Type::ImplTrait(opaque) = ty {
        return Some((associated(opaque.bounds.iter(), "Stream", "Item")?, Shape::Opaque));
    }
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let of_self = path.path.segments.first().is_some_and(|segment| segment.ident == "Self");
    if let (true, Some((_, item))) = (of_self, streams.iter().find(|(name, _)| *name == last.ident)) {
        return Some((item.clone(), Shape::Recorded));
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let inner = first(arguments)?;
    let item = match last.ident.to_string().as_str() {
        "BoxStream" | "LocalBoxStream" => inner.clone(),
        "Pin" => {
            let Type::Path(pinned) = inner else { return None };
            let pinned = pinned.path.segments.last().filter(|segment| segment.ident == "Box")?;
            let PathArguments::AngleBracketed(arguments) = &pinned.arguments else { return None };
            let Type::TraitObject(object) = first(arguments)? else { return None };
            associated(object.bounds.iter(), "Stream", "Item")?
        }
        _ => return None,
    };
    Some((item, Shape::Boxed(Box::new(ty.clone()))))
}

/// Returns a `Result` with another type in the place of its first.
fn with(path: &TypePath, ty: Type) -> Type {
    let mut path = path.clone();
    if let Some(PathArguments::AngleBracketed(arguments)) =
        path.path.segments.last_mut().map(|last| &mut last.arguments)
        && let Some(GenericArgument::Type(first)) =
            arguments.args.iter_mut().find(|argument| matches!(argument, GenericArgument::Type(_)))
    {
        *first = ty;
    }
    Type::Path(path)
}
