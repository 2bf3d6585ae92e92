//! What stands between the parentheses of `#[recordable(..)]`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, LitStr, Meta, Path, Token};

use super::super::Kind;
use super::super::options::{Errors, Options, equals, skip};

/// What holds for all methods of a trait.
pub(super) struct Settings {
    /// Where cassette-test is.
    pub(super) krate: Path,
    /// What the methods are that do not say otherwise.
    kind: Kind,
    /// How their errors are recorded.
    errors: Errors,
    /// What is wrong.
    pub(super) mistakes: Vec<syn::Error>,
}

/// How one method is recorded.
pub(super) enum Way {
    /// As this.
    Recorded(Kind, Options),
    /// Not at all: its own body runs, and what it calls is recorded.
    Provided(Attribute),
}

const NAMES: &str = "`kind`, `error`, `crate`";

impl Settings {
    /// Reads the options; what is wrong is collected, and the rest is read on.
    pub(super) fn parse(arguments: TokenStream) -> Settings {
        let mut settings = Settings {
            krate: syn::parse_quote!(::cassette_test),
            kind: Kind::Llm,
            errors: Errors::Asked,
            mistakes: Vec::new(),
        };
        let read = |input: ParseStream<'_>| {
            let mut seen: Vec<Ident> = Vec::new();
            while !input.is_empty() {
                if let Err(mistake) = settings.one(input, &mut seen) {
                    settings.mistakes.push(mistake);
                    skip(input);
                }
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    settings.mistakes.push(input.error("expected `,` between options"));
                    skip(input);
                    let _ = input.parse::<Token![,]>();
                }
            }
            Ok(())
        };
        if let Err(mistake) = read.parse2(arguments) {
            settings.mistakes.push(mistake);
        }
        settings
    }

    fn one(&mut self, input: ParseStream<'_>, seen: &mut Vec<Ident>) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(format!("expected an option: {NAMES}")));
        }
        let option = input.call(Ident::parse_any)?;
        if seen.contains(&option) {
            return Err(syn::Error::new(option.span(), format!("`{option}` is given twice")));
        }
        seen.push(option.clone());
        match option.to_string().as_str() {
            "kind" => {
                let kind: LitStr = equals(&option, input, "\"llm\", \"tool\" or \"memory\"")?;
                self.kind = Kind::named(&kind.value()).ok_or_else(|| {
                    let what = format!("`kind` takes \"llm\", \"tool\" or \"memory\", not \"{}\"", kind.value());
                    syn::Error::new(kind.span(), what)
                })?;
            }
            "error" => {
                let way: LitStr = equals(&option, input, "\"serde\" or \"from\"")?;
                self.errors = Errors::named(&way)?;
            }
            "crate" => self.krate = equals(&option, input, "a path")?,
            "provided" => {
                let what = "`provided` belongs on a method: `#[recordable(provided)]`";
                return Err(syn::Error::new(option.span(), what));
            }
            name => {
                let what = format!("unknown option `{name}`; there are {NAMES}");
                return Err(syn::Error::new(option.span(), what));
            }
        }
        Ok(())
    }

    /// Reads how a method with these attributes is recorded.
    pub(super) fn way(&self, ours: &[Attribute]) -> Result<Way, Vec<syn::Error>> {
        if let Some(second) = ours.get(1) {
            return Err(vec![syn::Error::new_spanned(second, "a method is recorded in one way: this is a second")]);
        }
        let (kind, arguments) = match ours.first() {
            None => (self.kind, TokenStream::new()),
            Some(attribute) => {
                let name = attribute.path().segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                let arguments = match &attribute.meta {
                    Meta::List(list) => list.tokens.clone(),
                    Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
                };
                match Kind::named(&name) {
                    Some(kind) => (kind, arguments),
                    None if arguments.to_string() == "provided" => return Ok(Way::Provided(attribute.clone())),
                    None => {
                        let what = "on a method it is `#[recordable(provided)]`, whose own body runs, or one of `#[llm]`, \
                                    `#[tool]` and `#[memory]`";
                        return Err(vec![syn::Error::new_spanned(attribute, what)]);
                    }
                }
            }
        };
        let mut options = Options::parse(arguments);
        if !options.mistakes.is_empty() {
            return Err(options.mistakes);
        }
        options.krate = self.krate.clone();
        options.otherwise = self.errors.clone();
        Ok(Way::Recorded(kind, options))
    }
}
