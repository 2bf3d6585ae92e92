//! What `Debug` shows of a value, where nothing else compares it.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cassette_core::function::Parting;

/// Makes sure that two values are shown alike, as [`is_shown_alike`] has it.
///
/// # Errors
///
/// Fails with where they part.
pub(super) fn shown_alike<T: Debug + ?Sized>(one: &T, other: &T) -> Result<(), Parting> {
    if is_shown_alike(one, other) {
        return Ok(());
    }
    let shown = |value: &T| without_backtraces(&format!("{value:#?}"));
    // What was shown on one line may panic on several.
    Err(catch_unwind(AssertUnwindSafe(|| Parting::of(&shown(one), &shown(other)))).unwrap_or_default())
}

/// Returns whether two values are shown alike, in whatever order: that of a map is another each time. What panics shows nothing, what was
/// rebuilt from a recorded error shows just that, and a backtrace is another wherever it is taken.
pub(super) fn is_shown_alike<T: Debug + ?Sized>(one: &T, other: &T) -> bool {
    let sorted = |value: &T| {
        let mut shown: Vec<char> = without_backtraces(&format!("{value:?}")).chars().collect();
        shown.sort_unstable();
        shown
    };
    let is_rebuilt = || format!("{other:?}").contains("ReplayedError");
    catch_unwind(AssertUnwindSafe(|| sorted(one) == sorted(other) || is_rebuilt())).unwrap_or(true)
}

/// What stands in the place of a backtrace where none was taken.
const NONE_TAKEN: &str = "<disabled>";

/// Returns what is shown, without the backtraces in it: those of `std`, and those that `anyhow` writes below an error.
fn without_backtraces(shown: &str) -> String {
    let mut plain = shown.to_owned();
    while let Some(start) = plain.find("Backtrace [") {
        let end = end_of_list(&plain[start..]).map_or(plain.len(), |end| start + end);
        plain.replace_range(start..end, NONE_TAKEN);
    }
    let plain = plain.replace(&format!("Some({NONE_TAKEN})"), "None");
    let mut parts = plain.split("\n\nStack backtrace:\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + after_frames(part))
}

/// Returns where the list ends with which a text begins: what is in quotes may have brackets of its own.
fn end_of_list(text: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = text.char_indices().find(|(_, c)| {
        let is_end = *c == ']' && !is_quoted;
        is_quoted ^= *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map(|(at, _)| at + 1)
}

/// Returns what follows the frames of a backtrace, `12: main` and `at main.rs:7:5` in turn. The last, in which every thread begins, stays without
/// its number: what stands round the error goes on in its line.
fn after_frames(text: &str) -> &str {
    let frame = |line: &str| line.starts_with("at ") || line.starts_with(|c: char| c.is_ascii_digit());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if !frame(line.trim_start()) || !frame(after.trim_start()) {
            break;
        }
        rest = after;
    }
    rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | ':'))
}

#[cfg(test)]
mod tests {
    use std::backtrace::Backtrace;
    use std::collections::{HashMap, HashSet};

    use cassette_core::json::Json;

    use super::{is_shown_alike, shown_alike, without_backtraces};

    #[derive(Debug)]
    #[expect(dead_code, reason = "what is shown of it is all that is looked at")]
    struct Failed {
        why: HashMap<u8, &'static str>,
        at: Option<Backtrace>,
        retry: u8,
    }

    fn failed(at: Option<Backtrace>, retry: u8) -> Failed {
        Failed { why: (0..99).map(|i| (i, "late")).collect(), at, retry }
    }

    #[test]
    fn what_changes_by_itself_does_not_count() {
        let one = failed(Some(Backtrace::force_capture()), 7);
        assert!(format!("{one:?}").contains("Backtrace [{ fn: "), "{one:?}");
        for at in [Some(Backtrace::force_capture()), Some(Backtrace::disabled()), None] {
            assert!(is_shown_alike(&one, &failed(at, 7)));
        }
        assert!(!is_shown_alike(&one, &failed(Some(Backtrace::force_capture()), 8)));
        assert!(is_shown_alike(&(0..99).collect::<HashSet<_>>(), &(0..99).rev().collect()));
    }

    #[test]
    fn where_two_values_part_is_shown() {
        let failed = |retry| Failed { why: HashMap::from([(7, "late")]), at: Some(Backtrace::force_capture()), retry };
        assert_eq!(shown_alike(&failed(7), &failed(7)), Ok(()));
        let parting = shown_alike(&failed(7), &failed(8)).unwrap_err();
        assert_eq!((parting.path().as_str(), parting.shown), ("retry", Some(["7".to_owned(), "8".to_owned()])));
        // What serde reads of `null` is none.
        let parting = shown_alike(&[Some(Json::Null)], &[None]).unwrap_err();
        assert_eq!(
            (parting.path().as_str(), parting.shown),
            ("[0]", Some(["Some(Null)".to_owned(), "None".to_owned()]))
        );
    }

    #[test]
    fn a_backtrace_below_an_error_is_left_out() {
        #[track_caller]
        fn check(shown: &str, expected: &str) {
            assert_eq!(without_backtraces(shown), expected);
        }
        let frames = "   0: anyhow::error::<impl anyhow::Error>::new\n             at /x/lib.rs:7:5\n  11: start";
        let below = format!("Told {{ error: late\n\nStack backtrace:\n{frames}, retry: 7 }}");
        check(&below, "Told { error: latestart, retry: 7 }");
        let place =
            format!("Told {{ error: late\n\nStack backtrace:\n{frames}\n             at ./x.c:5:1, retry: 7 }}");
        check(&place, "Told { error: lateat ./x.c:5:1, retry: 7 }");
        check(
            &format!("[{below}, {below}]"),
            "[Told { error: latestart, retry: 7 }, Told { error: latestart, retry: 7 }]",
        );
        check(
            "Told { error: late\n\nCaused by:\n    0: no 7\n    1: no 8 }",
            "Told { error: late\n\nCaused by:\n    0: no 7\n    1: no 8 }",
        );
        check(r#"(Backtrace [{ fn: "<[T]>::\"x]\"", line: 7 }, { fn: "b" }], [7])"#, "(<disabled>, [7])");
        check("Backtrace [", "<disabled>");
    }
}
