//! Tests in a mode, and what became of the cassettes: `test`, `record`, `refresh`, `off`. A script plays cargo, and writes into
//! the ledger what tests would.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::project::Project;
use crate::recordings::{answer, ask};

/// A line that a session writes when it ends.
fn ended(cassette: &str, rest: &str) -> String {
    let mut line = format!(
        r#"{{"ended":"{cassette}","directory":"/timetable/cassettes","test":"suite::{cassette}","mode":"record","failed":false,"live":0,"recorded":0,"replayed":0,"dropped":0,"pending":null,"cost":0,"unpriced":0,"saved":0,"saved_ms":0}}"#
    );
    for change in rest.split(' ').filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').unwrap();
        let start = line.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        let end = start + line[start..].find([',', '}']).unwrap();
        line.replace_range(start..end, value);
    }
    line
}

/// A line that a session writes for an answer that went live.
fn spent(units: u64, unknown: i8) -> String {
    format!(r#"{{"spent":{units},"unknown":"{unknown}","model":"gpt-4o-mini"}}"#)
}

/// A line that a session writes when it begins.
fn began(cassette: &str) -> String {
    format!(r#"{{"began":"{cassette}","test":"suite::{cassette}"}}"#)
}

/// A package whose cargo writes these lines into the ledger, and ends with this code.
fn project(lines: &[String], code: u8) -> Project {
    let project = Project::new();
    let mut script = "#!/bin/sh\necho \"$CASSETTE_MODE:$CASSETTE_BUDGET:$CASSETTE_DIR: $@\" >> asked.txt\n".to_owned();
    // Asked for its binaries, it has none but the one that a test may put there.
    script += "case \"$*\" in *--no-run*) cat artifacts.txt 2>/dev/null; exit 0;; esac\n";
    for line in lines {
        script += &format!("echo '{line}' >> \"$CASSETTE_LEDGER\"\n");
    }
    script += &format!("echo 'running 1 test'\nexit {code}\n");
    project.write("cargo.sh", script);
    fs::set_permissions(project.path("cargo.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let cargo = project.path("cargo.sh").display().to_string();
    project.with("CARGO", &cargo)
}

fn asked(project: &Project) -> String {
    let asked = project.read("asked.txt");
    fs::remove_file(project.path("asked.txt")).unwrap();
    asked
}

#[test]
fn what_became_of_the_cassettes_is_summed_up() {
    let trains =
        ended("trains", "live=2 recorded=2 replayed=1 dropped=1 cost=150000000000 saved=2000000 saved_ms=1250");
    let lines = [
        began("trains"),
        began("fares"),
        spent(150_000_000_000, 0),
        trains,
        spent(1_000_000, 1),
        ended("fares", "live=1 failed=true pending=\"cassettes/.pending/fares.json\" cost=1000000 unpriced=1"),
    ];
    insta::assert_snapshot!(project(&lines, 101).run(&["record"]));
    insta::assert_snapshot!(project(&lines[2..4], 0).run(&["refresh", "--budget", "1"]));
    insta::assert_snapshot!(project(&[ended("trains", "replayed=3 saved=2000000 saved_ms=20")], 0).run(&["test"]));
    insta::assert_snapshot!(project(&[spent(2_000_000, 0), ended("trains", "live=3 cost=2000000")], 0).run(&["off"]));
    // What was tried again and passed is no longer pending; what never ended has spent all the same.
    let again = ended("fares", "live=1 recorded=1 cost=1000000");
    let lines =
        [&lines[1..], &[began("fares"), spent(1_000_000, 0), again, began("seats"), spent(7_000_000, 0)]].concat();
    insta::assert_snapshot!(project(&lines, 101).run(&["record"]));
    insta::assert_snapshot!(project(&[], 0).run(&["test"]));
}

#[test]
fn what_was_hidden_in_bodies_is_told_with_the_test_that_said_it() {
    let hidden =
        |line: String, rules: &str| line.replace("\"saved_ms\":0}", &format!("\"saved_ms\":0,\"hidden\":{rules}}}"));
    let trains = hidden(ended("trains", "live=1 recorded=1"), r#"{"openai-key":1}"#);
    let fares = hidden(ended("fares", "live=1 recorded=1"), r#"{"field":2,"openai-key":1}"#);
    let again = hidden(ended("seats", "live=1 recorded=1"), r#"{"openai-key":1}"#);
    let lines = [trains, fares, again, hidden(ended("seats", "live=1 recorded=1"), "{}")];
    let told = project(&lines, 0).run(&["record"]);
    let rows: Vec<_> = told.lines().filter(|line| line.starts_with("  hides")).collect();
    let expected = [
        "  hides      in bodies 3 secrets: 2 field, 1 openai-key, of suite::fares",
        "  hides      in bodies 1 secret: openai-key, of suite::trains",
    ];
    assert!(rows == expected && told.starts_with("exit 0\n"), "of a test that ran again the last run counts: {told}");
}

#[test]
fn what_did_not_run_before_others_did_is_told_with_its_test() {
    let unrun = "tool note was served and did not run, and tool look_up ran live behind: record all anew: CASSETTE_MODE=refresh cargo test";
    let line = ended("trains", "live=1 recorded=1")
        .replace("\"saved_ms\":0}", &format!("\"saved_ms\":0,\"unrun\":\"{unrun}\"}}"));
    let told = project(&[line, ended("fares", "live=1 recorded=1")], 0).run(&["record"]);
    let rows: Vec<_> = told.lines().filter(|line| line.starts_with("  not run")).collect();
    assert_eq!(rows, [format!("  not run    suite::trains: {unrun}")], "{told}");
}

#[test]
fn a_call_without_a_reply_is_never_taken_for_nothing() {
    let unanswered = r#"{"spent":0,"unknown":"0","unanswered":1,"model":"gpt-4o-mini"}"#.to_owned();
    let lines = [spent(2_000_000, 0), unanswered, ended("trains", "live=2 recorded=2 cost=2000000")];
    insta::assert_snapshot!(project(&lines, 0).run(&["record", "--budget", "1"]));
}

#[test]
fn a_model_that_a_function_asked_is_never_taken_for_nothing() {
    let own = r#"{"spent":0,"unknown":"0","unanswered":0,"own":1,"model":"guide::answer"}"#.to_owned();
    let lines = [own.clone(), own, ended("trains", "live=2 recorded=2")];
    insta::assert_snapshot!(project(&lines, 0).run(&["record", "--budget", "1"]));
}

#[test]
fn what_is_pending_is_named_from_where_the_command_was_typed() {
    let pending = |package: &str, directory: &str| {
        ended("trains", "live=1 failed=true pending=\"cassettes/.pending/trains.json\"")
            .replace("/timetable/cassettes", &format!("{directory}/{package}/cassettes"))
    };
    // Where the directory is known only once there is one.
    let dir = project(&[], 0);
    let at = dir.path("").display().to_string();
    let lines = ["alpha", "beta", "gone"].map(|package| pending(package, at.trim_end_matches('/')));
    let project = project(&lines, 101);
    for package in ["alpha", "beta"] {
        dir.write(&format!("{package}/cassettes/.pending/trains.json"), "{}");
    }
    let script = project.path("cargo.sh").display().to_string();
    let told = dir.with("CARGO", &script).run(&["record"]);
    let rows: Vec<_> = told.lines().filter(|line| line.contains("  pending")).collect();
    let row = |package: &str| format!("  pending    {package}cassettes/.pending/trains.json, of suite::trains");
    assert_eq!(rows, ["alpha/", "beta/", ""].map(row), "{told}");
}

#[test]
fn a_test_that_did_not_end_has_not_passed() {
    let lines = [began("trains"), ended("trains", "replayed=1"), began("fares"), began("seats")];
    let told = [
        project(&lines, 0).run(&["test"]),
        project(&lines[2..3], 0).run(&["record", "--nextest"]),
        project(&lines, 0).run(&["off", "--nextest"]),
    ];
    insta::assert_snapshot!(told.join("\n"));
    // What failed as well is told by whoever ran it.
    assert!(project(&lines, 100).run(&["test"]).starts_with("exit 100\n"));
    assert!(project(&lines[..2], 0).run(&["test"]).starts_with("exit 0\n"));
}

#[test]
fn everything_is_handed_on() {
    let project = project(&[], 0);
    project.run(&["test"]);
    project.run(&["record", "--test", "suite", "it_answers", "--", "--nocapture"]);
    project.run(&["refresh", "--budget", "0.50", "--workspace", "--release", "-p", "a"]);
    project.run(&["off", "--release", "--nextest", "--budget=1", "--", "--", "x"]);
    project.run(&["test", "--", "--ignored"]);
    project.run(&["--dir", "recordings", "test", "--lib"]);
    let dir = fs::canonicalize(project.path("")).unwrap();
    let asked =
        asked(&project).replace(dir.to_str().unwrap(), "[DIR]").replace(project.path("").to_str().unwrap(), "[DIR]/");
    insta::assert_snapshot!(asked);
}

#[test]
fn what_is_refused_runs_nothing() {
    let told = [
        project(&[], 0).with("CI", "true").run(&["record"]),
        project(&[], 0).run(&["record", "--budget", "fifty"]),
        project(&[], 0).run(&["refresh", "--missing"]),
        project(&[], 0).run(&["record", "--lib", "--budget"]),
        project(&[], 0).with("CARGO", "no-such-cargo").run(&["test"]),
        project(&["nonsense".to_owned()], 0).run(&["test"]),
    ];
    insta::assert_snapshot!(told.join("\n").lines().map(masked).collect::<Vec<_>>().join("\n"));
    let allowed = project(&[], 0).with("CI", "true").with("CASSETTE_ALLOW_CI", "1");
    assert!(allowed.run(&["record"]).starts_with("exit 0\n"));
}

/// Returns a line without the number of a process.
fn masked(line: &str) -> String {
    let Some((before, after)) = line.split_once("cassette-run-") else { return line.to_owned() };
    let (dir, rest) = (
        before.rfind(' ').map_or("", |at| &before[..=at]),
        after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').trim_start_matches("/ledger"),
    );
    format!("{dir}[LEDGER]{rest}")
}

#[test]
fn only_what_is_missing_is_recorded_binary_by_binary() {
    let project = project(&[ended("fares", "live=1 recorded=1")], 0);
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    let dir = project.path("cassettes").display().to_string();
    let owned = |cassette: &str, test: &str| {
        format!(
            r#"{{"cassette":"{cassette}","directory":"{dir}","test":"{test}","file":"a.rs","line":1,"package":"timetable"}}"#
        )
    };
    let mut artifacts = String::new();
    for (name, kind, list) in [
        (
            "suite",
            "test",
            vec![owned("trains", "suite::trains"), owned("fares", "suite::a::fares"), owned("seats", "suite::seats")],
        ),
        ("timetable", "lib", vec![owned("lib", "timetable::tests::lib")]),
    ] {
        let script = format!("#!/bin/sh\necho '[{}]' > \"$CASSETTE_REGISTRY\"\n", list.join(","));
        project.write(&format!("target/{name}"), script);
        fs::set_permissions(project.path(&format!("target/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
        let (manifest, executable) = (project.path("Cargo.toml"), project.path("target").join(name));
        artifacts += &format!(
            "{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"{}\",\"target\":{{\"kind\":[\"{kind}\"],\"name\":\"{name}\"}},\"profile\":{{\"test\":true}},\"executable\":\"{}\"}}\n",
            manifest.display(),
            executable.display()
        );
    }
    project.write("artifacts.txt", artifacts);
    let told = project.run(&["record", "--missing", "--release", "-p", "timetable", "--", "--nocapture"]);
    insta::assert_snapshot!(told);
    insta::assert_snapshot!(asked(&project));
    for name in ["fares", "seats", "lib"] {
        project.record(&format!("cassettes/{name}.json"), &[(ask("When?"), answer("c", "At 9."))]);
    }
    insta::assert_snapshot!(project.run(&["record", "--missing"]));
}

#[test]
fn an_option_of_the_commands_own_that_is_misspelt_is_not_handed_on() {
    let project = project(&[], 0);
    for (typed, meant) in [
        (&["record", "--mising"][..], "cargo cassette record --missing"),
        (&["record", "-p", "a", "--mising", "trains"], "cargo cassette record -p a --missing trains"),
        (&["refresh", "--bugdet=0.50", "--offline"], "cargo cassette refresh --budget=0.50 --offline"),
        (&["test", "--next-test"], "cargo cassette test --nextest"),
    ] {
        let word = typed.iter().find(|word| word.starts_with("--")).unwrap();
        let what = format!("error: `{word}` is no option of this command's, nor of cargo's\nhelp: {meant}\n");
        assert_eq!(project.run(typed), format!("exit 2\n--- stderr\n{what}"));
    }
    assert!(!project.path("asked.txt").exists(), "nothing was run");
    // What is cargo's is, and so is the value of an option that looks like one of ours.
    assert!(project.run(&["record", "--timings", "--test", "--mising"]).starts_with("exit 0"));
}

#[cfg(target_os = "linux")]
#[test]
fn at_a_terminal_too_what_is_sent_to_the_command_alone_reaches_what_it_runs_and_only_once() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    for is_typed in [false, true] {
        let project = project(&[], 0);
        let script = "#!/bin/sh\ntrap 'echo told >> told.txt; echo heard' INT\ntrap 'echo ended; exit 0' TERM\necho \"ready $PPID\"\nwhile :; do read -r line; done\n";
        project.write("cargo.sh", script);
        let command = format!("stty -echo; exec '{}' record", env!("CARGO_BIN_EXE_cargo-cassette"));
        let mut terminal = project.program("script".as_ref());
        terminal.args(["-qec", &command, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut terminal) = terminal.spawn() else { return };
        let mut keys = terminal.stdin.take().unwrap();
        let mut lines = BufReader::new(terminal.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut told = |word: &str| {
            let line = lines.find(|line| line.contains(word)).unwrap_or_default();
            line.trim_end().rsplit(' ').next().unwrap_or_default().to_owned()
        };
        let process = told("ready");
        let send = |signal: &str| assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
        match is_typed {
            true => keys.write_all(b"\x03").unwrap(),
            false => send("-INT"),
        }
        told("heard");
        // What asks for the end comes after whatever was made of the interrupt.
        send("-TERM");
        told("ended");
        terminal.wait().unwrap();
        assert_eq!(project.read("told.txt"), "told\n", "typed: {is_typed}");
    }
}

/// Returns the journal that a program left which died while it recorded this cassette.
fn journal(name: &str, questions: &[&str]) -> String {
    let project = Project::new();
    drop(crate::upkeep::open(&project, name, questions));
    project.read(&format!("cassettes/.pending/{name}.journal"))
}

/// A package whose cargo does this too while it runs, and is cut off in `suite::trains`.
fn cut_off(name: &str, meanwhile: &str) -> Project {
    let project = project(&[began(name)], 101);
    project.write("cargo.sh", project.read("cargo.sh").replace("echo 'running 1 test'", meanwhile));
    fs::set_permissions(project.path("cargo.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    project
}

#[test]
fn what_gets_back_a_recording_that_was_cut_off_is_what_there_is() {
    let (trains, fares) = (journal("trains", &["When?"]), journal("fares", &["How much?"]));
    let back = "which did not end; what it recorded comes back with: cargo cassette recover ";
    let leaves = "mkdir -p cassettes/.pending; cp left cassettes/.pending/trains.journal";

    let project = cut_off("trains", leaves);
    project.write("left", &trains);
    let told = project.run(&["record"]);
    assert!(told.contains(&format!("{back}trains\n")), "{told}");
    assert!(project.run(&["recover", "trains"]).starts_with("exit 0\n--- stdout\nrecovers trains: 1 call\n"));

    // The name that a pattern made is that of the journal.
    let project = cut_off("trains", leaves);
    project.write("cargo.sh", project.read("cargo.sh").replace("\"began\":\"trains\"", "\"began\":\"lines/{line}\""));
    project.write("left", &trains);
    let told = project.run(&["record"]);
    assert!(told.contains(&format!("{back}trains\n")), "{told}");

    // What an earlier run has left is none of this one's, whatever it is called by now.
    let aside = "mv cassettes/.pending/trains.journal cassettes/.pending/trains.cut-short-1.journal";
    for meanwhile in ["true", aside] {
        let project = cut_off("trains", meanwhile);
        project.write("cassettes/.pending/trains.journal", &trains);
        let told = project.run(&["record"]);
        assert!(told.contains("which did not end\n"), "{told}");
    }

    // Of an empty one nothing comes back, and of another test's nothing of this one.
    for left in ["", &fares] {
        let project = cut_off("trains", "mkdir -p cassettes/.pending; cp left cassettes/.pending/fares.journal");
        project.write("left", left);
        let told = project.run(&["record"]);
        assert!(told.contains("which did not end\n"), "{told}");
    }

    // Another package's is found by its directory, and told with it.
    let project = cut_off("trains", "mkdir -p other/tapes/.pending; cp left other/tapes/.pending/trains.journal");
    let began = format!("\"test\":\"suite::trains\",\"directory\":\"{}\"", project.path("other/tapes").display());
    project.write("cargo.sh", project.read("cargo.sh").replace("\"test\":\"suite::trains\"", &began));
    project.write("left", &trains);
    let told = project.run(&["record"]);
    assert!(told.contains(&format!("{back}trains --dir other/tapes\n")), "{told}");
    assert!(project.run(&["recover", "trains", "--dir", "other/tapes"]).contains("recovers trains: 1 call"));
}
