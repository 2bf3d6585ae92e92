//! The features that are off: tests behind them are in no binary.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Artifact;

/// Returns the features of these packages that nothing switches on.
pub(super) fn off(artifacts: &[Artifact], on: &[String]) -> Vec<String> {
    let mut manifests: Vec<_> = artifacts.iter().map(|artifact| &artifact.manifest).collect();
    manifests.sort();
    manifests.dedup();
    let off = |path: &PathBuf| {
        let table = manifest(path)?;
        let package = table.get("package")?.get("name")?.as_str()?.to_owned();
        let own = |on: &str| on.strip_prefix(&*package).and_then(|on| on.strip_prefix('/')).unwrap_or(on).to_owned();
        let named = on.iter().flat_map(|on| on.split([',', ' '])).map(own);
        let on = switched(&table, ["default".to_owned()].into_iter().chain(named).collect());
        let off = features(&table).into_iter().filter(|name| name != "default" && !on.contains(name));
        Some(off.map(|name| format!("{package}/{name}")).collect::<Vec<_>>())
    };
    manifests.into_iter().filter_map(off).flatten().collect()
}

/// Returns what these features switch on, and they.
fn switched(table: &Table, named: Vec<String>) -> BTreeSet<String> {
    let (mut on, mut open) = (BTreeSet::new(), named);
    while let Some(name) = open.pop() {
        open.extend(listed(table, &name));
        // What switches on a feature of a dependency switches on the dependency, which is a feature where it is none by name.
        open.extend(name.split_once('/').filter(|(of, _)| !of.ends_with('?')).map(|(of, _)| of.to_owned()));
        if !on.insert(name) {
            open.retain(|name| !on.contains(name));
        }
    }
    on
}

fn listed(table: &Table, name: &str) -> Vec<String> {
    let list = table.get("features").and_then(|features| features.get(name)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the features of a package: those that it lists, and each optional dependency that none of them names as one.
fn features(table: &Table) -> BTreeSet<String> {
    let section = |name: &str| table.get(name).and_then(Value::as_table).into_iter().flatten();
    let names: BTreeSet<_> = section("features").map(|(name, _)| name.clone()).collect();
    let listed: BTreeSet<_> = names.iter().flat_map(|name| listed(table, name)).collect();
    let is_optional = |of: &Value| of.get("optional").and_then(Value::as_bool) == Some(true);
    let dependencies = ["dependencies", "build-dependencies"].into_iter().flat_map(section);
    let optional = dependencies.filter(|(name, of)| is_optional(of) && !listed.contains(&format!("dep:{name}")));
    let optional: Vec<_> = optional.map(|(name, _)| name.clone()).collect();
    names.into_iter().chain(optional).collect()
}

/// Returns what a manifest says, where it can be read.
pub(super) fn manifest(path: &Path) -> Option<Table> {
    fs::read_to_string(path).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{features, switched};

    #[test]
    fn features_switch_each_other_on_and_an_optional_dependency_may_be_one() {
        let table = "[features]\ndefault = ['a']\na = ['b', 'a', 'one/x', 'two?/y']\nb = []\nc = ['dep:hidden']\n[dependencies]\none = { version = '1', optional = true }\ntwo = { version = '1', optional = true }\nhidden = { version = '1', optional = true }\nplain = '1'\n"
            .parse()
            .unwrap();
        let of = |all: std::collections::BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(of(features(&table)), "a b c default one two");
        assert_eq!(of(switched(&table, vec!["default".into()])), "a b default one one/x two?/y");
        assert_eq!(of(switched(&table, vec!["c".into(), "none".into()])), "c dep:hidden none");
    }
}
