//! What stands between the parentheses of `#[tool(..)]`.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, Ident, LitStr, Path, Token, Type};

use crate::option::listed;

/// The options of one attribute, and every mistake in them.
pub(super) struct Options {
    /// Where cassette-test is.
    pub(super) krate: Path,
    /// The name under which the function is recorded.
    pub(super) name: Option<LitStr>,
    /// The arguments that are not recorded.
    pub(super) skip: Vec<Ident>,
    /// The arguments whose elements have no order.
    pub(super) unordered: Vec<Ident>,
    /// What is recorded beside the arguments.
    pub(super) also: Vec<Also>,
    /// How an error is recorded.
    pub(super) errors: Errors,
    /// How it is recorded where the attribute does not say: as the function's trait does.
    pub(super) otherwise: Errors,
    /// What is wrong.
    pub(super) mistakes: Vec<syn::Error>,
}

/// `name = expression`: something that is recorded as if it were an argument.
pub(super) struct Also {
    pub(super) name: Ident,
    pub(super) value: Expr,
}

/// How an error is recorded.
#[derive(Clone)]
pub(super) enum Errors {
    /// As its type has it.
    Asked,
    /// `error = "serde"`
    Serde,
    /// `error = "from"`
    From,
    /// `errors(MyError, ..)`
    Types(Vec<Type>),
    /// `describe = path, rebuild = path`
    Functions(Path, Path),
}

impl Errors {
    /// Returns the way of this name.
    pub(super) fn named(way: &LitStr) -> syn::Result<Errors> {
        match way.value().as_str() {
            "serde" => Ok(Errors::Serde),
            "from" => Ok(Errors::From),
            other => {
                let what = format!("`error` takes \"serde\" or \"from\", not \"{other}\"");
                Err(syn::Error::new(way.span(), what))
            }
        }
    }
}

impl Parse for Also {
    fn parse(input: ParseStream<'_>) -> syn::Result<Also> {
        let name = input.call(Ident::parse_any)?;
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(name.span(), "a value"));
        }
        input.parse::<Token![=]>()?;
        Ok(Also { name, value: input.parse()? })
    }
}

/// An option that was read.
enum Read {
    Crate(Path),
    Name(LitStr),
    Skip(Vec<Ident>),
    Unordered(Vec<Ident>),
    Also(Vec<Also>),
    Error(LitStr),
    Types(Vec<Type>),
    Describe(Path),
    Rebuild(Path),
}

const NAMES: &str = "`name`, `skip`, `unordered`, `also`, `error`, `errors`, `describe`, `rebuild`, `crate`";

impl Options {
    /// Reads the options; what is wrong is collected, and the rest is read on.
    pub(super) fn parse(arguments: TokenStream) -> Options {
        let mut options = Options {
            krate: syn::parse_quote!(::cassette_test),
            name: None,
            skip: Vec::new(),
            unordered: Vec::new(),
            also: Vec::new(),
            errors: Errors::Asked,
            otherwise: Errors::Asked,
            mistakes: Vec::new(),
        };
        let mut read = Vec::new();
        let parse = |input: ParseStream<'_>| {
            read = all(input, &mut options.mistakes);
            Ok(())
        };
        if let Err(mistake) = parse.parse2(arguments) {
            options.mistakes.push(mistake);
        }
        options.take(read);
        options
    }

    /// Returns how the error of a function that gives this is recorded; what is no `Result` has none.
    pub(super) fn errors_of(&self, given: &TokenStream) -> &Errors {
        let last = syn::parse2::<syn::TypePath>(given.clone()).ok().and_then(|path| path.path.segments.last().cloned());
        match &self.errors {
            Errors::Asked if last.is_some_and(|last| last.ident == "Result") => &self.otherwise,
            errors => errors,
        }
    }

    fn take(&mut self, read: Vec<(Ident, Read)>) {
        let (mut describe, mut rebuild, mut ways) = (None, None, Vec::new());
        for (option, read) in read {
            match read {
                Read::Crate(path) => self.krate = path,
                Read::Name(name) if name.value().trim().is_empty() => {
                    self.mistakes.push(syn::Error::new(name.span(), "a function's name is not empty"));
                }
                Read::Name(name) => self.name = Some(name),
                Read::Skip(skip) => self.skip.extend(skip),
                Read::Unordered(unordered) => self.unordered.extend(unordered),
                Read::Also(also) => self.also.extend(also),
                Read::Error(way) => match Errors::named(&way) {
                    Ok(errors) => ways.push((option, errors)),
                    Err(mistake) => self.mistakes.push(mistake),
                },
                Read::Types(types) => ways.push((option, Errors::Types(types))),
                Read::Describe(path) => describe = Some((option, path)),
                Read::Rebuild(path) => rebuild = Some((option, path)),
            }
        }
        match (describe, rebuild) {
            (Some((option, describe)), Some((_, rebuild))) => ways.push((option, Errors::Functions(describe, rebuild))),
            (Some((option, _)), None) => self.wrong(&option, "`describe` needs `rebuild`, which makes the error again"),
            (None, Some((option, _))) => self.wrong(&option, "`rebuild` needs `describe`, which says what is recorded"),
            (None, None) => {}
        }
        let mut ways = ways.into_iter();
        if let Some((_, way)) = ways.next() {
            self.errors = way;
        }
        if let Some((option, _)) = ways.next() {
            let what = "an error is recorded in one way: `error`, `errors`, or `describe` and `rebuild`";
            self.wrong(&option, what);
        }
    }

    fn wrong(&mut self, option: &Ident, what: &str) {
        self.mistakes.push(syn::Error::new(option.span(), what));
    }
}

