//! `fork("run", at = 23)`: where a cassette is forked from another one.

use proc_macro2::{Group, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, LitInt, LitStr, Path, Token};

use crate::compared;

/// A name and a position.
struct Fork {
    name: LitStr,
    at: LitInt,
}

impl Parse for Fork {
    fn parse(input: ParseStream<'_>) -> syn::Result<Fork> {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let at: Ident = input.parse()?;
        if at != "at" {
            return Err(syn::Error::new(at.span(), ""));
        }
        input.parse::<Token![=]>()?;
        let at: LitInt = input.parse()?;
        at.base10_parse::<usize>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Fork { name, at })
    }
}

/// Reads `("run", at = 23)`; returns the name and the call on the builder.
pub(crate) fn parse(option: &Ident, input: ParseStream<'_>, krate: &Path) -> syn::Result<(LitStr, TokenStream)> {
    let takes = "`fork` takes the name of a cassette and a position in it: `fork(\"run\", at = 23)`";
    if !input.peek(syn::token::Paren) {
        return Err(syn::Error::new(option.span(), takes));
    }
    let inner: Group = input.parse()?;
    let at = if inner.stream().is_empty() { option.span() } else { inner.span() };
    let Fork { name, at } = Fork::parse.parse2(inner.stream()).map_err(|_| syn::Error::new(at, takes))?;
    let checked = compared::checked_name(&name, krate);
    Ok((name, quote!(.#option(#checked, #at))))
}

/// Returns what is wrong with the origin of a cassette of this name, whose pattern has these arguments.
pub(crate) fn mistake(origin: &LitStr, name: Option<&LitStr>, known: &[Ident], own: &[Ident]) -> Option<syn::Error> {
    if name.is_some_and(|name| name.value() == origin.value()) {
        return Some(syn::Error::new(origin.span(), "a cassette cannot be forked from itself"));
    }
    let unknown = own.iter().find(|argument| !known.contains(argument))?;
    let what = format!("`{{{unknown}}}` has to stand in the cassette's own name too, which is completed with it");
    Some(syn::Error::new(origin.span(), what))
}
