//! Whether two texts differ in nothing but what a run alone knows: the time of day, an id that it drew.

use crate::volatile::is_alike;

/// Months and days, which are written whole or by their first three letters.
const NAMES: [&str; 19] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// How many of them are months.
const MONTHS: usize = 12;

/// What a pair of words that differ says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    /// Both are moments or ids of one form.
    Telling,
    /// Both are numbers, which may belong to a moment beside them.
    Number,
    Other,
}

/// Returns whether two texts, which are not equal, differ in moments and ids alone.
pub(super) fn is_passing(recorded: &str, incoming: &str) -> bool {
    let (ours, theirs): (Vec<_>, Vec<_>) = (words(recorded).collect(), words(incoming).collect());
    if ours.len() != theirs.len() {
        return false;
    }
    let differing = (0..ours.len()).filter(|at| ours[*at] != theirs[*at]);
    let pairs: Vec<_> = differing.map(|at| pair(&ours, &theirs, at)).collect();
    pairs.contains(&Pair::Telling) && !pairs.contains(&Pair::Other)
}

/// Returns the words of a text, with the marks that moments and ids are written with.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = |c: char| !c.is_alphanumeric() && !['-', '_', ':', '.', '+'].contains(&c);
    text.split(parts).map(|word| word.trim_matches(['.', ':', '-'])).filter(|word| !word.is_empty())
}

fn pair(ours: &[&str], theirs: &[&str], at: usize) -> Pair {
    let both = |is: fn(&str) -> bool| is(ours[at]) && is(theirs[at]);
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| ours.get(at));
    let is_after =
        |word: &str| at.checked_sub(1).and_then(|at| ours.get(at)).is_some_and(|before| before.contains(word));
    let is_fraction = both(is_number) && (is_after("nsec") || is_after("nanos"));
    let is_of_a_month = both(is_number) && beside.into_iter().any(|word| name(word).is_some_and(|name| name < MONTHS));
    if is_alike(ours[at], theirs[at])
        || both(|word| name(word).is_some())
        || both(is_of_the_clock)
        || is_fraction
        || is_of_a_month
    {
        Pair::Telling
    } else if both(is_number) {
        Pair::Number
    } else {
        Pair::Other
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Returns which month or day this names.
fn name(word: &str) -> Option<usize> {
    let word = word.to_ascii_lowercase();
    NAMES.iter().position(|name| *name == word || name[..3] == word)
}

/// Returns whether this is a date or a time of day in digits: `2026-11-30`, `17:04:05`, `30.11.2026`. A version or an address is none.
fn is_of_the_clock(word: &str) -> bool {
    let parts: Vec<_> = word.split(['-', ':', '.']).collect();
    let is_whole = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let has_year = parts.len() == 3 && parts.iter().any(|part| part.len() == 4);
    let is_time = word.contains(':') && parts.iter().all(|part| part.len() <= 2 || word.contains('.'));
    is_whole && (has_year || is_time)
}

#[cfg(test)]
mod tests {
    use super::is_passing;

    #[test]
    fn a_moment_and_an_id_pass_with_the_run() {
        for (recorded, incoming) in [
            ("1796068698", "1796068711"),
            (
                "Now is 1796068698. Request 1256b104-0000-4000-8000-000000000001",
                "Now is 1796068711. Request 228c3222-0000-4000-8000-000000000001",
            ),
            ("SystemTime { tv_sec: 1796068698, tv_nsec: 12345 }", "SystemTime { tv_sec: 1796068711, tv_nsec: 999 }"),
            ("SystemTime { tv_sec: 1796068698, tv_nsec: 12345 }", "SystemTime { tv_sec: 1796068698, tv_nsec: 999 }"),
            ("Today is 2026-11-29.", "Today is 2026-11-30."),
            ("at 2026-11-29T17:00:00Z", "at 2026-11-30T08:12:01.5Z"),
            ("Today is Sunday, November 29, 2026.", "Today is Monday, November 30, 2026."),
            ("It is 29 Nov 2026, 17:04", "It is 30 Nov 2026, 09:15"),
            ("call_8fK2pQ91xZ3b failed", "call_7aB3qR02yW4c failed"),
        ] {
            assert!(is_passing(recorded, incoming), "{recorded} | {incoming}");
        }
    }

    #[test]
    fn what_somebody_has_changed_does_not() {
        for (recorded, incoming) in [
            ("When does the train leave?", "When does the bus leave?"),
            ("max 100", "max 200"),
            ("0.7", "0.75"),
            ("Today is 2026-11-29.", "Today it is 2026-11-30."),
            ("at 2026-11-29, to Oslo", "at 2026-11-30, to Voss"),
            ("in 5 days", "in 6 days"),
            ("version 1.2", "version 1.3"),
            ("version 1.10.2", "version 1.11.0"),
            ("10.0.0.12", "10.0.0.13"),
            ("gpt-4o", "gpt-4.1"),
            ("You may", "You must"),
            ("Mark", "Sunny"),
        ] {
            assert!(!is_passing(recorded, incoming), "{recorded} | {incoming}");
        }
    }
}
