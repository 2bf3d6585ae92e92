//! The reports of a session: what it knows, put into words.

use super::orphan::{Orphan, is_a_command};
use super::plan::{Pinned, Plan};
use super::summary::Summary;
use crate::audit::{Finding, entries};
use crate::disk::ReadError;
use crate::mode::Mode;
use crate::policy;
use crate::reply::{GAVE_UP, OUTRUN};
use crate::report::{
    Damaged, Leak, Missing, NoCalls, Pending, Place, Refused, Report, Storage, Unused, Version, Why, Wiring,
    is_loopback,
};
use crate::rerun::Target;
use crate::store::StoreError;
use crate::typed::typed;

impl Plan {
    pub(super) fn missing(&self) -> Report {
        let pending = self.store.pending(&self.name).ok().flatten().map(|_| self.store.pending_place(&self.name));
        let (file, record) = (self.file(), self.recording());
        let orphan = self.orphan();
        let help = match &orphan {
            Some(Orphan { file: old, .. }) => {
                format!("if it was renamed, {}; else {record}", moved(&self.here(old), &self.here(&file)))
            }
            None => record,
        };
        let orphan = orphan.map(|orphan| (orphan.file, Some(orphan.test).filter(|test| *test != self.test)));
        Report::Missing(Missing { cassette: self.name.clone(), file, pending, orphan, help })
    }

    /// Returns what to do where nothing is recorded yet.
    fn recording(&self) -> String {
        let command = self.command(Mode::Record);
        match &self.pinned {
            Some(Pinned { plain, owner: None, .. }) if self.mode == Mode::Replay => format!(
                "record it with a test that makes the same calls without faults, such as one with a plain `{plain}`, run with \
                 CASSETTE_MODE=record; or {command}"
            ),
            _ => format!("record it: {command}"),
        }
    }

    pub(super) fn unreadable(&self, error: ReadError) -> Report {
        let file = self.file();
        match error {
            ReadError::Damaged(line, what) => {
                let again = self.command(Mode::Refresh);
                let help = match self.unused {
                    policy::Unused::Fail => format!("restore it from git, or record it anew: {again}"),
                    policy::Unused::Allow => "restore it from git: other tests' recordings are in it too".to_owned(),
                };
                Report::Damaged(Damaged { file, line, what, help })
            }
            ReadError::Newer(needs, known) => {
                let help = "update cassette-test in Cargo.toml: cargo update -p cassette-test".to_owned();
                Report::Version(Version { file, needs, known, help })
            }
        }
    }

    pub(super) fn storage(&self, error: StoreError) -> Report {
        let unlinking = error.unlinking_from(&self.from_here);
        match error {
            StoreError::Io(file, doing, error) => {
                let help =
                    "check that the directory exists, can be written and has room, or set CASSETTE_DIR".to_owned();
                Report::Storage(Storage { file, doing, error, help })
            }
            StoreError::Locked(file) => Report::Refused(Refused {
                what: format!("`{}` is being recorded by another test: {file} is locked", self.name),
                help: match self.unused {
                    policy::Unused::Fail => "give each test that records a cassette of its own".to_owned(),
                    // They may share it, and take turns only within one program.
                    policy::Unused::Allow => format!(
                        "when that one has ended, {}; to record them one after the other, let nextest run one at a time, \
                         `--test-threads 1`",
                        self.command(self.mode)
                    ),
                },
            }),
            StoreError::Clash(file) => Report::Refused(Refused {
                what: format!(
                    "`{}` differs from {file} only by case, and some file systems hold but one of them",
                    self.name
                ),
                help: "choose another name".to_owned(),
            }),
            StoreError::Link(file, target, why) => Report::Storage(Storage {
                error: format!("it is a link to {target}, which {why}"),
                help: unlinking.unwrap_or_default(),
                doing: "write",
                file,
            }),
            StoreError::Meanwhile(file, since) => Report::Refused(Refused {
                what: format!("{file} {} since this test read it, so nothing is recorded over it", since.words()),
                help: format!("run the test again: {}", self.command(self.mode)),
            }),
        }
    }

    pub(super) fn not_the_owner(&self, owner: &str) -> Report {
        let Plan { name, test, .. } = self;
        let kind = if is_a_command(owner) { "" } else { "the test " };
        Report::Refused(Refused {
            what: format!("`{name}` belongs to {kind}{owner}, so {test} may replay it but not record over it"),
            help: match self.rerun.target {
                Target::Served(_) | Target::StoodInFor(_) => {
                    format!("record it under a name of its own: {}", self.command(Mode::Record))
                }
                _ => {
                    let apart = "give this test a cassette of its own, or say `unused = \"allow\"` in both";
                    self.handing_over(owner, apart)
                }
            },
        })
    }

