//! What a run would go by, and who says so: variables, files of settings, or nobody.

use std::net::IpAddr;

use cargo_cassette::presentable::presentable_text;
use cassette_core::env;
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_test::_cli_support::{Variable, variables};

use super::around::Surroundings;
use crate::output::{Ink, Line};

/// What a run would go by.
pub(super) struct InForce {
    pub(super) mode: Setting,
    /// What else is not as it is by default.
    pub(super) others: Vec<Setting>,
}

/// One thing that a run goes by.
pub(super) struct Setting {
    /// What it is called in `cassette.toml`.
    name: &'static str,
    value: String,
    source: String,
    /// What is to be known of it.
    note: Option<String>,
    /// Why tests would fail because of it.
    refused: Option<String>,
}

impl InForce {
    pub(super) fn read(around: &Surroundings) -> InForce {
        let standpoint = &around.standpoint;
        let mut others = Vec::new();
        let dir = standpoint.dir.as_ref().map(|dir| (dir.display().to_string(), "--dir"));
        let variable = standpoint.variable.clone().filter(|dir| !dir.is_empty());
        let dir = dir.or(variable.map(|dir| (dir, "CASSETTE_DIR")));
        others.extend(dir.map(|(dir, source)| Setting::new("dir", dir, source)));
        others.extend(variables().into_iter().map(Setting::of));
        for (key, value, place) in around.said().values {
            // Hosts that files name are allowed beside those of the variable.
            if key == "allow_hosts" || !others.iter().any(|it| it.name == key) {
                let note = (key == "allow_hosts").then(|| in_vain(&value)).flatten();
                others.push(Setting { note, ..Setting::new(key, value, &place) });
            }
        }
        InForce { mode: mode(), others }
    }

    pub(super) fn is_refused(&self) -> bool {
        self.mode.refused.is_some() || self.others.iter().any(|it| it.refused.is_some())
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        std::iter::once(&self.mode).chain(&self.others).map(Setting::line).collect()
    }
}

impl Setting {
    fn new(name: &'static str, value: String, source: &str) -> Setting {
        // Whoever sets the wrong variable may have put a credential there.
        Setting { name, value: presentable_text(&value), source: source.to_owned(), note: None, refused: None }
    }

    fn of(variable: Variable) -> Setting {
        let Variable { name, value, refused, .. } = variable;
        let explores = value.split(':').next().and_then(Order::from_name).is_some_and(|order| !order.is_exact());
        let (called, note) = match name {
            "CASSETTE_ORDER" if explores => {
                ("order", Some("answers to other requests are served, so runs prove nothing"))
            }
            "CASSETTE_ORDER" => ("order", None),
            "CASSETTE_GUARD" => ("guard", None),
            "CASSETTE_BUDGET" => ("budget", None),
            "CASSETTE_LEDGER" => ("ledger", None),
            "CASSETTE_BREAK_AT" => ("break_at", Some("each test stops at this call for a debugger")),
            "CASSETTE_ALLOW_CI" => {
                ("allow_ci", env::is_on("CASSETTE_ALLOW_CI").then_some("live calls are allowed in CI"))
            }
            "CASSETTE_ALLOW_HOSTS" => {
                return Setting { note: in_vain(&value), ..Setting::new("allow_hosts", value, name) };
            }
            other => (other, None),
        };
        let refused = refused.as_deref().map(presentable_text);
        Setting { note: note.map(str::to_owned), refused, ..Setting::new(called, value, name) }
    }

    fn line(&self) -> Line {
        let Setting { name, value, source, note, refused } = self;
        let line = Line::of(&format!("{name} ")).ink(Ink::Strong, value).ink(Ink::Faint, &format!(" ({source})"));
        match (refused, note) {
            (Some(why), _) => line.plain(", ").ink(Ink::Bad, &format!("refused: {why}")),
            (None, Some(note)) => line.plain(", ").ink(Ink::Warn, note),
            (None, None) => line,
        }
    }

    pub(super) fn json(&self) -> Json {
        let Setting { name, value, source, refused, .. } = self;
        let refused = refused.as_deref().map_or(Json::Null, Json::from);
        let named = if *name == "mode" { ("mode", value) } else { ("value", value) };
        let own = [(named.0, named.1.as_str().into()), ("source", source.as_str().into()), ("refused", refused)];
        let name = (*name != "mode").then(|| ("name", Json::from(*name)));
        Json::object(name.into_iter().chain(own))
    }
}

/// Returns which of these hosts are none, so that nothing is let through for them.
fn in_vain(hosts: &str) -> Option<String> {
    let is_host = |host: &str| {
        let name = host.strip_prefix("*.").or(host.strip_prefix('.')).unwrap_or(host);
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        host.parse::<IpAddr>().is_ok() || !name.is_empty() && name.chars().all(is_word)
    };
    let all = hosts.split(',').map(str::trim).filter(|host| !host.is_empty() && !is_host(host));
    let all: Vec<_> = all.collect();
    let what = if all.len() == 1 { ("no host", "it") } else { ("no hosts", "them") };
    (!all.is_empty())
        .then(|| format!("{}, so that nothing passes for {}: {}", what.0, what.1, presentable_text(&all.join(", "))))
}

/// Returns the mode that a run would be in.
fn mode() -> Setting {
    let value = env::var("CASSETTE_MODE").unwrap_or_default();
    let source = if value.is_empty() { "default" } else { "CASSETTE_MODE" };
    match Mode::parse(&value) {
        Err(_) => {
            let refused = Some("it names no mode; use replay, record, refresh or off".to_owned());
            Setting { refused, ..Setting::new("mode", value, source) }
        }
        Ok(mode) => {
            let refused = mode != Mode::Replay && env::is_on("CI") && !env::is_on("CASSETTE_ALLOW_CI");
            let why = "CI is set, where only replay is allowed; CASSETTE_ALLOW_CI=1 allows it".to_owned();
            Setting { refused: refused.then_some(why), ..Setting::new("mode", mode.as_str().to_owned(), source) }
        }
    }
}
