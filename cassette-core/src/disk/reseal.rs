//! A document that was changed since it was written: its exchanges made whole, and sealed anew.

use super::{body, interaction, layout, read};
use crate::json::{Json, Member};

/// Returns the document with its exchanges sealed as they stand; `None` where it would still be no sound document.
///
/// For a document whose text was masked, or changed by a person who means it. Where a body is no longer as long as its
/// chunks say, the last of them give way; what is no longer base64 is a text. All else stays as it is.
///
/// # Examples
///
/// ```
/// use cassette_core::disk::{read, reseal, write};
/// use cassette_core::tape::Tape;
///
/// let text = write(&Tape::default());
/// assert_eq!(reseal(&text).as_deref(), Some(text.as_str()));
/// assert!(reseal("{}").is_none());
/// ```
pub fn reseal(text: &str) -> Option<String> {
    let Json::Object(members) = Json::parse_around(text).ok()? else { return None };
    let exchanges: Vec<_> = members.iter().find(|(name, _)| name.is("interactions"))?.1.elements().to_vec();
    let head: Vec<Member> = members.into_iter().filter(|(name, _)| !name.is("interactions")).collect();
    let sealed: Vec<_> = exchanges.into_iter().map(sealed).collect();
    let text = layout::print(&head, &sealed);
    read(text.as_bytes()).is_ok().then_some(text)
}

fn sealed(exchange: Json) -> Json {
    let Json::Object(members) = exchange else { return exchange };
    let whole = |(name, value): Member| {
        let is_message = name.is("request") || name.is("reply");
        let value = if is_message { message(value) } else { value };
        (name, value)
    };
    let mut exchange = Json::Object(members.into_iter().map(whole).collect());
    let seal = interaction::seal(&exchange);
    if let Json::Object(members) = &mut exchange {
        members.retain(|(name, _)| !name.is("seal"));
        members.push(("seal".into(), seal.into()));
    }
    exchange
}

/// Returns a request or a reply whose body can be read, cut into chunks of its length.
fn message(message: Json) -> Json {
    let Json::Object(mut members) = message else { return message };
    let mut length = 0;
    for (_, body) in members.iter_mut().filter(|(name, _)| name.is("body")) {
        if body::decode_with_events(body).is_err()
            && let Some(text) = body.get("base64").filter(|text| text.as_str().is_some())
        {
            *body = Json::object([("text", text.clone())]);
        }
        length = body::decode_with_events(body).map_or(0, |(bytes, _)| bytes.len() as u64);
    }
    for (_, chunks) in members.iter_mut().filter(|(name, _)| name.is("chunks")) {
        let lengths: Option<Vec<u64>> = chunks.elements().iter().map(Json::as_u64).collect();
        if let Some(lengths) = lengths {
            *chunks = fitting(lengths, length).into_iter().map(Json::from).collect::<Vec<_>>().into();
        }
    }
    Json::Object(members)
}

/// Returns these lengths, the last of them shortened or the very last lengthened so that they fill the body.
fn fitting(mut lengths: Vec<u64>, body: u64) -> Vec<u64> {
    let mut rest = body;
    for length in &mut lengths {
        *length = rest.min(*length);
        rest -= *length;
    }
    if let Some(last) = lengths.last_mut() {
        *last += rest;
    }
    lengths
}