    pub(super) fn no_calls(&self) -> Report {
        let of_a_test = "send the test's calls through it, as with `cassette.base_url(..)`, or take the attribute away";
        let help = self.rerun.target.where_a_program_asks().unwrap_or(of_a_test);
        let caller = if self.rerun.target.is_cargos() { "test" } else { "program" };
        Report::NoCalls(NoCalls { cassette: self.name.clone(), caller, mode: self.mode, help: help.to_owned() })
    }

    pub(super) fn unused(&self, unused: Vec<Place>, total: usize, owner: Option<&str>, beside: Option<&str>) -> Report {
        let help = match owner {
            Some(owner) if !self.rerun.target.is_cargos() => {
                format!(
                    "the cassette belongs to {owner}, which alone drops recordings: let the program ask for all of them"
                )
            }
            None => {
                let beside = beside.map_or(String::new(), |function| {
                    format!(
                        "where `{function}` asks it in a task or a thread of its own, hand that over by `scope(..)` or `scoped(..)`; then, or "
                    )
                });
                format!("{beside}if fewer calls are meant, {}", self.command(Mode::Record))
            }
            Some(owner) => {
                let apart = "say `unused = \"allow\"` in both tests, or give this one its own";
                format!("the cassette belongs to {owner}: {}", self.handing_over(owner, apart))
            }
        };
        Report::Unused(Unused { cassette: self.name.clone(), unused, total, file: self.file(), help })
    }

    pub(super) fn leak(&self, findings: &[Finding], summary: &Summary) -> Report {
        let hide = match self.rerun.target.is_cargos() {
            true => "`redact_field(..)`, `redact_header(..)` or `redact_value(..)` in the attribute",
            false => "`redact_field`, `redact_header` or `redact_value` in cassette.toml",
        };
        let mut help = format!(
            "hide it with {hide}, or vouch for it in allow.json beside the cassettes, an array of entries, and say why it is \
             no secret in `reason`:"
        );
        entries(findings, &self.name).iter().for_each(|entry| help.extend(["\n  ", entry]));
        let findings = findings.iter().map(ToString::to_string).collect();
        let pending = self.store.pending_place(&self.name);
        Report::Leak(Leak { cassette: self.name.clone(), findings, pending, unkept: summary.unkept.clone(), help })
    }

    pub(super) fn pending(&self, why: Why, summary: &Summary) -> Report {
        let again = self.command(self.mode);
        let help = match &why {
            Why::TestFailed => format!("make the test pass, then {again}"),
            Why::Outage(calls) if calls.iter().all(|call| [GAVE_UP, OUTRUN].iter().any(|end| call.ends_with(end))) => {
                format!(
                    "if giving up is what the test is about, say `allow_errors`; else wait for the reply, or put the time-out into the \
                     function, so that it gives an error: {again}"
                )
            }
            Why::Outage(_) => {
                format!("if the failure is what the test is about, say `allow_errors`; else try again: {again}")
            }
            Why::Bypass(hosts) => {
                let allowed = if hosts.iter().all(|host| is_loopback(host)) {
                    ""
                } else {
                    ", or name the hosts in `allow_hosts`"
                };
                format!("send these calls through the cassette{allowed}")
            }
            Why::UnderWay(_) => "wait for every call before the test returns".to_owned(),
            Why::Matcher(_) => {
                "let the matcher return `true` where the two calls are the same, whatever it is asked before".to_owned()
            }
            Why::Broken(_) => "let the function return its failure as an error: a panic cannot be replayed".to_owned(),
            Why::Late(late) => format!("hide it from the start: {}; then {again}", self.hiding_first(late)),
            Why::SentOn(sent) => format!("hide it there too: {}; then {again}", self.hiding_first(sent)),
            Why::Meanwhile(..) => format!(
                "record again: {again}; or take this recording over all the same: cargo cassette accept --replace {}",
                typed(&self.name)
            ),
            Why::Unproven(_) if self.matching.matcher.is_some() => format!(
                "let the matcher return `true` or `false` for any two calls whatever, and the same whenever it is asked; then {again}"
            ),
            Why::Unproven(_) => format!("this should not happen: please report it with the pending file; then {again}"),
        };
        let (pending, unkept) = (summary.pending.clone(), summary.unkept.clone());
        Report::Pending(Pending { cassette: self.name.clone(), why, pending, unkept, help })
    }

