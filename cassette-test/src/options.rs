//! What a test asks of its cassette.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use cassette_core::mode::{Mode, UnknownMode};
use cassette_core::policy::{Requests, Unused};
use cassette_core::redact::Rules;
use cassette_core::report::{Refused, Report};
use cassette_core::settings::Settings;
use cassette_core::step::Step;
use cassette_core::tape::Stamp;

use crate::compared::Comparison;
use crate::guard::Guard;
use crate::mistyped::shown;
use crate::order::{Asked, Place, Serving};

/// A port that somebody asked for.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    /// The first gateway's; those after it have the next ones.
    pub(crate) first: u16,
    /// What to do where one of them cannot be had.
    pub(crate) instead: String,
}

/// What an async body sees of a miss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMiss {
    /// Nothing: it is abandoned at once. The default.
    #[default]
    Abandon,
    /// An error of its client. The test fails all the same.
    Error,
}

/// The rhythm in which a recorded stream comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Pace {
    /// As fast as it is read. The default.
    #[default]
    Instant,
    /// As it was recorded.
    Recorded,
    /// So many times the recorded pauses.
    Times(f64),
}

/// Everything a test can ask for; what it leaves open is settled by the environment or the defaults.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) mode: Option<Mode>,
    pub(crate) order: Asked,
    pub(crate) unused: Unused,
    pub(crate) requests: Option<Requests>,
    pub(crate) on_miss: OnMiss,
    pub(crate) guard: Option<Guard>,
    pub(crate) pace: Pace,
    /// The port of the first gateway; any that is free where none is asked for.
    pub(crate) port: Option<Port>,
    pub(crate) dir: Option<PathBuf>,
    /// The directory as it is shown, where somebody typed it: a test's is shown from its package on.
    pub(crate) shown: Option<String>,
    pub(crate) allow_ci: Allowed,
    pub(crate) allow_errors: Allowed,
    pub(crate) repeat: Allowed,
    pub(crate) pii: Hidden,
    pub(crate) compared: Comparison,
    pub(crate) stamp: Stamp,
    /// The cassette that it is forked from, or the pattern of its name, and where.
    pub(crate) fork: Option<(String, usize)>,
    /// Who is told of each call.
    pub(crate) watchers: Vec<Watcher>,
    /// The calls at which the run stops, from 1.
    pub(crate) breakpoints: Vec<usize>,
    pub(crate) keep_headers: Vec<String>,
    pub(crate) allow_hosts: Vec<String>,
    pub(crate) redact_fields: Vec<String>,
    pub(crate) redact_headers: Vec<String>,
    pub(crate) redact_values: Vec<String>,
    pub(crate) redactors: Vec<Redactor>,
}

/// Is told of each call.
pub(crate) type Watcher = Arc<dyn Fn(&Step) + Send + Sync>;

/// A rule of the user's own: is given each text, and returns the parts of it that are secret.
pub(crate) type Redactor = fn(&str) -> Vec<String>;

impl Pace {
    /// Returns the pause that stands for a recorded one.
    pub(crate) fn of(self, gap: Duration) -> Duration {
        let factor = match self {
            Pace::Instant => 0.0,
            Pace::Recorded => 1.0,
            Pace::Times(factor) => factor,
        };
        Duration::try_from_secs_f64(gap.as_secs_f64() * factor).unwrap_or_default()
    }
}

/// Whether something that is refused by default was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Allowed {
    #[default]
    No,
    Yes,
}

/// Whether personal data is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hidden {
    #[default]
    No,
    Yes,
}

/// The part of the environment that settles what options leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// `CASSETTE_MODE`.
    pub(crate) mode: String,
    /// `CASSETTE_ORDER`.
    pub(crate) order: String,
    /// `CASSETTE_GUARD`.
    pub(crate) guard: String,
    /// `CASSETTE_BREAK_AT`.
    pub(crate) break_at: String,
    /// Whether `CI` is on.
    pub(crate) ci: Ci,
    /// `CASSETTE_ALLOW_HOSTS`, separated by commas.
    pub(crate) allow_hosts: Vec<String>,
    /// `CASSETTE_BUDGET`.
    pub(crate) budget: String,
    /// `CASSETTE_LEDGER`: where what the run does is written down.
    pub(crate) ledger: Option<PathBuf>,
}

