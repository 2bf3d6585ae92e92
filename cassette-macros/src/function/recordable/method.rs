//! A method of the implementation for `Recorded<P>`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, FnArg, ItemTrait, Pat, ReceiverKind, Safety, Signature, TraitItem, TraitItemFn, Type};

use super::super::arguments::{Arguments, mentions, unsaid};
use super::super::body::Body;
use super::super::flow::Flow;
use super::super::form::{Form, refuse_lent_part};
use super::super::options::Options;
use super::super::{Kind, some, standing};
use super::Recorded;
use super::bounds::Bounds;
use super::settings::Way;
use crate::options::hidden;

/// Returns a method of the implementation; nothing for one whose own body is to run.
pub(super) fn tokens(
    recorded: &Recorded<'_>,
    (found, ours): (&TraitItemFn, &[Attribute]),
    bounds: &mut Bounds,
) -> Result<TokenStream, Vec<syn::Error>> {
    let (kind, options) = match recorded.settings.way(ours)? {
        Way::Recorded(kind, options) => (kind, options),
        Way::Provided(_) if found.default.is_some() => return Ok(TokenStream::new()),
        Way::Provided(attribute) => {
            let what = "`provided` belongs on a method with a body: this one has none that could run";
            return Err(vec![syn::Error::new_spanned(attribute, what)]);
        }
    };
    let sig = named(&found.sig);
    let mut mistakes: Vec<syn::Error> = receiver(&sig).into_iter().chain(unsafety(&sig)).chain(itself(&sig)).collect();
    let (arguments, wrong) = Arguments::read(&found.sig, &options);
    mistakes.extend(wrong);
    let form = Form::of(&sig, &recorded.streams).map_err(|mistake| mistakes.push(mistake)).ok();
    let flow =
        form.as_ref().and_then(|form| form.value(&sig.output)).and_then(|value| Flow::of(value, &recorded.streams));
    mistakes.extend(form.as_ref().and_then(|form| refuse_lent_part(form, &sig.output).err()));
    mistakes.extend(conditional(&found.sig));
    if let Some(form) = &form {
        let asked = match (&flow, form.value(&sig.output)) {
            (Some(flow), _) => bounds.streamed(flow, &options),
            (None, Some(value)) => bounds.given(value, &options),
            (None, None) => Ok(()),
        };
        mistakes.extend(asked.err());
    }
    let (Some(form), true) = (form, mistakes.is_empty()) else { return Err(mistakes) };
    arguments_of(&found.sig, &options).for_each(|ty| bounds.argument(ty));
    let span = hidden(sig.ident.span());
    let given = arguments.tokens(&options.krate);
    let body = Body {
        sig: &sig,
        form: &form,
        flow: flow.as_ref(),
        called: called(recorded, (kind, &sig), &options, &given),
        live: live(recorded, &sig, &form),
        span,
    };
    let body = body.tokens(&options);
    let attrs = found.attrs.iter().filter(|attribute| super::is(attribute, "cfg"));
    Ok(quote_spanned!(span=> #(#attrs)* #sig { #body }))
}

/// Returns what is wrong with methods that are given one name.
pub(super) fn twice(item: &ItemTrait, ours: &[Vec<Attribute>]) -> Vec<syn::Error> {
    let mut known: Vec<String> = Vec::new();
    let named = item.items.iter().zip(ours).filter(|(item, _)| matches!(item, TraitItem::Fn(_)));
    let names = named.filter_map(|(_, ours)| match &ours.first()?.meta {
        syn::Meta::List(list) => Options::parse(list.tokens.clone()).name,
        _ => None,
    });
    let mut mistakes = Vec::new();
    for name in names {
        if known.contains(&name.value()) {
            mistakes.push(syn::Error::new(name.span(), "another method of this trait is recorded under this name"));
        }
        known.push(name.value());
    }
    mistakes
}

/// Returns the signature with a name for each argument, for the method of the implementation to hand on.
fn named(sig: &Signature) -> Signature {
    let mut sig = sig.clone();
    for (i, argument) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(argument) = argument else { continue };
        argument.attrs.clear();
        let ident = match &*argument.pat {
            Pat::Ident(pat) => pat.ident.clone(),
            _ => format_ident!("__argument_{i}", span = hidden(Span::call_site())),
        };
        *argument.pat = syn::parse_quote!(#ident);
    }
    sig
}

fn receiver(sig: &Signature) -> Option<syn::Error> {
    let Some(receiver) = sig.receiver() else {
        let what = "this has no `self`, so no cassette either: give it a body and say `#[recordable(provided)]`, or put \
                    it elsewhere";
        return Some(syn::Error::new_spanned(&sig.ident, what));
    };
    let what = "a recorded method borrows `self`: what is live stays where it is, or is never made. A method with a body \
                may say `#[recordable(provided)]`";
    (!matches!(receiver.kind, ReceiverKind::Reference(..))).then(|| syn::Error::new_spanned(receiver, what))
}

fn unsafety(sig: &Signature) -> Option<syn::Error> {
    let Safety::Unsafe(unsafety) = &sig.safety else { return None };
    Some(syn::Error::new_spanned(unsafety, "what an `unsafe` method promises, no recording can"))
}

/// Returns what is wrong with a method of which an argument may be missing: what is live has to be called with it or without.
fn conditional(sig: &Signature) -> Option<syn::Error> {
    let mut attributes = sig.inputs.iter().flat_map(|argument| match argument {
        FnArg::Typed(argument) => argument.attrs.as_slice(),
        FnArg::Receiver(receiver) => receiver.attrs.as_slice(),
    });
    let what = "an argument of a recorded method is there or is not: put `#[cfg]` on the method, and write it twice";
    let found = attributes.find(|attribute| super::is(attribute, "cfg"));
    found.map(|attribute| syn::Error::new_spanned(attribute, what))
}

/// Returns what is wrong with a method that gives `Self`.
fn itself(sig: &Signature) -> Option<syn::Error> {
    let syn::ReturnType::Type(_, ty) = &sig.output else { return None };
    let tokens: Vec<_> = ty.to_token_stream().into_iter().collect();
    let bare = tokens.iter().enumerate().find(|(i, token)| {
        let is_path = tokens.get(i + 1).is_some_and(|next| matches!(next.to_string().as_str(), ":" | "as"));
        token.to_string() == "Self" && !is_path
    });
    let what = "no recording gives `Self`: there is nothing live in a replay. A method with a body may say \
                `#[recordable(provided)]`";
    bare.map(|(_, token)| syn::Error::new(token.span(), what))
}

fn arguments_of<'a>(sig: &'a Signature, options: &'a Options) -> impl Iterator<Item = &'a Type> {
    sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => match &*argument.pat {
            Pat::Ident(pat) => {
                let own = |ident: &syn::Ident| sig.generics.type_params().any(|known| known.ident == *ident);
                let skipped = options.skip.contains(&pat.ident) || mentions(argument.ty.to_token_stream(), &own);
                (!skipped).then_some(&*argument.ty)
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// Returns how the harness is told of the call.
fn called(
    recorded: &Recorded<'_>,
    (kind, sig): (Kind, &Signature),
    options: &Options,
    given: &TokenStream,
) -> TokenStream {
    let (krate, live, name) = (&options.krate, &recorded.live, recorded.name.to_string());
    let of = some(quote!(::core::any::type_name::<#live>()));
    let standing = standing(kind, &sig.ident, (of, some(quote!(#name))), options);
    let (own, unsaid, called) = (
        own(sig),
        unsaid(sig, (&recorded.parameters, &recorded.constants)),
        format_ident!("__called", span = hidden(Span::call_site())),
    );
    quote!(#krate::_macro_support::enter_recorded(#own, #standing, #unsaid).map(|#called| #called.with(#given)))
}

/// Returns the call of what is live.
fn live(recorded: &Recorded<'_>, sig: &Signature, form: &Form) -> TokenStream {
    let (krate, live, bound, ident) = (&recorded.settings.krate, &recorded.live, &recorded.bound, &sig.ident);
    let handed = sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(&argument.pat),
        FnArg::Receiver(_) => None,
    });
    let changes =
        sig.receiver().is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_))));
    let of = if changes { quote!(live_of_mut) } else { quote!(live_of) };
    let waits = matches!(form, Form::Async).then(|| quote!(.await));
    let own = own(sig);
    quote_spanned! {hidden(sig.ident.span())=>
        <#live as #bound>::#ident(#krate::_macro_support::#of(#own), #(#handed),*) #waits
    }
}

/// Returns `self` as the method has it: another's is not in scope.
fn own(sig: &Signature) -> Option<syn::Token![self]> {
    sig.receiver().map(|receiver| receiver.self_token)
}
