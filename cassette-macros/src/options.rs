//! What stands between the parentheses of `#[cassette(..)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Path, Token};

use crate::fork;
use crate::option::{self, Setting};

/// The arguments of one attribute, and every mistake in them.
pub(crate) struct Options {
    /// The cassette's name, if one is given.
    pub(crate) name: Option<LitStr>,
    /// Where cassette-test is.
    pub(crate) krate: Path,
    /// Calls on the builder, in the order in which they are written.
    pub(crate) builder: TokenStream,
    /// The cassette that it is forked from.
    fork: Option<LitStr>,
    /// What is wrong.
    pub(crate) mistakes: Vec<syn::Error>,
}

impl Options {
    /// Reads the arguments; what is wrong is collected, and the rest is read on.
    pub(crate) fn parse(arguments: TokenStream) -> Options {
        // Read twice: where cassette-test is may be said last, and what stands before it has to know.
        let krate = Options::parse_at(arguments.clone(), syn::parse_quote!(::cassette_test)).krate;
        Options::parse_at(arguments, krate)
    }

    fn parse_at(arguments: TokenStream, krate: Path) -> Options {
        let mut options = Options { name: None, krate, builder: TokenStream::new(), fork: None, mistakes: Vec::new() };
        let read = |input: ParseStream<'_>| {
            options.read(input);
            Ok(())
        };
        if let Err(mistake) = read.parse2(arguments) {
            options.mistakes.push(mistake);
        }
        if let Some(origin) = &options.fork {
            let (known, own) = (options.placeholders(), arguments_of(origin));
            let mistake = fork::mistake(origin, options.name.as_ref(), &known, &own);
            options.mistakes.extend(mistake);
        }
        options
    }

    /// Returns the arguments of the name's pattern, `{model}` as `model`, each at the place of the name.
    pub(crate) fn placeholders(&self) -> Vec<Ident> {
        self.name.as_ref().map(arguments_of).unwrap_or_default()
    }

    fn read(&mut self, input: ParseStream<'_>) {
        let mut seen: Vec<Ident> = Vec::new();
        let mut first = true;
        while !input.is_empty() {
            if let Err(mistake) = self.one(input, first, &mut seen) {
                self.mistakes.push(mistake);
                skip(input);
            }
            first = false;
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                self.mistakes.push(input.error("expected `,` between options"));
                skip(input);
                let _ = input.parse::<Token![,]>();
            }
        }
    }

    fn one(&mut self, input: ParseStream<'_>, first: bool, seen: &mut Vec<Ident>) -> syn::Result<()> {
        if input.peek(syn::Lit) {
            let name = input.parse::<LitStr>().map_err(|error| {
                syn::Error::new(error.span(), "a cassette's name is a string: `#[cassette(\"trains\")]`")
            })?;
            if !first {
                return Err(syn::Error::new(name.span(), "the cassette's name comes first, and there is one"));
            }
            self.name = Some(name);
            return Ok(());
        }
        if !input.peek(Ident::peek_any) {
            return Err(input.error(format!("expected a name in quotes or an option: {}", option::names())));
        }
        let ident = input.call(Ident::parse_any)?;
        if seen.contains(&ident) && !option::adds_up(&ident) {
            skip(input);
            return Err(syn::Error::new(ident.span(), format!("`{ident}` is given twice")));
        }
        seen.push(ident.clone());
        match option::parse(&ident, input, &self.krate)? {
            Setting::Crate(path) => self.krate = path,
            Setting::Builder(calls) => self.builder.extend(calls),
            Setting::Fork(origin, call) => {
                self.fork = Some(origin);
                self.builder.extend(call);
            }
        }
        Ok(())
    }
}

/// Returns the arguments in a name's pattern, each at the place of the name.
fn arguments_of(name: &LitStr) -> Vec<Ident> {
    let value = name.value();
    let inner = value.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let idents = inner.filter_map(|(ident, _)| syn::parse_str::<Ident>(ident).ok());
    let mut found: Vec<Ident> = Vec::new();
    for mut ident in idents {
        ident.set_span(name.span());
        if !found.contains(&ident) {
            found.push(ident);
        }
    }
    found
}

/// Skips to the next comma, so that the rest can be read.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

/// Returns all mistakes as one run of compile errors.
pub(crate) fn compile_errors(mistakes: &[syn::Error]) -> TokenStream {
    mistakes.iter().map(syn::Error::to_compile_error).collect()
}

/// Returns these tokens at another place, so that an error about them points there.
pub(crate) fn moved(tokens: impl ToTokens, span: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_token_stream().into_iter().map(moved).collect()
}

/// Returns a place of our own in the user's line: seen there, but blind to the names that are in scope there.
pub(crate) fn hidden(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}
