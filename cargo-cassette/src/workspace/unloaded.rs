//! Why cargo does not load the workspace around a place, as far as its manifests tell.

use std::path::Path;

use toml::Value;

use super::{NoShelf, Reach, Standpoint, manifest, matching, nearest, packages, plain, shown};

/// Returns why cargo would not load the workspace, though cassettes are found from here: another manifest of it cannot be read, or a
/// member is not there. `None` where a directory was asked for, which needs no package.
pub fn unloaded(standpoint: &Standpoint) -> Option<String> {
    if standpoint.dir.is_some() {
        return None;
    }
    let here = &standpoint.here;
    if let Err(NoShelf::Manifest(path, error)) = packages(&Standpoint { reach: Reach::Workspace, ..standpoint.clone() })
    {
        return Some(format!("{}: {error}", shown(here, &path)));
    }
    let nearest = nearest(here, standpoint.manifest_dir.as_deref()).ok()?;
    let root =
        nearest.ancestors().find(|dir| manifest(dir).is_ok_and(|manifest| manifest.contains_key("workspace")))?;
    let member = missing(root)?;
    Some(format!("{}: its member `{member}` has no Cargo.toml", shown(here, &root.join("Cargo.toml"))))
}

/// Returns the first member that a manifest names, and not by a pattern, and that is not there.
fn missing(root: &Path) -> Option<String> {
    let manifest = manifest(root).ok()?;
    let list = |name: &str| {
        let list = manifest.get("workspace").and_then(|workspace| workspace.get(name)?.as_array());
        list.into_iter().flatten().filter_map(Value::as_str)
    };
    let excluded: Vec<_> = list("exclude").map(|dir| plain(&root.join(dir))).collect();
    let is_missing = |member: &&str| {
        let dirs = matching(root, member).into_iter().map(|dir| plain(&dir));
        let mut dirs = dirs.filter(|dir| !excluded.iter().any(|excluded| dir.starts_with(excluded)));
        !member.contains(['*', '?', '[']) && dirs.any(|dir| !dir.join("Cargo.toml").is_file())
    };
    list("members").find(is_missing).map(str::to_owned)
}
