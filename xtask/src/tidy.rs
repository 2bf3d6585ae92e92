//! The order of the house: no file too long, no module that imports from below itself.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines a file may have before its tests.
const LONGEST: usize = 300;

/// The crates whose `lib.rs` lists modules in reading order.
const ORDERED: [&str; 3] = ["cassette-core", "cassette-test", "cargo-cassette"];

/// Checks every source file of the workspace.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    for package in ["cassette-core", "cassette-macros", "cassette-test", "cargo-cassette", "xtask"] {
        let mut files = Vec::new();
        collect(&root.join(package).join("src"), &mut files);
        for file in files {
            let text =
                fs::read_to_string(&file).map_err(|error| format!("could not read {}: {error}", file.display()))?;
            found.extend(too_long(&file, &text));
        }
    }
    for package in ORDERED {
        found.extend(out_of_order(&root.join(package).join("src"))?);
    }
    found.sort();
    if found.is_empty() { Ok(()) } else { Err(format!("the house is not in order\n  {}", found.join("\n  "))) }
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

fn is_test(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == "tests") || file.components().any(|part| part.as_os_str() == "tests")
}

fn too_long(file: &Path, text: &str) -> Option<String> {
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
    (lines > LONGEST && !is_test(file)).then(|| format!("{} has {lines} lines before its tests", file.display()))
}

/// Returns each `use crate::x` in a module that stands above `x` in `lib.rs`.
fn out_of_order(src: &Path) -> Result<Vec<String>, String> {
    let lib =
        fs::read_to_string(src.join("lib.rs")).map_err(|error| format!("could not read {}: {error}", src.display()))?;
    let order: Vec<_> = lib.lines().filter_map(module).collect();
    let mut found = Vec::new();
    for (position, name) in order.iter().enumerate() {
        let mut files = vec![src.join(format!("{name}.rs"))];
        collect(&src.join(name), &mut files);
        for file in files.iter().filter(|file| file.exists() && !is_test(file)) {
            let text =
                fs::read_to_string(file).map_err(|error| format!("could not read {}: {error}", file.display()))?;
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let below = order[position + 1..].iter().filter(|below| imports(code, below));
            found.extend(
                below.map(|below| format!("{}: `{name}` imports `{below}`, which stands below it", file.display())),
            );
        }
    }
    Ok(found)
}

fn module(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    rest.strip_prefix("mod ")?.strip_suffix(';')
}

fn imports(code: &str, module: &str) -> bool {
    let path = format!("crate::{module}");
    code.match_indices(&path)
        .any(|(at, _)| !code[at + path.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