/// Where the tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ci {
    /// On somebody's machine.
    Off,
    /// In CI, where nothing goes live.
    On,
    /// In CI, and `CASSETTE_ALLOW_CI` lets it go live.
    Overruled,
}

impl Options {
    /// Returns the mode and the order in force: what the test says over what the environment says, and for the order that
    /// over what the settings do.
    ///
    /// # Errors
    ///
    /// Fails for a variable with a value that means nothing, whatever the test says, and for what CI refuses.
    pub(crate) fn settle(&self, surroundings: &Surroundings, settings: &Settings) -> Result<(Mode, Serving), Report> {
        let mode = Mode::parse(&surroundings.mode).map_err(|unknown| {
            refused(
                UnknownMode { value: shown(&unknown.value) }.to_string(),
                "CASSETTE_MODE is `replay`, `record`, `refresh` or `off`; unset, it is `replay`",
            )
        })?;
        let place = if surroundings.ci == Ci::Off { Place::Here } else { Place::Ci };
        let variable = Asked::of_variable(&surroundings.order)?;
        let serving = self.order.settle(&Asked { order: variable.order.or(settings.order), ..variable }, place)?;
        let mode = self.mode.unwrap_or(mode);
        let ci = surroundings.ci == Ci::On && self.allow_ci == Allowed::No;
        if ci && mode != Mode::Replay {
            let what = format!("`CI` is set, where nothing is called live, and the mode is `{mode}`");
            let leave = match (self.mode, &self.shown) {
                (None, _) => "unset CASSETTE_MODE",
                (Some(_), Some(_)) => "leave --mode out",
                (Some(_), None) => "leave the mode out of the test",
            };
            return Err(refused(what, &format!("{leave}, or set CASSETTE_ALLOW_CI=1 where CI is meant to call live")));
        }
        Ok((mode, serving))
    }

    /// Returns how far the network guard reaches: as far as the test says, over what the environment says, over what the
    /// settings do.
    ///
    /// # Errors
    ///
    /// Fails for a variable with a value that means nothing, whatever the test says.
    pub(crate) fn guard(&self, surroundings: &Surroundings, settings: &Settings) -> Result<Guard, Report> {
        let guard = match surroundings.guard.as_str() {
            "" => settings.guard.unwrap_or_default(),
            "plain" => Guard::Plain,
            "strict" => Guard::Strict,
            other => {
                let what = format!("CASSETTE_GUARD is `{}`", shown(other));
                return Err(refused(what, "CASSETTE_GUARD is `plain` or `strict`; unset, it is `plain`"));
            }
        };
        Ok(self.guard.unwrap_or(guard))
    }

    /// Returns the calls at which the run stops: those that the test names, and the one that the environment does.
    ///
    /// # Errors
    ///
    /// Fails for what is no call's number.
    pub(crate) fn breakpoints(&self, surroundings: &Surroundings) -> Result<Vec<usize>, Report> {
        let named = match surroundings.break_at.as_str() {
            "" => None,
            number => Some(number.parse().map_err(|_| {
                let what = format!("CASSETTE_BREAK_AT is `{}`", shown(number));
                refused(what, "CASSETTE_BREAK_AT is the number of a call of the run, from 1")
            })?),
        };
        let all: Vec<usize> = self.breakpoints.iter().copied().chain(named).collect();
        match all.contains(&0) {
            true => Err(refused("there is no call 0 to stop at".to_owned(), "calls are numbered from 1")),
            false => Ok(all),
        }
    }

