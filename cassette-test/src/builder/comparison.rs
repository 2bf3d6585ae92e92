//! What is compared, and what a recording is made with.

use cassette_core::json::Json;

use super::Builder;
use crate::compared::Compared;

impl Builder {
    /// Compares these parts and paths alone: beside kind, method, path and streaming, which count always.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
    /// use cassette_test::{Cassette, Compared, PartName};
    ///
    /// let on = [PartName::Tools.into(), Compared::from("messages[0].content")];
    /// let session = Cassette::builder("wiring").match_on(on).open()?;
    /// # session.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn match_on(mut self, compared: impl IntoIterator<Item = impl Into<Compared>>) -> Builder {
        self.options.compared.match_on.get_or_insert_default().extend(compared.into_iter().map(Into::into));
        self
    }

    /// Leaves what stands at this path out of the comparison.
    pub fn ignore(mut self, path: impl Into<String>) -> Builder {
        self.options.compared.ignore.push(path.into());
        self
    }

    /// Compares this request header too.
    pub fn match_header(mut self, name: impl Into<String>) -> Builder {
        self.options.compared.headers.push(name.into());
        self
    }

    /// Compares bodies as this function leaves them, recorded and live alike; what is sent and recorded stays as it is.
    pub fn normalize(mut self, function: fn(&mut Json)) -> Builder {
        self.options.compared.normalize.push(function);
        self
    }

    /// Names what changes requests or replies in the program, with its version: a cassette recorded with another fails.
    pub fn hooks(mut self, hooks: impl IntoIterator<Item = impl Into<String>>) -> Builder {
        self.options.stamp.hooks.extend(hooks.into_iter().map(Into::into));
        self
    }

    /// Names the provider: a cassette recorded with another fails.
    pub fn provider(mut self, provider: impl Into<String>) -> Builder {
        self.options.stamp.provider = Some(provider.into());
        self
    }

    /// Names the version of what is tested: a cassette recorded with another fails.
    pub fn version(mut self, version: impl Into<String>) -> Builder {
        self.options.stamp.version = Some(version.into());
        self
    }
}
