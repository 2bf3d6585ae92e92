//! What `cassette.toml` says of the packages of a workspace.

use std::collections::BTreeSet;

use cassette_core::policy::Strictness;
use cassette_core::settings::{self, Mistake, Settings};

use super::{Standpoint, packages, shown};
use crate::hushed::presentable_text;

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
    /// What they settle that variables settle too, unless these are set: the key, its value as it may be shown, and where it stands.
    pub values: Vec<(&'static str, String, String)>,
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
            Ok(settings) => {
                said.values.extend(values(&settings).filter_map(|(key, value)| {
                    let (file, line) = settings::place_of(package, key)?;
                    Some((key, presentable_text(&value), format!("{}:{line}", shown(&standpoint.here, &file))))
                }));
                if i > 0 {
                    continue;
                }
                let at = settings.prices_file.as_ref().and_then(|_| settings::place_of(package, "prices_file"));
                said.prices_at = at.map(|(file, line)| format!("{}:{line}", shown(&standpoint.here, &file)));
                said.settings = settings;
            }
            Err(mistakes) => {
                let shown = |file: &str| shown(&standpoint.here, &package.join(file));
                said.mistakes.extend(mistakes.into_iter().map(|it| Mistake::of(&shown(&it.file), presentable(it))));
            }
        }
    }
    said.files.sort();
    said.files.dedup();
    said.values.sort();
    said.values.dedup();
    said.mistakes.sort();
    said.mistakes.dedup();
    said
}

/// Returns a mistake as it may be shown: a credential may stand where a key should.
fn presentable(mut mistake: Mistake) -> Mistake {
    (mistake.what, mistake.help) = (presentable_text(&mistake.what), presentable_text(&mistake.help));
    mistake
}

/// Returns what settings say that variables say too.
fn values(settings: &Settings) -> impl Iterator<Item = (&'static str, String)> {
    let guard = settings.guard.map(|guard| if guard == Strictness::Strict { "strict" } else { "plain" });
    let hosts = (!settings.allow_hosts.is_empty()).then(|| settings.allow_hosts.join(", "));
    let values = [
        ("dir", settings.dir.as_ref().map(|dir| dir.display().to_string())),
        ("order", settings.order.map(|order| order.as_str().to_owned())),
        ("guard", guard.map(str::to_owned)),
        ("budget", settings.budget.map(|budget| budget.to_string())),
        ("allow_hosts", hosts),
    ];
    values.into_iter().filter_map(|(key, value)| Some((key, value?)))
}
