//! What is advised is the whole command that was typed, with what was wrong in it put right.

use cassette_core::call::Call;
use cassette_core::store::{FileStore, Store as _};

use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::advice::kept;
use crate::project::Project;
use crate::recordings::{answer, ask, json};

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
    let told = |field: &str| kept("st").run(&["scrub", "--field", field]);
    let line = "a test hides this too where cassette.toml says so";
    assert!(told("id").contains("reply.body.id") && !told("id").contains(line), "{}", told("id"));
    assert!(told("messages").contains(line) || told("content").contains(line), "{}", told("content"));
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
    assert!(told.contains("tokens none → 42 in, 14 out") && !told.contains("unknown"), "{told}");
}

#[test]
fn what_is_being_recorded_is_waited_for() {
    let project = Project::new();
    let call = (ask("When?"), answer("chatcmpl-1", "At nine."));
    project.recording("slow", std::slice::from_ref(&call), Mode::Record, BodyEnd::Passed);
    project.record("slow.json", &[call]);
    let journal = FileStore::new(project.path("cassettes"), "cassettes").journal("slow").unwrap();
    assert_eq!(project.run(&["review"]), "exit 0\n--- stdout\nnothing is pending\n");
    let told = project.run(&["import", "slow.json", "--force"]);
    let refused = "refused slow.json: a recording of `slow` is under way\n  help: wait until its test has ended\n";
    assert!(told.contains(refused), "{told}");
    journal.journal.close().unwrap();
    assert!(project.run(&["import", "slow.json", "--force"]).starts_with("exit "));
}

#[test]
fn what_is_no_file_is_refused_by_its_name_as_in_a_directory() {
    let project = Project::new();
    assert!(project.program("mkfifo".as_ref()).arg("pipe").status().unwrap().success());
    let told = project.run(&["import", "pipe"]);
    let refused = "exit 1\n--- stdout\nrefused pipe: it is no file, but a pipe, a socket or a device\n  help: name a file\n";
    assert_eq!(told, refused);
    project.link("nowhere", "lost");
    assert!(project.run(&["import", "lost"]).contains("refused lost: it is a link that leads nowhere"));
    assert!(project.run(&["import", "gone"]).starts_with("exit 2\n--- stderr\nerror: there is no file gone\n"));
}

#[test]
fn a_version_of_vcrpy_that_nobody_knows_is_refused() {
    let project = Project::new();
    let file = |version: &str| {
        format!("interactions:\n- request:\n    body: null\n    headers: {{}}\n    method: GET\n    uri: https://a.test/\n  response:\n    body: {{string: hi}}\n    headers: {{}}\n    status: {{code: 200, message: OK}}\nversion: {version}\n")
    };
    project.write("one.yaml", file("1"));
    assert!(project.run(&["import", "one.yaml"]).starts_with("exit 0\n"));
    for version in ["7", "'x'", "1.5", "2"] {
        project.write("other.yaml", file(version));
        let told = project.run(&["import", "other.yaml"]);
        let version = version.trim_matches('\'');
        let refused = format!("exit 1\n--- stdout\nrefused other.yaml:11: vcrpy: its version is {version}, and only 1 is known\n");
        assert!(told.starts_with(&refused), "{told}");
    }
}
