//! One exchange beside another: which turn of one is which of the other.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use crate::difference::lcs;
use crate::transcript::{Entry, Exchange};

/// A turn, or a setting, of two exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// It is in both, and the same.
    Same(&'a Entry),
    /// It is in both, and says something else.
    Changed(&'a Entry, &'a Entry),
    /// It is in the first alone.
    Gone(&'a Entry),
    /// It is in the second alone.
    Came(&'a Entry),
}

/// Returns everything that was set, said and answered in either, in order. Of what is not the same, those stand beside each
/// other that are of one kind and one label.
pub fn rows<'a>(before: &'a Exchange, after: &'a Exchange) -> Vec<Row<'a>> {
    let [ours, theirs] = [before, after].map(|exchange| {
        exchange.settings.iter().chain(&exchange.said).chain(&exchange.answer).collect::<Vec<&Entry>>()
    });
    let digests = |entries: &[&Entry]| entries.iter().map(|entry| digest(entry)).collect::<Vec<_>>();
    let mut rows = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (same, other) in lcs(&digests(&ours), &digests(&theirs)) {
        between(&ours[i..same], &theirs[j..other], &mut rows);
        rows.push(Row::Same(theirs[other]));
        (i, j) = (same + 1, other + 1);
    }
    between(&ours[i..], &theirs[j..], &mut rows);
    rows
}

/// Adds what stands between two turns that are the same.
fn between<'a>(ours: &[&'a Entry], theirs: &[&'a Entry], rows: &mut Vec<Row<'a>>) {
    let mut left = theirs;
    for &entry in ours {
        let fits = |other: &&Entry| other.what == entry.what && other.label == entry.label;
        match left.iter().position(fits) {
            Some(at) => {
                rows.extend(left[..at].iter().map(|&entry| Row::Came(entry)));
                rows.push(Row::Changed(entry, left[at]));
                left = &left[at + 1..];
            }
            None => rows.push(Row::Gone(entry)),
        }
    }
    rows.extend(left.iter().map(|&entry| Row::Came(entry)));
}

fn digest(entry: &Entry) -> u64 {
    let mut hasher = DefaultHasher::new();
    entry.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Row, rows};
    use crate::call::Call;
    use crate::transcript::{Exchange, exchange};

    fn asked(messages: &str) -> Exchange {
        let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{messages}]}}"#);
        exchange(1, &Call::http("POST", "https://api.openai.com/v1/chat/completions", vec![], body.into_bytes()), None)
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        let (before, after) = (asked(before), asked(after));
        let told = |row: Row<'_>| match row {
            Row::Same(entry) => format!("= {}", entry.text),
            Row::Changed(a, b) => format!("{} -> {}", a.text, b.text),
            Row::Gone(entry) => format!("- {}", entry.text),
            Row::Came(entry) => format!("+ {}", entry.text),
        };
        let told: Vec<_> = rows(&before, &after).into_iter().map(told).collect();
        assert_eq!(told, expected);
    }

    const SYSTEM: &str = r#"{"role":"system","content":"Be brief."}"#;
    const WHEN: &str = r#"{"role":"user","content":"When?"}"#;
    const WHERE: &str = r#"{"role":"user","content":"Where?"}"#;
    const SAID: &str = r#"{"role":"assistant","content":"At nine."}"#;

    #[test]
    fn what_is_the_same_stays_beside_itself() {
        let ends = ["= gpt-4o-mini", "= none is recorded"];
        let around = |rows: &[&'static str]| [&ends[..1], rows, &ends[1..]].concat();
        check(SYSTEM, SYSTEM, &around(&["= Be brief."]));
        check(&format!("{SYSTEM},{WHEN}"), &format!("{SYSTEM},{WHERE}"), &around(&["= Be brief.", "When? -> Where?"]));
        check(WHEN, &format!("{SYSTEM},{WHEN},{SAID}"), &around(&["+ Be brief.", "= When?", "+ At nine."]));
        check(
            &format!("{SYSTEM},{SAID}"),
            &format!("{WHEN},{SAID}"),
            &around(&["- Be brief.", "+ When?", "= At nine."]),
        );
    }
}
