//! What is advised is the whole command that was typed, with what was wrong in it put right.

use cassette_core::call::Call;
use cassette_core::store::{FileStore, Store as _};

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::advice::kept;
use crate::project::Project;
use crate::recordings::{answer, ask, conversation, json};

/// Returns the last line that the command writes.
fn last(project: &Project, words: &[&str]) -> String {
    project.run(words).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_value_that_cannot_be_read_is_put_right_where_it_stands() {
    let project = kept("st");
    project.record("cassettes/x.json", &[(ask("Who?"), answer("chatcmpl-9", "He."))]);
    project.write("bad.toml", "checked");
    let check = |words: &[&str], help: &str| assert_eq!(last(&project, words), format!("help: {help}"), "{words:?}");
    let stats = "cargo cassette stats";
    check(&["stats", "st", "--price", "x"], &format!("{stats} st --price gpt-4o-mini=0.15/0.60"));
    check(&["stats", "x", "--price=x"], &format!("{stats} x --price=gpt-4o-mini=0.15/0.60"));
    check(&["stats", "x", "--price", "x", "--json"], &format!("{stats} x --price gpt-4o-mini=0.15/0.60 --json"));
    check(&["stats", "--price", "my model=1"], &format!("{stats} --price 'my model=0.15/0.60'"));
    let toml = "write it as docs/cargo-cassette.md shows, then: cargo cassette stats st --prices-file bad.toml";
    check(&["stats", "st", "--prices-file", "bad.toml"], toml);
    let fork = "cargo cassette fork st --at 2 new; 2 goes on from its end";
    check(&["fork", "st", "--at", "99", "new"], fork);
    let serve = "cargo cassette serve st --upstream";
    let write = "write it as NAME=URL: ";
    let local = "http://127.0.0.1:8000/v1";
    check(&["serve", "st", "--upstream", "x", "--", "true"], &format!("{write}{serve} x={local} -- true"));
    check(&["serve", "st", "--upstream", local], &format!("{write}{serve} openai={local}"));
    check(&["serve", "st", "--upstream=x="], &format!("{write}{serve}=x={local}"));
    let record = ["record", "--budget", "1 $", "--test", "suite"];
    let write = "write it as dollars and cents: cargo cassette";
    check(&record, &format!("{write} record --budget 0.50 --test suite"));
    check(&["test", "--test", "suite", "--budget=x"], &format!("{write} test --test suite --budget=0.50"));
}

#[test]
fn what_was_typed_already_is_not_what_was_meant() {
    let project = kept("hy");
    let list = "help: name one of them: cargo cassette list";
    assert_eq!(last(&project, &["diff", "hx", "hy", "--format", "html"]), list);
    assert_eq!(last(&project, &["stats", "hy", "hx"]), list);
    assert_eq!(last(&project, &["diff", "hx", "cassettes/hy.json"]), list);
    assert_eq!(last(&project, &["show", "hx"]), "help: cargo cassette show hy");
}

#[test]
fn a_cassette_that_is_not_there_is_told_as_everywhere() {
    let project = Project::new();
    for i in 0..10 {
        project.record(&format!("cassettes/trains-{i}.json"), &[(ask("When?"), answer("chatcmpl-1", "At nine."))]);
    }
    for verb in ["scrub", "compact"] {
        let told = project.run(&[verb, "nosuch"]);
        assert_eq!(told, project.run(&["stats", "nosuch"]));
        assert!(told.contains("`trains-7`, ..\n"), "{told}");
    }
}

#[test]
fn a_name_of_nothing_is_refused() {
    let project = kept("st");
    for option in ["--field", "--header"] {
        let told = project.run(&["scrub", option, ""]);
        let help = "\nhelp: cargo cassette scrub --help\n";
        assert!(told.starts_with("exit 2\n") && told.ends_with(help), "{told}");
    }
}

#[test]
fn only_what_tests_would_miss_is_to_be_hidden_by_them() {
    let told = |field: &str| kept("st").run(&["scrub", "--field", field, "-n"]);
    let line = "a test hides this too where cassette.toml says so";
    assert!(told("id").contains("reply.body.json.id") && !told("id").contains(line), "{}", told("id"));
    assert!(told("model").contains("request.body") && told("model").contains(line), "{}", told("model"));
}

#[test]
fn whose_a_cassette_is_already_is_told_so() {
    let project = Project::new();
    project.recording("seats", &[(ask("When?"), answer("chatcmpl-1", "At nine."))], Mode::Record, BodyEnd::Passed);
    let before = project.read("cassettes/seats.json");
    let told = project.run(&["seal", "seats", "--owner", "suite::seats"]);
    assert_eq!(told, "exit 0\n--- stdout\ncassettes/seats.json is that of suite::seats already\n");
    assert_eq!(project.read("cassettes/seats.json"), before);
}

#[test]
fn where_no_model_was_asked_no_tokens_are_unknown() {
    let project = kept("luggage");
    let call = Call::http("GET", "https://timetable.example.com/day", Vec::new(), Vec::new());
    project.record("cassettes/plain.json", &[(call, json(200, "{}"))]);
    let told = project.run(&["diff", "plain", "luggage"]);
    assert!(told.contains("tokens none → 42 in, 15 out") && !told.contains("unknown"), "{told}");
}

#[test]
fn what_is_being_recorded_is_waited_for() {
    let project = Project::new();
    let call = (ask("When?"), answer("chatcmpl-1", "At nine."));
    project.recording("slow", &[call], Mode::Record, BodyEnd::Passed);
    let har = r#"{"log":{"entries":[{"request":{"method":"GET","url":"https://a.test/","headers":[]},"response":{"status":200,"headers":[],"content":{"text":"hi","mimeType":"text/plain"}}}]}}"#;
    project.write("slow.har", har);
    let journal = FileStore::new(project.path("cassettes"), "cassettes").journal("slow").unwrap();
    assert_eq!(project.run(&["review"]), "exit 0\n--- stdout\nnothing is pending\n");
    let told = project.run(&["import", "slow.har", "--force"]);
    let refused = "refused slow.har: HAR: a recording of `slow` is under way\n  help: wait until its test has ended\n";
    assert!(told.contains(refused), "{told}");
    journal.journal.close().unwrap();
    assert!(project.run(&["import", "slow.har", "--force"]).starts_with("exit 0\n"));
}

#[test]
fn what_is_no_file_is_refused_by_its_name_as_in_a_directory() {
    let project = Project::new();
    assert!(project.program("mkfifo".as_ref()).arg("pipe").status().unwrap().success());
    let told = project.run(&["import", "pipe"]);
    let refused =
        "exit 1\n--- stdout\nrefused pipe: it is no file, but a pipe, a socket or a device\n  help: name a file\n";
    assert_eq!(told, refused);
    project.link("nowhere", "lost");
    assert!(project.run(&["import", "lost"]).contains("refused lost: it is a link that leads nowhere"));
    assert!(project.run(&["import", "gone"]).starts_with("exit 2\n--- stderr\nerror: there is no file gone\n"));
}

#[test]
fn a_version_of_vcrpy_that_nobody_knows_is_refused() {
    let project = Project::new();
    let file = |version: &str| {
        format!(
            "interactions:\n- request:\n    body: null\n    headers: {{}}\n    method: GET\n    uri: https://a.test/\n  response:\n    body: {{string: hi}}\n    headers: {{}}\n    status: {{code: 200, message: OK}}\nversion: {version}\n"
        )
    };
    project.write("one.yaml", file("1"));
    assert!(project.run(&["import", "one.yaml"]).starts_with("exit 0\n"));
    for version in ["7", "'x'", "1.5", "2"] {
        project.write("other.yaml", file(version));
        let told = project.run(&["import", "other.yaml"]);
        let version = version.trim_matches('\'');
        let refused = format!(
            "exit 1\n--- stdout\nrefused other.yaml:11: vcrpy: its version is {version}, and only 1 is known\n"
        );
        assert!(told.starts_with(&refused), "{told}");
    }
}

#[test]
fn what_nobody_looks_at_is_told() {
    let project = kept("st");
    project.write("elsewhere/x.json", project.read("cassettes/st.json"));
    project.link("../elsewhere", "cassettes/link");
    let told = "link/: could not be read: it is a link to a directory, which is not followed";
    let lint = project.run(&["lint", "--files"]);
    assert!(lint.starts_with("exit 1\n") && lint.contains("could not be read: it is a link to a directory"), "{lint}");
    for verb in ["list", "status"] {
        let listed = project.run(&[verb]);
        assert!(
            listed.starts_with("exit 1\n") && listed.contains("it is a link to a directory"),
            "{verb}, {told}: {listed}"
        );
    }
    assert!(project.run(&["scrub", "-n"]).starts_with("exit 1\n"));
    crate::advice::check(
        &project,
        "cargo cassette lint --files",
        &["rm cassettes/link && cp -R elsewhere cassettes/link"],
        "exit 0",
    );
    let told = project.run(&["fork", "st", "--at", "1", ".hidden"]);
    assert!(told.starts_with("exit 2\n") && told.contains("no segment begins or ends in a dot"), "{told}");
}

#[test]
fn settings_that_cannot_be_read_are_never_none() {
    let project = kept("st");
    project.link("gone.toml", "cassette.toml");
    let status = project.run(&["status"]);
    assert!(status.starts_with("exit 1\n") && status.contains("cassette.toml: it could not be read: "), "{status}");
    assert!(project.run(&["scrub"]).starts_with("exit 2\n"));

    let project = Project::bare().within("member");
    project.write("Cargo.toml", "[workspace]\nmembers = [\"member\"]\n<<<<<<< HEAD\n");
    project.write("cassette.toml", "redact_field = \"content\"\n");
    project.write("member/Cargo.toml", "[package]\nname = \"timetable\"\nversion = \"0.1.0\"\n");
    project.record("member/cassettes/st.json", &[(ask("When?"), answer("chatcmpl-1", "At nine."))]);
    let status = project.run(&["status"]);
    let told = "../Cargo.toml: it is not known whether cassette.toml beside it holds here: ";
    assert!(status.starts_with("exit 1\n") && status.contains(told), "{status}");
    let lint = project.run(&["lint", "--files"]);
    let told = "../Cargo.toml: settings: it is not known whether cassette.toml beside it holds here: ";
    assert!(lint.starts_with("exit 1\n") && lint.contains(told), "{lint}");
    let shown = project.run(&["show", "st"]);
    assert!(shown.starts_with("exit 2\n") && !shown.contains("When?"), "{shown}");
}

#[test]
fn what_a_reply_ends_with_is_compared_and_shown() {
    let project = kept("st");
    let with = |status: &str| {
        let text = project.read("cassettes/st.json");
        let from = text.split("\n        \"trailers\": ").next().unwrap().to_owned();
        assert_eq!(from.len(), text.len());
        let trailers = format!("\"status\": 200,\n        \"trailers\": [[\"grpc-status\", \"{status}\"]],");
        disk::reseal(&text.replacen("\"status\": 200,", &trailers, 1)).unwrap()
    };
    let (ok, failed) = (with("0"), with("13"));
    project.write("cassettes/st.json", ok);
    project.write("cassettes/failed.json", failed);
    let told = project.run(&["diff", "st", "failed"]);
    assert!(told.starts_with("exit 1\n") && told.contains("grpc-status") && told.contains("13"), "{told}");
    let shown = project.run(&["show", "failed", "-v"]);
    assert!(shown.contains("trailers  grpc-status: 13"), "{shown}");
}

#[test]
fn where_a_call_is_asked_is_compared() {
    let project = kept("st");
    project.record("cassettes/plain.json", &conversation());
    let text = project.read("cassettes/plain.json");
    let at = text.rfind("\n      \"key\"").unwrap();
    let within = format!("{}\n      \"within\": 1,{}", &text[..at], &text[at..]);
    project.write("cassettes/within.json", disk::reseal(&within).unwrap());
    let told = project.run(&["diff", "plain", "within"]);
    assert!(told.starts_with("exit 1\n") && told.contains("within"), "{told}");
}

#[test]
fn what_may_be_in_a_closed_directory_is_not_nothing() {
    let project = kept("st");
    project.write("cassettes/.pending/slow.journal", "{}\n");
    let Some(project) = project.nobodys() else { return };
    project.allow("cassettes/.pending", 0o000);
    let told = [
        project.run(&["recover", "-n"]),
        project.run(&["recover", "slow", "-n"]),
        project.run(&["recover", "-n", "--json"]),
    ];
    project.allow("cassettes/.pending", 0o700);
    for told in &told {
        assert!(told.starts_with("exit 1\n") && told.contains("chmod -R u+rwX cassettes/.pending/"), "{told}");
    }
}
