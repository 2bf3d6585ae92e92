//! The frames of `application/vnd.amazon.eventstream`, in which Bedrock streams.
//!
//! A message is a prelude (its length, its headers' length, a checksum of both), headers, a payload and a checksum of it
//! all, lengths in big-endian bytes (Smithy, "Amazon Event Stream Specification"). What is cut off or damaged ends the
//! reading: the messages before it stand.

use std::ops::Range;

/// One message: the headers that hold text, and the payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message<'a> {
    headers: Vec<(&'a str, &'a str)>,
    /// The payload, of Bedrock always JSON.
    pub(crate) payload: &'a [u8],
    /// How many bytes the whole message takes.
    pub(crate) length: usize,
}

impl<'a> Message<'a> {
    /// Returns the headers that hold text, in their order.
    pub(crate) fn headers(&self) -> &[(&'a str, &'a str)] {
        &self.headers
    }

    /// Returns the text of this header, such as `:event-type`.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// Where a message is, and its payload in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// All of it that has come, lengths and checksums included.
    pub(crate) whole: Range<usize>,
    /// What it says, as far as that has come.
    pub(crate) payload: Range<usize>,
    /// Whether its end has not come.
    pub(crate) cut: bool,
}

/// The lengths and their checksum.
const PRELUDE: usize = 12;
/// The checksum behind the payload.
const TRAILER: usize = 4;

/// Returns the whole messages at the start of these bytes.
pub(crate) fn messages(bytes: &[u8]) -> Vec<Message<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(|| {
        let (message, after) = message(rest)?;
        rest = after;
        Some(message)
    })
    .collect()
}

/// Returns where the whole messages are, and the one behind them that was cut off once its payload had begun.
pub(crate) fn places(bytes: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    let mut start = 0;
    for message in messages(bytes) {
        let end = start + message.length;
        places.push(Place {
            whole: start..end,
            payload: end - TRAILER - message.payload.len()..end - TRAILER,
            cut: false,
        });
        start = end;
    }
    places.extend(cut(bytes, start));
    places
}

/// Returns whether nothing but a message that was cut off, none of its payload come yet, stands from here on.
pub(crate) fn is_begun(bytes: &[u8], start: usize) -> bool {
    let rest = &bytes[start..];
    let Some(prelude) = rest.get(..PRELUDE) else { return true };
    let (length, headers) = (number(&prelude[..4]).unwrap_or_default(), number(&prelude[4..8]).unwrap_or_default());
    let sealed = number(&prelude[8..]) == usize::try_from(checksum(&prelude[..8])).ok();
    sealed
        && headers.checked_add(PRELUDE + TRAILER).is_some_and(|least| least <= length)
        && rest.len() < PRELUDE + headers
}

/// Returns where the message is that begins here and was cut off: its lengths are sealed by themselves.
fn cut(bytes: &[u8], start: usize) -> Option<Place> {
    let prelude = bytes.get(start..start + PRELUDE)?;
    let (length, headers) = (number(&prelude[..4])?, number(&prelude[4..8])?);
    let payload = (start + PRELUDE).checked_add(headers)?;
    let end = start.checked_add(length)?;
    let last = end.checked_sub(TRAILER).filter(|last| payload <= *last)?;
    let sealed = number(&prelude[8..]) == usize::try_from(checksum(&prelude[..8])).ok();
    let cut = sealed && payload <= bytes.len() && bytes.len() < end;
    cut.then(|| Place { whole: start..bytes.len(), payload: payload..last.min(bytes.len()), cut: true })
}

impl Place {
    /// Returns the length that its message says it has with so long a payload in place of its own; `None` where that is too great.
    ///
    /// Of one that was cut off, what has come of the payload is another, and the rest would still have come.
    pub(crate) fn length_with(&self, said: &[u8], payload: usize) -> Option<[u8; 4]> {
        let length = number(said)?.checked_sub(self.payload.len())?.checked_add(payload)?;
        u32::try_from(length).ok().map(u32::to_be_bytes)
    }
}

/// Returns the headers that hold text of the message at this place of these bytes.
pub(crate) fn headers<'a>(bytes: &'a [u8], place: &Place) -> Vec<(&'a str, &'a str)> {
    bytes.get(place.whole.start + PRELUDE..place.payload.start).map(texts).unwrap_or_default()
}

/// Returns the message at this place of these bytes with another payload, its lengths and checksums those of the new one; `None`
/// where it were too long.
pub(crate) fn with_payload(bytes: &[u8], place: &Place, payload: &[u8]) -> Option<Vec<u8>> {
    let head = &bytes[place.whole.start..place.payload.start];
    let mut message = place.length_with(&head[..4], payload.len())?.to_vec();
    message.extend(&head[4..8]);
    message.extend(checksum(&message).to_be_bytes());
    message.extend(&head[PRELUDE..]);
    message.extend(payload);
    let seal = checksum(&message).to_be_bytes();
    let sealed = if place.cut { place.whole.end - place.payload.end } else { TRAILER };
    message.extend(&seal[..sealed]);
    Some(message)
}

fn message(bytes: &[u8]) -> Option<(Message<'_>, &[u8])> {
    let length = number(bytes.get(..4)?)?;
    let headers_length = number(bytes.get(4..8)?)?;
    if length < PRELUDE + TRAILER || headers_length > length - PRELUDE - TRAILER {
        return None;
    }
    let (whole, after) = bytes.split_at_checked(length)?;
    let sealed = |end: usize| number(&whole[end..end + 4]) == usize::try_from(checksum(&whole[..end])).ok();
    if !sealed(8) || !sealed(length - TRAILER) {
        return None;
    }
    let (headers, payload) = whole[PRELUDE..length - TRAILER].split_at(headers_length);
    Some((Message { headers: texts(headers), payload, length }, after))
}

