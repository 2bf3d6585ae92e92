//! What a story and its teller say to each other, which are two processes: through the environment, and a file.

use std::{env, fs};

/// Returns a variable that the teller has set.
///
/// # Panics
///
/// Panics where it has not.
#[expect(clippy::disallowed_methods, clippy::panic, reason = "the teller speaks to the story through its environment")]
pub fn var(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is set by the teller"))
}

/// Returns whether the teller has set this.
#[expect(clippy::disallowed_methods, reason = "the teller speaks to the story through its environment")]
pub fn is_set(name: &str) -> bool {
    env::var_os(name).is_some()
}

/// Returns the story's server: `http://127.0.0.1:port`.
///
/// # Panics
///
/// Panics where no teller has set it.
pub fn upstream() -> String {
    var("STORY_UPSTREAM")
}

/// Writes down what the story saw, for the teller to compare.
///
/// # Panics
///
/// Panics where it cannot be written.
#[expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "the story's own notebook")]
pub fn seen(what: impl AsRef<[u8]>) {
    fs::write(var("STORY_SEEN"), what).unwrap();
}

/// Says that a story was not told, and why.
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
pub fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// Returns the path of a test without its crate, as libtest names it.
pub fn local(path: &'static str) -> &'static str {
    path.split_once("::").map_or(path, |(_, local)| local)
}

/// Returns the path of a story that stands beside its teller.
#[macro_export]
macro_rules! story {
    ($name:ident) => {
        $crate::local(concat!(module_path!(), "::", stringify!($name)))
    };
}

/// Snapshots the text of a report, without what differs from run to run.
#[macro_export]
macro_rules! assert_told {
    ($name:expr, $told:expr) => {
        insta::with_settings!({ filters => $crate::FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $told);
        });
    };
}

/// What differs from run to run, and what stands for it: for insta.
pub const FILTERS: [(&str, &str); 8] = [
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"/[^ `:]*/cassettes/", "[dir]/cassettes/"),
    (r"(thread '[^']+' )\(\d+\) ", "$1"),
    (r"of process \d+ ", "of process N "),
    (r"ThreadId\(\d+\)", "ThreadId(N)"),
    (r"(\.rs):\d+:\d+:", "$1:"),
    (r"(\.rs):\d+(,|\n)", "$1$2"),
    (r"note: run with `RUST_BACKTRACE=1`.*\n", ""),
];
