//! Recordings of other tools, read into calls and their outcomes.
//!
//! ```text
//! bytes -> detect -> Found (a format, its tree) -> the format's reader -> Exchange, or a Refusal that names the line
//! Exchanges, a plan -> record: a session of cassette-core -> the cassette in its Place, or a Report
//! ```
//!
//! [`import`] tells the format by what the bytes say, never by the file's name alone. What comes out is exact or does not
//! come out at all: a recording whose bodies were stored parsed, or that lacks half of the exchange, is refused with the
//! line and the reason. Header names are in lower case, the headers that frame a body are left out, and a body that was
//! kept in its content coding is decoded, together with the header that says so. [`record()`] is the one way in which exchanges
//! become a cassette: redaction, audit and proof are those of the session that records them, as of any run.
//!
//! `node` is the tree that `yaml` and `json` read, with line numbers; `message` puts an exchange together from its parts;
//! every other module is one format. `docs/import.md` says of each what is taken and what is refused.

mod format;
mod imported;

mod node;
mod coding;
mod yaml;
mod json;

mod headers;
mod sendable;
mod message;

mod vcrpy;
mod vcrpy_old;
mod vcr;
mod php_vcr;
mod httpmock;
mod go_vcr;
mod govcr;
pub(crate) mod exported;
mod har;
mod httprr;
mod req_llm;
mod nock;
mod wiremock;
mod exvcr;
mod talkback;
mod hoverfly;
mod test_agent;
mod cassetter;
mod promptecho;
mod refused;

mod detect;

mod place;
mod record;

pub use detect::import;
pub use format::Format;
pub use imported::{Exchange, Imported, LeftOut, Refusal};
pub use place::{Keeping, Place};
pub use record::{plan, record, restored, settled};

#[cfg(test)]
mod tests;
