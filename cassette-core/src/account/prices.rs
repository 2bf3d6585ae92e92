//! What the tokens of each model cost.

use std::collections::BTreeMap;

use super::money::{Money, Rate};
use super::tokens::Tokens;

/// What the tokens of a model cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// A token of a request.
    pub input: Rate,
    /// A token of an answer; `None` for a model that answers without words.
    pub output: Option<Rate>,
    /// A token that was read from a cache; `None` where it costs what any other does.
    pub cached: Option<Rate>,
    /// A token that was written to a cache; `None` where it costs what any other does.
    pub cache_written: Option<Rate>,
    /// How many tokens a request may have at this price; what a longer one costs is not known.
    pub up_to: Option<u64>,
}

/// The prices of models, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(BTreeMap<String, Price>);

impl Prices {
    /// Sets the price of a model; a later one takes the place of an earlier.
    pub fn set(&mut self, model: &str, price: Price) {
        self.0.insert(model.to_owned(), price);
    }

    /// Adds other prices, which take the place of those of the same models.
    pub fn extend(&mut self, other: Prices) {
        self.0.extend(other.0);
    }

    /// Returns the price of a model: under its whole name, else under that without what says who serves it and on which day it
    /// was made, else under the only one that spells its version otherwise: `m-4.5` for `m-4-5`.
    ///
    /// Nothing else is taken for the same model: a wrong price is worse than none.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let short = model.rsplit('/').next().unwrap_or(model);
        let plain = served(short);
        let names = [model, short, plain, undated(plain)].into_iter().filter(|name| !name.is_empty());
        names.clone().find_map(|name| self.0.get(name)).or_else(|| names.clone().find_map(|name| self.respelled(name)))
    }

    /// Returns the price of the one model whose name differs from this in how its version is spelled alone.
    fn respelled(&self, name: &str) -> Option<&Price> {
        let mut found = self.0.iter().filter(|(known, _)| is_respelled(known.as_bytes(), name.as_bytes()));
        let (_, price) = found.next()?;
        found.next().is_none().then_some(price)
    }
}

impl Price {
    /// Returns what these tokens of one call cost; `None` where that is not known.
    pub fn cost(&self, tokens: &Tokens) -> Option<Money> {
        let cached = tokens.cached.unwrap_or_default();
        let written = tokens.cache_written.unwrap_or_default();
        let input = tokens.input?;
        if self.up_to.is_some_and(|most| input.saturating_add(cached).saturating_add(written) > u128::from(most)) {
            return None;
        }
        let output = match (self.output, tokens.output) {
            (Some(rate), Some(count)) => rate.of(count)?,
            (None, None | Some(0)) => Money::default(),
            _ => return None,
        };
        let cached = self.cached.unwrap_or(self.input).of(cached)?;
        let written = self.cache_written.unwrap_or(self.input).of(written)?;
        [cached, written, output].into_iter().try_fold(self.input.of(input)?, Money::checked_add)
    }
}

/// Returns the maker's name of a model that Bedrock or Vertex serves: `us.anthropic.m-v1:0`, `m@20250101`.
fn served(model: &str) -> &str {
    let regions = ["us.", "us-gov.", "eu.", "apac.", "jp.", "au.", "global."];
    let model = regions.iter().find_map(|region| model.strip_prefix(region)).unwrap_or(model);
    let Some(model) = model.strip_prefix("anthropic.") else { return model };
    match model.rsplit_once("-v") {
        Some((name, version)) if version.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') => name,
        _ => model,
    }
}

/// Returns whether two names are the same but for dots and hyphens within a version.
fn is_respelled(a: &[u8], b: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'.' | b'-');
    let is_same = |(at, (x, y)): (usize, (&u8, &u8))| x == y || is_sign(x) && is_sign(y) && is_in_version(a, at);
    a.len() == b.len() && a.iter().zip(b).enumerate().all(is_same)
}

/// Returns whether a sign stands between the numbers of a version, and not before a size, `3-4b`, or a day.
fn is_in_version(name: &[u8], at: usize) -> bool {
    let before = name[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = name[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let ends = name.get(at + 1 + behind).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (1..=2).contains(&before) && (1..=2).contains(&behind) && ends
}

/// Returns a name without a day at its end: `-2024-07-18`, `-20250514`, `@20250514`.
fn undated(model: &str) -> &str {
    let is_day = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        text.starts_with("20") && digits == 8 && (text.len() == 8 || text.split('-').map(str::len).eq([4, 2, 2]))
    };
    let ends = [11, 9].into_iter().filter_map(|length| model.len().checked_sub(length));
    let mut cut = ends.filter_map(|at| Some((model.get(..at)?, model.get(at..)?)));
    let found = cut.find(|(_, end)| end.starts_with(['-', '@']) && is_day(&end[1..]));
    found.map_or(model, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::{Price, Prices};

    #[test]
    fn a_model_has_many_names_and_no_other_model_is_taken_for_it() {
        let mut prices = Prices::default();
        for model in ["", "gpt-4o-mini", "claude-sonnet-4-5", "openai/gpt-oss-20b", "gpt-4o-2024-05-13"] {
            prices.set(model, Price::default());
        }
        let known = [
            "gpt-4o-mini",
            "gpt-4o-mini-2024-07-18",
            "openai/gpt-4o-mini",
            "models/gpt-4o-mini",
            "claude-sonnet-4-5-20250929",
            "claude-sonnet-4-5@20250929",
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "anthropic.claude-sonnet-4-5-20250929-v1:0",
            "openai/gpt-oss-20b",
            "gpt-4o-2024-05-13",
        ];
        known.into_iter().for_each(|name| assert!(prices.of(name).is_some(), "{name}"));
        let unknown = [
            "gpt-4o",
            "gpt-4o-mini-audio",
            "gpt-4o-2024-08-06",
            "gpt-oss-20b",
            "claude-sonnet-4-5-latest",
            "-20250929",
            "",
            "openai/",
        ];
        unknown.into_iter().for_each(|name| assert!(prices.of(name).is_none(), "{name}"));
    }

    #[test]
    fn a_version_may_be_spelled_with_dots_or_with_hyphens_where_one_model_alone_is_meant() {
        let mut prices = Prices::default();
        for model in
            ["claude-haiku-4-5", "claude-3-5-haiku", "gpt-4.1-mini", "m-1.2-3", "m-1-2.3", "gemma-3-4b", "gpt-4-0613"]
        {
            prices.set(model, Price::default());
        }
        let known =
            ["anthropic/claude-haiku-4.5", "claude-haiku-4.5-20251001", "anthropic/claude-3.5-haiku", "gpt-4-1-mini"];
        known.into_iter().for_each(|name| assert!(prices.of(name).is_some(), "{name}"));
        let unknown = [
            "claude-haiku-45",
            "claude-haiku.4-5",
            "claude-haiku-4.6",
            "claude-haiku-4.5:beta",
            "gpt-4.1.mini",
            "m-1-2-3",
            "gemma-3.4b",
            "gpt-4.0613",
        ];
        unknown.into_iter().for_each(|name| assert!(prices.of(name).is_none(), "{name}"));
        // A name that is known is that model, whatever is spelled alike.
        let typed = Price { up_to: Some(1), ..Price::default() };
        prices.set("claude-haiku-4.5", typed);
        assert_eq!(prices.of("anthropic/claude-haiku-4.5"), Some(&typed));
        assert_eq!(prices.of("claude-haiku-4-5"), Some(&Price::default()));
    }
}
