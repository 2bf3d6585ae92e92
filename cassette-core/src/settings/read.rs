//! From text to settings.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, instead_of};
use super::{Mistake, Settings};
use crate::account::{Money, Rate};
use crate::path::Path;
use crate::policy::{Order, Requests, Strictness};
use crate::redact::{Rules, Secrets, redact_text};

/// Reads the text of a `cassette.toml`.
///
/// # Errors
///
/// Fails with everything that is wrong in it, by line. Values are told only where they are no secrets.
///
/// # Examples
///
/// ```
/// use cassette_core::settings::read;
///
/// assert_eq!(read("dir = \"recordings\"\n").unwrap().dir, Some("recordings".into()));
/// let mistakes = read("\ndirs = \"recordings\"\n").unwrap_err();
/// assert_eq!((mistakes[0].line, mistakes[0].help.as_str()), (Some(2), "did you mean `dir`?"));
/// ```
pub fn read(text: &str) -> Result<Settings, Vec<Mistake>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let help = "mend the line: a setting is written `key = value`, text in quotes".to_owned();
        let mistake = |error: &toml::de::Error| {
            let line = error.span().map(|span| line_of(text, &span));
            Mistake { file: String::new(), line, what: error.message().to_owned(), help: help.clone() }
        };
        return Err(sorted(errors.iter().map(mistake).collect()));
    }
    let mut settings = Settings::default();
    let mut mistakes = Vec::new();
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        let wrong = |span: Range<usize>, what: String, help: String| Mistake {
            file: String::new(),
            line: Some(line_of(text, &span)),
            what,
            help,
        };
        match take(&mut settings, name, value) {
            Ok(()) => {}
            Err(Wrong::Unknown) => {
                // A credential that was pasted there is told as what it is.
                let shown = redact_text(name, &Rules::default(), &mut Secrets::default());
                mistakes.push(wrong(key.span(), format!("there is no key `{shown}`"), instead_of(name)));
            }
            Err(Wrong::Value(should, span)) => {
                let example = KEYS.iter().find(|(key, _)| *key == name).map_or("..", |(_, example)| example);
                mistakes.push(wrong(span, format!("`{name}` {should}"), format!("write `{name} = {example}`")));
            }
        }
    }
    if mistakes.is_empty() { Ok(settings) } else { Err(sorted(mistakes)) }
}

/// Returns the line on which a key stands, from 1.
pub(super) fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (found, _) = table.get_ref().iter().find(|(name, _)| name.get_ref().as_ref() == key)?;
    Some(line_of(text, &found.span()))
}

/// Reads an amount of dollars: `0.50`.
pub fn dollars(text: &str) -> Option<Money> {
    Rate::per_million(text).and_then(|rate| rate.of(1_000_000))
}

/// Reads an age in days: `90d`, `12w`. A number alone says not of what.
pub fn days(text: &str) -> Option<u64> {
    let weeks = text.strip_suffix('w').map(|number| (number, 7));
    let (number, days) = weeks.or_else(|| Some((text.strip_suffix('d')?, 1)))?;
    let number: Option<u64> = number.parse().ok();
    number.and_then(|number| number.checked_mul(days))
}

