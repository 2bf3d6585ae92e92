//! What is told of cassettes of which it is not decided whether a test owns them.

use cargo_cassette::ownership::{Cases, Orphans};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::Spot;
use cassette_core::json::Json;

use super::failure::Failure;
use crate::output::{Ink, Line, Output, printed};

/// How many cassettes are named of those that a pattern may make.
const PLACES: usize = 8;

/// Tells which cassettes may be owned by tests that were not to be asked.
pub(super) fn undecided(orphans: &Orphans<'_>, output: &mut Output) -> Result<(), Failure> {
    for spot in &orphans.unbuilt {
        tell(spot, "whose test may be in a package that was not built; --workspace builds all", output)?;
    }
    for spot in &orphans.elsewhere {
        let why = "in a directory where no test that was asked keeps its cassettes; without --dir its owners are asked";
        tell(spot, why, output)?;
    }
    for spot in &orphans.opened {
        tell(spot, "of a test that has another cassette, and may have opened this one in code", output)?;
        output.help("  ", &format!("if it does not any more: cargo cassette delete {}", spot.typed()))?;
    }
    for spot in &orphans.unseen {
        tell(spot, "whose test may stand behind a cfg: the sources have its name", output)?;
        output.help("  ", &format!("if that is another one: cargo cassette delete {}", spot.typed()))?;
    }
    for (spot, package) in &orphans.foreign {
        let why = match package {
            Some(package) => format!(
                "of a test of the package {}, which is none of this workspace",
                printed(&presentable_text(package))
            ),
            None => {
                "in a directory that several packages may share, whose head does not say which one's it is".to_owned()
            }
        };
        tell(spot, &why, output)?;
        if package.is_none() {
            output.help("  ", &format!("if it is nobody's any more: cargo cassette delete {}", spot.typed()))?;
        }
    }
    orphans.perhaps.iter().try_for_each(|cases| of_cases(cases, output))
}

/// Tells what cases recorded of which some are no more.
fn of_cases(cases: &Cases, output: &mut Output) -> Result<(), Failure> {
    let (all, pattern, gone) = (cases.all(), &cases.pattern, cases.gone.len());
    let more = match all.len().saturating_sub(PLACES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let places = all.iter().take(PLACES).map(|spot| spot.place()).collect::<Vec<_>>().join(", ") + &more;
    let (what, help) = if cases.left.is_empty() {
        let names = all.iter().take(PLACES).map(|spot| spot.typed()).collect::<Vec<_>>().join(" ");
        (
            format!("{places}, of cases that are no more; one of `{pattern}` may name it when it runs"),
            format!("if none does: cargo cassette delete {names}"),
        )
    } else {
        (
            format!(
                "{gone} of {places}: so many of the cases that recorded them are no more, and those after them are numbered anew; \
                 `{pattern}` names them as they run"
            ),
            "if you know which case went: cargo cassette delete NAME".to_owned(),
        )
    };
    output.line(&Line::new().ink(Ink::Warn, &format!("not decided: {what}")))?;
    Ok(output.help("  ", &help)?)
}

/// Tells why it is not decided whose a cassette is.
pub(super) fn tell(spot: &Spot, why: &str, output: &mut Output) -> Result<(), Failure> {
    let what = format!("not decided: {}, {why}", spot.place());
    Ok(output.line(&Line::new().ink(Ink::Warn, &what))?)
}

/// Returns the same as members of a document for a program.
pub(super) fn undecided_json(orphans: &Orphans<'_>) -> [(&'static str, Json); 6] {
    [
        ("unbuilt", files(&orphans.unbuilt)),
        ("elsewhere", files(&orphans.elsewhere)),
        ("opened_in_code", files(&orphans.opened)),
        ("behind_cfg", files(&orphans.unseen)),
        ("foreign", files(orphans.foreign.iter().map(|(spot, _)| spot))),
        ("of_cases_gone", orphans.perhaps.iter().map(cases_json).collect::<Vec<Json>>().into()),
    ]
}

/// Returns the document of what cases recorded of which some are no more.
fn cases_json(cases: &Cases) -> Json {
    Json::object([
        ("pattern", cases.pattern.as_str().into()),
        ("gone", (cases.gone.len() as u64).into()),
        ("among", files(cases.all())),
    ])
}

/// Returns the files of cassettes for a program.
pub(super) fn files<'a>(spots: impl IntoIterator<Item = &'a Spot>) -> Json {
    spots.into_iter().map(|spot| presentable_text(&spot.shown).as_str().into()).collect::<Vec<Json>>().into()
}
