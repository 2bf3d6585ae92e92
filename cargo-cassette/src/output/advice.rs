//! Advice as it has to be typed where the command was.
//!
//! Whoever names a cassette in a piece of advice does not know by which options its directory was found. Here these are added, so
//! that what is typed looks where this command has looked.

use cargo_cassette::typed::quoted_os;

use crate::common::Common;

/// What is added to commands of one's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advice {
    /// The options, each behind a space.
    options: String,
}

/// With what a command of one's own begins.
const OWN: &str = "cargo cassette ";

impl Advice {
    /// Returns what has to be added where these options were given.
    pub(crate) fn of(common: &Common) -> Advice {
        let dir = common.dir.as_ref().map(|dir| format!(" --dir {}", quoted_os(dir.as_os_str())));
        let workspace = common.workspace.then(|| " --workspace".to_owned());
        Advice { options: dir.or(workspace).unwrap_or_default() }
    }

    /// Returns a piece of advice with the options in each command of one's own that has none of them.
    pub(crate) fn here(&self, text: &str) -> String {
        if self.options.is_empty() || [" --dir ", " --workspace"].iter().any(|option| text.contains(option)) {
            return text.to_owned();
        }
        let mut told = String::new();
        for (i, part) in text.split(OWN).enumerate() {
            if i > 0 {
                told.push_str(OWN);
                let verb = part.len() - part.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
                told.extend([&part[..verb], &self.options, &part[verb..]]);
            } else {
                told.push_str(part);
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::Advice;

    #[test]
    fn commands_of_ones_own_look_where_this_one_has_looked() {
        let advice = Advice { options: " --dir 'a b'".into() };
        let check = |text: &str, expected: &str| assert_eq!(advice.here(text), expected);
        check("mend it", "mend it");
        check("cargo cassette review", "cargo cassette review --dir 'a b'");
        check(
            "cargo cassette accept -n x, or all: cargo cassette accept --all",
            "cargo cassette accept --dir 'a b' -n x, or all: cargo cassette accept --dir 'a b' --all",
        );
        check("name the directory: --dir <DIR>", "name the directory: --dir <DIR>");
        let none = Advice::default();
        assert_eq!(none.here("cargo cassette review"), "cargo cassette review");
    }
}
