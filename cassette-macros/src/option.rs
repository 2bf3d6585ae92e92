//! The options one by one: what each takes, and which call on the builder it becomes.

use proc_macro2::{Group, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitBool, LitFloat, LitInt, LitStr, Path, Token};

use crate::{compared, fork};

/// What an option sets.
pub(crate) enum Setting {
    /// Where cassette-test is.
    Crate(Path),
    /// One or more calls on the builder.
    Builder(TokenStream),
    /// The cassette that this one is forked from, and the call on the builder.
    Fork(LitStr, TokenStream),
}

/// What may follow an option's name.
enum Shape {
    /// `= ".."`, one of these; each with the variant of the type that is named after the option.
    Choice(&'static str, &'static [(&'static str, &'static str)]),
    /// `= true`, or nothing at all.
    Flag,
    /// `= ".."`
    Text,
    /// `("..", ..)`, a call for each
    Texts,
    /// `("..", ..)`, one call for all
    List,
    /// `(part, "path", ..)`, one call for all
    Compared,
    /// `("path", ..)`, a call for each
    Paths,
    /// `(path::to::function, ..)`, a call for each
    Functions,
    /// `(path::to::function)`
    Function,
    /// `= "recorded"`, or `= 0.5`
    Pace,
    /// `("run", at = 23)`
    Fork,
    /// `= path`
    Crate,
}

const OPTIONS: [(&str, Shape); 27] = [
    ("mode", Shape::Choice("Mode", &[("replay", "Replay"), ("off", "Off")])),
    ("order", Shape::Choice("Order", &[("any", "Any"), ("strict", "Strict")])),
    ("unused", Shape::Choice("Unused", &[("allow", "Allow")])),
    ("requests", Shape::Choice("Requests", &[("digest", "Digest")])),
    ("on_miss", Shape::Choice("OnMiss", &[("error", "Error")])),
    ("guard", Shape::Choice("Guard", &[("plain", "Plain"), ("strict", "Strict")])),
    ("allow_errors", Shape::Flag),
    ("match_on", Shape::Compared),
    ("ignore", Shape::Paths),
    ("match_header", Shape::Texts),
    ("normalize", Shape::Functions),
    ("matcher", Shape::Function),
    ("hooks", Shape::List),
    ("provider", Shape::Text),
    ("version", Shape::Text),
    ("keep_header", Shape::Texts),
    ("allow_hosts", Shape::List),
    ("redact_field", Shape::Texts),
    ("redact_header", Shape::Texts),
    ("redact_value", Shape::Texts),
    ("redact", Shape::Functions),
    ("pii", Shape::Flag),
    ("dir", Shape::Text),
    ("pace", Shape::Pace),
    ("repeat", Shape::Flag),
    ("fork", Shape::Fork),
    ("crate", Shape::Crate),
];

/// Returns the names of all options, as an error lists them.
pub(crate) fn names() -> String {
    OPTIONS.map(|(name, _)| format!("`{name}`")).join(", ")
}

/// Returns whether this option may be given several times: what it says is added up.
pub(crate) fn adds_up(option: &Ident) -> bool {
    let shape = OPTIONS.iter().find(|(known, _)| option == known).map(|(_, shape)| shape);
    matches!(shape, Some(Shape::Texts | Shape::List | Shape::Compared | Shape::Paths | Shape::Functions))
}

