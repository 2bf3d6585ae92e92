//! A cassette for another program.

use cargo_cassette::listing::{origin_json, usage_json};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::Spot;
use cassette_core::account::kind;
use cassette_core::json::Json;
use cassette_core::reply::Outcome;
use cassette_core::tape::{Interaction, Tape};
use cassette_core::transcript::{Entry, Exchange};

use super::Chosen;

/// Returns the document: the cassette, what was changed in it by hand and how many secrets stand in it, and each exchange that was chosen.
pub(super) fn document(
    spot: &Spot,
    (tape, by_hand, in_plain): (&Tape, &[usize], usize),
    chosen: &[Chosen<'_>],
) -> Json {
    let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
    let exchanges: Vec<_> =
        chosen.iter().map(|(interaction, exchange)| exchange_json((interaction, by_hand), exchange)).collect();
    let mut members = vec![
        ("name".into(), presentable_text(&spot.name).as_str().into()),
        ("file".into(), presentable_text(&spot.shown).as_str().into()),
        ("test".into(), text(&tape.head.test)),
        ("recorded".into(), text(&tape.head.recorded)),
        ("by".into(), tape.head.by.as_str().into()),
    ];
    members.extend(tape.head.origin.as_ref().map(|origin| ("origin".into(), origin_json(origin))));
    let numbers: Vec<Json> = by_hand.iter().map(|number| (*number as u64).into()).collect();
    members.extend([
        ("by_hand".into(), numbers.into()),
        ("secrets_in_plain".into(), (in_plain as u64).into()),
        ("interactions".into(), exchanges.into()),
    ]);
    Json::Object(members)
}

fn exchange_json((interaction, by_hand): (&Interaction, &[usize]), exchange: &Exchange) -> Json {
    let entry = |entry: &Entry| {
        Json::object([
            ("what", entry.what.as_str().into()),
            ("label", entry.label.as_str().into()),
            ("text", entry.text.as_str().into()),
        ])
    };
    let entries = |entries: &[Entry]| -> Json { entries.iter().map(entry).collect::<Vec<_>>().into() };
    let status = match interaction.outcome() {
        Outcome::Reply(reply) => u64::from(reply.status).into(),
        Outcome::Error(_) => Json::Null,
    };
    Json::object([
        ("number", (exchange.number as u64).into()),
        ("by_hand", by_hand.contains(&exchange.number).into()),
        ("key", interaction.key().as_str().into()),
        ("within", interaction.within().map_or(Json::Null, |at| (at as u64 + 1).into())),
        ("kind", kind(&interaction.asked().known()).into()),
        ("call", exchange.name.as_str().into()),
        ("model", exchange.model.as_deref().map_or(Json::Null, Json::from)),
        ("status", status),
        ("settings", entries(&exchange.settings)),
        ("said", entries(&exchange.said)),
        ("answer", entries(&exchange.answer)),
        ("tokens", usage_json(&exchange.usage.unwrap_or_default())),
    ])
}
