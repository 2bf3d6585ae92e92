//! Why a recording was not taken over: what its head says of it.
//!
//! In the file it is the member `pending`, an object: `why` is a word, `what` has a line for each thing that was found,
//! `masked` says that something secret was taken out, and `over` which file the recording was to replace.

use sha2::{Digest as _, Sha256};

use crate::json::{Json, Member};
use crate::key::hex;
use crate::tape::Head;

/// What the head of a recording says that was not taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Why it was not taken over.
    pub reason: Reason,
    /// What was found, a line each; nothing in it is secret.
    pub found: Vec<String>,
    /// Whether something secret was taken out, so that it can never be replayed.
    pub masked: bool,
    /// What it was recorded over.
    pub over: Over,
}

/// Why a recording was not taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The test failed.
    Failed,
    /// The upstream was not in order: status 401, 403, 429 or 5xx, no reply, or a broken one.
    Outage,
    /// A host was reached round every seam.
    Bypass,
    /// Calls were still under way.
    UnderWay,
    /// Functions gave neither value nor error.
    Broken,
    /// The test's own matcher takes recordings for another request's than their own.
    Denied,
    /// Values in its requests were shown to be secret too late for a replay.
    Late,
    /// Values in its requests came from replies in which the file hides them.
    SentOn,
    /// It would not replay.
    Unproven,
    /// It holds what looks like a secret.
    Leak,
    /// It could not be saved.
    Unsaved,
    /// The file that it was to replace was not the one any more over which it was recorded.
    Meanwhile,
    /// Its program died.
    CutShort,
    /// Another one, in its own words.
    Other(String),
}

/// The file that a recording was made over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Over {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// There was none.
    Nothing,
    /// The file of this digest, as [`Over::of`] makes it.
    File(String),
}

/// What became of the file that a recording was made over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Since {
    /// There was none, and there is one.
    Appeared,
    /// There is another.
    Changed,
    /// There is none any more.
    Vanished,
}

/// The words of the reasons in a file, and to a person.
const REASONS: [(&str, Reason, &str); 13] = [
    ("failed", Reason::Failed, "the test failed"),
    ("outage", Reason::Outage, "the upstream was not in order"),
    ("bypass", Reason::Bypass, "a host was reached round every seam"),
    ("under-way", Reason::UnderWay, "calls were still under way"),
    ("broken", Reason::Broken, "functions gave neither value nor error"),
    ("denied", Reason::Denied, "the test's matcher denies what was recorded"),
    ("late", Reason::Late, "values were shown to be secret too late for a replay"),
    ("sent-on", Reason::SentOn, "values that its replies gave, and that are hidden there, were sent on in plain"),
    ("unproven", Reason::Unproven, "it would not replay"),
    ("leak", Reason::Leak, "it holds what looks like a secret, masked here"),
    ("unsaved", Reason::Unsaved, "it could not be saved"),
    ("meanwhile", Reason::Meanwhile, "its file was not the same any more when it was to be saved"),
    ("cut-short", Reason::CutShort, "it was cut short: its program died"),
];

impl Reason {
    /// Returns the word of the reason, as the file has it.
    pub fn as_str(&self) -> &str {
        self.known().map_or("other", |(word, ..)| word)
    }

    /// Returns the reason in words, without a dot.
    pub fn words(&self) -> &str {
        match self {
            Reason::Other(words) => words,
            known => known.known().map_or("no reason is given", |(_, _, words)| words),
        }
    }

    fn known(&self) -> Option<&'static (&'static str, Reason, &'static str)> {
        REASONS.iter().find(|(_, reason, _)| reason == self)
    }
}

impl Over {
    /// Returns what a recording is made over, where this is the file.
    pub fn of(file: Option<&[u8]>) -> Over {
        file.map_or(Over::Nothing, |bytes| Over::File(hex(&Sha256::digest(bytes)[..8])))
    }

    /// Returns what has become of it by now; `None` where it is the same, or nothing is known of it.
    pub fn since(&self, now: &Over) -> Option<Since> {
        match (self, now) {
            (Over::Unknown, _) | (_, Over::Unknown) => None,
            (before, now) if before == now => None,
            (Over::Nothing, _) => Some(Since::Appeared),
            (_, Over::Nothing) => Some(Since::Vanished),
            _ => Some(Since::Changed),
        }
    }
}

impl Since {
    /// Returns what it did, behind the name of the file.
    pub fn words(self) -> &'static str {
        match self {
            Since::Appeared => "has appeared",
            Since::Changed => "has changed",
            Since::Vanished => "has vanished",
        }
    }
}

impl Pending {
    /// Returns that a recording was not taken over for this reason.
    pub fn new(reason: Reason, found: Vec<String>) -> Pending {
        Pending { reason, found, masked: false, over: Over::Unknown }
    }

    /// Returns what the head says of it; `None` where it was taken over.
    pub fn of(head: &Head) -> Option<Pending> {
        let (_, told) = head.other.iter().find(|(name, _)| name.is(MEMBER))?;
        if let Some(text) = told.as_str() {
            let mut lines = text.lines().map(str::to_owned);
            let reason = Reason::Other(lines.next().unwrap_or_else(|| "no reason is given".to_owned()));
            return Some(Pending::new(reason, lines.collect()));
        }
        let word = told.get("why").and_then(Json::as_str).unwrap_or_default();
        let known = REASONS.iter().find(|(name, ..)| *name == word).map(|(_, reason, _)| reason.clone());
        let lines = told.get("what").map_or(&[][..], Json::elements);
        let over = match told.get("over") {
            None => Over::Unknown,
            Some(Json::Null) => Over::Nothing,
            Some(digest) => digest.as_str().map_or(Over::Unknown, |digest| Over::File(digest.into_owned())),
        };
        Some(Pending {
            reason: known.unwrap_or_else(|| Reason::Other(word.into_owned())),
            found: lines.iter().filter_map(|line| Some(line.as_str()?.into_owned())).collect(),
            masked: told.get("masked").and_then(Json::as_bool).unwrap_or_default(),
            over,
        })
    }

