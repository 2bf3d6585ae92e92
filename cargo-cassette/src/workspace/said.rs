//! What `cassette.toml` says of the packages of a workspace.

use std::collections::BTreeSet;

use cassette_core::settings::{self, Mistake, Settings};

use super::{Standpoint, packages, shown};

/// What `cassette.toml` says of the packages that are meant.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Said {
    /// The files, as they are shown.
    pub files: Vec<String>,
    /// What they say of the first package.
    pub settings: Settings,
    /// Where they name a table of prices, `cassette.toml:3`.
    pub prices_at: Option<String>,
    /// Everything that is wrong in them.
    pub mistakes: Vec<Mistake>,
}

/// Returns what `cassette.toml` says of the packages that are meant; nothing where a directory was named, or no package is
/// there.
pub fn said(standpoint: &Standpoint) -> Said {
    let packages = if standpoint.dir.is_some() { Ok(BTreeSet::new()) } else { packages(standpoint) };
    let mut said = Said::default();
    for (i, package) in packages.unwrap_or_default().iter().enumerate() {
        said.files.extend(settings::files(package).iter().map(|file| shown(&standpoint.here, file)));
        match settings::load(package) {
            Ok(settings) if i == 0 => {
                let at = settings.prices_file.as_ref().and_then(|_| settings::place_of(package, "prices_file"));
                said.prices_at = at.map(|(file, line)| format!("{}:{line}", shown(&standpoint.here, &file)));
                said.settings = settings;
            }
            Ok(_) => {}
            Err(mistakes) => {
                let shown = |file: &str| shown(&standpoint.here, &package.join(file));
                said.mistakes.extend(mistakes.into_iter().map(|it| Mistake::of(&shown(&it.file), it)));
            }
        }
    }
    said.files.sort();
    said.files.dedup();
    said.mistakes.sort();
    said.mistakes.dedup();
    said
}
