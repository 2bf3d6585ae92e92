//! What is compared, and what a recording is made with.

use std::sync::Arc;

use cassette_core::json::Json;
use cassette_core::matcher::Matcher;

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

    /// Lets this say which recording is of which call, in the place of the comparison of bodies, queries and headers; what it
    /// takes that is not of exactly the request is told at the end of the test.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
    /// use cassette_test::{Call, Cassette};
    ///
    /// let model = |call: &Call| String::from_utf8_lossy(&call.body).contains("gpt-4o-mini");
    /// let same_model = move |recorded: &Call, incoming: &Call| model(recorded) == model(incoming);
    /// let session = Cassette::builder("trains").matcher(same_model).open()?;
    /// # session.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn matcher(mut self, matcher: impl Matcher + 'static) -> Builder {
        self.options.compared.matcher = Some(Arc::new(matcher));
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
