//! How it stands: `status`.

use cassette_core::disk;

use crate::project::{Project, document};
use crate::recordings::{answer, ask, conversation};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project.record("cassettes/fares/day.json", &[(ask("What does it cost?"), answer("chatcmpl-1", "A lot."))]);
    project
}

/// Adds what was not taken over: a recording with its reason, a journal, and one that was put aside, torn.
fn with_pending(project: &Project) {
    let sound = document(&[(ask("When?"), answer("chatcmpl-2", "At nine."))]);
    let pending = sound
        .replace("  \"interactions\"", "  \"pending\": \"the test failed\\nwith more to say\",\n  \"interactions\"");
    assert!(disk::read(pending.as_bytes()).is_ok());
    project.write("cassettes/.pending/trains.json", pending);
    project.write("cassettes/.pending/.gitignore", "*\n");
    let interaction = sound.split_once("[\n    {").unwrap().1.rsplit_once("}\n  ]").unwrap().0;
    let line: String = format!("{{{interaction}}}").lines().map(str::trim_start).collect();
    project.write("cassettes/.pending/fares/day.journal", format!("{line}\n"));
    project.write("cassettes/.pending/fares/day.cut-short-1.journal", format!("{line}\n{line}\n{{\"key\""));
    project.write("cassettes/.pending/fares/night.journal", "{}\n");
}

#[test]
fn owner_age_tokens_and_the_mode() {
    insta::assert_snapshot!(project().run(&["status"]));
    insta::assert_snapshot!(project().run(&["status", "--json"]));
}

