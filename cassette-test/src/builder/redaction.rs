//! What is hidden beside what always is.

use super::Builder;
use crate::options::Hidden;

impl Builder {
    /// Hides what stands in a field of this name: of JSON, of a form, of a query.
    pub fn redact_field(mut self, name: impl Into<String>) -> Builder {
        self.options.redact_fields.push(name.into());
        self
    }

    /// Hides the value of this header.
    pub fn redact_header(mut self, name: impl Into<String>) -> Builder {
        self.options.redact_headers.push(name.into());
        self
    }

    /// Hides this value, wherever it stands.
    pub fn redact_value(mut self, value: impl Into<String>) -> Builder {
        self.options.redact_values.push(value.into());
        self
    }

    /// Hides what this function finds: it is given each text, and returns the parts of it that are secret.
    pub fn redact(mut self, function: fn(&str) -> Vec<String>) -> Builder {
        self.options.redactors.push(function);
        self
    }

    /// Hides e-mail addresses, card and telephone numbers too.
    pub fn pii(mut self) -> Builder {
        self.options.pii = Hidden::Yes;
        self
    }
}
