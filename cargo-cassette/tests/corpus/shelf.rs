//! Recording exchanges as a run would, in memory.

use std::sync::Arc;

use cargo_cassette::import::{self, Exchange};
use cassette_core::disk;
use cassette_core::json::{Json, Layout};
use cassette_core::mode::Mode;
use cassette_core::prove::Proven;
use cassette_core::report::Report;
use cassette_core::session::Plan;
use cassette_core::store::{MemoryStore, Opened, Store, StoreError};
use cassette_core::tape::Tape;

/// What the audit finds in the corpus and somebody would vouch for: the rule, how what it found begins, and why.
pub(crate) const VOUCHED: &[(&str, &str, &str)] = &[
    ("opaque-body", "g0AA", "a reply in Brotli, which nothing here unpacks"),
    ("opaque-body", "H4sI", "a gzip that is damaged on purpose"),
];

/// Cassettes in memory, with a list of findings that somebody vouches for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    memory: MemoryStore,
    allowed: Vec<Json>,
}

impl Store for Shelf {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.load(name)
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        self.memory.save(name, document)
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        self.memory.journal(name)
    }

    fn keep_pending(&self, name: &str, document: &str) -> Result<(), StoreError> {
        self.memory.keep_pending(name, document)
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.pending(name)
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        self.memory.drop_pending(name)
    }

    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(Some(Json::Array(self.allowed.clone()).print(Layout::Compact).into_bytes()))
    }

    fn place(&self, name: &str) -> String {
        self.memory.place(name)
    }

    fn pending_place(&self, name: &str) -> String {
        self.memory.pending_place(name)
    }
}

pub(crate) fn plan(store: &Shelf, mode: Mode) -> Plan {
    Plan { mode, ..import::plan("corpus", Arc::new(store.clone()), "corpus") }
}

/// What became of a file that was recorded anew.
pub(crate) struct Kept {
    pub(crate) store: Shelf,
    pub(crate) tape: Tape,
    /// The findings of the audit that had to be vouched for.
    pub(crate) vouched: Vec<String>,
}

/// Records exchanges as a run would, a second time where the audit's findings are ones that somebody would vouch for.
pub(crate) fn recorded(exchanges: &[Exchange]) -> Result<Kept, String> {
    let store = Shelf::default();
    let reports = record(&store, exchanges);
    let Some(Report::Leak(leak)) = reports.first().map(|report| &**report) else {
        return kept(store, Vec::new(), &reports);
    };
    let is_vouched =
        |line: &str| VOUCHED.iter().any(|(rule, beginning, _)| line.contains(&format!(": {rule}, {beginning}")));
    let lines = leak.findings.clone();
    if let Some(line) = lines.iter().find(|line| !is_vouched(line)) {
        return Err(format!("the audit found {line}"));
    }
    // The report ends with the entries to paste, their reasons left open.
    let entry = |line: &str| Json::parse(&line.trim().replace(r#""reason": """#, r#""reason": "VOUCHED""#)).ok();
    let store = Shelf { allowed: leak.help.lines().filter_map(entry).collect(), ..Shelf::default() };
    let reports = record(&store, exchanges);
    kept(store, lines, &reports)
}

pub(crate) fn record(store: &Shelf, exchanges: &[Exchange]) -> Vec<Arc<Report>> {
    import::record(plan(store, Mode::Record), exchanges).err().into_iter().collect()
}

pub(crate) fn kept(store: Shelf, vouched: Vec<String>, reports: &[Arc<Report>]) -> Result<Kept, String> {
    if let Some(report) = reports.first() {
        return Err(report.to_string());
    }
    let text = store.load("corpus").ok().flatten().ok_or("nothing was saved")?;
    let tape = disk::read(&text).map_err(|error| format!("{error:?}"))?;
    Ok(Kept { store, tape, vouched })
}
