//! A browser without a window, where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which the browser is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What a browser made of a page.
pub(crate) struct Seen {
    /// The document, after all that ran in it.
    pub(crate) dom: String,
    /// What the browser said: messages of the console, and of the page's own policy.
    pub(crate) console: Vec<String>,
}

/// Looks at a page, wide and light; tells of it where there is no browser.
pub(crate) fn look(page: &Path) -> Option<Seen> {
    let output =
        browser()?.args(["--enable-logging=stderr", "--v=0", "--dump-dom"]).arg(address(page)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let is_of_the_page =
        |line: &&str| line.contains("CONSOLE") || line.contains("Refused") || line.contains("net_error");
    Some(Seen {
        dom: String::from_utf8(output.stdout).unwrap(),
        console: said.lines().filter(is_of_the_page).map(str::to_owned).collect(),
    })
}

/// Whether the reader's system is light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    On,
    Off,
}

/// Takes a picture of a page into a file of this name, which stays for whoever wants to look at it.
pub(crate) fn photograph(page: &Path, name: &str, (width, height): (u32, u32), light: Light) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    let mut browser = browser()?;
    browser.arg(format!("--window-size={width},{height}")).arg(format!("--screenshot={}", file.display()));
    let scheme = if light == Light::Off { 0 } else { 1 };
    browser.args(["--hide-scrollbars", &format!("--blink-settings=preferredColorScheme={scheme}")]);
    assert!(browser.arg(address(page)).output().unwrap().status.success());
    Some(file)
}

/// Prints a page into a file beside it.
pub(crate) fn print(page: &Path) -> Option<PathBuf> {
    let file = page.with_extension("pdf");
    let printed = browser()?.arg(format!("--print-to-pdf={}", file.display())).arg(address(page)).output().unwrap();
    assert!(printed.status.success());
    Some(file)
}

fn address(page: &Path) -> String {
    format!("file://{}", page.display())
}

/// Returns the browser with a profile of its own, which goes with the first program that ends.
fn browser() -> Option<Command> {
    let found = NAMES.into_iter().find(|name| {
        Command::new("sh")
            .args(["-c", &format!("command -v {name}")])
            .output()
            .is_ok_and(|output| output.status.success())
    });
    let Some(name) = found else {
        told("no browser: what it makes of a page is not seen");
        return None;
    };
    let profile = tempfile::tempdir().unwrap().keep();
    let mut command = Command::new("sh");
    // The profile goes with the browser.
    command.args(["-c", r#"dir=$1; shift; "$@"; code=$?; rm -rf "$dir"; exit $code"#, "sh"]).arg(&profile).arg(name);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    Some(command)
}

/// Tells what is left out, past the harness.
#[expect(clippy::print_stderr, reason = "what a test leaves out is told")]
pub(crate) fn told(what: &str) {
    eprintln!("{what}");
}
