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

/// Returns a project with a cassette of many calls, and one with an answer as long as a book, both new: `CASSETTE_HUGE=10000` makes it ten
/// thousand calls and an answer of 20 MB.
fn added() -> (Project, usize) {
    let many = size();
    let project = Project::new();
    project.commit_empty();
    let text = "The train leaves on time, as it always does. ".repeat(8_000_000 / 45 / many);
    let one = |i: usize| (ask(&format!("{i}. When?")), answer("chatcmpl-1", &format!("{i}: {text}")));
    project.record("cassettes/many.json", &(0..many).map(one).collect::<Vec<_>>());
    let long = "The train leaves on time, as it always does. ".repeat(many * 2_000 / 45);
    project.record("cassettes/long.json", &[(ask("When?"), answer("chatcmpl-1", &long))]);
    (project, many)
}

#[test]
fn what_is_huge_and_new_is_a_page_that_can_be_opened() {
    let (project, many) = added();
    let page = |words: &[&str]| {
        let started = Instant::now();
        let page = String::from_utf8(project.output(words).stdout).unwrap();
        crate::browser::told(&format!("huge: {words:?}, {} bytes in {:.1?}", page.len(), started.elapsed()));
        page
    };
    let diff = page(&["diff", "--base", "HEAD", "--format", "html"]);
    let shown = page(&["show", "many", "--format", "html"]);
    for (page, calls) in [(&diff, "class=\"call added\""), (&shown, "class=\"call\"")] {
        assert!(page.len() < 9 << 20, "{}", page.len());
        let left: usize = page
            .split("<p class=\"noise\">")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap();
        assert_eq!(
            page.matches(calls).count() - usize::from(*page == diff) + left,
            many,
            "every call is there, or is counted"
        );
        assert!(page.trim_end().ends_with("</html>"));
    }
    assert!(
        diff.contains("not shown here: the page would be too large. See cargo cassette diff --base HEAD"),
        "{}",
        diff.len()
    );
    assert!(shown.contains("not shown here: the page would be too large. See cargo cassette show many"));
    assert_eq!(
        shown.matches("href=\"#call-").count(),
        2 * shown.matches("class=\"call\"").count(),
        "no link leads nowhere"
    );
    let long = page(&["show", "long", "--format", "html"]);
    assert!(long.len() < 300_000 && long.contains("… the first 200,000 of "), "{}", long.len());
}
