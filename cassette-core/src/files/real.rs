//! Where a path leads in the end.

use std::path::{Component, Path, PathBuf};

/// Returns a path without links and steps upwards, as far as it is there: two paths of one place are spelled the same.
///
/// What is not there yet is taken by its letters.
#[must_use]
pub fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|there| Some((there.canonicalize().ok()?, path.strip_prefix(there).ok()?)));
    let Some((there, rest)) = there else { return path.to_owned() };
    rest.components().fold(there, |mut place, step| {
        match step {
            Component::ParentDir => _ = place.pop(),
            Component::Normal(name) => place.push(name),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
        place
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::real;

    #[test]
    fn one_place_is_spelled_in_one_way() {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path().canonicalize().unwrap();
        std::fs::create_dir(here.join("a")).unwrap();
        std::os::unix::fs::symlink("a", here.join("link")).unwrap();
        for (spelled, place) in [
            ("a/../shared", "shared"),
            ("link", "a"),
            ("link/x/../y", "a/y"),
            ("a/no/../../shared", "shared"),
            ("./no", "no"),
        ] {
            assert_eq!(real(&here.join(spelled)), here.join(place), "{spelled}");
        }
        assert_eq!(real(Path::new("/no/such/place")), Path::new("/no/such/place"));
    }
}
