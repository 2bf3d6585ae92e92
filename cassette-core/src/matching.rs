//! What counts when a call is compared with a recording.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::json::Json;
use crate::matcher::Matcher;
use crate::path::{Line, Path, Step};

/// What counts when a call is compared with a recording: everything but `sampling`, unless a test says otherwise.
///
/// Kind, method, path and whether the reply is streamed count always.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// The only parts and paths that are compared, where the test names them.
    pub match_on: Option<Vec<Selector>>,
    /// What is left out of the comparison.
    pub ignore: Vec<Path>,
    /// The request headers that are compared beside those that choose the answer everywhere, in lower case.
    pub headers: Vec<String>,
    /// Functions that the body goes through before it is compared, recorded and live alike.
    pub normalize: Vec<fn(&mut Json)>,
    /// The test's own notion of which recording is of which call, in the place of the comparison.
    pub matcher: Option<Arc<dyn Matcher>>,
}

/// Where a call says which form of an answer it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// In its body, as calls to a known provider do: each of its clients fills the headers in a way of its own.
    InBody,
    /// In its headers.
    InHeaders,
}

/// What `match_on` names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// A part of a model call.
    Part(PartName),
    /// A path of the request.
    Path(Path),
}

/// A part of a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PartName {
    /// Method, host, path, the query, and whether the reply is streamed; of a function, its name.
    Endpoint,
    /// The model.
    Model,
    /// The conversation, system prompt included.
    Messages,
    /// The tools, and the choice of one.
    Tools,
    /// The form that the answer must have.
    OutputSchema,
    /// How much is to be thought.
    Reasoning,
    /// What changes requests or replies in the user's program; it stands in the head of the cassette, not in a request.
    Hooks,
    /// Temperature, nucleus, token limit, seed, penalties.
    Sampling,
    /// Every other field of the body.
    Rest,
}

impl PartName {
    const NAMES: [(PartName, &'static str); 9] = [
        (PartName::Endpoint, "endpoint"),
        (PartName::Model, "model"),
        (PartName::Messages, "messages"),
        (PartName::Tools, "tools"),
        (PartName::OutputSchema, "output_schema"),
        (PartName::Reasoning, "reasoning"),
        (PartName::Hooks, "hooks"),
        (PartName::Sampling, "sampling"),
        (PartName::Rest, "rest"),
    ];

    /// Returns the part's name, as `match_on` and reports have it.
    pub fn as_str(self) -> &'static str {
        PartName::NAMES.iter().find(|(part, _)| *part == self).map_or("", |(_, name)| name)
    }

    /// Returns the part of this name.
    pub fn from_name(name: &str) -> Option<PartName> {
        PartName::NAMES.iter().find(|(_, known)| *known == name).map(|(part, _)| *part)
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns whether a body is of a type that says nothing beside it: clients send these without being told, and what other tools
/// recorded often has no headers. What such a body says is read from it.
fn is_usual(media_type: &str) -> bool {
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    ["application/json", "application/x-www-form-urlencoded", "application/octet-stream"].contains(&&*media_type)
        || media_type.starts_with("multipart/")
}

/// Headers that say what is asked, as a path or a body does, and so are compared unasked: a condition, a stretch or a form of a
/// resource (RFC 9110, sections 12.5, 13.1 and 14.2), a preference (RFC 7240), the target and the depth of a WebDAV method
/// (RFC 4918, section 10), where a stream goes on (WHATWG HTML, section 9.2), the fields of a Google reply, the operation of a SOAP
/// or AWS JSON call, the method that a `POST` stands for, what Dropbox is asked beside a file's bytes, what is copied (S3, Azure), which
/// piece of an upload a body is (RFC 9110, section 14.4; tus; Google), how the bytes of a body are to be read (RFC 9110, sections 8.3
/// and 8.4), the version of an interface, the page or the partition, whose data it is, and which model or guardrail answers.
const ASKING: [&str; 67] = [
    "accept",
    "accept-charset",
    "accept-datetime",
    "accept-language",
    "accept-profile",
    "accept-version",
    "api-version",
    "content-encoding",
    "content-profile",
    "content-range",
    "content-type",
    "depth",
    "destination",
    "dropbox-api-arg",
    "dropbox-api-path-root",
    "dropbox-api-select-user",
    "if",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "last-event-id",
    "notion-version",
    "odata-version",
    "overwrite",
    "prefer",
    "range",
    "soapaction",
    "stripe-account",
    "stripe-version",
    "upload-length",
    "upload-metadata",
    "upload-offset",
    "x-amz-copy-source",
    "x-amz-copy-source-range",
    "x-amz-invocation-type",
    "x-amz-metadata-directive",
    "x-amz-object-attributes",
    "x-amz-target",
    "x-amzn-bedrock-accept",
    "x-amzn-bedrock-guardrailidentifier",
    "x-amzn-bedrock-guardrailversion",
    "x-amzn-bedrock-performanceconfig-latency",
    "x-amzn-sagemaker-target-model",
    "x-amzn-sagemaker-target-variant",
    "x-api-version",
    "x-clickhouse-format",
    "x-github-api-version",
    "x-goog-field-mask",
    "x-goog-fieldmask",
    "x-goog-upload-command",
    "x-goog-upload-offset",
    "x-hasura-role",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-ms-continuation",
    "x-ms-copy-source",
    "x-ms-documentdb-continuation",
    "x-ms-documentdb-partitionkey",
    "x-ms-range",
    "x-ms-version",
    "x-respond-with",
    "x-return-format",
    "x-target-selector",
    "x-vault-namespace",
];

impl Matching {
    /// Returns what is wrong with what was asked for.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.match_on.as_ref().is_some_and(Vec::is_empty) {
            let names = PartName::NAMES.map(|(_, name)| name).join(", ");
            found.push(format!("`match_on` names nothing to compare; there are {names}, and paths"));
        }
        for path in &self.ignore {
            if is_of_every_endpoint(path) {
                found.push(format!("`{path}` cannot be ignored: it is always compared"));
            }
        }
        found
    }