/// Returns whether this names a field. `-` and `_` do not count in a name, so that nothing else is none: it would be taken for what
/// stands in an array, which has no name either.
pub fn is_field_name(name: &str) -> bool {
    name.chars().any(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
}

/// Why a key was not taken.
enum Wrong {
    Unknown,
    /// What the value should be, and where the one stands that is not.
    Value(String, Range<usize>),
}

type Value<'a, 'i> = &'a Spanned<DeValue<'i>>;

fn take(settings: &mut Settings, key: &str, value: Value<'_, '_>) -> Result<(), Wrong> {
    match key {
        "dir" => settings.dir = Some(filled(value)?.into()),
        "order" => settings.order = Some(order(value)?),
        "guard" => settings.guard = Some(word(value, &GUARDS)?),
        "requests" => settings.requests = Some(word(value, &REQUESTS)?),
        "pii" => settings.pii = value.get_ref().as_bool().ok_or_else(|| should("is `true` or `false`", value))?,
        "allow_hosts" => settings.allow_hosts = texts(value)?,
        "redact_field" => settings.redact_field = fields(value)?,
        "redact_header" => settings.redact_header = texts(value)?,
        "redact_value" => settings.redact_value = texts(value)?,
        "keep_header" => settings.keep_header = texts(value)?,
        "ignore" => settings.ignore = paths(value)?,
        "match_header" => settings.match_header = texts(value)?,
        "budget" => settings.budget = Some(amount(value)?),
        "prices_file" => settings.prices_file = Some(filled(value)?.into()),
        "max_age" => settings.max_age = Some(age(value)?),
        _ => return Err(Wrong::Unknown),
    }
    Ok(())
}

const GUARDS: [(&str, Strictness); 2] = [("plain", Strictness::Plain), ("strict", Strictness::Strict)];

const REQUESTS: [(&str, Requests); 2] = [("full", Requests::Full), ("digest", Requests::Digest)];

fn should(should: &str, value: Value<'_, '_>) -> Wrong {
    Wrong::Value(should.to_owned(), value.span())
}

fn filled<'a>(value: Value<'a, '_>) -> Result<&'a str, Wrong> {
    value.get_ref().as_str().filter(|text| !text.is_empty()).ok_or_else(|| should("is a text", value))
}

fn word<T: Copy>(value: Value<'_, '_>, words: &[(&str, T)]) -> Result<T, Wrong> {
    let found = value.get_ref().as_str().and_then(|text| words.iter().find(|(word, _)| *word == text));
    let names = || words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    found.map(|(_, means)| *means).ok_or_else(|| should(&format!("is {}", names()), value))
}

/// Reads an order. One that explores is asked for run by run: in a file it would make every test prove nothing.
fn order(value: Value<'_, '_>) -> Result<Order, Wrong> {
    let order = value.get_ref().as_str().and_then(Order::from_name);
    match order {
        Some(order) if order.is_exact() => Ok(order),
        Some(order) => {
            let order = order.as_str();
            Err(should(&format!("is no exploring order: set CASSETTE_ORDER={order} for one run"), value))
        }
        None => Err(should("is `any` or `strict`", value)),
    }
}

/// Reads a list of texts, or one alone.
fn texts(value: Value<'_, '_>) -> Result<Vec<String>, Wrong> {
    let wrong = |value| should("is a list of texts, none of them empty", value);
    if value.get_ref().as_str().is_some() {
        return filled(value).map(|text| vec![text.to_owned()]).map_err(|_| wrong(value));
    }
    let list = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
    list.iter().map(|value| filled(value).map(str::to_owned).map_err(|_| wrong(value))).collect()
}

/// Reads the names of fields.
fn fields(value: Value<'_, '_>) -> Result<Vec<String>, Wrong> {
    let names = texts(value)?;
    let named = names.iter().all(|name| is_field_name(name));
    if named { Ok(names) } else { Err(should("has a name in it that is none", value)) }
}

fn paths(value: Value<'_, '_>) -> Result<Vec<String>, Wrong> {
    let texts = texts(value)?;
    let wrong = texts.iter().find_map(|text| text.parse::<Path>().err());
    wrong.map_or(Ok(texts), |error| Err(should(&format!("names no path: {error}"), value)))
}

fn amount(value: Value<'_, '_>) -> Result<Money, Wrong> {
    let value_ = value.get_ref();
    let number = value_.as_integer().filter(|number| number.radix() == 10).map(|number| number.as_str());
    let number = number.or_else(|| value_.as_float().map(|number| number.as_str()));
    let text = value_.as_str().or(number);
    text.and_then(dollars).ok_or_else(|| should("is an amount of dollars", value))
}

fn age(value: Value<'_, '_>) -> Result<u64, Wrong> {
    value.get_ref().as_str().and_then(days).ok_or_else(|| should("is a number of days or weeks", value))
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count() + 1
}

fn sorted(mut mistakes: Vec<Mistake>) -> Vec<Mistake> {
    mistakes.sort();
    mistakes
}
