//! What `#[cassette]` knows of its test when it is compiled.

use crate::builder::Builder;

/// An annotated test; the attribute writes one down for each.
#[derive(Debug)]
pub struct Test {
    /// The cassette's name or pattern, if the attribute gives one.
    pub name: Option<&'static str>,
    /// `module_path!()`
    pub module: &'static str,
    /// The function as the test attributes left it: of a parametrised test, a case.
    pub ident: &'static str,
    /// The function as its author named it.
    pub function: &'static str,
    /// `file!()`
    pub file: &'static str,
    /// `line!()`
    pub line: u32,
    /// `CARGO_PKG_NAME`
    pub package: &'static str,
    /// `CARGO_MANIFEST_DIR`
    pub manifest_dir: &'static str,
    /// `CARGO_BIN_NAME`, where the target is a binary.
    pub binary: Option<&'static str>,
    /// Whether the target is an integration test.
    pub integration: bool,
    /// What the test says about panics.
    pub panics: Panics,
    /// The attribute's options, as calls on the builder.
    pub configure: fn(Builder) -> Builder,
}

/// What a test says about panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panics {
    /// Nothing: a panic fails it.
    Unexpected,
    /// `#[should_panic]`
    Expected,
    /// `#[should_panic(expected = "..")]`
    With(&'static str),
}

impl Test {
    /// Returns the test's whole path, `crate::module::function`.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.ident)
    }
}
