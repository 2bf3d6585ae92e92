//! The reports of a session: what it knows, put into words.

use super::plan::Plan;
use crate::audit::Finding;
use crate::disk::ReadError;
use crate::mode::Mode;
use crate::report::Place;
use crate::report::{Damaged, Leak, Missing, NoCalls, Pending, Refused, Report, Storage, Unused, Version, Why, Wiring};
use crate::store::StoreError;

impl Plan {
    pub(super) fn missing(&self) -> Report {
        let pending = self.store.pending(&self.name).ok().flatten().map(|_| self.store.pending_place(&self.name));
        let help = format!("record it: {}", self.command(Mode::Record));
        Report::Missing(Missing { cassette: self.name.clone(), file: self.file(), pending, help })
    }

    pub(super) fn unreadable(&self, error: ReadError) -> Report {
        let file = self.file();
        match error {
            ReadError::Damaged(line, what) => {
                let again = self.command(Mode::Refresh);
                let help = format!("restore it with git checkout -- {file}, or record it anew: {again}");
                Report::Damaged(Damaged { file, line, what, help })
            }
            ReadError::Newer(needs, known) => {
                let help = "update cassette-test in Cargo.toml: cargo update -p cassette-test".to_owned();
                Report::Version(Version { file, needs, known, help })
            }
        }
    }

    pub(super) fn storage(&self, error: StoreError) -> Report {
        match error {
            StoreError::Io(file, doing, error) => {
                let help =
                    "check that the directory exists, can be written and has room, or set CASSETTE_DIR".to_owned();
                Report::Storage(Storage { file, doing, error, help })
            }
            StoreError::Locked(file) => Report::Refused(Refused {
                what: format!("`{}` is being recorded by another test: {file} is locked", self.name),
                help: "give each test that records a cassette of its own".to_owned(),
            }),
            StoreError::Clash(file) => Report::Refused(Refused {
                what: format!(
                    "`{}` differs from {file} only by case, and some file systems hold but one of them",
                    self.name
                ),
                help: "choose another name".to_owned(),
            }),
        }
    }

    pub(super) fn not_the_owner(&self, owner: &str) -> Report {
        let Plan { name, test, .. } = self;
        Report::Refused(Refused {
            what: format!("`{name}` belongs to the test {owner}, so {test} may replay it but not record over it"),
            help: "give this test a cassette of its own, or say `unused = \"allow\"` in both".to_owned(),
        })
    }

    pub(super) fn no_calls(&self) -> Report {
        let help = "send the test's calls through it, as with `cassette.base_url(..)`, or take the attribute away";
        Report::NoCalls(NoCalls { cassette: self.name.clone(), mode: self.mode, help: help.to_owned() })
    }

    pub(super) fn unused(&self, unused: Vec<Place>, total: usize) -> Report {
        let help = format!("if fewer calls are meant, {}", self.command(Mode::Record));
        Report::Unused(Unused { cassette: self.name.clone(), unused, total, file: self.file(), help })
    }

    pub(super) fn leak(&self, findings: &[Finding]) -> Report {
        let mut help = "hide it with `redact_field(..)`, `redact_header(..)` or `redact_value(..)` in the attribute, or vouch \
                        for it in allow.json beside the cassettes, an array of entries, and say why it is no secret in `reason`:"
            .to_owned();
        findings.iter().for_each(|finding| help.extend(["\n  ", &finding.entry(&self.name)]));
        let findings = findings.iter().map(ToString::to_string).collect();
        let pending = self.store.pending_place(&self.name);
        Report::Leak(Leak { cassette: self.name.clone(), findings, pending, help })
    }

    pub(super) fn pending(&self, why: Why) -> Report {
        let again = self.command(self.mode);
        let help = match &why {
            Why::TestFailed => format!("make the test pass, then {again}"),
            Why::Outage(_) => {
                format!("if the failure is what the test is about, say `allow_errors`; else try again: {again}")
            }
            Why::Bypass(_) => "send these calls through the cassette, or name the hosts in `allow_hosts`".to_owned(),
            Why::UnderWay(_) => "wait for every call before the test returns".to_owned(),
            Why::Unproven(_) => format!("this should not happen: please report it with the pending file; then {again}"),
        };
        let pending = self.store.pending_place(&self.name);
        Report::Pending(Pending { cassette: self.name.clone(), why, pending, help })
    }

    pub(super) fn allow_list_is_damaged(&self, what: String) -> Report {
        let help =
            "an allow list is a JSON array of objects with `cassette`, `path`, `rule`, `value` and `reason`".to_owned();
        Report::Damaged(Damaged { file: self.store.place("allow"), line: None, what, help })
    }

    pub(super) fn lacks(&self, name: &str) -> Report {
        let help = format!("set it for this run: {name}=.. {}", self.command(self.mode));
        Report::Refused(Refused::new(format!("a call through `{}` goes live, and {name} is not set", self.name), help))
    }

    pub(super) fn too_late(&self, call: &str) -> Report {
        let what = format!("a call was made through `{}` after its test had ended: {call}", self.name);
        Report::Wiring(Wiring::new(what, "wait for every task before the test returns"))
    }
}
