//! The errors of others that a recording gives back as what they were: an `io::Error` by its kind, a `serde_json::Error` by its
//! category.

use std::any::type_name;
use std::error::Error;
use std::io;

use serde::de::Error as _;

use super::ReplayedError;
use super::replayed::ErrorKind;

/// A type that is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownType {
    Io,
    Json,
}

/// What is known of an error of a type that is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownError {
    pub(super) of: KnownType,
    /// Its kind or category, by name.
    pub(super) code: String,
}

impl KnownType {
    const ALL: [KnownType; 2] = [KnownType::Io, KnownType::Json];

    /// Returns the type as a recording names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            KnownType::Io => "std::io::Error",
            KnownType::Json => "serde_json::Error",
        }
    }

    /// Returns the type as the compiler names it.
    fn whole_name(self) -> &'static str {
        match self {
            KnownType::Io => type_name::<io::Error>(),
            KnownType::Json => type_name::<serde_json::Error>(),
        }
    }

    /// Returns an error of this type, as it was recorded.
    pub(super) fn boxed(self, error: ReplayedError) -> Box<dyn Error + Send + Sync> {
        match self {
            KnownType::Io => Box::new(io::Error::from(error)),
            KnownType::Json => Box::new(serde_json::Error::from(error)),
        }
    }

    /// Returns an error of this type, as it was recorded, for `downcast_ref` to find.
    pub(super) fn in_anyhow(self, error: ReplayedError) -> anyhow::Error {
        match self {
            KnownType::Io => io::Error::from(error).into(),
            KnownType::Json => serde_json::Error::from(error).into(),
        }
    }

    /// Returns whether an error of this type may have this code.
    fn has(self, code: &str) -> bool {
        let is_category = CATEGORIES.iter().any(|(name, _)| *name == code);
        match self {
            KnownType::Io => code.starts_with(char::is_uppercase) && !is_category,
            KnownType::Json => is_category,
        }
    }
}

impl KnownError {
    /// Returns what is known of an error.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Option<KnownError> {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(KnownError { of: KnownType::Io, code: format!("{:?}", error.kind()) });
        }
        let error = error.downcast_ref::<serde_json::Error>()?;
        Some(KnownError { of: KnownType::Json, code: category(error).to_owned() })
    }
}

impl ReplayedError {
    /// Returns the known type of an error that was recorded, alone or within a value of the type `holder`.
    pub(super) fn known(&self, holder: &str) -> Option<KnownType> {
        let code = self.code.as_deref().filter(|_| self.kind == ErrorKind::Recorded)?;
        let is_named = |known: &KnownType| {
            [known.name(), known.whole_name(), holder].contains(&self.type_name.as_str()) && known.has(code)
        };
        KnownType::ALL.into_iter().find(is_named)
    }
}

/// Lists the kinds that code can tell apart.
macro_rules! kinds {
    ($($kind:ident)*) => {
        [$(io::ErrorKind::$kind),*]
    };
}

/// The kinds that have a name in stable Rust, but for the one that all others become.
const KINDS: [io::ErrorKind; 38] = kinds! {
    AddrInUse AddrNotAvailable AlreadyExists ArgumentListTooLong BrokenPipe ConnectionAborted ConnectionRefused ConnectionReset CrossesDevices Deadlock DirectoryNotEmpty ExecutableFileBusy FileTooLarge HostUnreachable Interrupted InvalidData InvalidFilename InvalidInput IsADirectory NetworkDown NetworkUnreachable NotADirectory NotConnected NotFound NotSeekable OutOfMemory PermissionDenied QuotaExceeded ReadOnlyFilesystem ResourceBusy StaleNetworkFileHandle StorageFull TimedOut TooManyLinks UnexpectedEof Unsupported WouldBlock WriteZero
};

impl From<ReplayedError> for io::Error {
    /// Returns an error of the recorded kind. One that has no name in stable Rust is `Other`, and the system's own number is gone.
    fn from(error: ReplayedError) -> io::Error {
        let named = |kind: &&io::ErrorKind| error.code.as_deref() == Some(format!("{kind:?}").as_str());
        let kind = KINDS.iter().find(named).copied().unwrap_or(io::ErrorKind::Other);
        io::Error::new(kind, error)
    }
}

type IsOf = fn(&serde_json::Error) -> bool;

/// The categories of `serde_json`, by what says whether an error is of one.
const CATEGORIES: [(&str, IsOf); 4] = [
    ("Io", serde_json::Error::is_io),
    ("Syntax", serde_json::Error::is_syntax),
    ("Data", serde_json::Error::is_data),
    ("Eof", serde_json::Error::is_eof),
];

fn category(error: &serde_json::Error) -> &'static str {
    CATEGORIES.into_iter().find(|(_, is)| is(error)).map_or("Data", |(name, _)| name)
}

