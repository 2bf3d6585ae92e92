//! `#[llm]`, `#[tool]` and `#[memory]`: the function's body becomes what runs where nothing was recorded.
//!
//! Signature, visibility and attributes stay as they are. `options` reads the attribute, `arguments` the parameters, `form`
//! tells what is waited for, and `codec` asks of the returned type how it is recorded.

mod arguments;
mod codec;
mod form;
mod options;

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn, Path, ReturnType};

use crate::options::{compile_errors, hidden, moved};
use arguments::Arguments;
use form::Form;
use options::Options;

/// What an attribute says that its function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Llm,
    Tool,
    Memory,
}

/// Whether functions are recorded in this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// They are what they would be without their attribute.
    Bare,
    Recording,
}

impl Kind {
    const ALL: [(Kind, &'static str, &'static str); 3] =
        [(Kind::Llm, "llm", "Llm"), (Kind::Tool, "tool", "Tool"), (Kind::Memory, "memory", "Memory")];

    fn attribute(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, attribute, _)| attribute)
    }

    fn variant(self) -> Ident {
        let variant = Kind::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(.., variant)| variant);
        Ident::new(variant, Span::call_site())
    }
}

/// Expands an attribute of this kind on an item.
pub(crate) fn expand(kind: Kind, switch: Switch, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = Options::parse(arguments);
    let attribute = kind.attribute();
    let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
        let what = format!("`#[{attribute}]` belongs on a function or a method that has a body");
        options.mistakes.push(syn::Error::new(crate::enter::first_span(&item), what));
        let errors = compile_errors(&options.mistakes);
        return quote!(#errors #item);
    };
    let (arguments, mistakes) = Arguments::read(&function, &options);
    options.mistakes.extend(mistakes);
    options.mistakes.extend(twice(attribute, &function.attrs));
    let form = Form::of(&function).unwrap_or_else(|mistake| {
        options.mistakes.push(mistake);
        Form::Blocking
    });
    if let Some(constness) = &function.sig.constness {
        let what =
            format!("a `const fn` has nothing to record: it gives the same every time, so leave `#[{attribute}]` out");
        options.mistakes.push(syn::Error::new_spanned(constness, what));
    }
    if !options.mistakes.is_empty() {
        let errors = compile_errors(&options.mistakes);
        return quote!(#errors #[allow(dead_code)] #function);
    }
    match switch {
        Switch::Bare => item,
        Switch::Recording => recorded(kind, function, &form, &arguments, &options),
    }
}

/// Returns what is wrong where the function has another attribute of this kind.
fn twice(attribute: &str, others: &[Attribute]) -> Option<syn::Error> {
    let is_ours = |other: &&Attribute| {
        let last = other.path().segments.last();
        last.is_some_and(|segment| Kind::ALL.iter().any(|(_, name, _)| segment.ident == name))
    };
    let other = others.iter().find(is_ours)?;
    Some(syn::Error::new_spanned(other, format!("a function is recorded once: it has `#[{attribute}]` already")))
}

fn recorded(kind: Kind, mut function: ItemFn, form: &Form, arguments: &Arguments, options: &Options) -> TokenStream {
    let krate = &options.krate;
    let ours = |name: &str| format_ident!("{name}", span = hidden(Span::call_site()));
    let (called, codec_name) = (ours("__called"), ours("__codec"));
    let described = described(kind, &function, options);
    let given = arguments.tokens(krate);
    let output = form.output(&function.sig.output);
    let at = match &function.sig.output {
        ReturnType::Default => function.sig.ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    };
    let codec = codec::tokens(&output, at, options);
    let prelude = quote! {
        let #called = #krate::_macro_support::enter(#described).map(|called| called.with(#given));
        let #codec_name = #codec;
    };
    let statements = &function.block.stmts;
    let body_span = function.block.brace_token.span.join();
    let runs = |what: TokenStream, live: TokenStream| quote_spanned!(body_span=> #krate::_macro_support::#what(#called, #codec_name, #live));
    let body = match form {
        Form::Blocking => {
            let live = quote_spanned!(body_span=> move || -> #output { #(#statements)* });
            let run = runs(quote!(recorded_blocking::<#output, _, _>), live);
            quote!(#prelude #run)
        }
        Form::Async => {
            let edge = crate::enter::edge(&function.sig.output, krate);
            let live = quote_spanned!(body_span=> move || async move { #edge #(#statements)* });
            let run = runs(quote!(recorded::<#output, _, _, _>), live);
            quote!(#prelude #run.await)
        }
        Form::Boxed(_, future) => {
            let live = quote_spanned!(body_span=> move || -> #future { #(#statements)* });
            let run = runs(quote!(recorded::<#output, _, _, _>), live);
            quote!(::std::boxed::Box::pin(async move { #prelude #run.await }))
        }
        Form::Future(_) => {
            let live = quote_spanned!(body_span=> move || { #(#statements)* });
            let run = runs(quote!(recorded::<#output, _, _, _>), live);
            // A block alone would be taken for an `async fn` written at length.
            quote!(::core::convert::identity(async move { #prelude #run.await }))
        }
    };
    function.block = syn::parse_quote_spanned!(body_span=> { #body });
    quote!(#function)
}

/// Returns what the harness is told of the function.
fn described(kind: Kind, function: &ItemFn, options: &Options) -> TokenStream {
    let krate: &Path = &options.krate;
    let (variant, ident) = (kind.variant(), function.sig.ident.to_string());
    let some = |value: TokenStream| quote!(::core::option::Option::Some(#value));
    let none = || quote!(::core::option::Option::None);
    let name = options.name.as_ref().map_or_else(none, |name| some(quote!(#name)));
    let of = function.sig.receiver().map_or_else(none, |_| some(quote!(::core::any::type_name::<Self>())));
    let support = moved(krate, Span::call_site());
    quote! {
        #support::_macro_support::Function {
            kind: #support::_macro_support::Kind::#variant,
            name: #name,
            module: ::core::module_path!(),
            of: #of,
            ident: #ident,
            file: ::core::file!(),
            line: ::core::line!(),
        }
    }
}