    pub(super) fn allow_list_is_damaged(&self, what: String) -> Report {
        let help =
            "an allow list is a JSON array of objects with `cassette`, `path`, `rule`, `value` and `reason`".to_owned();
        Report::Damaged(Damaged { file: self.store.place("allow"), line: None, what, help })
    }

    pub(super) fn sends_a_stand_in(&self, number: usize, stand_in: &str) -> Report {
        let what = format!(
            "call {number} of `{}` would send `{stand_in}` to the real service: it stands for a value that was not recorded, \
             and came from a reply that was served",
            self.name
        );
        let help = match &self.fork {
            Some(origin) => format!("fork from `{}` before the call whose reply it came from", origin.cassette),
            None => format!("record the whole run anew: {}", self.command(Mode::Refresh)),
        };
        Report::Refused(Refused::new(what, help))
    }

    pub(super) fn redactor_panicked(&self) -> Report {
        let redacts = "let it return what is secret in any text whatever, and nothing where nothing is";
        let normalizes = "let it take any JSON whatever, and leave what it does not know as it is";
        let (named, help) = match (self.rules.custom.is_empty(), self.matching.normalize.is_empty()) {
            (true, false) => ("`normalize(..)`", normalizes.to_owned()),
            (_, true) => ("`redact(..)`", redacts.to_owned()),
            (false, false) => {
                ("`redact(..)` or `normalize(..)`", format!("of the one, {redacts}; of the other, {normalizes}"))
            }
        };
        Report::Wiring(Wiring::new(format!("a function that `{}` was given as {named} panicked", self.name), help))
    }

    pub(super) fn matching_is_wrong(&self, what: String) -> Report {
        let help = format!("name what is to be compared for `{}`, or leave the option out", self.name);
        Report::Refused(Refused::new(what, help))
    }

    pub(super) fn field_is_unnamed(&self, name: &str) -> Report {
        let what = format!(
            "`{}` is to hide a field that is called {name:?}, which is no name: whatever stands in an array would be hidden",
            self.name
        );
        Report::Refused(Refused::new(what, "name the field, or hide the value alone: `redact_value(..)`"))
    }

    pub(super) fn fuzziness_is_wrong(&self, what: String) -> Report {
        let help = format!("take a threshold above 0 and up to 1, and a window of 1 or more, for `{}`", self.name);
        Report::Refused(Refused::new(what, help))
    }

    pub(super) fn similarity_failed(&self, number: usize, interaction: usize, what: &str) -> Report {
        let what = format!(
            "the similarity that `{}` was given {what} for call {number} and interaction {interaction}",
            self.name
        );
        Report::Wiring(Wiring::new(what, "let it return a number from 0 to 1 for any two requests whatever"))
    }

    pub(super) fn matcher_panicked(&self, number: usize, interaction: usize) -> Report {
        let what = format!(
            "the matcher that `{}` was given panicked for call {number} and interaction {interaction}",
            self.name
        );
        Report::Wiring(Wiring::new(what, "let it return `true` or `false` for any two calls whatever"))
    }

    pub(super) fn lacks(&self, name: &str) -> Report {
        let help = format!("set it for this run: {name}=.. {}", self.command(self.mode));
        Report::Refused(Refused::new(format!("a call through `{}` goes live, and {name} is not set", self.name), help))
    }

    pub(super) fn secret_is_too_short(&self, name: &str) -> Report {
        let what = format!(
            "the value of {name} is too short to be told from what it only resembles, so it could not be hidden"
        );
        Report::Refused(Refused::new(what, "use a secret of four characters or more"))
    }

    pub(super) fn too_late(&self, call: &str) -> Report {
        let what = format!("a call was made through `{}` after its test had ended: {call}", self.name);
        Report::Wiring(Wiring::new(what, "wait for every task before the test returns"))
    }
}

/// Returns what to type so that a file goes by another name.
fn moved(from: &str, to: &str) -> String {
    let dir = |file: &str| file.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
    let made = if dir(from) == dir(to) { String::new() } else { format!("mkdir -p {} && ", typed(&dir(to))) };
    format!("{made}mv {} {}", typed(from), typed(to))
}
