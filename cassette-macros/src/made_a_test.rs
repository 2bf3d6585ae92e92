//! Whether anything makes a test of a function: without one it would never run, and nothing would fail. The compiler knows what is
//! never used, and is asked to say so.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, ItemFn, Meta, Path, Token, Visibility};

const REASON: &str = "nothing makes a test of this function, so it never runs: put `#[test]` below `#[cassette]`";

/// Has the compiler refuse the function where nothing uses it, and returns what stands beside it and what begins its body for that.
///
/// Whoever says of the function itself that it may be dead is heeded. What is said of all that stands round it is not.
pub(crate) fn watch(outer: &mut ItemFn, function: &Ident, krate: &Path) -> (TokenStream, TokenStream) {
    if outer.attrs.iter().any(may_be_dead) {
        return (TokenStream::new(), TokenStream::new());
    }
    let span = outer.sig.ident.span();
    if matches!(outer.vis, Visibility::Public(_)) {
        outer.attrs.push(syn::parse_quote!(#[cfg_attr(test, #krate::_macro_support::of_this_crate)]));
    }
    if declares(outer.block.to_token_stream()) {
        return witness(outer, function);
    }
    let refused = quote_spanned!(span=> #[cfg_attr(test, deny(dead_code, reason = #REASON))]);
    outer.attrs.push(syn::parse_quote!(#refused));
    (TokenStream::new(), TokenStream::new())
}

/// Makes a function that is public one of its crate: the compiler takes what is public for used.
pub(crate) fn of_this_crate(item: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut function) => {
            // At the author's place: rustc says nothing of a function that begins in another crate's macro.
            let vis = quote_spanned!(function.vis.span()=> pub(crate));
            function.vis = syn::parse_quote!(#vis);
            function.into_token_stream()
        }
        Err(_) => item,
    }
}

/// Returns something that only the function uses, and the use: where the function is never used, neither is this. So the items in
/// the function's body keep the level that they have.
fn witness(outer: &ItemFn, function: &Ident) -> (TokenStream, TokenStream) {
    let span = outer.sig.ident.span();
    let name = format_ident!("{}_is_a_test", outer.sig.ident, span = span);
    let doc = format!("Is used where `{function}` is.");
    let conditions = outer.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let witness = quote_spanned! {span=>
        #(#conditions)*
        #[cfg(test)]
        #[doc = #doc]
        #[deny(dead_code, reason = #REASON)]
        #[allow(non_upper_case_globals)]
        const #name: () = ();
    };
    (witness, quote!(#[cfg(test)] let () = #name;))
}

/// Returns whether this attribute says that the function may be dead.
fn may_be_dead(attribute: &Attribute) -> bool {
    let says = ["allow", "expect"].iter().any(|level| attribute.path().is_ident(level));
    let lints = |attribute: &Attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    says && lints(attribute).is_ok_and(|lints| lints.iter().any(|lint| lint.path().is_ident("dead_code")))
}

/// Returns whether there may be items among these tokens, of which the compiler tells what is dead.
fn declares(tokens: TokenStream) -> bool {
    const ITEMS: [&str; 9] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => declares(group.stream()),
        TokenTree::Ident(ident) => ITEMS.iter().any(|item| ident == item),
        _ => false,
    })
}