    /// Returns the headers that are compared where a call has them and they say something, in lower case.
    pub(crate) fn counting_headers(&self) -> Vec<&str> {
        let is_ignored =
            |name: &str| self.ignore.iter().any(|path| matches!(path, Path::Header(ignored) if ignored == name));
        let mut headers = Vec::new();
        for name in self.named_headers().chain(ASKING) {
            if !headers.contains(&name) && !is_ignored(name) {
                headers.push(name);
            }
        }
        headers
    }

    /// Returns whether this header is compared, if it is a counting one. Where any form of a resource will do, it says nothing.
    pub(crate) fn compares_header(&self, (name, value): (&str, &str), wanted: Wanted) -> bool {
        let says = match name {
            "accept" => wanted == Wanted::InHeaders && !value.split(',').any(|range| range.trim() == "*/*"),
            "accept-language" => value != "*",
            "content-type" => self.match_on.is_none() && !is_usual(value),
            _ => true,
        };
        says || self.named_headers().any(|named| named == name)
    }

    /// Returns the value of a header as it is compared: a media type without what frames its body, and without the charset that goes
    /// without saying (RFC 9110, section 8.3).
    pub(crate) fn compared_value<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
        if name != "content-type" {
            return Cow::Borrowed(value);
        }
        let plain = |text: &str| text.trim().trim_matches('"').to_ascii_lowercase();
        let says = |parameter: &&str| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            !matches!((plain(name).as_str(), plain(value).as_str()), ("boundary", _) | ("charset", "utf-8"))
        };
        let mut parts = value.split(';');
        let media_type = parts.next().map(plain).unwrap_or_default();
        let parameters = parts.filter(says).map(|parameter| format!("; {}", parameter.trim()));
        Cow::Owned(std::iter::once(media_type).chain(parameters).collect())
    }

    /// Returns the headers that the test names.
    fn named_headers(&self) -> impl Iterator<Item = &str> {
        let named = self.match_on.iter().flatten().filter_map(|selector| match selector {
            Selector::Path(Path::Header(name)) => Some(name),
            _ => None,
        });
        self.headers.iter().chain(named).map(String::as_str)
    }

    /// Returns whether exactly this path is left out.
    pub(crate) fn ignores(&self, path: &Path) -> bool {
        self.ignore.contains(path)
    }

    /// Returns whether this part is compared, where the call has it.
    pub(crate) fn compares(&self, part: PartName) -> bool {
        match &self.match_on {
            None => part != PartName::Sampling,
            Some(selectors) => selectors.contains(&Selector::Part(part)),
        }
    }

    /// Returns what `match_on` names, as it is written.
    pub(crate) fn named(&self) -> String {
        let name = |selector: &Selector| match selector {
            Selector::Part(part) => part.to_string(),
            Selector::Path(path) => path.to_string(),
        };
        self.match_on.iter().flatten().map(name).collect::<Vec<_>>().join(", ")
    }

    /// Returns the paths that are compared beside the parts.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.match_on.iter().flatten().filter_map(|selector| match selector {
            Selector::Path(path) => Some(path),
            Selector::Part(_) => None,
        })
    }
}

/// Returns whether what stands here is compared whatever a test says: kind, method, path, and whether the reply is streamed.
fn is_of_every_endpoint(path: &Path) -> bool {
    match path {
        Path::Line(line) => *line != Line::Host,
        Path::Body(steps) => matches!(steps.as_slice(), [Step::Member(name)] if name == "stream"),
        Path::Part(part) => part.name == "stream",
        Path::Header(_) | Path::Query(_) => false,
    }
}