    /// Returns what is to be hidden.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            fields: self.redact_fields.clone(),
            headers: lower(&self.redact_headers),
            values: self.redact_values.clone(),
            custom: self.redactors.clone(),
            keep_request_headers: Vec::new(),
            keep_reply_headers: lower(&self.keep_headers),
            pii: self.pii == Hidden::Yes,
        }
    }
}

fn lower(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.to_ascii_lowercase()).collect()
}

impl fmt::Debug for Options {
    /// Of the values to be hidden only the number is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("mode", &self.mode)
            .field("order", &self.order)
            .field("unused", &self.unused)
            .field("requests", &self.requests)
            .field("on_miss", &self.on_miss)
            .field("guard", &self.guard)
            .field("pace", &self.pace)
            .field("dir", &self.dir)
            .field("redact_fields", &self.redact_fields)
            .field("redact_headers", &self.redact_headers)
            .field("redact_values", &self.redact_values.len())
            .field("redactors", &self.redactors.len())
            .finish_non_exhaustive()
    }
}

impl Surroundings {
    /// Returns the environment of this process, which is read once.
    pub(crate) fn of_process() -> &'static Surroundings {
        static READ: LazyLock<Surroundings> = LazyLock::new(Surroundings::read);
        &READ
    }

    fn read() -> Surroundings {
        let var = |name| cassette_core::env::var(name).unwrap_or_default();
        let ci = match (cassette_core::env::is_on("CI"), cassette_core::env::is_on("CASSETTE_ALLOW_CI")) {
            (false, _) => Ci::Off,
            (true, false) => Ci::On,
            (true, true) => Ci::Overruled,
        };
        let hosts = var("CASSETTE_ALLOW_HOSTS");
        let allow_hosts = hosts.split(',').map(str::trim).filter(|host| !host.is_empty()).map(str::to_owned).collect();
        Surroundings {
            mode: var("CASSETTE_MODE"),
            order: var("CASSETTE_ORDER"),
            guard: var("CASSETTE_GUARD"),
            break_at: var("CASSETTE_BREAK_AT"),
            ci,
            allow_hosts,
            budget: var("CASSETTE_BUDGET"),
            ledger: Some(var(cassette_core::ledger::VARIABLE)).filter(|file| !file.is_empty()).map(PathBuf::from),
        }
    }
}

fn refused(what: String, help: &str) -> Report {
    Report::Refused(Refused::new(what, help))
}

#[cfg(test)]
mod tests {
    use cassette_core::policy::Order;

    use super::{Allowed, Asked, Ci, Guard, Mode, Options, Settings, Surroundings};

    #[track_caller]
    fn check(options: &Options, mode: &str, order: &str, ci: Ci, expected: Result<(Mode, Order), &str>) {
        let (mode, order) = (mode.to_owned(), order.to_owned());
        let (guard, break_at, budget) = (String::new(), String::new(), String::new());
        let allow_hosts = Vec::new();
        let surroundings = Surroundings { mode, order, guard, break_at, ci, allow_hosts, budget, ledger: None };
        let settled = options
            .settle(&surroundings, &Settings::default())
            .map(|(mode, serving)| (mode, serving.order))
            .map_err(|report| report.to_string());
        match (settled, expected) {
            (Ok(settled), Ok(expected)) => assert_eq!(settled, expected),
            (Err(text), Err(part)) => assert!(text.contains(part), "{text}"),
            (settled, expected) => panic!("{settled:?} is not {expected:?}"),
        }
    }

    fn asking(order: Order) -> Asked {
        Asked { order: Some(order), ..Asked::default() }
    }

    #[test]
    fn the_test_goes_over_the_environment_and_both_go_over_the_default() {
        let none = Options::default();
        let off = Options { mode: Some(Mode::Off), order: asking(Order::Strict), ..Options::default() };
        check(&none, "", "", Ci::Off, Ok((Mode::Replay, Order::Any)));
        check(&none, "record", "strict", Ci::Off, Ok((Mode::Record, Order::Strict)));
        check(&off, "record", "any", Ci::Off, Ok((Mode::Off, Order::Strict)));
    }

