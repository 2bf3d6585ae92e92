//! Texts by the numbers of their bytes in decimal: `115, 107`, `[115, 107]` and `115 107`.

use std::ops::Range;

use super::number::{Digits, LEAST, NumberText, is_of_text, spoken};

/// Returns the texts that stand in decimal, number by number.
pub(super) fn decimal_texts(text: &str) -> Vec<NumberText> {
    let bytes = text.as_bytes();
    let number = |at: usize| {
        let length = bytes[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        let byte: u8 = text.get(at..at + length)?.parse().ok()?;
        is_of_text(byte, ",").then_some((byte, at..at + length))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'.';
        let Some(first) = number(at).filter(|_| begins) else {
            at += 1;
            continue;
        };
        at = first.1.end;
        let separator = if bytes[at..].starts_with(b", ") { ", " } else { "," };
        let mut said = vec![first];
        while bytes[at..].starts_with(separator.as_bytes())
            && let Some(next) = number(at + separator.len())
        {
            at = next.1.end;
            said.push(next);
        }
        found.extend(in_decimal(&said, separator));
    }
    found
}

/// Returns the texts among the numbers in decimal that begin here, blanks between, and where these end; `None` of too few.
pub(super) fn spaced(text: &str, start: usize) -> Option<(Vec<NumberText>, usize)> {
    let bytes = text.as_bytes();
    let (mut said, mut at) = (Vec::new(), start);
    while let Some(length) = Some(bytes[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count())
        && let Some(byte) = text[at..at + length].parse::<u8>().ok().filter(|byte| is_of_text(*byte, " "))
    {
        let end = at + length;
        said.push((byte, at..end));
        at = end + bytes[end..].iter().take(2).take_while(|b| **b == b' ').count();
        if at == end {
            break;
        }
    }
    let end = said.last().filter(|_| said.len() >= LEAST)?.1.end;
    Some((in_decimal(&said, " ").collect(), end))
}

/// Returns the texts of numbers in decimal, each with the place where it stands.
fn in_decimal(numbers: &[(u8, Range<usize>)], separator: &'static str) -> impl Iterator<Item = NumberText> {
    let bytes: Vec<u8> = numbers.iter().map(|(byte, _)| *byte).collect();
    spoken(&bytes, separator).into_iter().map(move |(places, text)| {
        let range = numbers[places.start].1.start..numbers[places.end - 1].1.end;
        NumberText { range, text, separator, digits: Digits::Decimal }
    })
}
