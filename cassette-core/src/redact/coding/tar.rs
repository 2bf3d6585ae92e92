//! What the members of a tar archive hold (POSIX.1-2017, pax, "ustar Interchange Format").

use std::ops::Range;

/// The length of a head, of which what a member holds is a multiple.
const BLOCK: usize = 512;

/// Where a head says how long its member is, and its checksum.
const SIZE: Range<usize> = 124..136;
const SUM: Range<usize> = 148..156;

/// Returns whether the bytes begin with the head of a member, its checksum right.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    head(bytes, 0).is_some()
}

/// Returns what the members of an archive hold, up to where it was cut off or is damaged.
pub(crate) fn members(bytes: &[u8]) -> Vec<&[u8]> {
    heads(bytes).map(|(at, size)| &bytes[at + BLOCK..(at + BLOCK).saturating_add(size).min(bytes.len())]).collect()
}

/// Returns an archive in which some bytes are others than in this one, no more and no fewer, with the checksums of its heads.
pub(crate) fn sealed(old: &[u8], mut new: Vec<u8>) -> Vec<u8> {
    for (at, _) in heads(old) {
        if old[at..at + BLOCK] != new[at..at + BLOCK] {
            let sum = format!("{:06o}\0 ", sum(&new[at..at + BLOCK]));
            new[at + SUM.start..at + SUM.end].copy_from_slice(sum.as_bytes());
        }
    }
    new
}

/// Returns where the heads are, and how long what follows each is.
fn heads(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, size) = (at, head(bytes, at)?);
        at = start.checked_add(BLOCK)?.checked_add(size.checked_next_multiple_of(BLOCK)?)?;
        Some((start, size))
    })
}

fn head(bytes: &[u8], at: usize) -> Option<usize> {
    let head = bytes.get(at..at.checked_add(BLOCK)?)?;
    let right = number(&head[SUM]) == Some(sum(head)) && head[0] != 0;
    if right { number(&head[SIZE]) } else { None }
}

/// Returns the sum of a head's bytes, that of its sum as blanks.
fn sum(head: &[u8]) -> usize {
    let byte = |(i, byte): (usize, &u8)| usize::from(if SUM.contains(&i) { b' ' } else { *byte });
    head.iter().enumerate().map(byte).sum()
}

/// Reads octal digits, or the bytes of a number that is too large for them.
fn number(field: &[u8]) -> Option<usize> {
    if field[0] & 0x80 != 0 {
        let high = usize::from(field[0] & 0x7f);
        return field[1..]
            .iter()
            .try_fold(high, |number, byte| number.checked_mul(256)?.checked_add(usize::from(*byte)));
    }
    let text = std::str::from_utf8(field).ok()?;
    usize::from_str_radix(text.trim_matches([' ', '\0']), 8).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{is_archive, members, sealed};

    /// Returns an archive of these members.
    pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = Vec::new();
        for (name, held) in members {
            let mut head = [0; 512];
            head[..name.len()].copy_from_slice(name.as_bytes());
            head[124..135].copy_from_slice(format!("{:011o}", held.len()).as_bytes());
            head[148..156].fill(b' ');
            head[257..265].copy_from_slice(b"ustar\x0000");
            let sum: usize = head.iter().map(|byte| usize::from(*byte)).sum();
            head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
            archive.extend(head);
            archive.extend_from_slice(held);
            archive.resize(archive.len().next_multiple_of(512), 0);
        }
        archive.extend([0; 1024]);
        archive
    }

    #[test]
    fn members_are_told_by_their_heads() {
        let long = "x".repeat(700);
        let archive = tar(&[("a.txt", b"one"), ("b", b""), ("c", long.as_bytes())]);
        assert_eq!(members(&archive), [b"one", &b""[..], long.as_bytes()]);
        assert_eq!(members(&archive[..2112]), [b"one", &b""[..], &long.as_bytes()[..64]]);
        assert!(!is_archive(&archive[1..]) && !is_archive(&[0; 1024]) && !is_archive(b"short"));
    }

    #[test]
    fn a_name_that_is_another_is_summed_again() {
        let (old, new) = (tar(&[("a.txt", b"one"), ("bb", b"two")]), tar(&[("a.txt", b"six"), ("cc", b"two")]));
        let mut changed = old.clone();
        changed[512..515].copy_from_slice(b"six");
        changed[1024..1026].copy_from_slice(b"cc");
        assert_eq!(sealed(&old, changed), new);
    }
}
