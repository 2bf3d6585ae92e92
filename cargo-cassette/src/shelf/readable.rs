//! What to do about what cannot be read.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use super::{is_cassette, path_text};
use crate::typed::{quoted_os, typed};

/// Returns what to do about a file or a directory that cannot be read, which is shown so.
#[must_use]
pub fn readable(text: &str, path: &Path) -> String {
    let shown = typed(text);
    let around = path.ancestors().zip(Path::new(text).ancestors()).skip(1);
    let closed = around.filter(|(dir, _)| dir.is_dir() && fs::read_dir(dir).is_err()).last();
    if let (true, Some((_, dir))) = (path.symlink_metadata().is_err(), closed) {
        return format!("let it be read: chmod -R u+rwX {}", typed(&path_text(dir)));
    }
    match fs::metadata(path) {
        Err(error) if path.is_symlink() && error.kind() != io::ErrorKind::PermissionDenied => {
            format!("mend the link, which leads nowhere, or remove it: rm {shown}")
        }
        Ok(metadata) if metadata.is_dir() && path.is_symlink() => {
            let target = fs::read_link(path).unwrap_or_default();
            let beside = Path::new(text.trim_end_matches('/')).parent().unwrap_or(Path::new(""));
            let target = straight(&beside.join(target));
            let link = typed(text.trim_end_matches('/'));
            format!(
                "put the directory in the link's place: rm {link} && cp -R {} {link}",
                quoted_os(target.as_os_str())
            )
        }
        Ok(metadata) if metadata.is_dir() => match fs::read_dir(path) {
            // It stands where a cassette would, and nothing keeps it from being read.
            Ok(mut inside) if is_cassette(path) => match inside.next() {
                None => format!("remove the directory: rmdir {shown}"),
                Some(_) => format!("move the directory away: mv {shown} {}", typed(&aside(text, path))),
            },
            _ => format!("let it be read: chmod -R u+rwX {shown}"),
        },
        Ok(metadata) if !metadata.is_file() => format!("remove it: rm {shown}"),
        _ => format!("let it be read: chmod u+rw {shown}"),
    }
}

/// Returns a path without the steps that the next one takes back.
fn straight(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut straight, step| {
        let goes_back = step == Component::ParentDir && straight.file_name().is_some();
        if goes_back {
            straight.pop();
        } else {
            straight.push(step);
        }
        straight
    })
}

/// Returns where a directory, which is shown so, goes that stands in a cassette's place: what is in it keeps as much of its name as it can.
fn aside(shown: &str, path: &Path) -> String {
    let whole = |text: &str| text.trim_end_matches(".zst").trim_end_matches(".json").to_owned();
    let (shown, path) = (whole(shown), whole(&path.to_string_lossy()));
    let ending = |n: usize| if n == 1 { String::new() } else { format!("-{n}") };
    let free = (1..).map(ending).find(|ending| !Path::new(&format!("{path}{ending}")).exists());
    format!("{shown}{}", free.unwrap_or_default())
}
