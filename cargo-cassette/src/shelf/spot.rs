//! A cassette's file.

use std::path::PathBuf;

use cassette_core::tape::Tape;

use super::{PENDING, Reached, Unreadable, open};
use crate::hushed::presentable_text;
use crate::typed::{printed, typed};

/// How the name of a damaged file ends that a refresh has put aside, as the session names it.
const ASIDE: &str = ".damaged";

/// A cassette's file; or a directory in which nobody can see what there is, which is listed as a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The cassette's name; of a directory it ends in `/`.
    pub name: String,
    /// The file as it is shown to a person.
    pub shown: String,
    /// The file.
    pub path: PathBuf,
    /// How it is told from others.
    pub reached: Reached,
}

impl Spot {
    /// Returns whether it is a directory that cannot be read.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.name.ends_with('/')
    }

    /// Returns the name as it is printed, without what is known to be secret.
    #[must_use]
    pub fn label(&self) -> String {
        printed(&presentable_text(&self.name))
    }

    /// Returns the file as it is printed.
    #[must_use]
    pub fn place(&self) -> String {
        printed(&presentable_text(&self.shown))
    }

    /// Returns the file as it has to be typed.
    #[must_use]
    pub fn typed(&self) -> String {
        // A path that is no UTF-8 stands here as it has to be typed.
        let is_quoted = self.path.to_str().is_none() && self.shown.starts_with("$'");
        if is_quoted { self.shown.clone() } else { typed(&self.shown) }
    }

    /// Returns the words by which a verb is told that this cassette is meant, as they have to be typed: its name, and its directory where
    /// the name does not tell.
    #[must_use]
    pub fn words(&self) -> String {
        typed(&self.name) + &self.reached.option()
    }

    /// Returns a command that looks at this cassette among others.
    #[must_use]
    pub fn looking(&self, command: &str) -> String {
        let option = if matches!(self.reached, Reached::Aside(_)) { self.reached.option() } else { String::new() };
        format!("{command}{option}")
    }

    /// Returns whether its name is no UTF-8, so that no test and no command can name it. Name and file stand here quoted then.
    #[must_use]
    pub fn is_nameless(&self) -> bool {
        let steps = self.path.components().rev().take(self.name.trim_end_matches('/').split('/').count());
        steps.into_iter().any(|step| step.as_os_str().to_str().is_none())
    }

    /// Returns the cassette whose damaged file this is, put aside when a refresh began to record it anew.
    #[must_use]
    pub fn put_aside(&self) -> Option<&str> {
        let steps = self.name.split('/').count();
        let dir = self.path.ancestors().nth(steps).filter(|dir| dir.ends_with(PENDING));
        let name = dir.and_then(|_| self.name.strip_suffix(ASIDE))?;
        matches!(self.open(), Err(Unreadable::Damaged(..) | Unreadable::Other)).then_some(name)
    }

    /// Returns what is wrong with the file as it is told, with what it is where it is no recording.
    #[must_use]
    pub fn wrong(&self, error: &str) -> String {
        match self.put_aside() {
            Some(name) => {
                let name = printed(&presentable_text(name));
                format!("the damaged file of `{name}`, which a refresh has put aside: {error}")
            }
            None => error.to_owned(),
        }
    }

    /// Reads the cassette.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read, is no sound cassette or cannot be named.
    pub fn open(&self) -> Result<Tape, Unreadable> {
        if self.is_nameless() {
            return Err(Unreadable::Nameless);
        }
        if self.is_directory() && self.path.is_symlink() {
            return Err(Unreadable::Io("it is a link to a directory, which is not followed".to_owned()));
        }
        open(&self.path)
    }
}
