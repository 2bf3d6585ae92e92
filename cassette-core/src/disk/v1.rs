//! The document of format 1: its head, and what a reader refuses.

use super::{digest, interaction, layout};
use crate::json::{Json, Member};
use crate::pending;
use crate::tape::{Asked, Head, Interaction, Origin, Stamp, Tape};

/// The format that is written; a newer one is refused, an older one read by its migration.
pub const FORMAT: u64 = 1;

/// The features that this reader knows beyond the bare format.
pub const NEEDS: [&str; 1] = [digest::NEED];

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is damaged: the line, from 1, where it is known, and what is wrong.
    Damaged(Option<usize>, String),
    /// It needs a newer reader: what it needs, and what this one knows.
    Newer(String, String),
}

/// Returns the text of the document.
pub fn write(tape: &Tape) -> String {
    let interactions: Vec<_> = tape.interactions.iter().map(interaction::encode).collect();
    layout::print(&encode_head(&tape.head), &interactions)
}

/// Returns the members of the head.
pub(crate) fn encode_head(head: &Head) -> Vec<Member> {
    let Head { needs, test, package, registered, recorded, by, redaction, origin, stamp, digests, meta, other } = head;
    let mut head: Vec<Member> = vec![("cassette".into(), FORMAT.into())];
    head.push(("needs".into(), needs.iter().map(|need| need.as_str().into()).collect::<Vec<Json>>().into()));
    head.extend(test.iter().map(|test| ("test".into(), test.as_str().into())));
    head.extend(package.iter().map(|package| ("package".into(), package.as_str().into())));
    if *registered {
        head.push(("registered".into(), true.into()));
    }
    head.extend(recorded.iter().map(|recorded| ("recorded".into(), recorded.as_str().into())));
    head.push(("by".into(), by.as_str().into()));
    head.push(("redaction".into(), (*redaction).into()));
    head.extend(origin.iter().map(|origin| ("origin".into(), encode_origin(origin))));
    head.extend(stamped(stamp));
    head.extend(digests.iter().map(|digests| ("digests".into(), digest::encode_digests(digests))));
    head.extend(other.iter().cloned());
    if !meta.is_empty() {
        head.push(("meta".into(), Json::Object(meta.clone())));
    }
    head
}

fn stamped(stamp: &Stamp) -> Vec<Member> {
    let facts = [("provider", &stamp.provider), ("version", &stamp.version)];
    let mut members: Vec<Member> =
        facts.into_iter().filter_map(|(name, fact)| Some((name.into(), fact.as_deref()?.into()))).collect();
    if !stamp.hooks.is_empty() {
        let hooks: Vec<Json> = stamp.hooks.iter().map(|hook| hook.as_str().into()).collect();
        members.push(("hooks".into(), hooks.into()));
    }
    members
}

fn encode_origin(Origin { cassette, at }: &Origin) -> Json {
    Json::object([("cassette", cassette.as_str().into()), ("at", (*at as u64).into())])
}

fn decode_origin(value: &Json) -> Option<Origin> {
    match value.members() {
        [(cassette, name), (at, position)] if cassette.is("cassette") && at.is("at") => {
            Some(Origin { cassette: name.as_str()?.into_owned(), at: usize::try_from(position.as_u64()?).ok()? })
        }
        _ => None,
    }
}

/// Reads a document.
///
/// # Errors
///
/// Fails where it is no JSON, holds a merge conflict, is of a newer format, needs an unknown feature, or holds an
/// interaction that is not what was sealed.
pub fn read(bytes: &[u8]) -> Result<Tape, ReadError> {
    let damaged = |line: Option<usize>, what: &str| ReadError::Damaged(line, what.to_owned());
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        damaged(Some(line), "the file is no UTF-8")
    })?;
    // No JSON holds the line of a conflict, so it is looked for only in what is none.
    let document = Json::parse_around(text).map_err(|error| match conflict(text) {
        Some(line) => damaged(Some(line), "a merge conflict is left in the file"),
        None => damaged(Some(error.line), error.what),
    })?;
    check_format(&document)?;
    let head = head(&document, &|path| line_of_member(text, path))?;
    let Some(Json::Array(objects)) = document.get("interactions") else {
        return Err(damaged(None, "`interactions` is missing"));
    };
    let read = |(i, object)| {
        interaction::decode(object).map_err(|what| damaged(line_of(text, i), &format!("interaction {}: {what}", i + 1)))
    };
    let interactions = objects.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    match misfit(&head, &interactions) {
        Some((i, what)) => Err(damaged(i.and_then(|i| line_of(text, i)), &what)),
        None => Ok(Tape { head, interactions }),
    }
}

/// Reads a head that stands alone, as in a journal.
pub(crate) fn decode_head(document: &Json) -> Result<Head, String> {
    check_format(document).and_then(|()| head(document, &|_| None)).map_err(|error| match error {
        ReadError::Damaged(_, what) => what,
        ReadError::Newer(needs, known) => format!("it needs {needs}, and this reader knows {known}"),
    })
}

