//! Differences for another program.

use cargo_cassette::comparison::{Comparison, Fate};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::pricing::PriceList;
use cassette_core::account::Spent;
use cassette_core::alignment::{Pair, Place};
use cassette_core::json::Json;
use cassette_core::report::{Difference, Edit, Shown};
use cassette_core::tape::Tape;

use super::spending::{Spending, of_call, of_cassette};
use super::{Compared, word};

/// Returns the document: every cassette that differs, and of each every call that does. Positions count from 1.
pub(super) fn document(compared: &Compared) -> Json {
    let differing = compared.all.iter().filter(|comparison| !comparison.is_same());
    let cassettes: Vec<_> = differing.map(|comparison| cassette(comparison, &compared.prices)).collect();
    Json::object([
        ("base", compared.base.as_str().into()),
        ("same", (cassettes.is_empty() && compared.unseen.is_empty()).into()),
        ("not_looked_at", compared.unseen.iter().map(|it| it.as_str().into()).collect::<Vec<Json>>().into()),
        ("cassettes", cassettes.into()),
    ])
}

fn cassette(comparison: &Comparison, prices: &PriceList) -> Json {
    let mut members = vec![
        ("name".into(), presentable_text(&comparison.name).as_str().into()),
        ("state".into(), word(comparison).into()),
    ];
    members.extend(comparison.was.as_ref().map(|was| ("was".into(), was.as_str().into())));
    let numbers = |side: usize| comparison.by_hand[side].iter().map(|it| (*it as u64).into()).collect::<Vec<Json>>();
    let by_hand = Json::object([("before", numbers(0).into()), ("after", numbers(1).into())]);
    members.push(("by_hand".into(), by_hand));
    let [before, after] = comparison.in_plain.map(|secrets| Json::from(secrets as u64));
    members.push(("secrets_in_plain".into(), Json::object([("before", before), ("after", after)])));
    match &comparison.fate {
        Fate::Added(tape) | Fate::Removed(tape) => {
            members.push(("calls".into(), (tape.interactions.len() as u64).into()))
        }
        Fate::Unreadable(before, after) => {
            let text = |error: &Option<cargo_cassette::shelf::Unreadable>| {
                error.as_ref().map_or(Json::Null, |error| error.to_string().into())
            };
            members.extend([("before".into(), text(before)), ("after".into(), text(after))]);
        }
        Fate::Kept(kept) => {
            let (before, after, alignment) = &**kept;
            let calls =
                alignment.pairs.iter().filter(|pair| !pair.is_same()).map(|pair| call(pair, [before, after], prices));
            let first = alignment.first_divergence().map_or(Json::Null, |pair| {
                Json::object([("before", position(pair.before)), ("after", position(pair.after))])
            });
            members.extend([
                ("head".into(), alignment.head.iter().map(|it| difference("head", it)).collect::<Vec<_>>().into()),
                ("first_divergence".into(), first),
                ("calls".into(), calls.collect::<Vec<_>>().into()),
                ("noise".into(), (alignment.noise() as u64).into()),
                ("respelled".into(), (alignment.respelled() as u64).into()),
            ]);
            members.extend(of_cassette(before, after, prices).map(|spending| ("spent".into(), spent(&spending))));
        }
    }
    Json::Object(members)
}

fn call(pair: &Pair, [before, after]: [&Tape; 2], prices: &PriceList) -> Json {
    let state = match (pair.before, pair.after, pair.changes.is_empty()) {
        (None, ..) => "added",
        (_, None, _) => "removed",
        (.., true) => "moved",
        (.., false) => "changed",
    };
    let interaction =
        pair.after.map(|at| &after.interactions[at]).or_else(|| pair.before.map(|at| &before.interactions[at]));
    let name = interaction.map_or("", |interaction| interaction.asked().name());
    let changes = pair.changes.iter().map(|change| {
        let mut object = difference(change.aspect.as_str(), &change.difference);
        if let Json::Object(members) = &mut object {
            members.push(("told_before".into(), change.told_before.into()));
            members.push(("follows".into(), change.follows.into()));
        }
        object
    });
    let mut members = vec![
        ("state", state.into()),
        ("before", position(pair.before)),
        ("after", position(pair.after)),
        ("moved", (pair.place == Place::Moved).into()),
        ("call", name.into()),
        ("changes", changes.collect::<Vec<_>>().into()),
        ("noise", (pair.noise as u64).into()),
        ("respelled", pair.is_respelled.into()),
    ];
    members.extend(of_call(pair, [before, after], prices).map(|spending| ("spent", spent(&spending))));
    Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// Returns what both sides took: dollars with all their digits, `null` where they are unknown.
fn spent(spending: &Spending) -> Json {
    let side = |spent: &Spent| {
        let kinds = spent.tokens.kinds().into_iter().map(|(kind, n)| (kind.into(), n.map_or(Json::Null, Json::from)));
        let cost = spent.cost.and_then(|cost| Json::parse(&cost.to_string()).ok());
        Json::object([
            ("tokens", Json::Object(kinds.collect())),
            ("uncounted", (spent.uncounted as u64).into()),
            ("cost", cost.unwrap_or(Json::Null)),
            ("unpriced", (spent.unpriced as u64).into()),
            ("untold", (spent.untold as u64).into()),
        ])
    };
    Json::object([("before", side(&spending.before)), ("after", side(&spending.after))])
}

fn position(place: Option<usize>) -> Json {
    place.map_or(Json::Null, |place| (place as u64 + 1).into())
}

fn difference(aspect: &str, difference: &Difference) -> Json {
    let edit = match difference.edit {
        Edit::Added => "added",
        Edit::Removed => "removed",
        Edit::Moved => "moved",
        _ => "changed",
    };
    let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
    let shown =
        |Shown { recorded, incoming }: &Shown| Json::object([("before", text(recorded)), ("after", text(incoming))]);
    Json::object([
        ("aspect", aspect.into()),
        ("edit", edit.into()),
        ("path", difference.path.as_str().into()),
        ("from", text(&difference.from)),
        ("nature", difference.nature_between_recordings().map_or(Json::Null, |nature| nature.to_string().into())),
        ("shown", difference.shown.iter().map(shown).collect::<Vec<_>>().into()),
        ("more", (difference.more as u64).into()),
    ])
}
