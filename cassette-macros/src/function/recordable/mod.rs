//! `#[recordable]`: the trait is implemented for `Recorded<P>` wherever it is for `P`.
//!
//! The trait stays as it is, but for the attributes on its methods, which say how they are recorded. `settings` reads the
//! attribute, `method` makes a method of the implementation, `associated` a type or a constant, and `bounds` tells what types
//! that only `P` knows have to be.

mod settings;

mod bounds;

mod associated;
mod method;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Ident, ItemTrait, Path, TraitItem, Type};

use super::Switch;
use crate::options::{compile_errors, hidden};
use bounds::Bounds;
use settings::Settings;

/// A trait that is recorded, as its items have to know it.
struct Recorded<'a> {
    settings: &'a Settings,
    /// The trait's name.
    name: &'a Ident,
    /// The trait with its own parameters, as a bound.
    bound: Path,
    /// The parameter that stands for whatever is live.
    live: Ident,
    /// The names of the trait's type parameters.
    parameters: Vec<Ident>,
    /// The names of its constant parameters.
    constants: Vec<Ident>,
    /// The associated types that are streams, with the types of their items.
    streams: Vec<(Ident, Type)>,
}

/// Expands `#[recordable(arguments)]` on an item.
pub(crate) fn expand(switch: Switch, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut settings = Settings::parse(arguments);
    let Ok(mut found) = syn::parse2::<ItemTrait>(item.clone()) else {
        let what = "`#[recordable]` belongs on a trait of your own";
        settings.mistakes.push(syn::Error::new(crate::enter::first_span(&item), what));
        let errors = compile_errors(&settings.mistakes);
        return quote!(#errors #item);
    };
    let ours: Vec<Vec<Attribute>> = found.items.iter_mut().map(take).collect();
    let mut mistakes = std::mem::take(&mut settings.mistakes);
    if let Some(unsafety) = &found.unsafety {
        mistakes.push(syn::Error::new_spanned(unsafety, "what an `unsafe` trait promises, no recording can"));
    }
    if let Some(twice) = found.attrs.iter().find(|attribute| is(attribute, "recordable")) {
        mistakes.push(syn::Error::new_spanned(twice, "a trait is recorded once: it has `#[recordable]` already"));
    }
    let implementation = implementation(&found, &ours, &settings, &mut mistakes);
    if !mistakes.is_empty() {
        let errors = compile_errors(&mistakes);
        return quote!(#errors #found);
    }
    match switch {
        Switch::Bare => quote!(#found),
        Switch::Recording => quote!(#found #implementation),
    }
}

/// Takes the attributes off an item that say how it is recorded.
fn take(item: &mut TraitItem) -> Vec<Attribute> {
    let TraitItem::Fn(method) = item else { return Vec::new() };
    let (ours, others) = std::mem::take(&mut method.attrs)
        .into_iter()
        .partition(|attribute| ["llm", "tool", "memory", "recordable"].iter().any(|name| is(attribute, name)));
    method.attrs = others;
    ours
}

fn is(attribute: &Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
}

/// Returns the implementation for `Recorded<P>`.
fn implementation(
    item: &ItemTrait,
    ours: &[Vec<Attribute>],
    settings: &Settings,
    mistakes: &mut Vec<syn::Error>,
) -> TokenStream {
    let krate = &settings.krate;
    let live = format_ident!("__Live", span = hidden(item.ident.span()));
    let (ident, parameters) = (&item.ident, item.generics.split_for_impl().1);
    let recorded = Recorded {
        settings,
        name: ident,
        bound: syn::parse_quote!(#ident #parameters),
        live: live.clone(),
        parameters: item.generics.type_params().map(|parameter| parameter.ident.clone()).collect(),
        constants: item.generics.const_params().map(|parameter| parameter.ident.clone()).collect(),
        streams: associated::streams(item),
    };
    let mut bounds = Bounds::of(&recorded, item);
    let mut items = TokenStream::new();
    for (found, ours) in item.items.iter().zip(ours) {
        let made = match found {
            TraitItem::Fn(found) => method::tokens(&recorded, (found, ours), &mut bounds),
            TraitItem::Type(found) => associated::ty(&recorded, found, &mut bounds),
            TraitItem::Const(found) => Ok(associated::constant(&recorded, found)),
            other => {
                let what = "of this, no recording can be made: a recorded trait has methods, types and constants";
                Err(vec![syn::Error::new_spanned(other.to_token_stream(), what)])
            }
        };
        match made {
            Ok(made) => items.extend(made),
            Err(wrong) => mistakes.extend(wrong),
        }
    }
    mistakes.extend(method::twice(item, ours));
    let mut generics = item.generics.clone();
    let bound = &recorded.bound;
    generics.params.push(syn::parse_quote!(#live: #bound));
    generics.params.iter_mut().for_each(|parameter| match parameter {
        syn::GenericParam::Type(parameter) => parameter.default = None,
        syn::GenericParam::Const(parameter) => parameter.default = None,
        syn::GenericParam::Lifetime(_) => {}
    });
    generics.make_where_clause().predicates.extend(bounds.predicates());
    let (before, _, wheres) = generics.split_for_impl();
    let repeated = item.attrs.iter().filter(|attribute| is(attribute, "async_trait") || is(attribute, "cfg"));
    quote_spanned! {hidden(ident.span())=>
        #(#repeated)*
        #[automatically_derived]
        impl #before #bound for #krate::Recorded<#live> #wheres {
            #items
        }
    }
}
