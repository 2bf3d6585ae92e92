//! What was not taken over: `review`, `accept`, `reject`.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::BodyEnd;
use stages::{Answer, Provider};

use crate::project::Project;
use crate::recordings::{answer, ask, json, pieces};

/// Returns a project in which three recordings are pending: a failed test's beside its committed file, one that met an outage,
/// and one in which something secret was.
fn project() -> Project {
    let project = Project::new();
    let (train, price) =
        ((ask("When?"), answer("chatcmpl-1", "At 09:04.")), (ask("How much?"), answer("chatcmpl-2", "A lot.")));
    project.recording("trains", &[train.clone(), price.clone()], Mode::Record, BodyEnd::Passed);
    let later = (ask("When, on Sunday?"), answer("chatcmpl-3", "At 10:04."));
    project.recording("trains", &[train, later], Mode::Record, BodyEnd::Panicked);
    let calls = [price, (ask("For two?"), json(503, r#"{"error":{"message":"Overloaded."}}"#))];
    project.recording("fares", &calls, Mode::Record, BodyEnd::Passed);
    let mut opaque = pieces(200, "application/octet-stream", &[""]);
    if let Outcome::Reply(reply) = &mut opaque {
        reply.chunks[0].bytes = b"\x00\x01\x02\xff\xfe of no known kind".to_vec();
    }
    project.recording("maps", &[(ask("Where?"), opaque)], Mode::Record, BodyEnd::Passed);
    project
}

#[test]
fn without_a_terminal_everything_is_printed_and_nothing_asked() {
    let project = project();
    insta::assert_snapshot!(project.run(&["review"]));
    insta::assert_snapshot!(project.run(&["review", "--json"]));
    // An open pipe is no terminal: nobody is waited for.
    let mut child = project.command(&["review", "fares"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let pipe = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(pipe);
    assert!(project.is_pending("fares"));
    insta::assert_snapshot!(Project::new().run(&["review"]));
}

#[test]
fn what_is_secret_by_now_is_shown_by_nobody_who_settles() {
    let word = "tulip-gate-99871-xy";
    let project = Project::new();
    let asks = |what: &str| [(ask(&format!("{what} {word}")), answer("chatcmpl-1", &format!("Echo: {word}")))];
    project.recording("trains", &asks("tell"), Mode::Record, BodyEnd::Passed);
    project.recording("trains", &asks("say"), Mode::Refresh, BodyEnd::Panicked);
    project.recording("fares", &asks("tell"), Mode::Record, BodyEnd::Panicked);
    assert!(project.run(&["review"]).contains(word), "it is no secret yet");
    let project = project.with("TIMETABLE_API_KEY", word);
    let told = [
        project.run(&["review"]),
        project.run(&["review", "--json"]),
        project.answer(&["review", "--stdin"], "n\nd\nq\n"),
        project.run(&["show", "trains", "-i"]),
        project.run(&["show", "cassettes/.pending/fares.json", "-i"]),
        project.run(&["accept", "--all"]),
        project.run(&["status"]),
        project.run(&["lint", "--files"]),
    ];
    for told in &told {
        assert!(!told.contains("tulip-gate"), "{told}");
    }
    assert_eq!(told[0].matches("say REDACTED.secret.1").count(), 1, "{}", told[0]);
    // What is no secret after all is vouched for with what is printed, each entry once.
    let refused = project.run(&["accept", "fares"]);
    let (_, entries) = refused.trim_end().split_once("say why in allow.json: ").unwrap();
    assert_eq!(entries.matches("{\"cassette\"").count(), 2, "{entries}");
    let entries = entries.replace("\"reason\": \"\"", "\"reason\": \"it is the name of a gate\"");
    project.write("cassettes/allow.json", format!("[{entries}]\n"));
    let accepted = project.run(&["accept", "fares"]);
    assert!(accepted.starts_with("exit 0"), "{accepted}");
}

#[test]
fn the_whole_file_is_accepted_or_rejected() {
    let project = project();
    let told = project.answer(&["review", "--stdin"], "?\na\nx\n\n\nr\nn\np\np\na\n");
    insta::assert_snapshot!(told);
    assert!(!project.is_pending("fares") && !project.is_pending("maps") && !project.is_pending("trains"));
    assert!(project.path("cassettes/fares.json").is_file() && !project.path("cassettes/maps.json").exists());
    assert!(project.read("cassettes/trains.json").contains("Sunday"));
    assert!(project.run(&["review"]).starts_with("exit 0"));
}

/// Returns an archive with one member, stored as it is.
fn zipped(member: &[u8]) -> Vec<u8> {
    let mut archive = b"PK\x03\x04".to_vec();
    archive.extend([20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    archive.extend([(member.len() as u32).to_le_bytes(), (member.len() as u32).to_le_bytes()].concat());
    archive.extend([5, 0, 0, 0]);
    [archive, b"a.txt".to_vec(), member.to_vec(), b"PK\x01\x02\xff\xfe".to_vec()].concat()
}

#[test]
fn what_cannot_be_accepted_is_not_called_accepted_and_is_not() {
    let word = "tulip-gate-99871-xy";
    let project = Project::new().with("TIMETABLE_API_KEY", word);
    let archive = zipped(format!("the gate is {word}").as_bytes());
    let provider = Provider::start(move |_| Answer::bytes("application/zip", &archive)).unwrap();
    let upstream = format!("files={}", provider.url());
    let program = ["--", "sh", "-c", "curl -sSf -o member.zip $FILES_BASE_URL/gates.zip"];
    let told = project.run(&[&["serve", "zipped", "--mode", "record", "--upstream", &upstream][..], &program].concat());
    assert!(told.starts_with("exit 1") && project.is_pending("zipped"), "{told}");
    let against = "  cannot be accepted: something secret was taken out of it, so that it could not be replayed\n";
    for told in [project.run(&["review", "zipped"]), project.answer(&["review", "--stdin"], "a\nq\n")] {
        assert!(told.contains(against) && !told.contains("  accepted") && !told.contains(" is new"), "{told}");
        assert!(told.starts_with("exit 1"), "{told}");
    }
    let told = project.answer(&["review", "--stdin"], "a\nA\n");
    assert!(told.contains("0 accepted, 0 rejected, 1 recording left"), "{told}");
    for words in [&["accept", "zipped"][..], &["accept", "--replace", "zipped"], &["accept", "--all"]] {
        let told = project.run(words);
        assert!(told.starts_with("exit 1") && !told.contains("accepted zipped"), "{told}");
    }
    assert!(project.is_pending("zipped") && !project.path("cassettes/zipped.json").exists());
    let kept = project.read("cassettes/.pending/zipped.json");
    assert!(!kept.contains("tulip") && kept.contains("MASKED."), "{kept}");
}

#[test]
fn a_call_is_dropped_and_what_is_left_is_proven() {
    let project = project();
    insta::assert_snapshot!(project.answer(&["review", "fares", "--stdin"], "n\nd\nd\nd\na\n"));
    let file = project.read("cassettes/fares.json");
    assert!(file.contains("How much?") && !file.contains("For two?") && !file.contains("\"pending\""));
    // What is skipped after a drop stays as it was, and the only call of a file is not dropped.
    insta::assert_snapshot!(project.answer(&["review", "trains", "--stdin"], "d\nd\ns\n"));
    assert!(project.read("cassettes/.pending/trains.json").contains("Sunday"));
}

#[test]
fn all_are_accepted_or_rejected_and_what_is_refused_stays() {
    let accepting = project();
    insta::assert_snapshot!(accepting.answer(&["review", "--stdin"], "A\n"));
    assert!(accepting.is_pending("maps") && !accepting.is_pending("trains"));
    let rejecting = project();
    insta::assert_snapshot!(rejecting.answer(&["review", "--stdin"], "s\nR\n"));
    assert!(rejecting.is_pending("fares") && !rejecting.is_pending("trains"));
    assert!(rejecting.read("cassettes/trains.json").contains("How much?"), "the committed file stays");
    let quitting = project();
    insta::assert_snapshot!(quitting.answer(&["review", "--stdin"], "q\n"));
    assert!(quitting.answer(&["review", "--stdin"], "").contains("0 accepted, 0 rejected, 3 recordings left"));
}

#[test]
fn by_name_and_all_at_once() {
    let project = project();
    insta::assert_snapshot!(project.run(&["accept"]));
    insta::assert_snapshot!(project.run(&["accept", "none"]));
    insta::assert_snapshot!(project.run(&["accept", "--all", "--dry-run"]));
    insta::assert_snapshot!(project.run(&["accept", "--all", "--dry-run", "--json"]));
    assert!(project.is_pending("fares") && !project.path("cassettes/fares.json").exists());
    insta::assert_snapshot!(project.run(&["accept", "trains"]));
    insta::assert_snapshot!(project.run(&["reject", "maps", "--dry-run"]));
    assert!(project.is_pending("maps"));
    insta::assert_snapshot!(project.run(&["reject", "--all"]));
    insta::assert_snapshot!(project.run(&["reject", "--all", "--json"]));
    insta::assert_snapshot!(project.run(&["accept", "--all"]));
}

#[test]
fn what_cannot_be_accepted_says_what_to_do() {
    let project = project();
    let text = project.read("cassettes/.pending/fares.json");
    project.write("cassettes/.pending/newer.json", text.replace("\"cassette\": 1", "\"cassette\": 9"));
    project.write("cassettes/.pending/torn.json", &text[..text.len() / 2]);
    project.write("cassettes/.pending/edited.json", text.replace("A lot.", "A lit."));
    let committed = project.read("cassettes/trains.json");
    project.write("cassettes/trains.json", committed.replace("\"by\": \"cassette-test 0.1.0\"", "\"by\": \"another\""));
    insta::assert_snapshot!(project.run(&["accept", "newer", "torn", "edited", "maps", "trains"]));
    insta::assert_snapshot!("what_cannot_be_read_may_be_rejected", project.run(&["reject", "torn", "-n"]));
    assert!(project.is_pending("torn"));
    insta::assert_snapshot!(project.answer(&["review", "newer", "torn", "--stdin"], "a\ns\nd\nr\n"));
    assert!(!project.is_pending("torn"));
}

#[test]
fn what_was_recorded_over_another_file_is_accepted_where_that_is_said() {
    let project = project();
    let committed = project.read("cassettes/trains.json");
    let other = committed.replace("\"by\": \"cassette-test 0.1.0\"", "\"by\": \"another\"");
    project.write("cassettes/trains.json", &other);
    insta::assert_snapshot!("replace_dry", project.run(&["accept", "trains", "--replace", "--dry-run"]));
    assert_eq!(project.read("cassettes/trains.json"), other);
    insta::assert_snapshot!("replace", project.run(&["accept", "trains", "--replace"]));
    assert!(!project.is_pending("trains"));
    assert_ne!(project.read("cassettes/trains.json"), other);
}

/// Answers each question at a terminal as it comes, and returns what is seen there and the exit code; `None` where no terminal can
/// be had.
fn at_a_terminal(project: &Project, words: &str, answers: &[&str]) -> Option<(String, Option<i32>)> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let command = format!("stty rows 24 cols 80; '{}' {words}", env!("CARGO_BIN_EXE_cargo-cassette"));
    let mut script: Command = project.program("script".as_ref());
    script.args(["-qec", &command, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.spawn().ok()?;
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut seen, mut asked) = (Vec::new(), 0);
    let mut byte = [0];
    while screen.read(&mut byte).is_ok_and(|read| read > 0) {
        seen.extend(byte);
        if seen.ends_with(b"q,?] ") {
            let answer = answers.get(asked).unwrap_or_else(|| panic!("nobody answers the question {asked}"));
            keys.write_all(format!("{answer}\n").as_bytes()).unwrap();
            asked += 1;
        }
    }
    assert_eq!(asked, answers.len());
    Some((String::from_utf8(seen).unwrap().replace("\r\n", "\n"), child.wait().unwrap().code()))
}

#[test]
fn at_a_terminal_it_asks_in_colour() {
    let project = project().with("TERM", "xterm-256color");
    let Some((told, code)) = at_a_terminal(&project, "review fares", &["n", "d", "a"]) else { return };
    insta::assert_snapshot!(told.replace('\u{1b}', "^"));
    assert_eq!(code, Some(0));
    assert!(!project.is_pending("fares") && !project.read("cassettes/fares.json").contains("For two?"));
    let Some((told, code)) = at_a_terminal(&project.with("NO_COLOR", "1"), "review trains", &["q"]) else { return };
    assert!(!told.contains('\u{1b}'), "{told}");
    assert_eq!(code, Some(1));
}

#[test]
fn what_is_gone_stands_where_it_stood_and_is_not_counted_among_what_stays() {
    let project = Project::new();
    let calls = |texts: &[&str]| -> Vec<_> { texts.iter().map(|it| (ask(it), answer("chatcmpl-1", "Yes."))).collect() };
    let before = calls(&["Is there a train to Bergen?", "A seat?", "A window?", "A coffee, at last?"]);
    project.recording("trains", &before, Mode::Record, BodyEnd::Passed);
    let after = calls(&["Is there a train to Oslo?", "A window?"]);
    project.recording("trains", &after, Mode::Refresh, BodyEnd::Panicked);
    insta::assert_snapshot!(project.run(&["review"]));
    insta::assert_snapshot!(project.run(&["accept", "trains"]));
    // One call of two is left.
    project.recording("trains", &after[..1], Mode::Refresh, BodyEnd::Panicked);
    insta::assert_snapshot!(project.run(&["accept", "trains"]));
}

#[test]
fn a_cassette_of_which_only_a_pending_recording_exists_is_not_simply_missing() {
    let project = Project::new();
    let calls = [(ask("When?"), answer("c", "At 09:04."))];
    project.recording("two", &calls, Mode::Record, BodyEnd::Panicked);
    let told = "exit 2\n--- stderr\nerror: there is no cassette `two`, but a recording of it that was not taken over: \
                cassettes/.pending/two.json\nhelp: look at it, and accept or reject it: cargo cassette review two\n";
    for words in [&["show", "two"][..], &["delete", "two"], &["seal", "two"], &["fork", "two", "--at", "1", "b"]] {
        assert_eq!(project.run(words), told, "{words:?}");
    }
    // Damaged, it cannot be looked through either.
    project.write("cassettes/.pending/two.json", "{");
    assert_eq!(project.run(&["show", "two", "-i"]), told);
}

#[test]
fn nothing_is_settled_while_it_is_recorded_and_nobody_says_so() {
    let project = project();
    let recording = ["trains", "fares", "maps"].map(|name| crate::upkeep::open(&project, name, &["Any seats?"]));
    let review = project.run(&["review"]);
    assert_eq!(review.matches("cannot be accepted: a recording is under way").count(), 3, "{review}");
    assert!(review.contains("help: wait until the recordings that are under way have ended"), "{review}");
    let told = [
        review,
        project.run(&["review", "--json"]),
        project.run(&["lint", "--files"]),
        project.run(&["accept", "trains", "--dry-run"]),
        project.run(&["reject", "trains", "--dry-run"]),
    ];
    for told in &told {
        assert!(!told.contains("cargo cassette accept") && !told.contains("cargo cassette reject"), "{told}");
    }
    for refused in &told[3..] {
        assert!(refused.starts_with("exit 1") && refused.contains("wait until its test has ended"), "{refused}");
    }
    assert!(told[2].contains("wait until its run has ended") && !told[2].contains("cassette review"), "{}", told[2]);
    let [trains, others @ ..] = recording;
    drop(trains);
    let review = project.run(&["review"]);
    assert!(review.contains("cassette reject trains"), "one of them is at rest: {review}");
    drop(others);
}