/// Returns the headers that hold text, up to the first that cannot be read.
fn texts(mut bytes: &[u8]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, kind, after)) = header_name(bytes) {
        let Some((value, after)) = header_value(kind, after) else { break };
        if let (7, Ok(value)) = (kind, std::str::from_utf8(value)) {
            found.push((name, value));
        }
        bytes = after;
    }
    found
}

fn header_name(bytes: &[u8]) -> Option<(&str, u8, &[u8])> {
    let (length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(*length))?;
    let (kind, rest) = rest.split_first()?;
    Some((std::str::from_utf8(name).ok()?, *kind, rest))
}

fn header_value(kind: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let fixed = match kind {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        4 => 4,
        5 | 8 => 8,
        9 => 16,
        6 | 7 => {
            let (length, rest) = bytes.split_at_checked(2)?;
            return rest.split_at_checked(number(length)?);
        }
        _ => return None,
    };
    bytes.split_at_checked(fixed)
}

fn number(bytes: &[u8]) -> Option<usize> {
    usize::try_from(bytes.iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte))).ok()
}

/// The CRC-32 of every byte (IEEE 802.3, bits reversed).
const CRC: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

/// Returns the CRC-32 of these bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |value: u32, byte| value >> 8 ^ CRC[usize::from(value as u8 ^ byte)])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{checksum, messages, places, with_payload};

    /// Returns a message with these text headers.
    pub(crate) fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
        let mut head = Vec::new();
        for (name, value) in headers {
            head.push(name.len() as u8);
            head.extend(name.bytes());
            head.push(7);
            head.extend((value.len() as u16).to_be_bytes());
            head.extend(value.bytes());
        }
        let mut frame = ((16 + head.len() + payload.len()) as u32).to_be_bytes().to_vec();
        frame.extend((head.len() as u32).to_be_bytes());
        frame.extend(checksum(&frame).to_be_bytes());
        frame.extend(head);
        frame.extend(payload);
        frame.extend(checksum(&frame).to_be_bytes());
        frame
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn messages_are_read_up_to_the_cut() {
        let mut bytes = frame(&[(":event-type", "a"), ("x", "")], b"{}");
        bytes.extend(frame(&[], b""));
        let whole = messages(&bytes);
        assert_eq!((whole.len(), whole[0].header(":event-type"), whole[0].payload), (2, Some("a"), &b"{}"[..]));
        for end in 0..bytes.len() {
            assert!(messages(&bytes[..end]).len() < 2, "{end}");
        }
    }

    #[test]
    fn a_damaged_byte_ends_the_reading() {
        let bytes = [frame(&[], b"{}"), frame(&[("a", "b")], b"[]")].concat();
        for at in 18..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(messages(&damaged).len(), 1, "{at}");
        }
    }

    #[test]
    fn a_message_with_another_payload_is_sealed_anew_wherever_it_was_cut() {
        let headers = [(":event-type", "a"), ("x", "")];
        let (first, old) = (frame(&[], b"{}"), frame(&headers, b"{\"text\":\"old\"}"));
        let new = frame(&headers, b"{\"text\":\"something new\"}");
        let bytes = [first.clone(), old.clone()].concat();
        let all = places(&bytes);
        assert_eq!(
            all.iter().map(|place| place.whole.clone()).collect::<Vec<_>>(),
            [0..first.len(), first.len()..bytes.len()]
        );
        assert_eq!(with_payload(&bytes, &all[1], b"{\"text\":\"something new\"}").unwrap(), new);
        let payload = old.len() - 4 - 14;
        for end in 0..old.len() {
            let cut = places(&old[..end]);
            assert_eq!(cut.len(), usize::from(end >= payload), "{end}");
            if let [place] = cut.as_slice() {
                assert!(place.cut);
                assert_eq!(with_payload(&old[..end], place, &old[place.payload.clone()]).unwrap(), old[..end], "{end}");
            }
        }
        let cut = places(&old[..payload + 10]);
        let new = frame(&headers, b"{\"text\":\"something newld\"}");
        let sealed = with_payload(&old[..payload + 10], &cut[0], b"{\"text\":\"something new");
        assert_eq!(sealed.unwrap(), new[..payload + 22]);
    }

    #[test]
    fn a_message_that_were_too_long_is_not_written() {
        let mut head = u32::MAX.to_be_bytes().to_vec();
        head.extend([0; 4]);
        head.extend(checksum(&head).to_be_bytes());
        let bytes = [head, b"{\"text\":\"old\"}".to_vec()].concat();
        let [place] = places(&bytes).try_into().unwrap();
        assert!(with_payload(&bytes, &place, b"{\"text\":\"new\"}").is_some());
        assert_eq!(with_payload(&bytes, &place, b"{\"text\":\"newer\"}"), None);
    }

    #[test]
    fn headers_that_are_no_text_are_passed_over() {
        let head =
            [&b"\x01t\x00\x01i\x04\x00\x00\x00\x01\x01u\x09"[..], &[0; 16], b"\x01b\x06\x00\x01x\x01s\x07\x00\x01y"]
                .concat();
        let read = super::texts(&head);
        assert_eq!(read, [("s", "y")]);
    }
}
