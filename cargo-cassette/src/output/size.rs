//! Sizes and counts as people write them.

use std::fmt::Display;

/// Returns a size in bytes: `812 B`, `4.2 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes * 10 / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// Returns `1 call`, `3 calls`, `1,204 calls`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(n as u64))
}

/// Returns a whole number with a comma before every third digit.
pub(crate) fn grouped(n: impl Display) -> String {
    let digits = n.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::{count, size};

    #[test]
    fn sizes_and_counts_read_well() {
        let sizes = [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (4_300, "4.1 KiB"), (22_000_000, "20.9 MiB")];
        sizes.into_iter().for_each(|(bytes, text)| assert_eq!(size(bytes), text));
        assert_eq!(
            [count(1, "call"), count(0, "call"), count(1_234_567, "token")],
            ["1 call", "0 calls", "1,234,567 tokens"]
        );
    }
}
