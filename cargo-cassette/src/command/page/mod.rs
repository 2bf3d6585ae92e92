//! Pages that stand alone: no network, no script, light and dark as the reader's system is.
//!
//! ```text
//! what a verb has read -> exchange, file, long: its pieces -> Markup -> page: one document
//! ```
//!
//! Whatever was recorded came from outside. It goes into [`Markup`] as text and as values of attributes alone, and the page's own
//! policy forbids scripts, styles but the one sheet, and everything that is fetched.

mod exchange;
mod file;
mod long;
mod markup;

pub(super) use exchange::{Extent, content, headline, marks};
pub(super) use markup::Markup;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::output::count;

/// How many bytes of calls a page holds: beyond that a browser is slow, and those that are left are only counted.
pub(super) const MOST: usize = 6 << 20;

/// Adds how many calls are left out, and what shows them.
pub(super) fn left_out(calls: usize, command: &str, to: &mut Markup) {
    let verb = if calls == 1 { "is" } else { "are" };
    let calls = count(calls, "more call");
    to.words("p", "noise", &format!("{calls} {verb} not shown here: the page would be too large. See {command}"));
}

/// The one style sheet.
const SHEET: &str = include_str!("page.css");

/// Returns a document.
pub(super) fn page(title: &str, inside: impl FnOnce(&mut Markup)) -> String {
    let mut markup = Markup::new();
    markup.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |head| {
            head.void("meta", &[("charset", "utf-8")]);
            head.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy())]);
            head.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            head.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
            head.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
            head.words("title", "", title);
            head.style(SHEET);
        });
        html.element("body", &[], inside);
    });
    markup.document()
}

/// Returns what the page may do: show pictures and play sounds that stand in it, and look as the one sheet says.
fn policy() -> String {
    let digest = STANDARD.encode(Sha256::digest(SHEET));
    format!(
        "default-src 'none'; img-src data:; media-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
}
