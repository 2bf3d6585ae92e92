//! What the members of a tar archive hold (POSIX.1-2017, pax, "ustar Interchange Format").

use std::ops::Range;

/// The length of a head, of which what a member holds is a multiple.
const BLOCK: usize = 512;

/// How many archives are looked into, one within the other.
const MAX_DEPTH: usize = 6;

/// Where a head says how long its member is, its checksum, and what it is.
const SIZE: Range<usize> = 124..136;
const SUM: Range<usize> = 148..156;
const MAGIC: Range<usize> = 257..262;

/// Returns whether the bytes begin with the head of a member: its checksum right, or damaged and yet a head by what it says.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    head(bytes, 0).is_some() || bytes.get(MAGIC) == Some(b"ustar")
}

/// How many bytes [`is_archive`] has to see.
pub(crate) const LEAST: usize = BLOCK;

/// What an archive is made of.
pub(crate) struct Members<'a> {
    /// What each member holds, of one that was cut off what has come of it.
    pub(crate) held: Vec<&'a [u8]>,
    /// The heads, in which the names stand.
    pub(crate) heads: Vec<&'a [u8]>,
    /// Whether that is all of it: no byte is anything but a zero beside.
    pub(crate) whole: bool,
}

/// Returns what an archive is made of, wherever one ends and another begins behind it.
pub(crate) fn members(bytes: &[u8]) -> Members<'_> {
    let mut members = Members { held: Vec::new(), heads: Vec::new(), whole: true };
    let mut next = 0;
    let zeros = |range: Range<usize>| bytes[range].iter().all(|byte| *byte == 0);
    for (at, size) in heads(bytes) {
        let start = at + BLOCK;
        let end = start.saturating_add(size).min(bytes.len());
        members.whole &= zeros(next..at);
        members.heads.push(&bytes[at..start]);
        members.held.push(&bytes[start..end]);
        next = end;
    }
    members.whole &= zeros(next..bytes.len());
    members
}

/// Returns an archive in which some bytes are others than in this one, no more and no fewer, with the checksums of its heads and
/// of those of the archives that it holds as they are.
pub(crate) fn sealed(old: &[u8], mut new: Vec<u8>) -> Vec<u8> {
    seal(old, &mut new, 0);
    new
}

fn seal(old: &[u8], new: &mut [u8], depth: usize) {
    // What is deeper is left damaged, and the audit refuses it.
    if depth > MAX_DEPTH {
        return;
    }
    for (at, size) in heads(old) {
        let start = at + BLOCK;
        if old[at..start] != new[at..start] {
            let sum = format!("{:06o}\0 ", sum(&new[at..start]));
            new[at + SUM.start..at + SUM.end].copy_from_slice(sum.as_bytes());
        }
        let held = start..start.saturating_add(size).min(old.len());
        if old[held.clone()] != new[held.clone()] {
            seal(&old[held.clone()], &mut new[held], depth + 1);
        }
    }
}

/// Returns where the heads are, and how long what follows each is; zeros may stand between them.
fn heads(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        while bytes.get(at..at.checked_add(BLOCK)?)?.iter().all(|byte| *byte == 0) {
            at += BLOCK;
        }
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
        let held = |bytes| members(bytes).held;
        assert_eq!(held(&archive), [b"one", &b""[..], long.as_bytes()]);
        assert_eq!(held(&archive[..2112]), [b"one", &b""[..], &long.as_bytes()[..64]]);
        assert_eq!(held(&[&archive[..], &archive].concat()).len(), 6);
        assert!(!is_archive(&archive[1..]) && !is_archive(&[0; 1024]) && !is_archive(b"short"));
    }

    #[test]
    fn an_archive_is_whole_where_every_byte_is_a_head_a_member_or_zero() {
        let archive = tar(&[("a.txt", b"one"), ("b", b"two")]);
        let changed = |at: usize| {
            let mut changed = archive.clone();
            changed[at] ^= 1;
            changed
        };
        for whole in [archive.clone(), [&archive[..], &archive].concat(), archive[..514].to_vec(), changed(512)] {
            assert!(members(&whole).whole);
        }
        let behind = [&archive[..], b"x"].concat();
        for damaged in [changed(516), changed(1030), changed(2100), behind, archive[..1100].to_vec()] {
            assert!(!members(&damaged).whole);
        }
        assert!(is_archive(&changed(3)) && !members(&changed(3)).whole, "its checksum is wrong");
    }

    #[test]
    fn an_archive_in_an_archive_is_summed_again() {
        let held = |name: &str| tar(&[("in.tar", &tar(&[(name, b"one")])), ("b", b"two")]);
        let (old, new) = (held("a.txt"), held("b.txt"));
        let mut changed = old.clone();
        changed[512] = b'b';
        assert_eq!(sealed(&old, changed), new);
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
