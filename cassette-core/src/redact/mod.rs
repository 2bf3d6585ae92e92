//! The outline of redaction, which is being filled in.
#![allow(missing_docs, missing_debug_implementations, dead_code)]
mod placeholder;
mod rules;
use crate::call::Call;
use crate::reply::*;
pub use placeholder::{placeholders, renumber, unescape};
pub use rules::Rules;
pub const PREFIX: &str = "REDACTED.";
pub const TABLE: u64 = 1;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Shape,
    Known,
}
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<String>);
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret(String);
impl Secret {
    pub fn value(&self) -> &str {
        &self.0
    }
}
impl Secrets {
    pub fn new(_: &[(String, String)]) -> Self {
        Self::default()
    }
    pub fn learn(&mut self, v: &str) {
        self.0.push(v.into())
    }
    pub fn known_count(&self) -> usize {
        self.0.len()
    }
    pub fn bind(&mut self, _: &Secret, _: &str) {}
    pub fn start_after<'a>(&mut self, _: impl Iterator<Item = &'a str>) {}
}
macro_rules! red {
    ($n:ident, $t:ty) => {
        #[derive(Clone, Debug)]
        pub struct $n($t);
        impl std::ops::Deref for $n {
            type Target = $t;
            fn deref(&self) -> &$t {
                &self.0
            }
        }
    };
}
red!(RedactedCall, Call);
red!(RedactedReply, Reply);
red!(RedactedError, TransportError);
impl RedactedCall {
    pub fn secrets(&self) -> &[Secret] {
        &[]
    }
}
fn trim(call: &Call, rules: &Rules) -> Call {
    let mut c = call.clone();
    c.headers.retain(|(n, _)| n == "content-type" || n == "accept" || rules.keep_request_headers.contains(n));
    c
}
pub fn redact_call(c: &Call, r: &Rules, _: Depth, _: &mut Secrets) -> RedactedCall {
    RedactedCall(trim(c, r))
}
pub fn redact_recorded(c: &Call, _: &Rules, _: Depth, _: &mut Secrets) -> RedactedCall {
    RedactedCall(c.clone())
}
pub fn redact_reply(r: &Reply, _: &Call, _: &Rules, _: &mut Secrets) -> RedactedReply {
    RedactedReply(r.clone())
}
pub fn redact_error(e: &TransportError, _: &Rules, _: &mut Secrets) -> RedactedError {
    RedactedError(e.clone())
}
pub fn redact_text(t: &str, _: &Rules, _: &mut Secrets) -> String {
    t.into()
}
pub fn unescape_bytes(b: Vec<u8>) -> Vec<u8> {
    b
}
pub fn replace_placeholders(text: &str, mut f: impl FnMut(&str) -> String) -> String {
    let mut out = text.to_owned();
    for p in placeholders(text).map(str::to_owned).collect::<Vec<_>>() {
        let n = f(&p);
        out = out.replacen(&p, &n, 1);
    }
    out
}
