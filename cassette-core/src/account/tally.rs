//! The answers of models, counted one by one.

use std::collections::BTreeMap;

use super::Spent;
use super::prices::Prices;
use super::tokens::Tokens;
use crate::call::{Call, Kind};
use crate::dialect::{self, Dialect};
use crate::json::Json;
use crate::reply::Reply;
use crate::view::{RequestView, Usage, asked, documents_of, view};

/// The answers so far, polls of one put together.
#[derive(Debug, Default)]
pub(crate) struct Tally(Vec<Answer>);

impl Tally {
    /// Adds an answer: one that was asked for again is the same answer, and may be counted only now.
    pub(crate) fn add(&mut self, answer: Answer) {
        let same = |known: &&mut Answer| answer.is_poll && answer.id.is_some() && known.id == answer.id;
        match self.0.iter_mut().find(same) {
            Some(known) => {
                known.tokens = answer.tokens.or(known.tokens);
                known.named = answer.named.or(known.named.take());
            }
            None => self.0.push(answer),
        }
    }

    /// Returns what each model took, by the name under which it was asked for.
    pub(crate) fn models(&self, prices: &Prices) -> BTreeMap<String, Spent> {
        let mut models: BTreeMap<String, Spent> = BTreeMap::new();
        for answer in &self.0 {
            let (model, spent) = answer.spent(prices);
            let known = models.remove(&model).unwrap_or_default();
            models.insert(model, known.and(spent));
        }
        models
    }

    /// Returns what all of them took.
    pub(crate) fn spent(&self, prices: &Prices) -> Spent {
        self.0.iter().map(|answer| answer.spent(prices).1).fold(Spent::default(), Spent::and)
    }
}

/// An answer of a model.
#[derive(Debug)]
pub(crate) struct Answer {
    model: String,
    /// The model as the reply names it.
    named: Option<String>,
    /// The id of what was asked for again and again until it was there.
    id: Option<String>,
    is_poll: bool,
    /// Whether it was served at a price of its own.
    is_special: bool,
    tokens: Option<Tokens>,
}

impl Answer {
    /// Returns the answer that a reply is; `None` for what is no model's, is free, or failed.
    pub(crate) fn of(call: &Call, reply: &Reply) -> Option<Answer> {
        let dialect = dialect_of(call).filter(|_| reply.status < 400)?;
        let view = view(call, reply)?;
        let asked = asked(call).unwrap_or_default();
        let is_special = is_special(&asked);
        let documents = documents_of(&reply.body());
        let id = documents.first().and_then(|document| document.get("id")).and_then(Json::as_str);
        Some(Answer {
            model: asked.model.or(view.model.clone()).unwrap_or_else(|| "unnamed".to_owned()),
            named: view.model,
            id: id.map(|id| id.into_owned()),
            is_poll: call.name.starts_with("GET "),
            is_special,
            tokens: view.usage.filter(|usage| *usage != Usage::default()).map(|usage| Tokens::of(call, dialect, usage)),
        })
    }

    /// Returns the name under which the model was asked for.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    fn spent(&self, prices: &Prices) -> (String, Spent) {
        let price = prices.of(&self.model).or_else(|| prices.of(self.named.as_deref()?)).filter(|_| !self.is_special);
        let cost = price.zip(self.tokens).and_then(|(price, tokens)| price.cost(&tokens));
        let spent = Spent {
            calls: 1,
            tokens: self.tokens.unwrap_or_default(),
            uncounted: usize::from(self.tokens.is_none()),
            cost,
            unpriced: usize::from(cost.is_none()),
        };
        (self.model.clone(), spent)
    }
}

/// What a call will cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Nothing: it is no model's, or asks again for what was asked before, or for a count of tokens.
    Nothing,
    /// What its model's tokens cost.
    Priced,
    /// Nobody knows: what its model is called.
    Unknown(String),
}

/// Returns whether it is known what a call will cost.
pub(crate) fn worth(call: &Call, prices: &Prices) -> Worth {
    if call.kind != Kind::Http || call.name.starts_with("GET ") || dialect_of(call).is_none() {
        return Worth::Nothing;
    }
    let asked = asked(call).unwrap_or_default();
    let special = is_special(&asked);
    let model = asked.model.unwrap_or_else(|| "unnamed".to_owned());
    if prices.of(&model).is_some() && !special { Worth::Priced } else { Worth::Unknown(model) }
}

/// Returns the dialect of a model call that costs something.
pub(super) fn dialect_of(call: &Call) -> Option<Dialect> {
    dialect::detect(call).filter(|_| !only_counts(call))
}

fn is_special(asked: &RequestView) -> bool {
    let tier = asked.settings.iter().find(|(path, _)| path == "service_tier" || path == "serviceTier");
    tier.and_then(|(_, tier)| tier.as_str()).is_some_and(|tier| !ORDINARY.contains(&&*tier))
}

/// Tiers of service that cost what the list says.
const ORDINARY: [&str; 5] = ["auto", "default", "standard", "standard_only", "on_demand"];

/// Returns whether a call asks for nothing but a count of tokens, which is free.
fn only_counts(call: &Call) -> bool {
    let path = call.name.split(['?', '#']).next().unwrap_or_default();
    ["/count_tokens", ":countTokens", "/count-tokens", "/input_tokens"].iter().any(|end| path.ends_with(end))
}
