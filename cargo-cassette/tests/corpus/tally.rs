//! The table.

use std::collections::BTreeMap;
use std::fmt;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) right: usize,
    pub(crate) of: usize,
}

impl Count {
    pub(crate) fn note(&mut self, right: bool) {
        self.right += usize::from(right);
        self.of += 1;
    }

    pub(crate) fn add(&mut self, other: Count) {
        self.right += other.right;
        self.of += other.of;
    }

    pub(crate) fn is_short(self) -> bool {
        self.right < self.of
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.of == 0 { "-".to_owned() } else { format!("{}/{}", self.right, self.of) })
    }
}

/// What became of the interactions of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Files, and how many of them were read.
    pub(crate) files: Count,
    /// Exchanges whose dialect and provider were recognised.
    pub(crate) recognised: Count,
    /// Exchanges whose request has one key, however it is spelled.
    pub(crate) reordered: Count,
    /// Leaves of requests that count where they should, and only there.
    pub(crate) leaves: Count,
    /// Leaves that were not tried.
    pub(crate) untried: usize,
    /// Exchanges of whose reply the view says what is in it.
    pub(crate) views: Count,
    /// Exchanges that replay byte for byte; of these, some as redaction left them.
    pub(crate) replayed: Count,
    pub(crate) hidden: usize,
}

impl Tally {
    /// Returns whether everything that was checked was right; files that are refused are listed elsewhere.
    pub(crate) fn is_full(&self) -> bool {
        let Tally { recognised, reordered, leaves, views, replayed, .. } = self;
        [recognised, reordered, leaves, views, replayed].into_iter().all(|count| !count.is_short())
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        self.files.add(other.files);
        self.recognised.add(other.recognised);
        self.reordered.add(other.reordered);
        self.leaves.add(other.leaves);
        self.untried += other.untried;
        self.views.add(other.views);
        self.replayed.add(other.replayed);
        self.hidden += other.hidden;
    }
}

/// Returns the table, a row a provider and the sum of them.
pub(crate) fn table(rows: &BTreeMap<String, Tally>) -> String {
    let columns = ["files", "recognised", "reordered", "leaves", "untried", "views", "replayed", "hidden"];
    let head = columns.map(|column| format!("{column:>12}")).concat();
    let mut all = Tally::default();
    rows.values().for_each(|row| all.add(row));
    let rows = rows.iter().map(|(name, row)| (name.as_str(), row)).chain([("all", &all)]);
    let line = |(name, row): (&str, &Tally)| {
        let Tally { files, recognised, reordered, leaves, untried, views, replayed, hidden } = row;
        let counts = [files, recognised, reordered, leaves].map(|count| format!("{count:>12}")).concat();
        format!("{name:<28}{counts}{untried:>12}{views:>12}{replayed:>12}{hidden:>12}\n")
    };
    format!("{:<28}{head}\n{}", "provider", rows.map(line).collect::<String>())
}
