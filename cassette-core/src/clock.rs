//! The one place where the calendar is read.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60;

/// Returns today's date, `2026-11-29`, in UTC.
pub fn today() -> String {
    #[expect(clippy::disallowed_methods, reason = "the one place where the calendar is read")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / DAY)
}

/// Returns the date of a moment, given in seconds since 1970-01-01, in UTC.
pub fn date_of(seconds: u64) -> String {
    date(seconds / DAY)
}

/// Returns how many days lie between two dates; `None` where one is no date, or the second comes first.
pub fn days_between(earlier: &str, later: &str) -> Option<u64> {
    let between = day(later)?.duration_since(day(earlier)?).ok()?;
    Some(between.as_secs() / DAY)
}

/// Returns the moment at which this day began, in UTC; `None` for what is no date.
pub(crate) fn day(date: &str) -> Option<SystemTime> {
    let mut fields = date.splitn(3, '-').map(|field| field.parse::<u64>().ok());
    let (year, month, day) = (fields.next()??, fields.next()??, fields.next()??);
    let sound = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let number = sound.then(|| days(year, month, day))?;
    // What is written otherwise is none: `2026-2-3`, the 30th of February.
    (self::date(number) == date).then(|| UNIX_EPOCH + Duration::from_secs(number * DAY))
}

/// Returns the days from 1970-01-01 to this date of the Gregorian calendar, by counting years from March.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = 365 * year + year / 4 - year / 100 + year / 400;
    of_years + (153 * month + 2) / 5 + day - 1 - 719_468
}

fn date(day: u64) -> String {
    let guess = 1970 + day / 366;
    let year = (guess..).take_while(|year| days(*year, 1, 1) <= day).last().unwrap_or(1970);
    let month = (1..=12).take_while(|month| days(year, *month, 1) <= day).last().unwrap_or(1);
    format!("{year:04}-{month:02}-{:02}", day - days(year, month, 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::{DAY, date, date_of, day, days_between};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn dates_and_days_agree() {
        for (number, text) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_786, "2026-11-29")] {
            assert_eq!(date(number), text);
            assert_eq!(day(text), Some(UNIX_EPOCH + Duration::from_secs(number * DAY)));
        }
        for number in 0..60_000 {
            assert_eq!(day(&date(number)), Some(UNIX_EPOCH + Duration::from_secs(number * DAY)));
        }
        for none in ["yesterday", "2026-02-30", "2026-2-03", "2026-13-01", "2026-11-29T09:00", "+2026-11-29", ""] {
            assert_eq!(day(none), None, "{none}");
        }
        assert_eq!(date_of(20_786 * DAY + 3_600), "2026-11-29");
        assert_eq!(days_between("2026-02-27", "2026-03-01"), Some(2));
        assert_eq!(days_between("2026-03-01", "2026-02-27"), None);
    }
}
