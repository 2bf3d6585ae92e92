//! What of a request is compared.

use std::sync::Arc;

use cassette_core::json::Json;
use cassette_core::matcher::Matcher;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::path::{Path, PathError};
use cassette_core::report::{Refused, Report};

/// Something that [`match_on`](crate::Builder::match_on) names: a part of a model call, or a path in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// A part.
    Part(PartName),
    /// A path, as reports print it.
    Path(String),
}

impl From<PartName> for Compared {
    fn from(part: PartName) -> Compared {
        Compared::Part(part)
    }
}

impl From<&str> for Compared {
    fn from(path: &str) -> Compared {
        Compared::Path(path.to_owned())
    }
}

impl From<String> for Compared {
    fn from(path: String) -> Compared {
        Compared::Path(path)
    }
}

/// What a test says about the comparison of requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) match_on: Option<Vec<Compared>>,
    pub(crate) ignore: Vec<String>,
    pub(crate) headers: Vec<String>,
    pub(crate) normalize: Vec<fn(&mut Json)>,
    pub(crate) matcher: Option<Arc<dyn Matcher>>,
}

impl Comparison {
    /// Returns the comparison with its paths read.
    ///
    /// # Errors
    ///
    /// Fails with the first path that is none.
    pub(crate) fn matching(&self) -> Result<Matching, Report> {
        let path = |text: &String| text.parse::<Path>().map_err(refused);
        let selector = |compared: &Compared| match compared {
            Compared::Part(part) => Ok(Selector::Part(*part)),
            Compared::Path(text) => path(text).map(Selector::Path),
        };
        let match_on = self.match_on.as_ref().map(|named| named.iter().map(selector).collect()).transpose()?;
        Ok(Matching {
            match_on,
            ignore: self.ignore.iter().map(path).collect::<Result<_, _>>()?,
            headers: self.headers.iter().map(|name| name.to_ascii_lowercase()).collect(),
            normalize: self.normalize.clone(),
            matcher: self.matcher.clone(),
        })
    }
}

fn refused(error: PathError) -> Report {
    let help = "a path is written as reports print it: `messages[0].content`, `**.request_id`, `@query.key`";
    Report::Refused(Refused::new(error.to_string(), help))
}

#[cfg(test)]
mod tests {
    use super::{Compared, Comparison, PartName};

    #[test]
    fn parts_and_paths_are_read() {
        let comparison = Comparison {
            match_on: Some(vec![PartName::Model.into(), "model".into(), Compared::from("messages[0]".to_owned())]),
            ignore: vec!["@query.key".into()],
            headers: vec!["X-Tenant".into()],
            normalize: vec![cassette_core::normalize::whitespace],
            matcher: None,
        };
        let matching = comparison.matching().unwrap();
        assert_eq!(matching.match_on.map(|selectors| selectors.len()), Some(3));
        assert_eq!(matching.ignore.len(), 1);
        assert_eq!(matching.headers, ["x-tenant"]);
    }

    #[test]
    fn what_is_no_path_is_refused_with_its_place() {
        let comparison = Comparison { ignore: vec!["a".into(), "messages[x]".into()], ..Comparison::default() };
        assert_eq!(
            comparison.matching().unwrap_err().to_string(),
            "cassette refused: `messages[x]` is no path: at character 10, a position, `*` or a quoted name should stand here\n\
             help: a path is written as reports print it: `messages[0].content`, `**.request_id`, `@query.key`"
        );
    }
}
