//! `#[llm]`, `#[tool]` and `#[memory]`: the function's body becomes what runs where nothing was recorded.
//!
//! Signature, visibility and attributes stay as they are. `options` reads the attribute, `arguments` the parameters, `form`
//! tells what is waited for, `flow` what streams, and `codec` asks of the returned type how it is recorded; `body` puts it together.
//! `recordable` does so for the methods of a trait.

mod options;

mod arguments;
mod codec;

mod form;

mod flow;

mod body;

pub(crate) mod recordable;

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, ItemFn, Path};

use crate::options::{compile_errors, hidden, moved};
use arguments::Arguments;
use body::Body;
use flow::Flow;
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

    fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(_, attribute, _)| *attribute == name).map(|(kind, ..)| *kind)
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
    let (arguments, mistakes) = Arguments::read(&function.sig, &options);
    options.mistakes.extend(mistakes);
    options.mistakes.extend(twice(attribute, &function.attrs));
    let form = Form::of(&function.sig, &[]).and_then(|form| {
        form::refuse_lent(&form, &function.sig.output)?;
        form::refuse_lent_error(&form, &function.sig.output, &options)?;
        form::refuse_early(&form, &function)?;
        Ok(form)
    });
    let form = form.unwrap_or_else(|mistake| {
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
    let (krate, given) = (&options.krate, arguments.tokens(&options.krate));
    let (described, unsaid) = (described(kind, &function, options), arguments::unsaid(&function.sig, (&[], &[])));
    let whose = arguments::receiver(&function.sig, options);
    let called = Ident::new("__called", hidden(Span::call_site()));
    let statements = &function.block.stmts;
    let span = function.block.brace_token.span.join();
    let flow = form.value(&function.sig.output).and_then(|output| Flow::of(output, &[]));
    let body = Body {
        sig: &function.sig,
        form,
        flow: flow.as_ref(),
        called: quote!(#krate::_macro_support::enter(#described, #unsaid).map(|#called| #called.with(#given) #whose)),
        live: quote!(#(#statements)*),
        span,
    };
    let body = body.tokens(options);
    function.block = syn::parse_quote_spanned!(span=> { #body });
    quote!(#function)
}

/// Returns what the harness is told of the function. One without a receiver may be of a type all the same, which no attribute can
/// see: the name of a type that is made within it says so.
fn described(kind: Kind, function: &ItemFn, options: &Options) -> TokenStream {
    let support = moved(&options.krate, Span::call_site());
    let ident = function.sig.ident.to_string();
    let of = match function.sig.receiver() {
        Some(_) => some(quote!(::core::any::type_name::<Self>())),
        None => quote!(#support::_macro_support::owner(&|| (), ::core::module_path!(), #ident)),
    };
    standing(kind, &function.sig.ident, (of, none()), options)
}

/// Returns what the harness is told of a function `of` a type and a trait.
fn standing(kind: Kind, ident: &Ident, (of, of_trait): (TokenStream, TokenStream), options: &Options) -> TokenStream {
    let krate: &Path = &options.krate;
    let (variant, ident) = (kind.variant(), ident.to_string());
    let name = options.name.as_ref().map_or_else(none, |name| some(quote!(#name)));
    let support = moved(krate, Span::call_site());
    quote! {
        #support::_macro_support::Function {
            kind: #support::_macro_support::Kind::#variant,
            name: #name,
            module: ::core::module_path!(),
            of: #of,
            of_trait: #of_trait,
            ident: #ident,
            file: ::core::file!(),
            line: ::core::line!(),
            place: { static PLACE: u8 = 0; &PLACE },
            around: #support::_macro_support::around(&|| ()),
        }
    }
}

fn some(value: TokenStream) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

fn none() -> TokenStream {
    quote!(::core::option::Option::None)
}
