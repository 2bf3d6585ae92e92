//! Where and when the command runs.

use std::path::PathBuf;

use cargo_cassette::shelf::Shelf;
use cargo_cassette::workspace::{NoShelf, Reach, Said, Standpoint, said, shelves, unloaded};
use cassette_core::{clock, env};

use super::named::as_name;
use crate::common::Common;
use crate::output::{Advice, note, quoted, typed};

/// Where and when the command runs, read once.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// Where it stands.
    pub(super) standpoint: Standpoint,
    /// Today's date.
    pub(super) today: String,
    /// What is added to advice, so that it looks where this command has looked.
    pub(crate) advice: Advice,
    /// What was typed behind the command's own name.
    typed: Vec<String>,
    /// Where the verb stands among it.
    verb: Option<usize>,
}

/// The verbs after which a recording may be lost.
const LOSING: [&str; 2] = ["delete", "reject"];

impl Surroundings {
    /// Reads the surroundings, as far as the options do not say otherwise; the verb stands here among what was typed.
    pub(crate) fn of(common: &Common, typed: Vec<String>, verb: Option<usize>) -> Surroundings {
        let standpoint = Standpoint {
            here: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            dir: common.dir.clone(),
            variable: env::var("CASSETTE_DIR"),
            manifest_dir: env::var("CARGO_MANIFEST_DIR").map(PathBuf::from),
            reach: if common.workspace { Reach::Workspace } else { Reach::Nearest },
        };
        Surroundings { standpoint, today: today(), advice: Advice::of(common), typed, verb }
    }

    /// Returns the command that was typed, with this word in the place of that one behind the verb; without it, where there is none.
    pub(super) fn again(&self, word: &str, instead: Option<&str>) -> String {
        let verb = self.verb.unwrap_or_default();
        let at = (verb + 1..self.typed.len()).find(|at| self.typed[*at] == word);
        // An option is no name, which a path would stand for.
        let meant = |instead: &str| if word.starts_with('-') { quoted(instead) } else { typed(instead) };
        let word = |(i, known): (usize, &String)| match Some(i) == at {
            true => instead.map(meant),
            false => Some(quoted(known)),
        };
        let words: Vec<_> = self.typed.iter().enumerate().filter_map(word).collect();
        format!("cargo cassette {}", words.join(" "))
    }

    /// Returns the command that was typed, with this value of an option in the place of that one.
    pub(super) fn with_value(&self, option: &str, value: &str, instead: &str) -> String {
        let joined = format!("{option}={value}");
        let is_behind = |at: usize| at > 0 && self.typed[at] == value && self.typed[at - 1] == option;
        let word = |(i, known): (usize, &String)| match known {
            known if *known == joined => format!("{option}={}", quoted(instead)),
            _ if is_behind(i) => quoted(instead),
            known => quoted(known),
        };
        let words: Vec<_> = self.typed.iter().enumerate().map(word).collect();
        format!("cargo cassette {}", words.join(" "))
    }

    /// Returns the command as it was typed.
    pub(super) fn whole(&self) -> String {
        self.with_value("", "", "")
    }

    /// Returns the command that was typed, to look into all packages of the workspace; of a verb that loses what is named by mistake, how.
    pub(super) fn in_workspace(&self) -> String {
        let at = self.verb.map_or(0, |at| at + 1);
        if self.verb.is_some_and(|at| LOSING.contains(&self.typed[at].as_str())) {
            return "if that is meant, --workspace looks there too".to_owned();
        }
        let (before, behind) = self.typed.split_at(at);
        let words = before.iter().map(|word| quoted(word)).chain(["--workspace".to_owned()]);
        let words: Vec<_> = words.chain(behind.iter().map(|word| quoted(word))).collect();
        format!("cargo cassette {}", words.join(" "))
    }

    /// Returns whether a cassette of this name was typed too, besides this word.
    pub(super) fn names_too(&self, name: &str, word: &str) -> bool {
        let is_it =
            |typed: &String| typed != word && (as_name(typed) == name || typed.ends_with(&format!("/{name}.json")));
        self.typed.iter().any(is_it)
    }

    /// Returns the command that was typed, with what may have been meant in the place of this word; `None` of a verb that loses what is
    /// named by mistake.
    pub(super) fn guess(&self, word: &str, meant: &str) -> Option<String> {
        let verb = self.verb.map(|at| self.typed[at].as_str());
        verb.is_none_or(|verb| !LOSING.contains(&verb)).then(|| self.again(word, Some(meant)))
    }

    /// Returns the directories of cassettes that are meant.
    ///
    /// # Errors
    ///
    /// Fails where settings cannot be followed too: they say where cassettes are kept.
    pub(super) fn shelves(&self) -> Result<Vec<Shelf>, NoShelf> {
        let mistakes = self.said().mistakes;
        if mistakes.is_empty() { shelves(&self.standpoint) } else { Err(NoShelf::Settings(mistakes)) }
    }

    /// Returns the directories that are meant, those of packages whose settings cannot be followed where they are by default:
    /// for what lists, and tells of the settings.
    pub(super) fn shelves_anyway(&self) -> Result<Vec<Shelf>, NoShelf> {
        shelves(&self.standpoint).map_err(|error| match self.said().mistakes {
            mistakes if mistakes.is_empty() => error,
            mistakes => NoShelf::Settings(mistakes),
        })
    }

    /// Tells why cargo would not load the workspace here, though files are found all the same: none of its tests runs.
    pub(super) fn tell_unloaded(&self) {
        if let Some(why) = unloaded(&self.standpoint) {
            note(&format!("cargo does not load this workspace: {why}"));
        }
    }

    /// Returns what `cassette.toml` says here.
    pub(super) fn said(&self) -> Said {
        said(&self.standpoint)
    }
}

/// Returns today's date, or that of `SOURCE_DATE_EPOCH`, by which a run can be repeated. What is no number of seconds is told.
fn today() -> String {
    let Some(said) = env::var("SOURCE_DATE_EPOCH").filter(|said| !said.is_empty()) else { return clock::today() };
    said.parse().map_or_else(
        |_| {
            note(&format!("SOURCE_DATE_EPOCH is `{said}`, and no number of seconds: ages count from today"));
            clock::today()
        },
        clock::date_of,
    )
}
