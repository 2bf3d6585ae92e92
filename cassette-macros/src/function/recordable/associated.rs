//! The associated types and constants of a recorded trait.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, ItemTrait, TraitItem, TraitItemConst, TraitItemType, Type};

use super::super::form::associated;
use super::Recorded;
use super::bounds::Bounds;
use crate::options::hidden;

/// Returns the associated types that are streams, with the types of their items.
pub(super) fn streams(item: &ItemTrait) -> Vec<(Ident, Type)> {
    let stream = |found: &TraitItem| match found {
        TraitItem::Type(found) => Some((found.ident.clone(), associated(found.bounds.iter(), "Stream", "Item")?)),
        _ => None,
    };
    item.items.iter().filter_map(stream).collect()
}

/// Returns a type of the implementation: that of what is live, or for a stream ours.
pub(super) fn ty(
    recorded: &Recorded<'_>,
    found: &TraitItemType,
    bounds: &mut Bounds,
) -> Result<TokenStream, Vec<syn::Error>> {
    let TraitItemType { ident, attrs, .. } = found;
    if !found.generics.params.is_empty() {
        let what = "a recorded trait's types have no parameters: nothing says what a recording of them is";
        return Err(vec![syn::Error::new_spanned(&found.generics, what)]);
    }
    if associated(found.bounds.iter(), "Future", "Output").is_some() {
        let what = "a future needs no type of its own here: return `impl Future` or a boxed one, or write `async fn`";
        return Err(vec![syn::Error::new_spanned(&found.bounds, what)]);
    }
    let (krate, live, bound) = (&recorded.settings.krate, &recorded.live, &recorded.bound);
    let attrs = attrs.iter().filter(|attribute| super::is(attribute, "cfg"));
    let at = hidden(ident.span());
    Ok(match recorded.streams.iter().find(|(name, _)| name == ident) {
        Some((_, item)) => {
            bounds.add(syn::parse_quote!(<#live as #bound>::#ident: ::core::marker::Send + 'static));
            quote_spanned!(at=> #(#attrs)* type #ident = #krate::RecordedStream<#item>;)
        }
        None => quote_spanned!(at=> #(#attrs)* type #ident = <#live as #bound>::#ident;),
    })
}

/// Returns a constant of the implementation: that of what is live.
pub(super) fn constant(recorded: &Recorded<'_>, found: &TraitItemConst) -> TokenStream {
    let (live, bound) = (&recorded.live, &recorded.bound);
    let TraitItemConst { ident, ty, .. } = found;
    let attrs = found.attrs.iter().filter(|attribute| super::is(attribute, "cfg"));
    quote!(#(#attrs)* const #ident: #ty = <#live as #bound>::#ident;)
}