fn all(input: ParseStream<'_>, mistakes: &mut Vec<syn::Error>) -> Vec<(Ident, Read)> {
    let mut found: Vec<(Ident, Read)> = Vec::new();
    while !input.is_empty() {
        match one(input, &found) {
            Ok(read) => found.push(read),
            Err(mistake) => {
                mistakes.push(mistake);
                skip(input);
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            mistakes.push(input.error("expected `,` between options"));
            skip(input);
            let _ = input.parse::<Token![,]>();
        }
    }
    found
}

fn one(input: ParseStream<'_>, before: &[(Ident, Read)]) -> syn::Result<(Ident, Read)> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error(format!("expected an option: {NAMES}")));
    }
    let option = input.call(Ident::parse_any)?;
    let name = option.to_string();
    let adds_up = matches!(name.as_str(), "skip" | "unordered" | "also");
    if !adds_up && before.iter().any(|(known, _)| *known == option) {
        skip(input);
        return Err(syn::Error::new(option.span(), format!("`{option}` is given twice")));
    }
    let arguments = |option: &Ident, input: ParseStream<'_>| -> syn::Result<Vec<Ident>> {
        let takes = format!("`{option}` takes arguments of the function by name: `{option}(client)`");
        listed::<Argument>(option, input, &takes).map(|found| found.into_iter().map(|Argument(name)| name).collect())
    };
    let read = match name.as_str() {
        "name" => Read::Name(equals(&option, input, "a string")?),
        "skip" => Read::Skip(arguments(&option, input)?),
        "unordered" => Read::Unordered(arguments(&option, input)?),
        "also" => {
            let takes = "`also` takes values with names: `also(index = self.index)`";
            Read::Also(listed(&option, input, takes)?)
        }
        "error" => Read::Error(equals(&option, input, "\"serde\" or \"from\"")?),
        // The program tells none apart.
        "errors" if is_empty(input) => {
            let _: Group = input.parse()?;
            Read::Types(Vec::new())
        }
        "errors" => Read::Types(listed(&option, input, "`errors` takes types: `errors(MyError)`")?),
        "describe" => Read::Describe(equals(&option, input, "a function")?),
        "rebuild" => Read::Rebuild(equals(&option, input, "a function")?),
        "crate" => Read::Crate(equals(&option, input, "a path")?),
        _ => return Err(syn::Error::new(option.span(), format!("unknown option `{name}`; there are {NAMES}"))),
    };
    Ok((option, read))
}

/// Returns whether an empty list comes next.
fn is_empty(input: ParseStream<'_>) -> bool {
    input.fork().parse::<Group>().is_ok_and(|group| group.stream().is_empty())
}

/// An argument's name; `self` is one.
struct Argument(Ident);

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Argument> {
        input.call(Ident::parse_any).map(Argument)
    }
}

/// Reads what follows an option's name and `=`.
pub(super) fn equals<T: Parse>(option: &Ident, input: ParseStream<'_>, what: &str) -> syn::Result<T> {
    let takes = format!("`{option}` takes {what}: `{option} = ..`");
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(option.span(), takes));
    }
    input.parse::<Token![=]>()?;
    let at = input.span();
    input.parse().map_err(|_| syn::Error::new(at, takes))
}

/// Skips to the next comma, so that the rest can be read.
pub(super) fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}
