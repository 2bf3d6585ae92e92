//! Messages of JSON in the frames of gRPC and Connect, which may become longer: nothing around them counts but the frame.

use super::counted::HEAD;
use crate::eventstream::Place;

/// Returns where the messages of JSON are behind their flags and lengths; the last one may have been cut.
pub(crate) fn documents(body: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(head) = body.get(at..at + HEAD) {
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let end = (at + HEAD).saturating_add(length);
        let whole = at..end.min(body.len());
        let payload = at + HEAD..whole.end;
        // Neither sign begins a field of a message.
        if matches!(head[0], 0 | 2) && matches!(body.get(payload.start), Some(b'{' | b'[')) {
            places.push(Place { whole, payload, cut: end > body.len() });
        }
        at = end;
    }
    places
}

/// Returns the message at this place of these bytes with another payload; `None` where it were too long.
pub(crate) fn with_payload(body: &[u8], place: &Place, payload: &[u8]) -> Option<Vec<u8>> {
    let head = &body[place.whole.start..place.payload.start];
    Some([&head[..1], &place.length_with(&head[1..], payload.len())?, payload].concat())
}

#[cfg(test)]
mod tests {
    use super::{documents, with_payload};

    #[test]
    fn a_document_of_another_length_is_framed_anew_wherever_it_was_cut() {
        let frame = |text: &str| [&[0, 0, 0, 0, text.len() as u8], text.as_bytes()].concat();
        let body = [frame("{}"), frame("\"text"), frame("{\"a\":\"b\"}")].concat();
        let places = documents(&body);
        assert_eq!(
            places.iter().map(|place| &body[place.payload.clone()]).collect::<Vec<_>>(),
            [&b"{}"[..], b"{\"a\":\"b\"}"]
        );
        assert_eq!(with_payload(&body, &places[1], b"[1]").unwrap(), frame("[1]"));
        let cut = documents(&body[..body.len() - 3]);
        assert!(cut[1].cut && !places[1].cut);
        let longer = with_payload(&body, &cut[1], b"{\"a\":\"REDACTED").unwrap();
        assert_eq!(longer, frame("{\"a\":\"REDACTED\"b}")[..5 + 14]);
        let greatest = [&[0, 0xff, 0xff, 0xff, 0xff], &b"{\"a\":\"b"[..]].concat();
        let [place] = documents(&greatest).try_into().unwrap();
        assert_eq!(with_payload(&greatest, &place, b"{\"a\":\"REDACTED"), None);
    }
}
