//! The function's arguments: which are recorded, and which cannot be.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Generics, Pat, PatType, Path, Receiver, ReceiverKind, Signature, WherePredicate};

use super::options::{Also, Options};
use crate::options::{hidden, moved};

/// The arguments that are recorded.
pub(super) struct Arguments {
    recorded: Vec<Recorded>,
}

/// One that is.
struct Recorded {
    name: String,
    value: TokenStream,
    method: &'static str,
    /// Where an error about it is to point.
    at: proc_macro2::Span,
}

impl Arguments {
    /// Reads the arguments, and returns what is wrong with them.
    pub(super) fn read(sig: &Signature, options: &Options) -> (Arguments, Vec<syn::Error>) {
        let (mut recorded, mut mistakes) = (Vec::new(), Vec::new());
        let mut known: Vec<Ident> = Vec::new();
        for argument in &sig.inputs {
            match argument {
                FnArg::Receiver(receiver) => {
                    known.push(Ident::new("self", receiver.self_token.span()));
                    mistakes.extend(changing_self(receiver, options));
                }
                FnArg::Typed(argument) => match name(argument) {
                    Ok(Some(name)) => {
                        known.push(name.clone());
                        if options.skip.contains(&name) {
                            continue;
                        }
                        mistakes.extend(changing(&name, argument).or_else(|| calling(&name, argument, &sig.generics)));
                        recorded.push(Recorded::of(&name, argument, options));
                    }
                    // What has no name is not used.
                    Ok(None) => {}
                    Err(mistake) => mistakes.push(mistake),
                },
            }
        }
        for (option, names) in [("skip", &options.skip), ("unordered", &options.unordered)] {
            let strangers = names.iter().filter(|name| !known.contains(name));
            mistakes.extend(strangers.map(|name| {
                syn::Error::new(
                    name.span(),
                    format!("`{option}` names `{name}`, which is no argument of this function"),
                )
            }));
        }
        let both = options.unordered.iter().filter(|name| options.skip.contains(name) || *name == "self");
        mistakes.extend(both.map(|name| syn::Error::new(name.span(), format!("`{name}` is not recorded"))));
        for Also { name, value } in &options.also {
            if recorded.iter().any(|known: &Recorded| name == known.name.as_str()) {
                mistakes.push(syn::Error::new(name.span(), format!("`{name}` is recorded already: `skip` it first")));
            }
            let (name, value, at) = (name.to_string(), quote!(&(#value)), value.span());
            recorded.push(Recorded { name, value, method: "with", at });
        }
        (Arguments { recorded }, mistakes)
    }

    /// Returns them as calls on the builder of arguments.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        let each = self.recorded.iter().map(|Recorded { name, value, method, at }| {
            let method = Ident::new(method, hidden(*at));
            quote_spanned!(hidden(*at)=> .#method(#name, #value))
        });
        let arguments = moved(quote!(#krate::_macro_support::Arguments), proc_macro2::Span::call_site());
        quote!(#arguments::default() #(#each)*)
    }
}

impl Recorded {
    fn of(name: &Ident, argument: &PatType, options: &Options) -> Recorded {
        let method = if options.unordered.contains(name) { "with_unordered" } else { "with" };
        let text = name.to_string();
        let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
        Recorded { name: text, value: quote!(&#name), method, at: argument.ty.span() }
    }
}

/// Returns the argument's name; `None` where it has none since it is not used.
fn name(argument: &PatType) -> syn::Result<Option<Ident>> {
    match &*argument.pat {
        Pat::Ident(pat) if pat.subpat.is_none() => Ok(Some(pat.ident.clone())),
        Pat::Wild(_) => Ok(None),
        pat => {
            let pattern = pat.to_token_stream();
            Err(syn::Error::new_spanned(pattern, "a recorded argument has a name: take it apart in the body"))
        }
    }
}

/// Returns what is wrong with an argument that the function may change: on replay it does not run.
fn changing(name: &Ident, argument: &PatType) -> Option<syn::Error> {
    let what = format!(
        "`{name}` may be changed by the function, and on replay it does not run: return what is changed, or say \
         `skip({name})` if nothing depends on it"
    );
    is_mutable(argument.ty.to_token_stream()).then(|| syn::Error::new_spanned(&argument.ty, what))
}

/// Returns what is wrong with an argument that the function calls: on replay it does not run.
fn calling(name: &Ident, argument: &PatType, generics: &Generics) -> Option<syn::Error> {
    let ty = argument.ty.to_token_stream();
    let parameter = generics.type_params().find(|parameter| parameter.ident == ty.to_string());
    let predicates =
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(|found| match found {
            WherePredicate::Type(found) => Some(found),
            _ => None,
        });
    let bounds = predicates.filter(|found| found.bounded_ty.to_token_stream().to_string() == ty.to_string());
    let bounds: TokenStream = bounds.map(|found| found.bounds.to_token_stream()).collect();
    let bounds = parameter.map_or(bounds.clone(), |parameter| {
        let own = &parameter.bounds;
        quote!(#own #bounds)
    });
    let what = format!(
        "`{name}` may be called by the function, and on replay it does not run: return what it is called with, or say \
         `skip({name})` if nothing depends on it"
    );
    (is_called(ty) || is_called(bounds)).then(|| syn::Error::new_spanned(&argument.ty, what))
}

/// Returns whether a type, or a bound on one, is that of a function.
fn is_called(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            ["fn", "Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce"].iter().any(|name| ident == name)
        }
        TokenTree::Group(group) => is_called(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn changing_self(receiver: &Receiver, options: &Options) -> Option<syn::Error> {
    let changes = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => is_mutable(ty.to_token_stream()),
        _ => false,
    };
    let skipped = options.skip.iter().any(|name| name == "self");
    let what = "`self` may be changed by the function, and on replay it does not run: say `skip(self)` if nothing depends on it";
    (changes && !skipped).then(|| syn::Error::new_spanned(receiver, what))
}

/// Returns whether a type lets what it refers to be changed, at any depth.
fn is_mutable(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "mut",
        TokenTree::Group(group) => is_mutable(group.stream()),
        _ => false,
    })
}
