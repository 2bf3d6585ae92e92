//! `compact` and `scrub`: cassettes at rest are written anew.

use cargo_cassette::shelf::{Shelf, Spot, holds_other};
use cassette_core::files;
use cassette_core::prove::Proven;
use cassette_core::store::{Store as _, StoreError};
use cassette_core::upkeep::{Known, Refusal};
use clap::Args;

use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::named::{named, shelf_of};
use super::chore::Form;
use super::error::SettlingError;
use super::verdict::Run;
use super::waiting::{Waiting, chosen, nameless, waiting};

/// Which cassettes are mended, and how.
#[derive(Debug, Args)]
pub(crate) struct Mending {
    /// The cassettes' names [default: all]
    pub(in crate::command) cassettes: Vec<String>,
    /// Show what would change, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Mending {
    pub(in crate::command) fn run(&self) -> Run {
        if self.dry_run { Run::Dry } else { Run::Real }
    }

    pub(in crate::command) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

/// Returns the cassettes that are meant: the named ones, else all that are some. One that is not there is told as every verb tells it.
pub(in crate::command) fn meant(mending: &Mending, around: &Surroundings) -> Result<Vec<Waiting>, Failure> {
    let mut all = waiting(around, Shelf::cassettes)?;
    if mending.cassettes.is_empty() {
        all.retain(|it| !holds_other(&it.spot.path));
    }
    // A file may lie where no verb looks by itself.
    for word in mending.cassettes.iter().filter(|word| word.ends_with(".json")) {
        let is_listed = all.iter().any(|it| it.spot.shown == **word);
        let path = around.standpoint.here.join(word);
        if !is_listed && path.is_file() && !holds_other(&path) {
            let (shelf, name) = shelf_of(&named(word, around)?, around);
            let spot = Spot { shown: word.clone(), ..shelf.spot(&name) };
            all.push(Waiting { shelf, spot });
        }
    }
    chosen(all, &mending.cassettes, None, around).map_err(|failure| match &failure {
        Failure::Settling(SettlingError::Unknown { word, .. }) => {
            named(word, around).err().map_or(failure, Failure::from)
        }
        _ => failure,
    })
}

/// What a cassette would become.
pub(in crate::command) trait Mended {
    /// Returns what is to be written; `None` where the file stays as it is.
    fn document(&self) -> Option<&Proven>;
}

/// Looks at a cassette, writes what was found to be due, and returns it.
///
/// # Errors
///
/// Fails where it is refused; the file is as it was.
pub(in crate::command) fn mend<T: Mended>(
    cassette: &Waiting,
    run: Run,
    known: &Known,
    mended: impl Fn(&[u8], &Known) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let (store, name) = (cassette.store(), &cassette.spot.name);
    if cassette.spot.is_nameless() {
        return Err(nameless(&cassette.spot));
    }
    let look = || {
        let failed = |error: std::io::Error| StoreError::Io(cassette.spot.shown.clone(), "read", error.to_string());
        mended(&files::read(&cassette.spot.path).map_err(failed)?, known)
    };
    let first = look()?;
    match (first.document(), run) {
        (None, _) => return Ok(first),
        (Some(_), Run::Dry) => {
            store.at_rest(name).and_then(|()| store.writable(name))?;
            return Ok(first);
        }
        (Some(_), Run::Real) => {}
    }
    store.undisturbed(name, || {
        // It may have been recorded again before it was locked.
        let mended = look()?;
        mended.document().into_iter().try_for_each(|document| store.save(name, document))?;
        Ok(mended)
    })
}
