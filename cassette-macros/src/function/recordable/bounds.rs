//! What types have to be that only the implementor knows.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, ItemTrait, Path, PathArguments, Type, TypeParamBound, WherePredicate};

use super::super::arguments::mentions;
use super::super::flow::Flow;
use super::super::form::first;
use super::super::options::{Errors, Options};
use super::Recorded;

/// The bounds of an implementation, each once.
pub(super) struct Bounds {
    krate: Path,
    live: Ident,
    bound: Path,
    /// The names that stand for what only the implementor knows.
    open: Vec<Ident>,
    /// Whether futures go to other threads, with what they hold.
    sends: bool,
    found: Vec<WherePredicate>,
}

impl Bounds {
    /// Returns what is asked of whatever is live: where the trait's implementors or a method's future are to go to other threads, it
    /// has to as well.
    pub(super) fn of(recorded: &Recorded<'_>, item: &ItemTrait) -> Bounds {
        let Recorded { live, bound, parameters, constants, settings, .. } = recorded;
        let mut made = item.attrs.iter().filter(|attribute| super::is(attribute, "async_trait"));
        let made = made.next().map(|attribute| attribute.meta.to_token_stream().to_string().contains("Send"));
        let said = item.items.iter().any(|item| match item {
            syn::TraitItem::Fn(method) => sends_what_it_gives(method.sig.output.to_token_stream()),
            _ => false,
        });
        let mut bounds = Bounds {
            krate: settings.krate.clone(),
            live: live.clone(),
            bound: bound.clone(),
            open: parameters.iter().chain(constants).cloned().collect(),
            sends: said || made == Some(false),
            found: Vec::new(),
        };
        if bounds.sends || item.supertraits.iter().any(is_of_threads) {
            // What stands for it is shared by its clones.
            bounds.add(syn::parse_quote!(#live: ::core::marker::Send + ::core::marker::Sync));
        }
        if said || made.is_some() {
            // A boxed future holds them, and says nothing of how long they last.
            parameters.iter().for_each(|parameter| bounds.add(syn::parse_quote!(#parameter: 'static)));
        }
        bounds
    }

    /// Adds a bound.
    pub(super) fn add(&mut self, bound: WherePredicate) {
        let text = bound.to_token_stream().to_string();
        if !self.found.iter().any(|known| known.to_token_stream().to_string() == text) {
            self.found.push(bound);
        }
    }

    /// Returns all of them.
    pub(super) fn predicates(self) -> Vec<WherePredicate> {
        self.found
    }

    /// Adds that an argument of this type can be written.
    pub(super) fn argument(&mut self, ty: &Type) {
        let mut ty = ty;
        while let Type::Reference(reference) = ty {
            ty = &reference.elem;
        }
        let krate = &self.krate;
        let shared = self.sends.then(|| quote!(+ ::core::marker::Sync));
        let bound = quote!(#krate::_macro_support::Serialize #shared);
        self.ask(ty, &bound);
    }

    /// Adds that what a method gives can be written and read, its error as it is asked for.
    pub(super) fn given(&mut self, ty: &Type, options: &Options) -> syn::Result<()> {
        let arguments = match ty {
            Type::Path(path) => {
                path.path.segments.last().filter(|last| last.ident == "Result").map(|last| &last.arguments)
            }
            _ => None,
        };
        let value = match arguments {
            Some(PathArguments::AngleBracketed(arguments)) => {
                let error = arguments.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                if let Some(error) = error.into_iter().nth(1) {
                    self.error(error, options.errors_of(&ty.to_token_stream()))?;
                }
                first(arguments)
            }
            _ => Some(ty),
        };
        let value = match value {
            Some(Type::Reference(lent)) => {
                return {
                    self.lent(&lent.elem);
                    Ok(())
                };
            }
            Some(value) => value,
            None => return Ok(()),
        };
        let krate = &self.krate;
        let bound = quote! {
            #krate::_macro_support::Serialize + #krate::_macro_support::DeserializeOwned + ::core::fmt::Debug
        };
        self.ask(value, &bound);
        Ok(())
    }

    /// Adds that the items of a stream can be written and read, and the error in place of it.
    pub(super) fn streamed(&mut self, flow: &Flow, options: &Options) -> syn::Result<()> {
        self.given(&flow.item, options)?;
        flow.errors.as_ref().map_or(Ok(()), |errors| self.given(errors, options))
    }

    fn lent(&mut self, ty: &Type) {
        let krate = &self.krate;
        let bound = quote! {
            #krate::_macro_support::Serialize + ::std::borrow::ToOwned<
                Owned: #krate::_macro_support::Serialize + #krate::_macro_support::DeserializeOwned
            > + ::core::fmt::Debug
        };
        self.ask(ty, &bound);
    }

    fn error(&mut self, ty: &Type, errors: &Errors) -> syn::Result<()> {
        if !self.is_open(ty) {
            return Ok(());
        }
        let krate = &self.krate;
        let bound = match errors {
            Errors::Asked => {
                let what = "nothing is known of this error here: say how it is rebuilt, `error = \"serde\"` or `error = \"from\"`";
                return Err(syn::Error::new_spanned(ty, what));
            }
            Errors::Serde => quote! {
                #krate::_macro_support::Serialize + #krate::_macro_support::DeserializeOwned + ::core::fmt::Debug
            },
            Errors::From | Errors::Types(_) => {
                quote!(::core::convert::From<#krate::ReplayedError> + ::core::fmt::Debug + ::core::fmt::Display + 'static)
            }
            Errors::Functions(..) => return Ok(()),
        };
        self.ask(ty, &bound);
        Ok(())
    }

    /// Adds a bound on a type, if only the implementor knows it.
    fn ask(&mut self, ty: &Type, bound: &TokenStream) {
        if self.is_open(ty) && !has_lifetime(ty.to_token_stream()) {
            let ty = self.of_live(ty.to_token_stream());
            let sent = self.sends.then(|| quote!(+ ::core::marker::Send));
            self.add(syn::parse_quote!(#ty: #bound #sent));
        }
    }

    /// Returns whether a type is one that only the implementor knows.
    fn is_open(&self, ty: &Type) -> bool {
        mentions(ty.to_token_stream(), &|ident| ident == "Self" || self.open.contains(ident))
    }

    /// Returns a type with whatever is live in the place of `Self`.
    fn of_live(&self, tokens: TokenStream) -> TokenStream {
        let (live, bound) = (&self.live, &self.bound);
        let mut tokens = tokens.into_iter().peekable();
        let mut made = TokenStream::new();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let path = tokens
                        .peek()
                        .is_some_and(|next| matches!(next, TokenTree::Punct(next) if next.as_char() == ':'));
                    made.extend(if path { quote!(<#live as #bound>) } else { quote!(#live) });
                }
                TokenTree::Group(group) => {
                    let inner = proc_macro2::Group::new(group.delimiter(), self.of_live(group.stream()));
                    made.extend([TokenTree::Group(inner)]);
                }
                token => made.extend([token]),
            }
        }
        made
    }
}

/// Returns whether this bound is `Send` or `Sync`.
fn is_of_threads(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Send" || last.ident == "Sync")
        }
        _ => false,
    }
}

fn sends_what_it_gives(output: TokenStream) -> bool {
    mentions(output, &|ident| ["Send", "BoxFuture", "BoxStream"].iter().any(|name| ident == name))
}

fn has_lifetime(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '\'' || punct.as_char() == '&',
        TokenTree::Group(group) => has_lifetime(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