    #[test]
    fn the_environment_goes_over_the_settings_and_the_test_over_both() {
        let settings = cassette_core::settings::read("order = \"strict\"\nguard = \"strict\"\n").unwrap();
        let settled = |options: &Options, order: &str, guard: &str| {
            let (mode, order, guard) = (String::new(), order.to_owned(), guard.to_owned());
            let (allow_hosts, budget) = (Vec::new(), String::new());
            let break_at = String::new();
            let around = Surroundings { mode, order, guard, break_at, ci: Ci::Off, allow_hosts, budget, ledger: None };
            (options.settle(&around, &settings).unwrap().1.order, options.guard(&around, &settings).unwrap())
        };
        let none = Options::default();
        let own = Options { order: asking(Order::Any), guard: Some(Guard::Plain), ..Options::default() };
        assert_eq!(settled(&none, "", ""), (Order::Strict, Guard::Strict));
        assert_eq!(settled(&none, "any", "plain"), (Order::Any, Guard::Plain));
        assert_eq!(settled(&own, "strict", "strict"), (Order::Any, Guard::Plain));
    }

    #[test]
    fn a_value_that_means_nothing_fails_whatever_the_test_says() {
        let off = Options { mode: Some(Mode::Off), order: asking(Order::Any), ..Options::default() };
        check(&off, "rec", "", Ci::Off, Err("CASSETTE_MODE is `rec`"));
        check(&off, "", "loose", Ci::Off, Err("CASSETTE_ORDER is `loose`"));
    }

    #[test]
    fn a_key_that_stands_behind_a_wrong_name_is_not_printed() {
        let key = ["sk-", "proj-", "Zk3vQ8xN2mT7wR5yB1cD", "9fG4hJ6kL0pS"].concat();
        let around = Surroundings {
            mode: key.clone(),
            order: key.clone(),
            guard: key.clone(),
            break_at: key.clone(),
            ci: Ci::Off,
            allow_hosts: Vec::new(),
            budget: key.clone(),
            ledger: None,
        };
        let by_mode = || Surroundings { mode: String::new(), ..around.clone() };
        let (none, settings) = (Options::default(), Settings::default());
        let told = [
            none.settle(&around, &settings).map(drop),
            none.settle(&by_mode(), &settings).map(drop),
            none.guard(&around, &settings).map(drop),
            none.breakpoints(&around).map(drop),
            crate::purse::limit(&around.budget, &settings).map(drop),
        ];
        for told in told {
            let told = told.unwrap_err().to_string();
            assert!(told.contains(" is `REDACTED."), "{told}");
            assert!(!told.contains(&key[..16]), "{told}");
        }
    }

    #[test]
    fn ci_replays_unless_it_is_told_otherwise() {
        let none = Options::default();
        let allowed = Options { allow_ci: Allowed::Yes, ..Options::default() };
        let off = Options { mode: Some(Mode::Off), ..Options::default() };
        check(&none, "", "strict", Ci::On, Ok((Mode::Replay, Order::Strict)));
        check(&none, "refresh", "", Ci::On, Err("the mode is `refresh`"));
        check(&off, "", "", Ci::On, Err("the mode is `off`"));
        check(&none, "", "ordered", Ci::On, Err("and CASSETTE_ORDER is `ordered`"));
        check(&none, "", "fuzzy", Ci::Overruled, Err("and CASSETTE_ORDER is `fuzzy`"));
        check(&allowed, "record", "fuzzy", Ci::On, Err("and CASSETTE_ORDER is `fuzzy`"));
        check(&none, "", "fuzzy", Ci::Off, Ok((Mode::Replay, Order::Fuzzy)));
        check(&none, "record", "strict", Ci::Overruled, Ok((Mode::Record, Order::Strict)));
        check(&allowed, "record", "strict", Ci::On, Ok((Mode::Record, Order::Strict)));
    }
}