    /// Writes it into the head, in place of what stands there.
    pub(crate) fn put(&self, head: &mut Head) {
        Pending::forget(head);
        let lines: Vec<Json> = self.found.iter().map(|line| line.as_str().into()).collect();
        let why = match &self.reason {
            Reason::Other(words) => words.as_str(),
            known => known.as_str(),
        };
        let mut members = vec![("why".into(), why.into()), ("what".into(), lines.into())];
        members.extend(self.masked.then(|| ("masked".into(), true.into())));
        match &self.over {
            Over::Unknown => {}
            Over::Nothing => members.push(("over".into(), Json::Null)),
            Over::File(digest) => members.push(("over".into(), digest.as_str().into())),
        }
        head.other.push((MEMBER.into(), Json::Object(members)));
    }

    /// Takes it out of the head.
    pub(crate) fn forget(head: &mut Head) {
        head.other.retain(|(name, _)| !name.is(MEMBER));
    }
}

/// The member of the head.
pub(crate) const MEMBER: &str = "pending";

/// Returns the names that lead to what is wrong in the member, and what it should be: whoever reads a reason takes it for
/// what the session wrote.
pub(crate) fn mistake(told: &Json) -> Option<(&'static [&'static str], &'static str)> {
    let members = match told {
        Json::Object(members) => members,
        // Early versions wrote the reason alone.
        Json::String(_) => return None,
        _ => return Some((&[MEMBER], "an object")),
    };
    let wrong = |(name, value): &Member| match name.value().as_ref() {
        "why" if value.as_str().is_none_or(|why| why.is_empty()) => Some(WHY),
        "what" if !is_list_of_texts(value) => Some((&[MEMBER, "what"][..], "a list of texts")),
        "masked" if value.as_bool().is_none() => Some((&[MEMBER, "masked"][..], "`true` or `false`")),
        "over" if !is_digest(value) => Some((&[MEMBER, "over"][..], "16 hexadecimal digits or `null`")),
        _ => None,
    };
    let why = members.iter().any(|(name, _)| name.is("why"));
    members.iter().find_map(wrong).or((!why).then_some(WHY))
}

const WHY: (&[&str], &str) = (&[MEMBER, "why"], "a text that says something");

fn is_list_of_texts(value: &Json) -> bool {
    matches!(value, Json::Array(_)) && value.elements().iter().all(|line| line.as_str().is_some())
}

fn is_digest(value: &Json) -> bool {
    let is_digest = |text: &str| text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    *value == Json::Null || value.as_str().is_some_and(|text| is_digest(&text))
}

#[cfg(test)]
mod tests {
    use super::{Over, Pending, Reason, mistake};
    use crate::json::Json;
    use crate::tape::Head;

    #[test]
    fn what_is_written_into_a_head_is_read_from_it() {
        let check = |pending: Pending| {
            let mut head = Head::default();
            pending.put(&mut head);
            pending.put(&mut head);
            assert_eq!((head.other.len(), Pending::of(&head)), (1, Some(pending)));
            Pending::forget(&mut head);
            assert_eq!(Pending::of(&head), None);
        };
        check(Pending::new(Reason::Outage, vec!["GET https://example.com: status 503".into(), String::new()]));
        check(Pending { masked: true, over: Over::of(Some(b"x")), ..Pending::new(Reason::Leak, Vec::new()) });
        check(Pending { over: Over::Nothing, ..Pending::new(Reason::Other("for a reason".into()), Vec::new()) });
        let mut head = Head::default();
        head.other.push(("pending".into(), "the test failed\nwith more to say".into()));
        let expected = Pending::new(Reason::Other("the test failed".into()), vec!["with more to say".into()]);
        assert_eq!(Pending::of(&head), Some(expected));
    }

    #[test]
    fn what_is_no_reason_is_refused_by_its_name() {
        let check = |told: &str, expected: Option<(&str, &str)>| {
            let found = mistake(&Json::parse(told).unwrap());
            assert_eq!(
                found.map(|(path, should)| (path.join("."), should)),
                expected.map(|(path, should)| (path.to_owned(), should))
            );
        };
        check(r#"{"why":"failed","what":["a"],"masked":true,"over":"0123456789abcdef"}"#, None);
        check(r#"{"why":"for a reason","over":null,"later":1}"#, None);
        check(r#""the test failed""#, None);
        check("[]", Some(("pending", "an object")));
        for odd in [r#"{"why":7}"#, r#"{"why":["failed"]}"#, r#"{"why":""}"#, r#"{"what":[]}"#, r#"{"why":null}"#] {
            check(odd, Some(("pending.why", "a text that says something")));
        }
        check(r#"{"why":"failed","what":"a"}"#, Some(("pending.what", "a list of texts")));
        check(r#"{"why":"failed","what":[1]}"#, Some(("pending.what", "a list of texts")));
        check(r#"{"why":"leak","masked":"true"}"#, Some(("pending.masked", "`true` or `false`")));
        for odd in ["\"x\"", "1", "\"0123456789ABCDEF\""] {
            check(
                &format!(r#"{{"why":"failed","over":{odd}}}"#),
                Some(("pending.over", "16 hexadecimal digits or `null`")),
            );
        }
    }
}
