//! Whose a damaged cassette is: over what may be a test's no command records, as over a sound one.

use cargo_cassette::mending::anew;
use cargo_cassette::shelf::Spot;
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::tape::Tape;

/// What `serve` calls itself in what it records.
pub(super) const SERVE: &str = "cargo-cassette::serve";

/// Whose a cassette is that cannot be read, as far as its text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) enum Whose {
    /// This command's, or nobody's.
    Ours,
    /// Another's, by its name.
    Anothers(String),
    /// Too little of it is left to tell.
    Unknown,
}

impl Whose {
    /// Returns whose a damaged text is, read by the command that records as `own`. After a merge it may name two.
    pub(in crate::command) fn of(text: &str, own: &str) -> Whose {
        let document = Json::parse(text).ok().filter(|json| matches!(json, Json::Object(_)));
        let value = |value: &Json| value.as_str().map_or_else(String::new, |test| test.into_owned());
        let named: Vec<_> = match &document {
            Some(json) => json.members().iter().filter(|(name, _)| name.is("test")).map(|(_, it)| value(it)).collect(),
            None => {
                let lines = text.lines().filter_map(|line| line.strip_prefix("  \"test\": "));
                lines
                    .map(|it| Json::parse(it.trim_end_matches(',')).map_or_else(|_| String::new(), |it| value(&it)))
                    .collect()
            }
        };
        match named.iter().find(|test| *test != own) {
            Some(test) if test.is_empty() => Whose::Unknown,
            Some(test) => Whose::Anothers(test.clone()),
            None if named.is_empty() && document.is_none() => Whose::Unknown,
            None => Whose::Ours,
        }
    }

    /// Returns what records it anew: whoever it is that owns it, which `ours` returns where it is this command. What may be anybody's is
    /// removed by hand.
    pub(in crate::command) fn anew(&self, spot: &Spot, ours: impl Fn(Mode) -> String) -> String {
        match self {
            Whose::Ours => ours(Mode::Refresh),
            Whose::Anothers(test) => anew(spot, Some(test)),
            Whose::Unknown => {
                let by_hand = format!("rm {} && {}", spot.typed(), ours(Mode::Record));
                format!("where it is a test's, {}; else {by_hand}", anew(spot, None))
            }
        }
    }
}

/// Returns whether a cassette is a test's, which records over it alone.
pub(super) fn is_a_tests(tape: &Tape) -> bool {
    tape.head.test.as_ref().is_some_and(|test| test != SERVE)
}

#[cfg(test)]
mod tests {
    use super::Whose;

    #[test]
    fn a_damaged_file_tells_whose_it_is_as_far_as_it_can_be_read() {
        let check = |text: &str, whose: Whose| assert_eq!(Whose::of(text, "cargo-cassette::serve"), whose, "{text}");
        let anothers = || Whose::Anothers("suite::ask".to_owned());
        check("{\n  \"test\": \"suite::ask\",\n  \"inter", anothers());
        check("{\n    \"test\": \"suite::ask\"\n}\n", anothers());
        check("{\n  \"test\": \"cargo-cassette::serve\",\n  \"inter", Whose::Ours);
        // Nobody's, as what was imported is.
        check("{\"format\": 1}", Whose::Ours);
        let both =
            "{\n<<<<<<< a\n  \"test\": \"cargo-cassette::serve\",\n=======\n  \"test\": \"suite::ask\",\n>>>>>>> b\n";
        check(both, anothers());
        for lost in ["", "{\n  \"test\": \"sui", "[]", "{\n    \"test\": \"suite::ask\",\n"] {
            check(lost, Whose::Unknown);
        }
    }
}
