//! A cassette that is far too big for a comment: 400 calls, each of them changed, one of them in a prompt of 100 KB.

use std::time::{Duration, Instant};

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use crate::browser::look;
use crate::project::Project;
use crate::recordings::{answer, ask};

/// How long the command and the browser may take; a person who looks at a page waits no longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many bytes a call's prompt has: `CASSETTE_HUGE=55000` makes the two files 22 MB each.
#[expect(clippy::disallowed_methods, reason = "a measurement by hand")]
fn size() -> usize {
    std::env::var("CASSETTE_HUGE").ok().and_then(|size| size.parse().ok()).unwrap_or(2_000)
}

fn calls(when: &str) -> Vec<(Call, Outcome)> {
    let text = "The train leaves on time, as it always does. ".repeat(size() / 45);
    let wide = "| 列車 | 九時四分 |\\n|---|---|\\n```\\n</details>\\n".repeat(1_600);
    let one = |i: usize| match i {
        200 => (ask(&format!("{wide} {when}")), answer("chatcmpl-1", &format!("{when}, ```` and </details>"))),
        i => (ask(&format!("{i}. {text} {when}?")), answer("chatcmpl-1", &format!("{i}: {when}."))),
    };
    (0..400).map(one).collect()
}

#[test]
fn what_is_huge_fits_a_comment_and_opens_as_a_page() {
    let project = Project::new();
    project.record("cassettes/huge.json", &calls("today"));
    project.commit();
    project.record("cassettes/huge.json", &calls("tomorrow"));
    project.record("cassettes/small.json", &[(ask("When?"), answer("chatcmpl-1", "At nine."))]);

    let started = Instant::now();
    let comment = project.output(&["diff", "--base", "HEAD", "--format", "markdown"]);
    let took = started.elapsed();
    let comment = String::from_utf8(comment.stdout).unwrap();
    assert!((60_000..65_000).contains(&comment.len()), "{}", comment.len());
    assert!(comment.contains("<code>small</code>: added, with 1 call</summary>"), "{comment}");
    assert!(comment.ends_with("See `cargo cassette diff --base HEAD`.\n"));
    assert!(took < PATIENCE, "{took:?}");

    let started = Instant::now();
    let page = project.output(&["diff", "--base", "HEAD", "--format", "html"]).stdout;
    let (bytes, wrote) = (page.len(), started.elapsed());
    project.write("page.html", page);
    let started = Instant::now();
    let Some(seen) = look(&project.path("page.html")) else { return };
    let opened = started.elapsed();
    assert_eq!(seen.console, Vec::<String>::new());
    assert!(seen.dom.contains("tomorrow") && seen.dom.trim_end().ends_with("</html>"), "the page is whole");
    assert!(wrote < PATIENCE && opened < PATIENCE, "{wrote:?} and {opened:?}");
    crate::browser::told(&format!(
        "huge: a comment of {} bytes in {took:.1?}, a page of {bytes} bytes in {wrote:.1?}, opened in {opened:.1?}",
        comment.len()
    ));
}
