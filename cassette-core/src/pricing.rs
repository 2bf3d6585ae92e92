//! The list prices of models: the table that comes along, a file of one's own, and single prices that were typed.

use std::fmt;

use toml::de::{DeTable, DeValue};

use crate::account::{Price, Prices, Rate};

/// The table that comes along.
const TABLE: &str = include_str!("../data/prices.toml");

/// A table of prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceList {
    /// The day of which the prices are.
    pub checked: String,
    /// Where they are published: each maker with the address.
    pub sources: Vec<(String, String)>,
    /// The prices.
    pub prices: Prices,
}

/// Why a price cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoPrice {
    /// The table is no TOML: what is said of it.
    Toml(String),
    /// A member of the table, by its path, is not what it should be: what that is.
    Member(String, &'static str),
    /// What was typed is no `MODEL=IN/OUT`.
    Typed(String),
}

impl fmt::Display for NoPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPrice::Toml(what) => f.write_str(what),
            NoPrice::Member(path, should) => write!(f, "`{path}` is not {should}"),
            NoPrice::Typed(text) => {
                write!(f, "`{text}` is no price; it is MODEL=IN/OUT or MODEL=IN/OUT/CACHED, dollars per million tokens")
            }
        }
    }
}

impl std::error::Error for NoPrice {}

/// Returns the table that comes along.
///
/// # Errors
///
/// Fails where it is damaged, which a test rules out.
pub fn own() -> Result<PriceList, NoPrice> {
    read(TABLE)
}

/// Reads a table: `checked`, the day, and of each `[[maker]]` its `name`, its `source` and `models`, each with `input`,
/// `output`, `cached`, `cache_written` in dollars per million tokens as text, and `up_to`. All but `input` may be missing.
///
/// # Errors
///
/// Fails where it is no TOML, or something in it is not what it should be.
pub fn read(text: &str) -> Result<PriceList, NoPrice> {
    let table = DeTable::parse(text).map_err(|error| NoPrice::Toml(error.message().to_owned()))?;
    let table = table.get_ref();
    only(table, "", &["checked", "maker"])?;
    let mut list = PriceList { checked: string(table, "", "checked")?, ..PriceList::default() };
    let makers = table.get("maker").and_then(|makers| makers.get_ref().as_array());
    for (i, maker) in makers.ok_or(NoPrice::Member("maker".into(), "a list of tables"))?.iter().enumerate() {
        let at = format!("maker[{i}].");
        let maker = maker.get_ref().as_table();
        let maker = maker.ok_or_else(|| NoPrice::Member(format!("maker[{i}]"), "a table"))?;
        only(maker, &at, &["name", "source", "models"])?;
        list.sources.push((string(maker, &at, "name")?, string(maker, &at, "source")?));
        let models = maker.get("models").and_then(|models| models.get_ref().as_table());
        for (model, said) in models.ok_or_else(|| NoPrice::Member(format!("{at}models"), "a table"))? {
            let model = model.get_ref();
            list.prices.set(model, price(said.get_ref(), &format!("{at}models.{model}"))?);
        }
    }
    Ok(list)
}

/// Reads a price that was typed, `MODEL=IN/OUT` or `MODEL=IN/OUT/CACHED`, in dollars per million tokens.
///
/// # Errors
///
/// Fails where it is of another form.
///
/// # Examples
///
/// ```
/// use cassette_core::pricing::typed;
///
/// let (model, price) = typed("gpt-4o-mini=0.15/0.60").unwrap();
/// assert_eq!((model.as_str(), price.input.of(1_000_000).unwrap().to_string().as_str()), ("gpt-4o-mini", "0.15"));
/// assert!(typed("gpt-4o-mini=0.15").is_err());
/// ```
pub fn typed(text: &str) -> Result<(String, Price), NoPrice> {
    let no_price = || NoPrice::Typed(text.to_owned());
    let (model, rates) = text.rsplit_once('=').filter(|(model, _)| !model.is_empty()).ok_or_else(no_price)?;
    let rates: Option<Vec<Rate>> = rates.split('/').map(Rate::per_million).collect();
    let price = match rates.as_deref() {
        Some([input, output]) => Price { input: *input, output: Some(*output), ..Price::default() },
        Some([input, output, cached]) => {
            Price { input: *input, output: Some(*output), cached: Some(*cached), ..Price::default() }
        }
        _ => return Err(no_price()),
    };
    Ok((model.to_owned(), price))
}

