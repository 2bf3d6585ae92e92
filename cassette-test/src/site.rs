//! Where an annotated function stands, as the compiler knows it.

/// Where an annotated function stands.
#[derive(Debug)]
pub struct Site {
    /// `module_path!()`
    pub module: &'static str,
    /// The function as the test attributes left it: of a parametrised test, a case.
    pub ident: &'static str,
    /// The function as its author named it.
    pub function: &'static str,
    /// `file!()`
    pub file: &'static str,
    /// `line!()`, that of the attribute.
    pub line: u32,
    /// `CARGO_PKG_NAME`
    pub package: &'static str,
    /// `CARGO_MANIFEST_DIR`
    pub manifest_dir: &'static str,
    /// `CARGO_BIN_NAME`, where the target is a binary.
    pub binary: Option<&'static str>,
    /// Whether the target is an integration test.
    pub integration: bool,
    /// Whether the function is `#[ignore]`d.
    pub ignored: bool,
}

impl Site {
    /// Returns the function's whole path, `crate::module::function`.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.ident)
    }
}
