//! What the audit says of one place.

use std::collections::HashSet;
use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::json::{Json, Layout};
use crate::key::hex;

/// The shortest value of which a beginning is shown: four characters of a shorter one would give too much away.
const SHOWN_FROM: usize = 20;

/// How many characters of a long value are shown.
const SHOWN: usize = 4;

/// Something secret that is left in a file, or something that cannot be looked into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// The interaction, from 0; `None` in the head of the file, and where only a line is known.
    pub interaction: Option<usize>,
    /// Where it stands: `interactions[1].request.body.json.messages[0].content`, or `line 12` where no walk over a document
    /// leads there. `.*[2]` is the third member of an object whose name may not be printed. Never empty.
    pub path: String,
    /// The rule that says so, such as `openai-key`, or `opaque-body`.
    pub rule: String,
    /// What may be shown of it: its length, and of a long value four characters.
    pub shown: String,
    /// The first eight hexadecimal digits of the SHA-256 of what was found, by which an allow list knows it again.
    pub value: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = self.path.strip_prefix("interactions[").and_then(|rest| rest.split_once(']'));
        match (self.interaction, within) {
            (Some(at), Some((_, path))) => write!(f, "interaction {}, {}", at + 1, path.trim_start_matches('.'))?,
            _ => f.write_str(&self.path)?,
        }
        write!(f, ": {}, {}", self.rule, self.shown)
    }
}

impl Finding {
    /// Returns the entry of the allow list that vouches for this finding in this cassette.
    ///
    /// Its reason is empty, and a list with an empty reason is refused: somebody has to say why it is no secret.
    ///
    /// ```
    /// # use cassette_core::audit::audit;
    /// # use cassette_core::redact::{Rules, Secrets};
    /// let file = r#"{"interactions": [{"reply": {"body": {"base64": "AAEC//4="}}}]}"#;
    /// let findings = audit(file, &Rules::default(), &Secrets::default(), &[]);
    /// let entry = r#"{"cassette": "bell", "path": "interactions[0].reply.body.base64", "rule": "opaque-body", "value": "b70ea79c", "reason": ""}"#;
    /// assert_eq!(findings[0].entry("bell"), entry);
    /// ```
    pub fn entry(&self, cassette: &str) -> String {
        let members = [
            ("cassette", cassette.into()),
            ("path", self.path.as_str().into()),
            ("rule", self.rule.as_str().into()),
            ("value", self.value.as_str().into()),
            ("reason", "".into()),
        ];
        Json::object(members).print(Layout::Spaced)
    }

    pub(super) fn new(path: &str, rule: &str, value: &str) -> Finding {
        let count = value.chars().count();
        let shown = if count < SHOWN_FROM {
            format!("{count} characters")
        } else {
            format!("{}.. ({count} characters)", value.chars().take(SHOWN).collect::<String>())
        };
        let digest = hex(&Sha256::digest(value)[..4]);
        Finding { interaction: None, path: String::new(), rule: rule.to_owned(), shown, value: digest }.at(path)
    }

    /// Returns the same, found at this place.
    pub(super) fn at(&self, path: &str) -> Finding {
        let interaction = path.strip_prefix("interactions[").and_then(|rest| rest.split(']').next()?.parse().ok());
        Finding { interaction, path: path.to_owned(), ..self.clone() }
    }
}

/// Returns the entries of the allow list that vouch for these findings in this cassette, each once: one may vouch for several.
pub fn entries(findings: &[Finding], cassette: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let entries = findings.iter().map(|finding| finding.entry(cassette));
    entries.filter(|entry| known.insert(entry.clone())).collect()
}
