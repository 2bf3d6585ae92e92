//! What the user adds to the built-in rules.

use std::fmt;

/// The user's own rules. They are added to the built-in ones and never replace them.
///
/// `Debug` tells the names, and of the secret texts and the functions how many there are.
#[derive(Clone, Default)]
pub struct Rules {
    /// Names of fields whose values are secret: JSON keys, query and form fields. Case, `-` and `_` do not count.
    pub fields: Vec<String>,
    /// Names of headers whose values are secret, in lower case.
    pub headers: Vec<String>,
    /// Texts that are secret wherever they stand.
    pub values: Vec<String>,
    /// Functions that are given each text, numbers as they are spelled, and return the parts of it that are secret.
    pub custom: Vec<fn(&str) -> Vec<String>>,
    /// Request headers that are recorded beside the built-in ones ([`KEPT`](crate::redact::headers::KEPT)), in lower case.
    pub keep_request_headers: Vec<String>,
    /// Reply headers whose value is recorded instead of a stand-in, in lower case.
    pub keep_reply_headers: Vec<String>,
    /// Whether e-mail addresses, card numbers and telephone numbers are secret too.
    pub pii: bool,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("fields", &self.fields)
            .field("headers", &self.headers)
            .field("values", &self.values.len())
            .field("custom", &self.custom.len())
            .field("keep_request_headers", &self.keep_request_headers)
            .field("keep_reply_headers", &self.keep_reply_headers)
            .field("pii", &self.pii)
            .finish()
    }
}

impl Rules {
    /// Returns whether the user called this field secret.
    pub(crate) fn names_field(&self, name: &str) -> bool {
        !self.fields.is_empty() && {
            let name = plain(name);
            self.fields.iter().any(|field| plain(field) == name)
        }
    }

    /// Returns whether the user called this header secret.
    pub(crate) fn names_header(&self, name: &str) -> bool {
        self.headers.iter().any(|header| header.eq_ignore_ascii_case(name))
    }

    /// Returns whether the user has rules about what a text says, which no prefilter knows.
    pub(crate) fn look_into_text(&self) -> bool {
        let named = !self.fields.is_empty() || !self.headers.is_empty();
        self.pii || !self.values.is_empty() || !self.custom.is_empty() || named
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}
