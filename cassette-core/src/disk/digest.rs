//! A request of which there are digests alone, in format 1.

use super::interaction::{only, text};
use super::v1::texts;
use crate::call::Kind;
use crate::canonical::{Form, Outline, Setting, Sketch, Spot};
use crate::digested::{Compared, Digested, Digests};
use crate::json::{Json, Member};
use crate::key::{Mark, Salt};

/// The feature that a file needs whose requests are kept as digests.
pub(super) const NEED: &str = "digests";

/// The members of a request of digests, in their order.
const MEMBERS: [&str; 6] = ["parts", "aside", "rest", "sampling", "headers", "hidden"];

/// Returns the digests of a request.
pub(super) fn encode(digested: &Digested) -> Json {
    let Outline { parts, aside, rest, sampling, headers } = &digested.outline;
    let mut members: Vec<Member> = vec![("parts".into(), sketches(parts)), ("aside".into(), aside.as_str().into())];
    if !rest.is_empty() {
        members.push(("rest".into(), sketches(rest)));
    }
    if !sampling.is_empty() {
        let settings = sampling.iter().map(|(path, setting)| (path.as_str().into(), said(setting)));
        members.push(("sampling".into(), Json::Object(settings.collect())));
    }
    if !headers.is_empty() {
        members.push(("headers".into(), sketches(headers)));
    }
    if !digested.hidden.is_empty() {
        members.push(("hidden".into(), strings(&digested.hidden)));
    }
    Json::Object(members)
}

/// Returns the request of these digests.
pub(super) fn decode(object: &Json, kind: Kind, name: String) -> Result<Digested, String> {
    only(object, "a request of digests", &MEMBERS)?;
    let list = |name: &str| object.get(name).map_or(Some(Vec::new()), decode_sketches);
    let wrong = |name: &str| format!("`{name}` is no list of digests");
    let aside = text(object, "aside")?;
    if aside.len() != 32 || !aside.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err("`aside` is no digest".into());
    }
    let sampling = object.get("sampling").map_or(&[][..], Json::members);
    let sampling = sampling.iter().map(|(path, value)| Some((path.value().into_owned(), setting(value)?)));
    let outline = Outline {
        parts: object.get("parts").and_then(decode_sketches).ok_or_else(|| wrong("parts"))?,
        aside,
        rest: list("rest").ok_or_else(|| wrong("rest"))?,
        sampling: sampling.collect::<Option<_>>().ok_or("a setting in `sampling` is no number and no digest")?,
        headers: list("headers").ok_or_else(|| wrong("headers"))?,
    };
    let hidden = object.get("hidden").map_or(Some(Vec::new()), texts).ok_or("`hidden` is no list of placeholders")?;
    Ok(Digested { kind, name, hidden, outline })
}

fn sketches(sketches: &[Sketch]) -> Json {
    let one = |sketch: &Sketch| Json::Array(vec![sketch.name.as_str().into(), spots(sketch).as_str().into()]);
    Json::Array(sketches.iter().map(one).collect())
}

/// Returns the marks of a part's elements: `place:text,text place:text`, within brackets where it is a list.
fn spots(sketch: &Sketch) -> String {
    let mut out = String::new();
    let mut before = None;
    for Spot { place, text } in &sketch.elements {
        match before.replace(*place) {
            Some(before) if before == *place => out.push_str(&format!(",{text}")),
            Some(_) => out.push_str(&format!(" {place}:{text}")),
            None => out.push_str(&format!("{place}:{text}")),
        }
    }
    match sketch.form {
        Form::One => out,
        Form::List => format!("[{out}]"),
    }
}

fn decode_sketches(list: &Json) -> Option<Vec<Sketch>> {
    let one = |pair: &Json| match pair.elements() {
        [Json::String(name), Json::String(spots)] => sketch(name.value().into_owned(), &spots.value()),
        _ => None,
    };
    matches!(list, Json::Array(_)).then(|| list.elements().iter().map(one).collect())?
}

fn sketch(name: String, spots: &str) -> Option<Sketch> {
    let inside = spots.strip_prefix('[').and_then(|spots| spots.strip_suffix(']'));
    let (form, spots) = inside.map_or((Form::One, spots), |inside| (Form::List, inside));
    let mut elements = Vec::new();
    for group in spots.split(' ').filter(|group| !group.is_empty()) {
        let (place, texts) = group.split_once(':')?;
        let place = Mark::stored(place)?;
        for text in texts.split(',') {
            elements.push(Spot { place, text: Mark::stored(text)? });
        }
    }
    Some(Sketch { name, form, elements })
}

fn said(setting: &Setting) -> Json {
    match setting {
        Setting::Plain(value) => value.clone(),
        Setting::Marked(mark) => mark.to_string().as_str().into(),
    }
}

fn setting(value: &Json) -> Option<Setting> {
    match value {
        Json::String(mark) => Mark::stored(&mark.value()).map(Setting::Marked),
        Json::Number(_) | Json::Bool(_) | Json::Null => Some(Setting::Plain(value.clone())),
        Json::Array(_) | Json::Object(_) => None,
    }
}

/// Returns how the digests of a file were made, as its head says it.
pub(super) fn encode_digests(digests: &Digests) -> Json {
    let Digests { salt, compared, rules } = digests;
    let Compared { match_on, ignore, match_header, normalize } = compared;
    let mut members: Vec<Member> = vec![("salt".into(), salt.as_str().into())];
    if let Some([parts, paths]) = match_on {
        members.push(("match_on".into(), Json::object([("parts", strings(parts)), ("paths", strings(paths))])));
    }
    let lists = [("ignore", ignore), ("match_header", match_header)];
    members.extend(
        lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(name, list)| (name.into(), strings(list))),
    );
    if *normalize > 0 {
        members.push(("normalize".into(), (*normalize).into()));
    }
    members.extend(rules.iter().map(|rules| ("redact".into(), rules.to_string().as_str().into())));
    Json::Object(members)
}

/// Returns how the digests of a file were made.
pub(super) fn decode_digests(object: &Json) -> Option<Digests> {
    only(object, "", &["salt", "match_on", "ignore", "match_header", "normalize", "redact"]).ok()?;
    let list = |name: &str| object.get(name).map_or(Some(Vec::new()), texts);
    let match_on = match object.get("match_on") {
        None => None,
        Some(named) => Some([texts(named.get("parts")?)?, texts(named.get("paths")?)?]),
    };
    let rules = match object.get("redact") {
        None => None,
        Some(mark) => Some(Mark::stored(&mark.as_str()?)?),
    };
    Some(Digests {
        salt: Salt::stored(&object.get("salt")?.as_str()?)?,
        compared: Compared {
            match_on,
            ignore: list("ignore")?,
            match_header: list("match_header")?,
            normalize: object.get("normalize").map_or(Some(0), Json::as_u64)?,
        },
        rules,
    })
}

fn strings(texts: &[String]) -> Json {
    texts.iter().map(|text| text.as_str().into()).collect::<Vec<Json>>().into()
}
