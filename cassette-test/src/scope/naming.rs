//! Secrets in names: a cassette's name becomes a file's, which is committed, and stands in every report.

use std::fmt;
use std::sync::Arc;

use cassette_core::env;
use cassette_core::mode::Mode;
use cassette_core::name::Name;
use cassette_core::redact::{Rules, Secrets, redact_text};
use cassette_core::report::{Refused, Report};

use super::{Scope, Settled};

/// A name that is refused.
pub(crate) struct Secretive {
    /// What may be shown of it.
    pub(crate) hidden: String,
    pub(crate) report: Arc<Report>,
}

impl Scope {
    /// Refuses a name in which a secret stands, or in one of the arguments that complete it or that of the cassette from which it is
    /// forked, which stands in the file.
    pub(super) fn refuse_secrets(
        &self,
        name: &Name,
        arguments: &[(&str, &dyn fmt::Display)],
    ) -> Result<(), Arc<Report>> {
        let forked = self.settled.options.fork.as_ref().map(|(cassette, _)| cassette.as_str());
        let patterns = || forked.into_iter().chain([self.label.as_str()]);
        let of_name = |known: &str| patterns().any(|pattern| pattern.contains(&format!("{{{known}}}")));
        let completing = arguments.iter().filter(|(known, _)| of_name(known));
        let completing = completing.map(|(_, value)| value.to_string());
        let made_of: Vec<_> = completing.chain(forked.map(str::to_owned)).collect();
        refuse_secrets(&self.settled, Some(name.as_str()), &made_of).map_err(|refused| refused.report)
    }
}

/// Refuses a name in which a secret stands, or in one of the texts of which it is made: what no file's name can hold is another
/// character there, and of a long one the end is left out.
///
/// A file that is there is replayed on every machine alike, so its name is looked through by shape, and not for what happens to
/// stand in the environment.
pub(crate) fn refuse_secrets(settled: &Settled, name: Option<&str>, made_of: &[String]) -> Result<(), Secretive> {
    let Settled { mode, options, directory, .. } = settled;
    if *mode == Mode::Off {
        return Ok(());
    }
    let is_there = |name: &str| directory.join(format!("{name}.json")).is_file();
    let mut secrets = match mode {
        Mode::Replay if name.is_some_and(is_there) => Secrets::default(),
        _ => Secrets::new(&env::of_secrets()),
    };
    // What else the user hides, such as ids, may well stand in a name.
    let rules = Rules { values: options.rules().values, ..Rules::default() };
    for text in name.into_iter().chain(made_of.iter().map(String::as_str)) {
        let hidden = redact_text(text, &rules, &mut secrets);
        if hidden != text {
            let what = format!("a secret would stand in a cassette's name, which becomes that of a file: `{hidden}`");
            let help = "name the cassette without it: a case of a parametrised test by another of its arguments";
            return Err(Secretive { hidden, report: Arc::new(Report::Refused(Refused::new(what, help))) });
        }
    }
    Ok(())
}
