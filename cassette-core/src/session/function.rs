//! What a session says of values: those that a cassette cannot hold, and those that no longer fit their type.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::gateways::Stands;
use super::{Plan, Served, Session, Shared};
use crate::call::Call;
use crate::function::{Misread, Part, Parting, Unwritable};
use crate::mode::Mode;
use crate::redact::detect::names::judge_field;
use crate::redact::{kind, placeholders};
use crate::report::{Lossy, Report, Unreadable};
use crate::tape::Asked;

/// How many characters of what is compared are shown.
const SHOWN: usize = 60;

/// What to do where a value would not come back.
const LOST_VALUE: &str = "record less of it, in a type that serde writes and reads whole: leave out what is skipped, use \
    `Option` where a number may be none, sort what has no order, such as a `BTreeSet`; an argument that is a set itself may be `unordered(..)`, and any may be left \
    out by `skip(..)` with what counts of it in `also(..)`; a value of which some does not count, such as a cache, says so by \
    `PartialEq`, where a function with an attribute gives it";

/// What to do where a map has keys that JSON does not know.
const LOST_KEYS: &str = "let it be a list of pairs, such as a `Vec<((u32, u32), f64)>`, sorted where they come out of a `HashMap`, or a map whose keys \
    are texts, such as `\"1,2\"`; an argument may be left out by `skip(..)` with what counts of it in `also(..)`";

/// What to do where an error within another would not come back as its type.
const LOST_ERROR: &str = "name the types of errors that the program tells apart, in the attribute of a function, as \
    `#[tool(errors(MyError, std::io::Error))]`: an `io::Error`, or types of its own, which serde writes, into which one of another \
    crate goes; others keep their text alone then, and all of them with `#[tool(errors())]`, where the program tells none apart";

/// What to do where an error would come back as another one of its type.
const LOST_OWN_ERROR: &str = "let it come back whole: by serde, `#[derive(Serialize, Deserialize)]` with nothing skipped, or by what \
    `impl From<&MyError> for ReplayedError` keeps of it, such as its variant as the `code`, and `From<ReplayedError>` reads; \
    for an error of others `describe = .., rebuild = ..` say so; one of which some does not count, such as a cache, says so by `PartialEq`; where the program tells none of them apart, \
    `#[tool(errors())]`, for which what they say has to come back all the same";

/// What to do where an error does not come back as it describes itself.
const LOST_DESCRIPTION: &str =
    "let `From<ReplayedError>` read all that `impl From<&MyError> for ReplayedError` says, or let that say less";

/// What to do where not even what an error says would come back.
const LOST_TEXT: &str = "let `From<ReplayedError>` keep the text, such as in a variant `Replayed(String)` whose `Display` shows it and nothing \
    else: `errors(..)` lets types be lost, but what an error says has to come back even then";

impl Session {
    /// Latches that the arguments, the value or the error of this call cannot be recorded.
    pub fn lossy(&self, call: &Call, loss: &Unwritable) -> Arc<Report> {
        let (name, part) = (self.title(call), loss.part);
        let parting = loss.parting.as_ref().and_then(|parting| self.shared.told_parting(parting));
        let loss = self.shared.said(&loss.to_string()) + &parting.unwrap_or_default();
        self.fail(self.shared.plan.lossy(name, loss, part))
    }

    /// Returns the title of a call, `tool search`, as a report of a seam may show it.
    pub fn title(&self, call: &Call) -> String {
        self.shared.said(&call.title())
    }

    /// Notes that the test had this function run live though it replays.
    pub fn note_live(&self, call: &Call) {
        let title = self.title(call);
        self.shared.state().ran_live.insert(title);
    }

    /// Notes that this was asked of several objects, one after the other, or of one in several tasks, which said different things.
    pub fn note_several(&self, call: &Call) {
        let title = self.title(call);
        self.shared.state().of_several.insert(title);
    }

    /// Returns whether a function was running live at this time, as far as this session knows: what it reaches then is its own
    /// business, and no way round the cassette.
    pub fn ran_function_at(&self, at: Instant) -> bool {
        self.shared.state().ran_function_at(at)
    }

    /// Returns whether somebody may have waited in this time for what a replay serves at once: for a live call that was under way as
    /// it began, and ended in it.
    pub fn may_have_waited(&self, time: &Range<Instant>) -> bool {
        self.shared.state().saw_out(time)
    }

    /// Returns whether a function of the program's own is running live now.
    pub(crate) fn runs_function(&self) -> bool {
        self.shared.state().ran_own_function_at(Instant::now())
    }

    /// Returns whether what is served was asked while a function ran.
    pub(crate) fn is_within(&self, served: &Served) -> bool {
        self.shared.tape.interactions.get(served.index).is_some_and(|interaction| interaction.within.is_some())
    }

