//! What became of recordings, for a program.

use cargo_cassette::import::{Format, LeftOut};
use cargo_cassette::presentable::presentable_text;
use cassette_core::json::Json;

use super::files::Source;
use super::one::{Done, Outcome, Refused};
use super::text::{Tally, by_format};

/// Returns all of it: `recordings`, and `formats` with how many of each.
pub(super) fn document(ended: &[(Source, Outcome)], dry_run: bool) -> Json {
    let recordings: Vec<Json> = ended.iter().map(|(source, outcome)| one(source, outcome, dry_run)).collect();
    let format = |(name, Tally { imported, refused, calls }): (&'static str, Tally)| {
        Json::object([
            ("format", name.into()),
            ("imported", (imported as u64).into()),
            ("refused", (refused as u64).into()),
            ("calls", (calls as u64).into()),
        ])
    };
    let formats: Vec<Json> = by_format(ended).into_iter().map(format).collect();
    Json::object([("recordings", recordings.into()), ("formats", formats.into())])
}

fn one(source: &Source, outcome: &Outcome, dry_run: bool) -> Json {
    let mut members = vec![("file", presented(&source.shown))];
    match outcome {
        Ok(done) => members.extend(imported(done, dry_run)),
        Err(why) => members.extend(refused(why)),
    }
    Json::object(members)
}

fn imported(done: &Done, dry_run: bool) -> Vec<(&'static str, Json)> {
    let hidden = done
        .hidden
        .rules()
        .map(|(rule, values)| Json::object([("rule", rule.into()), ("values", (values as u64).into())]));
    vec![
        ("outcome", if dry_run { "would be imported" } else { "imported" }.into()),
        ("format", format(Some(done.format))),
        ("name", presented(&done.spot.name)),
        ("cassette", presented(&done.spot.shown)),
        ("calls", (done.calls as u64).into()),
        ("replaces", done.replaced.is_some().into()),
        ("hidden", hidden.collect::<Vec<_>>().into()),
        ("notes", texts(&done.notes)),
        ("left_out", done.left_out.iter().map(left_out).collect::<Vec<_>>().into()),
    ]
}

fn left_out(entry: &LeftOut) -> Json {
    let LeftOut { number, line, reason } = entry;
    Json::object([("entry", (*number as u64).into()), ("line", (*line as u64).into()), ("reason", presented(reason))])
}

fn refused(why: &Refused) -> Vec<(&'static str, Json)> {
    vec![
        ("outcome", "refused".into()),
        ("format", format(why.format)),
        ("line", why.line.map_or(Json::Null, |line| (line as u64).into())),
        ("reason", presented(&why.reason)),
        ("found", texts(&why.found)),
        ("help", why.help.as_deref().map_or(Json::Null, presented)),
    ]
}

fn format(format: Option<Format>) -> Json {
    format.map_or(Json::Null, |format| format.as_str().into())
}

fn texts(texts: &[String]) -> Json {
    texts.iter().map(|text| presented(text)).collect::<Vec<Json>>().into()
}

fn presented(text: &str) -> Json {
    presentable_text(text).as_str().into()
}
