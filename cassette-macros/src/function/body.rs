//! The body of a recorded function: what runs where nothing was recorded, wrapped.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{ReturnType, Signature, Type};

use super::codec;
use super::flow::Flow;
use super::form::Form;
use super::options::Options;
use crate::options::hidden;

/// What the body of a recorded function is made of.
pub(super) struct Body<'a> {
    pub(super) sig: &'a Signature,
    pub(super) form: &'a Form,
    pub(super) flow: Option<&'a Flow>,
    /// How the harness is told of the call.
    pub(super) called: TokenStream,
    /// What runs where nothing was recorded.
    pub(super) live: TokenStream,
    /// Where it stands.
    pub(super) span: Span,
}

impl Body<'_> {
    /// Returns the body.
    pub(super) fn tokens(&self, options: &Options) -> TokenStream {
        let krate = &options.krate;
        let ours = |name: &str| format_ident!("{name}", span = hidden(Span::call_site()));
        let (called, codec) = (ours("__called"), ours("__codec"));
        let (told, chosen) = (&self.called, self.codec(options));
        let prelude = quote! {
            let #called = #told;
            let #codec = #chosen;
        };
        let (runs, live) = (self.runs(), self.live(options));
        let run = quote_spanned!(self.span=> #krate::_macro_support::#runs(#called, #codec, #live));
        let run = if matches!(self.form, Form::Blocking) { run } else { quote!(#run.await) };
        let run = self.flow.map_or(run.clone(), |flow| flow.given(run, krate));
        match self.form {
            Form::Blocking | Form::Async => quote!(#prelude #run),
            Form::Boxed(..) => quote!(::std::boxed::Box::pin(async move { #prelude #run })),
            // A block alone would be taken for an `async fn` written at length.
            Form::Future(_) => quote!(::core::convert::identity(async move { #prelude #run })),
        }
    }

    /// Returns how what the function gives is recorded. An error about it points at its type.
    fn codec(&self, options: &Options) -> TokenStream {
        let at = match &self.sig.output {
            ReturnType::Default => self.sig.ident.span(),
            ReturnType::Type(_, ty) => ty.span(),
        };
        match (self.flow, self.form.value(&self.sig.output)) {
            (None, Some(Type::Reference(lent))) => codec::lent(&lent.elem, at, options),
            (None, _) => codec::tokens(&self.output(), at, options),
            (Some(Flow { item, errors, .. }), _) => {
                let items = codec::tokens(&quote!(#item), item.span(), options);
                match errors {
                    None => items,
                    Some(errors) => {
                        let krate = &options.krate;
                        let errors = codec::tokens(&quote!(#errors), errors.span(), options);
                        quote!(#krate::_macro_support::Codecs(#items, #errors))
                    }
                }
            }
        }
    }

    /// Returns the type of what is recorded.
    fn output(&self) -> TokenStream {
        self.form.value(&self.sig.output).map_or_else(|| quote!(()), |value| quote!(#value))
    }

    /// Returns the way in which it is recorded.
    fn runs(&self) -> TokenStream {
        let output = self.output();
        match (self.flow.map(|flow| flow.errors.is_some()), self.form) {
            (None, Form::Blocking) => quote!(recorded_blocking::<#output, _, _>),
            (None, _) => quote!(recorded::<#output, _, _, _>),
            (Some(false), Form::Blocking) => quote!(recorded_stream),
            (Some(false), _) => quote!(recorded_stream_later),
            (Some(true), Form::Blocking) => quote!(try_recorded_stream),
            (Some(true), _) => quote!(try_recorded_stream_later),
        }
    }

    /// Returns the closure that runs where nothing was recorded.
    fn live(&self, options: &Options) -> TokenStream {
        let live = &self.live;
        match (self.form, self.flow) {
            (Form::Blocking, None) => {
                let output = self.output();
                quote_spanned!(self.span=> move || -> #output { #live })
            }
            (Form::Blocking, Some(Flow { body, .. })) => {
                let output = (!body.is_empty()).then(|| quote!(-> #body));
                quote_spanned!(self.span=> move || #output { #live })
            }
            (Form::Async, flow) => {
                let edge = match flow {
                    None => crate::enter::edge(&self.sig.output, &options.krate),
                    Some(Flow { body, .. }) if body.is_empty() => TokenStream::new(),
                    Some(Flow { body, .. }) => {
                        let krate = &options.krate;
                        quote!(if false { return #krate::_macro_support::never::<#body>(); })
                    }
                };
                quote_spanned!(self.span=> move || async move { #edge #live })
            }
            // What is live has a stream of its own there, which is not the one that the program gets.
            (Form::Boxed(..), Some(flow)) if flow.is_ours() => quote_spanned!(self.span=> move || { #live }),
            (Form::Boxed(_, future), _) => quote_spanned!(self.span=> move || -> #future { #live }),
            (Form::Future(_), _) => quote_spanned!(self.span=> move || { #live }),
        }
    }
}
