//! The outline of the audit, which is being filled in.
#![allow(missing_docs)]
use crate::redact::*;
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    pub path: String,
    pub rule: String,
    pub reason: String,
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub path: String,
}
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.path)
    }
}
pub fn audit(_: &str, _: &Rules, _: &Secrets, _: &[Allowed]) -> Vec<Finding> {
    Vec::new()
}
pub fn mask(t: &str, _: &[Finding]) -> String {
    t.into()
}
pub fn read_allow_list(_: &[u8]) -> Result<Vec<Allowed>, String> {
    Ok(Vec::new())
}