/// Refuses what is no cassette, or one of a format that this reader does not know.
fn check_format(document: &Json) -> Result<(), ReadError> {
    let damaged = |line: Option<usize>, what: &str| ReadError::Damaged(line, what.to_owned());
    let format =
        document.members().first().filter(|(name, _)| name.is("cassette")).and_then(|(_, format)| format.as_u64());
    let format =
        format.ok_or_else(|| damaged(Some(1), "this is no cassette: its first member is not `\"cassette\": 1`"))?;
    if format != FORMAT {
        let known = format!("format {FORMAT}");
        return Err(match format {
            0 => damaged(None, "there is no format 0"),
            newer => ReadError::Newer(format!("format {newer}"), known),
        });
    }
    Ok(())
}

/// Returns what does not fit together: a file holds requests or digests of them throughout, and begins as long as its head
/// says.
fn misfit(head: &Head, interactions: &[Interaction]) -> Option<(Option<usize>, String)> {
    if let Some(origin) = head.origin.as_ref().filter(|origin| origin.at > interactions.len()) {
        let holds = interactions.len();
        return Some((
            None,
            format!("the head says that it was forked from {origin}, and it holds {holds} interactions"),
        ));
    }
    let needed = head.needs.iter().any(|need| need == digest::NEED);
    if needed != head.digests.is_some() {
        return Some((None, "the head says `digests`, and `needs` it, or neither".to_owned()));
    }
    let fits = |interaction: &Interaction| matches!(interaction.asked, Asked::Digest(_)) == needed;
    let found = interactions.iter().position(|interaction| !fits(interaction))?;
    let expected = if needed { "digest" } else { "request" };
    Some((Some(found), format!("interaction {}: it has no `{expected}`, which the head says that each has", found + 1)))
}

/// Returns the line of the first mark of a merge conflict.
fn conflict(text: &str) -> Option<usize> {
    let marker =
        |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") || line.trim_end() == "=======";
    text.lines().position(marker).map(|line| line + 1)
}

/// Reads the head; `line` tells on which line a member of it stands, by the names that lead there.
fn head(document: &Json, line: &dyn Fn(&[&str]) -> Option<usize>) -> Result<Head, ReadError> {
    let mut head = Head::default();
    for (name, value) in document.members() {
        let wrong = |should: &str| {
            let what = format!("`{}` in the head is not {should}", name.value());
            ReadError::Damaged(line(&[&name.value()]), what)
        };
        let text = || value.as_str().map(|text| text.into_owned()).ok_or_else(|| wrong("a text"));
        let list = || texts(value).ok_or_else(|| wrong("a list of texts"));
        match name.value().as_ref() {
            "cassette" | "interactions" => {}
            "needs" => head.needs = list()?,
            "provider" => head.stamp.provider = Some(text()?),
            "version" => head.stamp.version = Some(text()?),
            "hooks" => head.stamp.hooks = list()?,
            "test" => head.test = Some(text()?),
            "package" => head.package = Some(text()?),
            "registered" => head.registered = value.as_bool().ok_or_else(|| wrong("`true` or `false`"))?,
            "recorded" => head.recorded = Some(text()?),
            "by" => head.by = text()?,
            "redaction" => head.redaction = value.as_u64().ok_or_else(|| wrong("a number"))?,
            "origin" => head.origin = Some(decode_origin(value).ok_or_else(|| wrong("a cassette and a position"))?),
            "digests" => head.digests = Some(digest::decode_digests(value).ok_or_else(|| wrong("what it should be"))?),
            "meta" => match value {
                Json::Object(members) => head.meta.clone_from(members),
                _ => return Err(wrong("an object")),
            },
            pending::MEMBER => match pending::mistake(value) {
                Some((path, should)) => {
                    let what = format!("`{}` in the head is not {should}", path.join("."));
                    return Err(ReadError::Damaged(line(path), what));
                }
                None => head.other.push((name.clone(), value.clone())),
            },
            _ => head.other.push((name.clone(), value.clone())),
        }
    }
    match head.needs.iter().find(|need| !NEEDS.contains(&need.as_str())) {
        Some(need) => Err(ReadError::Newer(format!("the feature `{need}`"), format!("format {FORMAT} without it"))),
        None => Ok(head),
    }
}

pub(super) fn texts(value: &Json) -> Option<Vec<String>> {
    let texts = value.elements().iter().map(|text| text.as_str().map(|text| text.into_owned())).collect();
    matches!(value, Json::Array(_)).then_some(texts)?
}

/// Returns the line on which a member stands, by the names that lead to it: of one that does not begin a line, that of the last name
/// which does.
fn line_of_member(text: &str, path: &[&str]) -> Option<usize> {
    let mut found = None;
    for name in path {
        let opening = format!("\"{name}\":");
        let mut lines = text.lines().enumerate().skip(found.unwrap_or(0));
        let next = lines.find(|(_, line)| line.trim_start().starts_with(&opening)).map(|(line, _)| line + 1);
        found = next.or(found);
    }
    found
}

/// Returns the line on which an interaction opens, where the document is laid out as it was written.
fn line_of(text: &str, index: usize) -> Option<usize> {
    let opening = text.lines().enumerate().filter(|(_, line)| *line == "    {");
    opening.map(|(line, _)| line + 1).nth(index)
}