#[test]
fn the_mode_and_who_says_so() {
    let mode = |project: Project| {
        let told = project.run(&["status"]);
        told.lines().filter(|line| line.starts_with("exit") || line.starts_with("mode")).collect::<Vec<_>>().join(": ")
    };
    let told = [
        mode(project().with("CASSETTE_MODE", "record")),
        mode(project().with("CASSETTE_MODE", "")),
        mode(project().with("CASSETTE_MODE", "refresh").with("CI", "true")),
        mode(project().with("CASSETTE_MODE", "refresh").with("CI", "true").with("CASSETTE_ALLOW_CI", "1")),
        mode(project().with("CASSETTE_MODE", "refresh").with("CI", "false")),
        mode(project().with("CASSETTE_MODE", "rec")),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn whatever_a_variable_or_a_file_settles_is_told_and_refused_as_tests_refuse_it() {
    let told = |project: Project| {
        let told = project.run(&["status"]);
        told.lines()
            .take_while(|line| !line.is_empty())
            .filter(|line| !line.starts_with("---"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let files = || {
        let project = project();
        project.write(
            "cassette.toml",
            "guard = \"strict\"\n\norder = \"strict\"\nbudget = \"0.5\"\nallow_hosts = [\"metrics.internal\"]\n",
        );
        project
    };
    let told = [
        told(project().with("CASSETTE_ORDER", "fuzzy:0.8:20")),
        told(project().with("CASSETTE_ORDER", "fuzzzy")),
        told(project().with("CASSETTE_ORDER", "fuzzy:NaN:3")),
        told(project().with("CASSETTE_ORDER", "fuzzy:0.5:0")),
        told(project().with("CASSETTE_ORDER", "ordered").with("CI", "true")),
        told(project().with("CASSETTE_GUARD", "xx").with("CASSETTE_BUDGET", "1 $").with("CASSETTE_BREAK_AT", "0")),
        told(
            project()
                .with("CASSETTE_DIR", "cassettes")
                .with("CASSETTE_BUDGET", "0.50")
                .with("CASSETTE_ALLOW_HOSTS", "a.test,b.test"),
        ),
        told(files()),
        told(files().with("CASSETTE_ORDER", "any").with("CASSETTE_ALLOW_HOSTS", "a.test").with("CASSETTE_GUARD", "")),
        told(project().with("CI", "true").with("CASSETTE_ALLOW_CI", "1").with("CASSETTE_MODE", "record")),
        project().with("CASSETTE_ORDER", "fuzzzy").with("CASSETTE_GUARD", "strict").run(&[
            "status",
            "--dir",
            "cassettes/fares",
            "--json",
        ]),
    ];
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_recording_that_was_cut_off_is_told_where_nothing_else_is_pending() {
    let project = project();
    project.write("cassettes/.pending/fares/night.journal", "{}\n");
    let told = project.run(&["status"]);
    assert!(told.contains("cassettes/.pending, not taken over\n  fares/night  "), "{told}");
}

#[test]
fn what_is_pending_is_told_with_its_reason() {
    let project = project();
    with_pending(&project);
    insta::assert_snapshot!(project.run(&["status"]));
    insta::assert_snapshot!(project.run(&["status", "--json"]));
    insta::assert_snapshot!(project.run(&["show", "cassettes/.pending/trains.json"]));
}

#[test]
fn a_day_that_is_none_is_told() {
    let project = project().with("SOURCE_DATE_EPOCH", "abc");
    let told = project.run(&["status"]);
    let note = "--- stderr\nSOURCE_DATE_EPOCH is `abc`, and no number of seconds: ages count from today\n";
    assert!(told.starts_with("exit 0") && told.ends_with(note), "{told}");
}

#[test]
fn of_a_recording_of_which_nothing_was_written_nobody_is_said_to_have_died() {
    let project = project();
    // A disk that was full leaves it so.
    project.write("cassettes/.pending/fares/night.journal", "");
    let what = "a recording broke off, and nothing of it was written";
    let status = project.run(&["status"]);
    assert!(status.contains(&format!("cassettes/.pending, not taken over\n  fares/night  {what}\n")), "{status}");
    let json: String = project.run(&["status", "--json"]).split_whitespace().collect();
    assert!(json.contains(r#""state":"empty","calls":0}"#), "{json}");
    let lint = project.run(&["lint", "--files"]);
    let expected = format!("night.journal: pending: {what}\n  help: remove it: cargo cassette recover\n");
    assert!(lint.contains(&expected), "{lint}");
    assert!(project.run(&["recover"]).starts_with("exit 0"));
    assert!(!project.path("cassettes/.pending/fares").exists());
}

#[test]
fn what_is_in_force_is_told_before_anything_was_recorded() {
    let project = || Project::new().with("CASSETTE_DIR", "nowhere").with("CASSETTE_GUARD", "strict");
    let why = "error: nothing has been recorded: there is no directory nowhere\n\
        help: record with CASSETTE_MODE=record cargo test, or name the directory: --dir <DIR>\n";
    let told = "mode replay (default)\ndir nowhere (CASSETTE_DIR)\nguard strict (CASSETTE_GUARD)\n";
    assert_eq!(project().run(&["status"]), format!("exit 2\n--- stdout\n{told}--- stderr\n{why}"));
    let json = project().run(&["status", "--json"]);
    assert!(json.contains("\"name\": \"guard\"") && json.ends_with(&format!("--- stderr\n{why}")), "{json}");
    let told = Project::bare().with("CASSETTE_MODE", "rec").run(&["status"]);
    assert!(told.contains("\nmode rec (CASSETTE_MODE), refused: it names no mode"), "{told}");
}

#[test]
fn what_a_variable_says_in_vain_is_told() {
    let told = |name: &str, value: &str| {
        let told = project().with(name, value).run(&["status"]);
        told.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned()
    };
    let hosts = "http://x/, db.test,10.0.0.1,fd00::1,*.db.test,.db.test,*,a.test:443";
    assert_eq!(
        told("CASSETTE_ALLOW_HOSTS", hosts),
        format!(
            "allow_hosts {hosts} (CASSETTE_ALLOW_HOSTS), no hosts, so that nothing passes for them: http://x/, *, a.test:443"
        )
    );
    assert_eq!(told("CASSETTE_ALLOW_HOSTS", "a_b.test"), "allow_hosts a_b.test (CASSETTE_ALLOW_HOSTS)");
    assert_eq!(told("CASSETTE_ALLOW_CI", "2"), "allow_ci 2 (CASSETTE_ALLOW_CI), live calls are allowed in CI");
    assert_eq!(told("CASSETTE_ALLOW_CI", "0"), "allow_ci 0 (CASSETTE_ALLOW_CI)");
    let files = project();
    files.write("cassette.toml", "allow_hosts = [\"http://x/\"]\n");
    let told = files.run(&["status"]);
    assert!(told.contains("(cassette.toml:1), no host, so that nothing passes for it: http://x/\n"), "{told}");
}