fn price(said: &DeValue<'_>, path: &str) -> Result<Price, NoPrice> {
    let said = said.as_table().ok_or_else(|| NoPrice::Member(path.to_owned(), "a table"))?;
    only(said, &format!("{path}."), &["input", "output", "cached", "cache_written", "up_to"])?;
    let member = |name: &str| said.get(name).map(|value| value.get_ref());
    let rate = |name: &str| {
        let wrong =
            || NoPrice::Member(format!("{path}.{name}"), "dollars per million tokens as text, such as \"0.15\"");
        member(name).map(|value| value.as_str().and_then(Rate::per_million).ok_or_else(wrong)).transpose()
    };
    let tokens = |value: &DeValue<'_>| {
        let count =
            value.as_integer().filter(|count| count.radix() == 10).and_then(|count| count.as_str().parse().ok());
        count.ok_or_else(|| NoPrice::Member(format!("{path}.up_to"), "a number of tokens"))
    };
    Ok(Price {
        input: rate("input")?.ok_or_else(|| NoPrice::Member(format!("{path}.input"), "there"))?,
        output: rate("output")?,
        cached: rate("cached")?,
        cache_written: rate("cache_written")?,
        up_to: member("up_to").map(tokens).transpose()?,
    })
}

fn string(table: &DeTable<'_>, at: &str, name: &str) -> Result<String, NoPrice> {
    let said = table.get(name).and_then(|said| said.get_ref().as_str());
    said.map(str::to_owned).ok_or_else(|| NoPrice::Member(format!("{at}{name}"), "a text"))
}

/// Refuses a member that is unknown: it may be a price that was mistyped.
fn only(table: &DeTable<'_>, at: &str, known: &[&str]) -> Result<(), NoPrice> {
    let unknown = table.keys().map(|name| name.get_ref()).find(|name| !known.contains(&name.as_ref()));
    unknown.map_or(Ok(()), |name| Err(NoPrice::Member(format!("{at}{name}"), "known")))
}

#[cfg(test)]
mod tests {
    use super::{own, read, typed};

    #[test]
    fn the_table_that_comes_along_is_sound_and_says_where_it_is_from() {
        let list = own().unwrap();
        assert!(list.sources.iter().all(|(_, source)| source.starts_with("https://")) && list.sources.len() > 4);
        assert!(crate::clock::days_between(&list.checked, "2100-01-01").is_some());
        for model in
            ["gpt-4o-mini-2024-07-18", "claude-sonnet-4-5-20250929", "gemini-2.5-pro", "text-embedding-3-small"]
        {
            assert!(list.prices.of(model).is_some(), "{model}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |models: &str| {
            let text = format!(
                "checked = \"2026-01-01\"\n[[maker]]\nname = \"a\"\nsource = \"b\"\n[maker.models]\n{models}\n"
            );
            read(&text).map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(error("m = 1"), "`maker[0].models.m` is not a table");
        assert_eq!(error("m = { output = \"1\" }"), "`maker[0].models.m.input` is not there");
        assert_eq!(
            error("m = { input = 0.15 }"),
            "`maker[0].models.m.input` is not dollars per million tokens as text, such as \"0.15\""
        );
        assert_eq!(error("m = { input = \"1\", out = \"2\" }"), "`maker[0].models.m.out` is not known");
        assert_eq!(read("maker = []").unwrap_err().to_string(), "`checked` is not a text");
        for wrong in ["m", "=1/2", "m=1", "m=1/2/3/4", "m=1/x"] {
            assert!(typed(wrong).is_err(), "{wrong}");
        }
        assert_eq!(typed("a=b=1/2").unwrap().0, "a=b");
    }
}