/// Reads what follows this option's name.
pub(crate) fn parse(option: &Ident, input: ParseStream<'_>, krate: &Path) -> syn::Result<Setting> {
    let name = option.to_string();
    let Some((_, shape)) = OPTIONS.iter().find(|(known, _)| *known == name) else {
        let what = format!("unknown option `{name}`; there are {}", names());
        return Err(syn::Error::new(option.span(), what));
    };
    let calls = match shape {
        Shape::Choice(of, values) => choice(option, input, krate, of, values)?,
        Shape::Flag => flag(option, input)?,
        Shape::Text => {
            let value: LitStr = value(option, input, "a string")?;
            quote_spanned!(value.span()=> .#option(#value))
        }
        Shape::Texts => {
            let texts = texts(option, input)?;
            texts.iter().map(|text| quote_spanned!(text.span()=> .#option(#text))).collect()
        }
        Shape::List => {
            let texts = texts(option, input)?;
            quote!(.#option([#(#texts),*]))
        }
        Shape::Compared => compared::parse(option, input, krate)?,
        Shape::Paths => {
            let paths = texts(option, input)?;
            paths.iter().map(|path| compared::checked(path, krate)).map(|path| quote!(.#option(#path))).collect()
        }
        Shape::Functions => {
            let takes = format!("`{option}` takes a function: `{option}(path::to::function)`");
            let functions: Vec<Path> = listed(option, input, &takes)?;
            functions.iter().map(|function| quote!(.#option(#function))).collect()
        }
        Shape::Function => {
            let takes = format!("`{option}` takes one function: `{option}(path::to::function)`");
            let functions: Vec<Path> = listed(option, input, &takes)?;
            let [function] = functions.as_slice() else { return Err(syn::Error::new(option.span(), takes)) };
            quote!(.#option(#function))
        }
        Shape::Fork => {
            let (name, call) = fork::parse(option, input, krate)?;
            return Ok(Setting::Fork(name, call));
        }
        Shape::Pace => pace(option, input, krate)?,
        Shape::Crate => {
            let takes = "`crate` takes a path: `crate = path::to::cassette_test`";
            return Ok(Setting::Crate(equals(option, input, takes, |input| input.call(Path::parse_mod_style))?));
        }
    };
    Ok(Setting::Builder(calls))
}

fn choice(
    option: &Ident,
    input: ParseStream<'_>,
    krate: &Path,
    of: &str,
    values: &[(&str, &str)],
) -> syn::Result<TokenStream> {
    let allowed = values.iter().map(|(value, _)| format!("\"{value}\"")).collect::<Vec<_>>().join(" or ");
    let given: LitStr = value(option, input, &allowed)?;
    let text = given.value();
    let Some((_, variant)) = values.iter().find(|(value, _)| *value == text) else {
        let what = format!("`{option}` takes {allowed}, not \"{text}\"{}", reason(option, &text));
        return Err(syn::Error::new(given.span(), what));
    };
    let (of, variant) = (Ident::new(of, given.span()), Ident::new(variant, given.span()));
    Ok(quote_spanned!(given.span()=> .#option(#krate::#of::#variant)))
}

/// Returns why a value that means something elsewhere is refused here.
fn reason(option: &Ident, value: &str) -> &'static str {
    match (option.to_string().as_str(), value) {
        ("order", "ordered" | "fuzzy") => ": that is asked for by CASSETTE_ORDER or the builder, for one run",
        ("mode", "record" | "refresh") => ": that is asked for by CASSETTE_MODE, for one run",
        _ => "",
    }
}

fn flag(option: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let takes = format!("`{option}` takes `true`, which may be left out");
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        let given: LitBool = input.parse().map_err(|error| syn::Error::new(error.span(), &takes))?;
        if !given.value {
            return Err(syn::Error::new(given.span, format!("{takes}; leave the option out instead")));
        }
    } else if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error(takes));
    }
    Ok(quote!(.#option()))
}

fn texts(option: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    listed(option, input, &format!("`{option}` takes strings: `{option}(\"..\", ..)`"))
}

fn pace(option: &Ident, input: ParseStream<'_>, krate: &Path) -> syn::Result<TokenStream> {
    let takes = format!("`{option}` takes \"recorded\" or a factor such as `0.5`");
    equals(option, input, &takes, |input| {
        let wrong = |span| syn::Error::new(span, &takes);
        if input.peek(LitStr) {
            let word: LitStr = input.parse()?;
            let right = word.value() == "recorded";
            return if right { Ok(quote!(.#option(#krate::Pace::Recorded))) } else { Err(wrong(word.span())) };
        }
        let (span, factor) = if input.peek(LitInt) {
            let factor: LitInt = input.parse()?;
            (factor.span(), factor.base10_parse::<f64>()?)
        } else {
            let factor: LitFloat = input.parse()?;
            (factor.span(), factor.base10_parse::<f64>()?)
        };
        if factor.is_finite() { Ok(quote!(.#option(#krate::Pace::Times(#factor)))) } else { Err(wrong(span)) }
    })
}

fn value<T: Parse>(option: &Ident, input: ParseStream<'_>, what: &str) -> syn::Result<T> {
    equals(option, input, &format!("`{option}` takes {what}"), |input| input.parse())
}

/// Reads `= value`; whatever goes wrong is what the option takes.
fn equals<T>(
    option: &Ident,
    input: ParseStream<'_>,
    takes: &str,
    read: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(option.span(), takes));
    }
    input.parse::<Token![=]>()?;
    let at = input.span();
    read(input).map_err(|error| {
        let told = error.to_string();
        if told.contains('`') { error } else { syn::Error::new(at, takes) }
    })
}

/// Reads `(value, ..)`, one value at least; whatever goes wrong is what the option takes.
pub(crate) fn listed<T: Parse>(option: &Ident, input: ParseStream<'_>, takes: &str) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Paren) {
        return Err(syn::Error::new(option.span(), takes));
    }
    let inner: Group = input.parse()?;
    if inner.stream().is_empty() {
        return Err(syn::Error::new(option.span(), takes));
    }
    let values = Punctuated::<T, Token![,]>::parse_terminated.parse2(inner.stream());
    let values = values.map_err(|error| syn::Error::new(error.span(), takes))?;
    Ok(values.into_iter().collect())
}
