//! The features that are off: tests behind them are in no binary.

use std::path::PathBuf;

use toml::Value;

use super::{Artifact, manifest};

/// Returns the features of these packages that nothing switches on.
pub(super) fn off(artifacts: &[Artifact], on: &[String]) -> Vec<String> {
    let mut manifests: Vec<_> = artifacts.iter().map(|artifact| &artifact.manifest).collect();
    manifests.sort();
    manifests.dedup();
    let features = |path: &PathBuf| {
        let table = manifest(path)?;
        let package = table.get("package")?.get("name")?.as_str()?.to_owned();
        let features = table.get("features")?.as_table()?;
        let default: Vec<_> = features.get("default").and_then(Value::as_array).into_iter().flatten().collect();
        let is_on = |name: &str| {
            name == "default"
                || default.iter().any(|known| known.as_str() == Some(name))
                || on
                    .iter()
                    .flat_map(|on| on.split([',', ' ']))
                    .any(|on| on == name || on == format!("{package}/{name}"))
        };
        let off = features.keys().filter(|name| !is_on(name)).map(|name| format!("{package}/{name}"));
        Some(off.collect::<Vec<_>>())
    };
    manifests.into_iter().filter_map(features).flatten().collect()
}