    /// Latches that what was recorded of a function no longer reads as its type.
    pub fn unreadable(&self, served: &Served, error: &Misread) -> Arc<Report> {
        let Plan { name, .. } = &self.shared.plan;
        let hidden = |text: &str| self.shared.said(text);
        let asked = self.shared.tape.interactions.get(served.index).map(|interaction| &interaction.asked);
        self.fail(Report::Unreadable(Unreadable {
            cassette: name.clone(),
            interaction: served.index + 1,
            name: asked.map_or_else(|| served.name.clone(), Asked::title),
            asks: asked.and_then(Asked::gist),
            error: hidden(&error.to_string()),
            help: match error.is_of_order() {
                true => LOST_VALUE.to_owned(),
                false => format!("if the new type is meant, {}", self.command(Mode::Refresh)),
            },
        }))
    }
}

impl Shared {
    /// Returns where a value and what is read back of it part, as a line of a report: cut once what is secret is hidden.
    fn told_parting(&self, parting: &Parting) -> Option<String> {
        let names = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
            words.collect::<Vec<_>>()
        };
        let path = parting.path();
        let is_secret = |name: &String| judge_field(name).is_some() || self.plan.rules.fields.contains(name);
        let at = if path.is_empty() { String::new() } else { format!("{}: ", self.said(&path)) };
        let shown = parting.shown.as_ref()?;
        // Under a name that is a secret's, or beside one, it stays untold.
        let is_told = !shown.iter().chain([&path]).any(|text| names(text).iter().any(is_secret));
        let [ours, theirs] = [0, 1].map(|i| cut(&self.said(&shown[i])));
        match is_told && ours != theirs {
            true => Some(format!("\n  {at}`Debug` shows {ours}, and {theirs} of what reads back")),
            false if path.is_empty() => None,
            false => Some(format!("\n  {at}`Debug` shows another there of what reads back")),
        }
    }
}

/// Returns what keeps a value from being hidden that is no secret, where one of this kind was.
fn unhidden(kind: &str) -> &'static str {
    match kind {
        "field" => "take the field's name out of `redact_field`",
        "value" => "take the value out of `redact_value`",
        "custom" => "let the function of `redact(..)` leave it alone",
        "email" | "phone" | "card-number" => "do without `pii = true`",
        "secret" => {
            "let the test use another value there: this one is known to be secret, from a variable of the environment, from \
             `cassette.secret(..)`, or from where it stood before under a secret name"
        }
        _ => "give the field a name that is no secret's, by `#[serde(rename = \"..\")]`",
    }
}

/// Returns as much of a text as a line has room for.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Plan {
    /// Returns the report of a value that reads as its type no longer, once its secrets are hidden.
    pub(super) fn hidden_otherwise(&self, name: &str, (served, error): (&str, &Misread)) -> Report {
        let whole = placeholders(served).next().filter(|placeholder| *placeholder == served);
        let what = whole.map_or_else(|| error.to_string(), |it| format!("{it} stands for all of it, which is a text"));
        let loss = format!("once its secrets are hidden, it does not read back: {what}");
        let text = "let its type take any text there, such as a `String`".to_owned();
        let ways: BTreeSet<&str> = placeholders(served).filter_map(kind).map(unhidden).collect();
        let help = [text].into_iter().chain(ways.into_iter().map(str::to_owned)).collect::<Vec<_>>().join(", or ");
        Report::Lossy(Lossy { cassette: self.name.clone(), name: name.to_owned(), loss, help })
    }

    /// Returns the report of a value that comes back otherwise though nothing of it is hidden: each time it is another.
    pub(super) fn comes_back_otherwise(&self, name: &str, error: &Misread) -> Report {
        self.lossy(name.to_owned(), error.to_string(), Part::Value)
    }

    /// Returns the report of a value that names a gateway of this run, which is there no more on the next.
    pub(super) fn addressed(&self, name: &str, (port, server): &Stands) -> Report {
        let loss = format!("it names http://127.0.0.1:{port}, which stands for {server} on this run alone");
        let help = "give the function the server's own URL, or let the program put the address together outside of it"
            .to_owned();
        Report::Lossy(Lossy { cassette: self.name.clone(), name: name.to_owned(), loss, help })
    }

    /// Returns the report of a call that sends the address of a gateway of this run in a form in which nothing can stand in its place.
    pub(super) fn sends_gateway(&self, name: &str, (port, server): &Stands) -> Report {
        let loss = format!(
            "it sends 127.0.0.1:{port}, which stands for {server} on this run alone, within what counts its own bytes or is no text: \
             the next run would send another"
        );
        let help =
            "let the program send the server's own URL there, or leave the place out of what it sends".to_owned();
        Report::Lossy(Lossy { cassette: self.name.clone(), name: name.to_owned(), loss, help })
    }

    fn lossy(&self, name: String, loss: String, part: Part) -> Report {
        let help = match part {
            Part::Keys => LOST_KEYS,
            Part::Error => LOST_ERROR,
            Part::OwnError => LOST_OWN_ERROR,
            Part::Description => LOST_DESCRIPTION,
            Part::Text => LOST_TEXT,
            _ => LOST_VALUE,
        };
        Report::Lossy(Lossy { cassette: self.name.clone(), name, loss, help: help.to_owned() })
    }
}
