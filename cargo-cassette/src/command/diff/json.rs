//! Differences for another program.

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::alignment::{Pair, Place};
use cassette_core::json::Json;
use cassette_core::report::{Difference, Edit, Shown};
use cassette_core::tape::Tape;

use super::{Compared, word};

/// Returns the document: every cassette that differs, and of each every call that does. Positions count from 1.
pub(super) fn document(compared: &Compared) -> Json {
    let differing = compared.all.iter().filter(|comparison| !comparison.is_same());
    let cassettes: Vec<_> = differing.map(cassette).collect();
    Json::object([
        ("base", compared.base.as_str().into()),
        ("same", cassettes.is_empty().into()),
        ("cassettes", cassettes.into()),
    ])
}

fn cassette(comparison: &Comparison) -> Json {
    let mut members =
        vec![("name".into(), comparison.name.as_str().into()), ("state".into(), word(&comparison.fate).into())];
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
            let calls = alignment.pairs.iter().filter(|pair| !pair.is_same()).map(|pair| call(pair, before, after));
            let first = alignment.first_divergence().map_or(Json::Null, |pair| {
                Json::object([("before", position(pair.before)), ("after", position(pair.after))])
            });
            members.extend([
                ("head".into(), alignment.head.iter().map(|it| difference("head", it)).collect::<Vec<_>>().into()),
                ("first_divergence".into(), first),
                ("calls".into(), calls.collect::<Vec<_>>().into()),
                ("noise".into(), (alignment.noise() as u64).into()),
            ]);
        }
    }
    Json::Object(members)
}

fn call(pair: &Pair, before: &Tape, after: &Tape) -> Json {
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
        }
        object
    });
    Json::object([
        ("state", state.into()),
        ("before", position(pair.before)),
        ("after", position(pair.after)),
        ("moved", (pair.place == Place::Moved).into()),
        ("call", name.into()),
        ("changes", changes.collect::<Vec<_>>().into()),
        ("noise", (pair.noise as u64).into()),
    ])
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
        ("nature", difference.nature.as_ref().map_or(Json::Null, |nature| nature.to_string().into())),
        ("shown", difference.shown.iter().map(shown).collect::<Vec<_>>().into()),
        ("more", (difference.more as u64).into()),
    ])
}
