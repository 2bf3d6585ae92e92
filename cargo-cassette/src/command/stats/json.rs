//! Sums for another program.

use cargo_cassette::presentable::presentable_text;
use cargo_cassette::pricing::PriceList;
use cargo_cassette::shelf::{Spot, Unreadable};
use cassette_core::account::{Account, Spent};
use cassette_core::json::Json;

use super::{Reach, Stats, Sums};

/// Returns the document: the sum of all, and each cassette.
pub(super) fn document(stats: &Stats, list: &PriceList, sums: &Sums) -> Json {
    let cassette = |(spot, account): &(Spot, Account)| {
        let Json::Object(mut members) = account_json(account, stats) else { return Json::Null };
        members.splice(
            0..0,
            [
                ("name".into(), presentable_text(&spot.name).as_str().into()),
                ("file".into(), presentable_text(&spot.shown).as_str().into()),
            ],
        );
        Json::Object(members)
    };
    let bad = |(spot, error): &(Spot, Unreadable)| {
        Json::object([
            ("name", presentable_text(&spot.name).as_str().into()),
            ("file", presentable_text(&spot.shown).as_str().into()),
            ("error", error.to_string().into()),
        ])
    };
    let mut members = vec![
        ("total".into(), total_json(stats, sums)),
        ("runs".into(), stats.runs.into()),
        ("cassettes".into(), sums.cassettes.iter().map(cassette).collect::<Vec<_>>().into()),
        ("unreadable".into(), sums.bad.iter().map(bad).collect::<Vec<_>>().into()),
    ];
    if !stats.no_cost {
        let sources = list.sources.iter().map(|(_, source)| source.as_str().into()).collect::<Vec<Json>>();
        let of = Json::object([("checked", list.checked.as_str().into()), ("sources", sources.into())]);
        members.push(("prices".into(), of));
    }
    Json::Object(members)
}

/// Returns the sum of all that could be read, and whether it is everything: none of its sums is the least that it may be.
fn total_json(stats: &Stats, sums: &Sums) -> Json {
    let Json::Object(mut members) = account_json(&sums.total, stats) else { return Json::Null };
    let Sums { bad, total, .. } = sums;
    let spent = total.spent();
    let unknown = [total.unanswered, total.untimed, spent.uncounted, if stats.no_cost { 0 } else { spent.unpriced }];
    members.insert(0, ("complete".into(), (bad.is_empty() && unknown == [0; 4]).into()));
    if !sums.bad.is_empty()
        && let Some((_, spent)) = members.iter_mut().find(|(name, _)| name.is("spent"))
    {
        *spent = spent_json(&sums.total.spent(), Reach::Part, stats);
    }
    Json::Object(members)
}

fn account_json(account: &Account, stats: &Stats) -> Json {
    let kinds = account.kinds.iter().map(|(kind, n)| ((*kind).into(), (*n as u64).into())).collect();
    let first = account.first_error.as_ref().map_or(Json::Null, |first| {
        Json::object([
            ("number", (first.number as u64).into()),
            ("call", first.call.as_str().into()),
            ("what", first.what.as_str().into()),
        ])
    });
    let models = account
        .models
        .iter()
        .map(|(model, spent)| (model.as_str().into(), spent_json(spent, Reach::All, stats)))
        .collect();
    let reach = if account.unanswered == 0 { Reach::All } else { Reach::Part };
    Json::object([
        ("calls", (account.calls as u64).into()),
        ("kinds", Json::Object(kinds)),
        ("errors", (account.errors as u64).into()),
        ("first_error", first),
        ("live_ms", account.live.map_or(Json::Null, |live| live.as_millis().into())),
        ("untimed", (account.untimed as u64).into()),
        ("unanswered", (account.unanswered as u64).into()),
        ("spent", spent_json(&account.spent(), reach, stats)),
        ("models", Json::Object(models)),
    ])
}

/// Returns what was spent: `cost` in dollars, all its digits; `null` is unknown. Where it is known that nothing was, it is 0.
fn spent_json(spent: &Spent, reach: Reach, stats: &Stats) -> Json {
    let nothing = || if spent.calls == 0 && reach == Reach::All { 0_u64.into() } else { Json::Null };
    let kinds = spent.tokens.kinds().into_iter().map(|(kind, n)| (kind.into(), n.map_or_else(nothing, Json::from)));
    let mut members = vec![
        ("answers".into(), (spent.calls as u64).into()),
        ("tokens".into(), Json::Object(kinds.collect())),
        ("uncounted".into(), (spent.uncounted as u64).into()),
    ];
    if !stats.no_cost {
        let cost = spent.cost.and_then(|cost| Json::parse(&cost.to_string()).ok());
        members.extend([
            ("cost".into(), cost.unwrap_or_else(nothing)),
            ("unpriced".into(), (spent.unpriced as u64).into()),
            ("untold".into(), (spent.untold as u64).into()),
        ]);
    }
    Json::Object(members)
}
