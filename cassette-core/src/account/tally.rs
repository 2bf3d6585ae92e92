//! The answers of models, counted one by one.

use std::collections::BTreeMap;

use super::Spent;
use super::prices::Prices;
use super::terms;
use super::tokens::Tokens;
use crate::call::{Call, Kind};
use crate::dialect::{self, Dialect};
use crate::json::Json;
use crate::redact::fields;
use crate::reply::Reply;
use crate::view::{ReplyView, Usage, asked, billed, documents_of, view};

/// The answers so far, polls of one put together.
#[derive(Debug, Default)]
pub(crate) struct Tally(Vec<Answer>);

impl Tally {
    /// Adds an answer: one that was asked for again is the same answer, and may be counted only now.
    pub(crate) fn add(&mut self, answer: Answer) {
        let same = |known: &&mut Answer| answer.is_poll && answer.id.is_some() && known.id == answer.id;
        match self.0.iter_mut().find(same) {
            Some(known) => {
                if answer.tokens.is_some() {
                    (known.tokens, known.billed, known.is_counted) = (answer.tokens, answer.billed, answer.is_counted);
                }
                known.named = answer.named.or(known.named.take());
                known.is_special |= answer.is_special;
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
    /// Those that are paid for, where the reply says that they are others.
    billed: Option<Tokens>,
    /// Whether nothing is missing in `tokens`.
    is_counted: bool,
    /// Whether it was asked in a way that nobody sees, by a function of the user's.
    is_own: bool,
}

impl Answer {
    /// Returns the answer that a reply is; `None` for what is no model's, is free, or failed. A reply that says nothing is an
    /// answer too: it was paid for, and nobody knows how much.
    pub(crate) fn of(call: &Call, reply: &Reply) -> Option<Answer> {
        let dialect = dialect_of(call).filter(|_| (200..300).contains(&reply.status))?;
        let documents = documents_of(&reply.body());
        let reads = call.name.starts_with("GET ");
        if reads && documents.is_empty() {
            return None;
        }
        let view = view(call, reply).unwrap_or_default();
        let asked = asked(call).unwrap_or_default();
        let id = documents.first().and_then(|document| document.get("id")).and_then(Json::as_str);
        let id = id.map(|id| id.into_owned());
        let usage = view.usage.filter(|usage| *usage != Usage::default());
        let tokens = usage.map(|usage| Tokens::of(call, dialect, usage));
        let is_final = is_final(dialect, reply, &view, documents.len());
        let tokens = tokens.map(|tokens| if is_final { tokens } else { tokens.without_answer() });
        let is_wordless = is_wordless(dialect, call);
        let is_whole = |tokens: Tokens| tokens.input.is_some() && (tokens.output.is_some() || is_wordless);
        Some(Answer {
            is_special: terms::are_own(&asked, &documents),
            model: asked.model.or_else(|| uploaded(call)).or(view.model.clone()).unwrap_or_else(|| UNNAMED.to_owned()),
            named: view.model,
            is_poll: reads || id.as_deref().is_some_and(|id| call.name.split(['/', '?']).any(|segment| segment == id)),
            id,
            tokens,
            billed: billed(dialect, &documents).map(|usage| Tokens::of(call, dialect, usage)),
            is_counted: tokens.is_some_and(is_whole),
            is_own: false,
        })
    }

    /// Returns what a provider did that is no answer of a model, such as a batch or a video, and may have been paid for: nobody knows how
    /// much. `None` for what is asked of anybody else, what only reads or keeps something, and what failed.
    pub(crate) fn untold(call: &Call, reply: &Reply) -> Option<Answer> {
        let path = call.name.strip_prefix("POST ")?.split(['?', '#']).next().unwrap_or_default();
        let is_kept = path.split('/').any(|segment| KEPT.contains(&segment));
        let is_paid = (200..300).contains(&reply.status) && dialect::provider(call) != "unknown" && !is_kept;
        (is_paid && !only_counts(call)).then(|| {
            let model = asked(call).and_then(|asked| asked.model).unwrap_or_else(|| UNNAMED.to_owned());
            Answer { is_special: true, is_own: false, ..Answer::of_nobody_knows_what(&model) }
        })
    }

    /// Returns the answer of a model behind a function of the user's of this name, of which nothing is known.
    pub(super) fn of_nobody_knows_what(name: &str) -> Answer {
        Answer {
            model: name.to_owned(),
            named: None,
            id: None,
            is_poll: false,
            is_special: false,
            tokens: None,
            billed: None,
            is_counted: false,
            is_own: true,
        }
    }

    /// Returns this answer as that of a function of the user's of this name: which model was asked for, only the answer tells.
    pub(super) fn of_function(self, name: &str) -> Answer {
        Answer { model: self.named.clone().unwrap_or_else(|| name.to_owned()), is_own: true, ..self }
    }

    /// Returns the name under which the model was asked for.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    fn spent(&self, prices: &Prices) -> (String, Spent) {
        let price = prices.of(&self.model).or_else(|| prices.of(self.named.as_deref()?)).filter(|_| !self.is_special);
        let cost = price.zip(self.billed.or(self.tokens)).and_then(|(price, tokens)| price.cost(&tokens));
        let spent = Spent {
            calls: 1,
            tokens: self.tokens.unwrap_or_default(),
            uncounted: usize::from(!self.is_counted),
            cost,
            unpriced: usize::from(cost.is_none()),
            untold: usize::from(cost.is_none() && (price.is_some() || self.is_own) && !self.is_counted),
        };
        (self.model.clone(), spent)
    }
}

/// What providers keep for their users without a charge for each call.
const KEPT: [&str; 12] = [
    "assistants",
    "cancel",
    "containers",
    "conversations",
    "detokenize",
    "files",
    "skills",
    "threads",
    "tokenize",
    "tokens",
    "uploads",
    "vector_stores",
];

/// What a model is called that nobody names.
const UNNAMED: &str = "unnamed";

/// Returns the model that stands in a form beside what is uploaded.
fn uploaded(call: &Call) -> Option<String> {
    let boundary = fields::boundary(call.header("content-type")?)?;
    let parts = fields::parts(&call.body, boundary);
    let is_model = |head: &[u8]| String::from_utf8_lossy(head).contains("; name=\"model\"");
    let part = parts.into_iter().find(|part| is_model(&call.body[part.head.clone()]))?;
    let model = String::from_utf8_lossy(&call.body[part.content]).trim().to_owned();
    (!model.is_empty()).then_some(model)
}

/// Returns whether a reply has counted to its end. Many streams tell how far they have counted, so that what they say last is only
/// right where they say that they end.
fn is_final(dialect: Dialect, reply: &Reply, view: &ReplyView, documents: usize) -> bool {
    let counts_on = matches!(
        dialect,
        Dialect::Anthropic
            | Dialect::BedrockInvoke
            | Dialect::Gemini
            | Dialect::OpenAiChat
            | Dialect::OpenAiCompletions
            | Dialect::Watsonx
    );
    let is_broken = reply.truncated.is_some() || view.error.is_some();
    view.finish.is_some() || !(is_broken || counts_on && documents > 1)
}

/// Returns whether a model answers without words, so that there are none to count.
fn is_wordless(dialect: Dialect, call: &Call) -> bool {
    let path = call.name.split(['?', '#']).next().unwrap_or_default();
    let embeds = path.to_ascii_lowercase().contains("embed") || path.contains("feature-extraction");
    let wordless = [Dialect::OpenAiEmbeddings, Dialect::OpenAiModeration, Dialect::CohereEmbed, Dialect::MistralOcr];
    embeds || wordless.contains(&dialect)
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
    let Some(model) = paid_model(call) else { return Worth::Nothing };
    let special = terms::asks_for_own(&asked(call).unwrap_or_default());
    if prices.of(&model).is_some() && !special { Worth::Priced } else { Worth::Unknown(model) }
}

/// Returns the model of a call that costs something.
pub(crate) fn paid_model(call: &Call) -> Option<String> {
    if call.kind != Kind::Http || call.name.starts_with("GET ") || dialect_of(call).is_none() {
        return None;
    }
    let named = asked(call).unwrap_or_default().model;
    Some(named.or_else(|| uploaded(call)).unwrap_or_else(|| UNNAMED.to_owned()))
}

/// Returns the dialect of a model call that costs something.
pub(super) fn dialect_of(call: &Call) -> Option<Dialect> {
    dialect::detect(call).filter(|_| !only_counts(call))
}

/// Returns whether a call asks for nothing but a count of tokens, which is free.
fn only_counts(call: &Call) -> bool {
    let path = call.name.split(['?', '#']).next().unwrap_or_default();
    ["/count_tokens", ":countTokens", "/count-tokens", "/input_tokens"].iter().any(|end| path.ends_with(end))
}
