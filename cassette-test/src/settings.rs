//! What `cassette.toml` says of the tests of a package, read once a process.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cassette_core::report::{self, Report};
use cassette_core::settings::{self, Mistake, Settings};

use crate::options::{Hidden, Options};

type Read = Result<Arc<Settings>, Vec<Mistake>>;

/// Returns what the files of this package say.
///
/// # Errors
///
/// Fails with everything that is wrong in them: no test runs on a part of them.
pub(crate) fn of(package: &Path) -> Result<Arc<Settings>, Report> {
    static READ: OnceLock<Mutex<HashMap<PathBuf, Read>>> = OnceLock::new();
    let mut known = READ.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let read = known.entry(package.to_owned()).or_insert_with(|| settings::load(package).map(Arc::new));
    read.clone().map_err(|mistakes| Report::Settings(report::Settings::new(mistakes)))
}

impl Options {
    /// Returns the options with what the settings add to them: lists are both, and what a test leaves open is theirs.
    ///
    /// Mode, order, guard and directory are not settled here: the environment stands between the test and the settings.
    pub(crate) fn under(mut self, settings: &Settings) -> Options {
        let add = |to: &mut Vec<String>, what: &[String]| to.extend_from_slice(what);
        add(&mut self.allow_hosts, &settings.allow_hosts);
        add(&mut self.redact_fields, &settings.redact_field);
        add(&mut self.redact_headers, &settings.redact_header);
        add(&mut self.redact_values, &settings.redact_value);
        add(&mut self.keep_headers, &settings.keep_header);
        add(&mut self.compared.ignore, &settings.ignore);
        add(&mut self.compared.headers, &settings.match_header);
        self.requests = self.requests.or(settings.requests);
        if settings.pii {
            self.pii = Hidden::Yes;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use cassette_core::policy::Requests;

    use super::{Hidden, Options, settings};

    #[test]
    fn settings_add_and_never_take_away() {
        let read = |text| settings::read(text).unwrap();
        let own = Options {
            redact_fields: vec!["a".into()],
            requests: Some(Requests::Full),
            pii: Hidden::Yes,
            ..Options::default()
        };
        let under = own.under(&read("redact_field = \"b\"\nrequests = \"digest\"\npii = false\nignore = \"x\"\n"));
        assert_eq!((under.redact_fields, under.compared.ignore), (vec!["a".into(), "b".into()], vec!["x".to_owned()]));
        assert_eq!((under.requests, under.pii), (Some(Requests::Full), Hidden::Yes));
        let under = Options::default().under(&read("requests = \"digest\"\npii = true\n"));
        assert_eq!((under.requests, under.pii), (Some(Requests::Digest), Hidden::Yes));
        let lists = ["allow_hosts", "redact_field", "redact_header", "redact_value", "keep_header", "match_header"];
        let text: String = lists.iter().map(|key| format!("{key} = \"{key}\"\n")).collect();
        let under = Options::default().under(&read(&text));
        let Options { allow_hosts, redact_fields, redact_headers, redact_values, keep_headers, compared, .. } = under;
        let told = [allow_hosts, redact_fields, redact_headers, redact_values, keep_headers, compared.headers];
        assert_eq!(told.concat(), lists, "each goes where it belongs");
    }
}