/// Texts of which each is no JSON in its own way.
const MALFORMED: [&str; 27] = [
    "",
    "\"",
    "[",
    "[1",
    "[1,",
    "{",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "x",
    "nulx",
    "1x",
    "[1,]",
    "[1x",
    "{1",
    "{\"a\":1,}",
    "{\"a\"x",
    "{\"a\":1x",
    "01",
    "1e999",
    "\"\\x",
    "\"\n",
    "\"\u{1}",
    "-\n",
    "nul\n",
    "\"\\\n",
    "-x",
];

/// No error of a longer text is made again: a file that says so may say anything.
const LONGEST: usize = 1 << 20;

impl From<ReplayedError> for serde_json::Error {
    /// Returns an error of the recorded text, place and category. Such a one is made by nothing but a text that fails so; where none is
    /// known, it is of the category `Data`.
    fn from(error: ReplayedError) -> serde_json::Error {
        let is_it = |made: &serde_json::Error| {
            error.code.as_deref() == Some(category(made)) && made.to_string() == error.message
        };
        let data = serde_json::Error::custom(&error.message);
        if is_it(&data) {
            return data;
        }
        let place = (data.line(), data.column());
        MALFORMED.iter().flat_map(|text| failures(text, place)).find(is_it).unwrap_or(data)
    }
}

/// Returns how a text fails with as much space in it, at each place there is, as brings its failure to this line and column.
fn failures(text: &str, (line, column): (usize, usize)) -> impl Iterator<Item = serde_json::Error> {
    let failure = |text: &str| serde_json::from_str::<serde_json::Value>(text).err();
    let spaced = move |failed: &serde_json::Error, at: usize| {
        let lines = line.checked_sub(failed.line())?;
        let beside = if lines == 0 { failed.column() } else { failed.column().saturating_sub(at) };
        let columns = column.checked_sub(beside)?;
        let is_short = lines.max(columns) < LONGEST;
        is_short.then(|| [&text[..at], &"\n".repeat(lines), &" ".repeat(columns), &text[at..]].concat())
    };
    let failed = failure(text);
    let places = (0..=text.len()).filter_map(move |at| spaced(failed.as_ref()?, at));
    places.filter_map(move |text| failure(&text))
}

#[cfg(test)]
mod tests {
    use crate::function::ReplayedError;

    fn back(live: &serde_json::Error) -> serde_json::Error {
        let json = ReplayedError::of(live).to_json(None).unwrap();
        serde_json::Error::from(ReplayedError::from_json(&json).unwrap())
    }

    /// Checks that an error comes back with its text, its place and its category.
    #[track_caller]
    fn check(live: &serde_json::Error) {
        let back = back(live);
        assert_eq!((back.to_string(), back.line(), back.column()), (live.to_string(), live.line(), live.column()));
        assert_eq!(back.classify(), live.classify(), "{live}");
    }

    #[test]
    fn what_a_model_gets_wrong_in_its_json_comes_back_as_it_was() {
        let whole = concat!(
            "{\n  \"towns\": [\"Oslo\", \"Voss\", 1.5e3, -2, true, null],\n",
            "  \"when\": {\"hour\": 9, \"says\": \"a\\n\\u00e5\"}\n}\n",
        );
        let failure = |text: &str| serde_json::from_str::<serde_json::Value>(text).err();
        assert!(failure(whole).is_none());
        let odd = ["", "}", "]", ",", ":", "x", "\"", "\n", "1", "\\", "```", "\u{1}"];
        let cut = (0..whole.len()).filter_map(|end| failure(&whole[..end]));
        let spoilt = (0..whole.len())
            .flat_map(|at| odd.map(|odd| [&whole[..at], odd, &whole[at..]].concat()))
            .filter_map(|text| failure(&text));
        let (mut count, mut lost) = (0, Vec::new());
        for live in cut.chain(spoilt) {
            count += 1;
            if back(&live).classify() != live.classify() {
                lost.push(live.to_string());
            }
        }
        // Of the digits of an escape that a line ends within, no text here fails so.
        let broken = ["invalid escape at line 4 column 2", "invalid escape at line 4 column 1"];
        assert_eq!((count, lost), (871, broken.map(String::from).to_vec()));
    }

    #[test]
    fn what_is_of_another_type_comes_back_as_it_was() {
        check(&serde_json::from_str::<u8>(" 700").unwrap_err());
        check(&serde_json::from_str::<Vec<u8>>("[1,\n\"two\"]").unwrap_err());
        check(&serde_json::from_value::<bool>(serde_json::json!({"at": 9})).unwrap_err());
    }

    #[test]
    fn what_cannot_be_made_again_says_another_category() {
        let live = serde_json::from_str::<serde_json::Value>(&"[".repeat(200)).unwrap_err();
        assert!(live.is_syntax() && back(&live).is_data(), "{live}");
        let mut error = ReplayedError::of(&live);
        error.message = "expected value at line 99999999999999 column 99999999999999".into();
        error.code = Some("Syntax".into());
        assert!(serde_json::Error::from(error).is_data());
    }
}
