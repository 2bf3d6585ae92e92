//! Pages that stand alone: `show --format html` and `diff --format html`, and what a browser makes of them.

use std::path::PathBuf;

use cassette_core::reply::Outcome;

use crate::browser::{Light, look, photograph, print};
use crate::project::Project;
use crate::recordings::{answer, ask, conversation, json};
use crate::trip::{HOSTILE, later, png, trip};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trip.json", &trip());
    project.record("cassettes/later.json", &later());
    project
}

/// Writes a page into the project.
fn page(project: &Project, words: &[&str]) -> PathBuf {
    let output = project.output(words);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    project.write("page.html", output.stdout);
    project.path("page.html")
}

fn text(project: &Project, words: &[&str]) -> String {
    String::from_utf8(project.output(words).stdout).unwrap()
}

/// Leaves out the style sheet and its digest, which change with every rule.
fn without_style(page: &str) -> String {
    let without = |page: &str, from: &str, to: &str| {
        let (before, rest) = page.split_once(from).unwrap();
        let (_, after) = rest.split_once(to).unwrap();
        format!("{before}{from}..{to}{after}")
    };
    without(&without(page, "<style>", "</style>"), "sha256-", "&#39;")
}

#[test]
fn a_cassette_as_a_page() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    insta::assert_snapshot!(without_style(&text(&project, &["show", "trains", "--format", "html"])));
}

#[test]
fn differences_as_a_page() {
    let project = Project::new();
    let before = [
        (ask("When does the next train leave?"), answer("chatcmpl-1", "At 09:04, from track 2.")),
        (ask("What does it cost?"), answer("chatcmpl-2", "449 kroner.")),
        (ask("May I bring a bicycle?"), answer("chatcmpl-3", "Yes.")),
    ];
    let after = [
        (ask("When does the next train leave?"), answer("chatcmpl-a", "At 09:14, from track 2, or later.")),
        (ask("Is there a window seat left?"), answer("chatcmpl-b", "Two.")),
        (ask("May I bring a bicycle?"), answer("chatcmpl-c", "Yes.")),
    ];
    project.record("cassettes/trains.json", &before);
    project.record("cassettes/later.json", &after);
    insta::assert_snapshot!(without_style(&text(&project, &["diff", "trains", "later", "--format", "html"])));
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    let project = project();
    for words in [&["show", "trip", "--format", "html"][..], &["diff", "trip", "later", "--format", "html"]] {
        let source = text(&project, words);
        assert_eq!(
            source.matches("<script").count() + source.matches("<link").count() + source.matches("<iframe").count(),
            0
        );
        assert!(
            !source.contains("<img src=x") && !source.contains("<svg") && !source.contains("javascript:alert(1)>"),
            "{words:?}"
        );
        let places: Vec<_> = source.split(" href=\"").chain(source.split(" src=\"")).skip(1).collect();
        assert!(
            places.iter().all(|place| place.starts_with(['#']) || place.starts_with("data:") || place.starts_with('<'))
        );
        let Some(seen) = look(&page(&project, words)) else { return };
        assert_eq!(seen.console, Vec::<String>::new(), "{words:?}");
        let title = seen.dom.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned();
        assert!(!title.contains("owned"), "{title}");
        assert!(seen.dom.contains("default-src 'none'"));
        assert!(!seen.dom.contains("<script") && !seen.dom.contains("<img src=x") && !seen.dom.contains("<iframe"));
    }
}

#[test]
fn what_is_hostile_is_read_as_the_text_that_it_is() {
    let project = project();
    let Some(seen) = look(&page(&project, &["show", "trip", "--format", "html", "6"])) else { return };
    let text = HOSTILE.replace("\\\"", "\"").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    assert_eq!(seen.dom.matches(&text).count(), 2, "asked and answered: {}", seen.dom);
}

#[test]
fn the_policy_forbids_what_is_written_in_by_hand() {
    let project = project();
    let source = text(&project, &["show", "trip", "--format", "html"]);
    let hand = "<script>document.title='owned'</script><img src=\"https://example.com/x.png\"><style>h1{display:none}</style></body>";
    project.write("page.html", source.replace("</body>", hand));
    let Some(seen) = look(&project.path("page.html")) else { return };
    assert!(!seen.dom.contains("<title>owned"));
    assert_eq!(seen.console.len(), 3, "{:#?}", seen.console);
}

#[test]
fn pictures_are_shown_and_anything_else_can_be_saved() {
    let project = Project::new();
    let encoded = {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(png(8, 8))
    };
    let made = cassette_core::call::Call::http(
        "POST",
        "https://api.openai.com/v1/images/generations",
        vec![("content-type".to_owned(), "application/json".to_owned())],
        br#"{"model":"gpt-image-1","prompt":"A train."}"#.to_vec(),
    );
    let sheet = cassette_core::call::Call::http("GET", "https://timetable.example.com/sheet", vec![], vec![]);
    let binary = |kind: &str, bytes: &[u8]| match json(200, "") {
        Outcome::Reply(mut reply) => {
            reply.headers[0].1 = kind.to_owned();
            reply.chunks[0].bytes = bytes.to_vec();
            Outcome::Reply(reply)
        }
        other => other,
    };
    project.record(
        "cassettes/files.json",
        &[
            (made, json(200, &format!(r#"{{"created":1,"data":[{{"b64_json":"{encoded}"}}]}}"#))),
            (sheet.clone(), binary("text/html", b"%PDF-1.7\n\xff<script>alert(1)</script>")),
            (sheet, binary("image/png", &png(8, 8))),
        ],
    );
    insta::assert_snapshot!(text(&project, &["show", "files"]));
    let source = text(&project, &["show", "files", "--format", "html"]);
    assert_eq!(source.matches("<img src=\"data:image/png;base64,").count(), 2);
    assert_eq!(source.matches("href=\"data:application/octet-stream;base64,").count(), 1);
    assert_eq!(source.matches("data:").count(), 5, "three files, and twice the policy");
}

#[test]
fn a_page_is_printed_whole() {
    let project = project();
    let Some(pdf) = print(&page(&project, &["show", "trip", "--format", "html", "5"])) else { return };
    let read = project.program("pdftotext".as_ref()).arg(&pdf).arg("-").output();
    let Ok(read) = read else { return crate::browser::told("no pdftotext: what is printed is not read") };
    let printed = String::from_utf8(read.stdout).unwrap();
    assert!(printed.contains("60. A rule of carriage"), "{printed}");
}

#[test]
fn pages_can_be_looked_at_in_light_and_dark() {
    let project = project();
    let shown = page(&project, &["show", "trip", "--format", "html"]);
    let shot = |page: &PathBuf, name: &str, size: (u32, u32), light: Light| {
        Some(std::fs::read(photograph(page, name, size, light)?).unwrap())
    };
    let (wide, narrow) = ((1400, 1700), (420, 1700));
    let Some(light) = shot(&shown, "show-wide-light.png", wide, Light::On) else { return };
    let dark = shot(&shown, "show-wide-dark.png", wide, Light::Off).unwrap();
    let small = shot(&shown, "show-narrow-dark.png", narrow, Light::Off).unwrap();
    let compared = page(&project, &["diff", "trip", "later", "--format", "html"]);
    let sides = shot(&compared, "diff-wide-light.png", wide, Light::On).unwrap();
    let shots = [light, dark, small, sides];
    assert!(shots.iter().all(|shot| shot.len() > 10_000), "an empty page is smaller");
    assert_ne!(shots[0], shots[1], "dark is not light");
}
