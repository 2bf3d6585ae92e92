//! What is advised is typed, in the project in which it was printed, until nothing is advised any more: each `help:` has to be a
//! command that works, and leads to a better state.
//!
//! A scene is a project, the command that is typed first, what is typed after it because it was advised, and how the first ends when
//! it is typed once more. Of a piece of advice the first command is taken that needs nothing to be filled in.

use std::net::TcpListener;

use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::FileStore;

use crate::built;
use crate::lint;
use crate::project::Project;
use crate::recordings::{answer, ask, conversation, json, key};

/// How often advice is followed.
const STEPS: usize = 6;

/// With what commands begin that are advised.
const PROGRAMS: [&str; 9] =
    ["cargo cassette ", "CASSETTE_MODE=", "cargo test", "git ", "rm ", "rmdir ", "mv ", "mkdir ", "chmod "];

/// With what a command ends within a piece of advice.
const ENDS: [&str; 5] = ["; ", ", or ", ", and ", ", which ", ", say "];

/// Returns the first command in a piece of advice that needs nothing to be filled in.
fn command(advice: &str) -> Option<String> {
    let starts = PROGRAMS.iter().flat_map(|program| advice.match_indices(program)).map(|(at, _)| at);
    let mut starts: Vec<_> = starts
        .filter(|at| {
            *at == 0 || advice[..*at].ends_with(": ") || advice[..*at].ends_with(", ") || advice[..*at].ends_with("; ")
        })
        .collect();
    starts.sort_unstable();
    let commands = starts.into_iter().map(|at| {
        let rest = &advice[at..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        rest[..end].trim_end().to_owned()
    });
    // Where something is left to be filled in stands `..`.
    commands.into_iter().find(|command| !command.contains('<') && !command.replace("../", "").contains(".."))
}

/// Returns the first command that a text advises.
fn advised(told: &str) -> Option<String> {
    told.lines().find_map(|line| line.trim_start().strip_prefix("help: ").and_then(command))
}

/// Types a command, and what is advised after it, and returns all that was typed because it was advised.
fn follow(project: &Project, first: &str) -> Vec<String> {
    let mut told = project.sh(first);
    let mut typed = Vec::new();
    while let Some(next) = advised(&told) {
        assert!(typed.len() < STEPS, "{first}: it goes round in a circle: {typed:#?}\n{told}");
        told = project.sh(&next);
        typed.push(next);
    }
    typed
}

/// Plays a scene: what was typed because it was advised, and how the first command ends after that.
#[track_caller]
pub(crate) fn check(project: &Project, first: &str, typed: &[&str], end: &str) {
    assert_eq!(follow(project, first), typed, "{first}: {}", project.sh(first));
    let told = project.sh(first);
    assert!(told.starts_with(end), "{first}, then {typed:?}: {told}");
}

/// Returns a project with a cassette of two calls in this directory of them.
pub(crate) fn kept(name: &str) -> Project {
    let project = Project::new();
    let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04.")), (ask("How much?"), answer("chatcmpl-2", "A lot."))];
    project.record(&format!("cassettes/{name}.json"), &calls);
    project
}

pub(crate) fn change(project: &Project, file: &str, change: impl Fn(&str) -> String) {
    let text = project.read(file);
    let changed = change(&text);
    assert_ne!(text, changed);
    project.write(file, changed);
}

/// Puts a key into a prompt.
pub(crate) fn leak(project: &Project, file: &str) {
    change(project, file, |text| text.replace("How much?", &format!("How much, with {}?", key())));
}

fn seal(project: &Project, file: &str) {
    change(project, file, |text| disk::reseal(text).unwrap());
}

/// Leaves a recording of this name pending.
pub(crate) fn pend(project: &Project, name: &str) {
    project.recording(name, &[(ask("Where?"), answer("chatcmpl-3", "Here."))], Mode::Record, BodyEnd::Panicked);
}

#[test]
fn a_piece_of_advice_is_cut_into_commands() {
    let check = |advice: &str, expected: Option<&str>| assert_eq!(command(advice).as_deref(), expected, "{advice}");
    check("see what: cargo cassette lint --files", Some("cargo cassette lint --files"));
    check(
        "cargo cassette diff <A> <B>, or with a revision: cargo cassette diff --base main",
        Some("cargo cassette diff --base main"),
    );
    check("if it was renamed, mv a b; else record it: CASSETTE_MODE=record cargo test x", Some("mv a b"));
    check("wait until its test has ended", None);
    check("mkdir -p a && mv b a/b; else", Some("mkdir -p a && mv b a/b"));
}

#[test]
fn a_file_of_an_older_table_is_brought_to_that_of_today_whether_anything_is_to_be_hidden_or_not() {
    let lint = "cargo cassette lint --files";
    for leaks in [false, true] {
        let project = kept("trains");
        change(&project, "cassettes/trains.json", |text| text.replace("\"redaction\": 1", "\"redaction\": 0"));
        if leaks {
            leak(&project, "cassettes/trains.json");
            seal(&project, "cassettes/trains.json");
        } else {
            let told = project.run(&["scrub", "--dry-run"]);
            insta::assert_snapshot!("older_table", format!("{told}{}", project.run(&["scrub", "--dry-run", "--json"])));
        }
        check(&project, lint, &["cargo cassette scrub"], "exit 0");
    }
}

#[test]
fn a_secret_is_hidden_whatever_else_is_wrong_with_the_file() {
    let lint = "cargo cassette lint --files";
    let project = kept("trains");
    leak(&project, "cassettes/trains.json");
    seal(&project, "cassettes/trains.json");
    check(&project, lint, &["cargo cassette scrub trains"], "exit 0");

    // Whoever has changed the file by hand is not sent from one to the other.
    for first in [
        lint,
        "cargo cassette scrub",
        "cargo cassette compact",
        "cargo cassette seal trains",
        "cargo cassette show trains",
    ] {
        let project = kept("trains");
        leak(&project, "cassettes/trains.json");
        let typed = follow(&project, first);
        let last = typed.last().map_or("", String::as_str);
        assert!(
            last.starts_with("cargo cassette seal ") && last.ends_with("trains --scrub")
                || last.ends_with("trains.json --scrub"),
            "{first}: {typed:?}"
        );
        assert!(
            project.sh(lint).starts_with("exit 0") && !project.read("cassettes/trains.json").contains(&key()),
            "{first}"
        );
        assert!(project.sh(first).starts_with("exit 0"), "{first}");
    }
}

#[test]
fn what_is_wrong_with_files_is_mended() {
    let lint = "cargo cassette lint --files";
    let project = kept("trains");
    change(&project, "cassettes/trains.json", |text| text.replace("At 09:04", "At 09:05"));
    check(&project, lint, &["cargo cassette seal trains"], "exit 0");
    change(&project, "cassettes/trains.json", |text| text.replace("At 09:05", "At 09:06"));
    check(
        &project,
        "cargo cassette fork trains --at 1 began",
        &["cargo cassette seal cassettes/trains.json"],
        "exit 0",
    );

    let project = kept("trains");
    let text = project.read("cassettes/trains.json");
    let key = disk::read(text.as_bytes()).unwrap().interactions[0].key().to_string();
    let older = text.replace(&key, "2.00000000000000000000000000000000");
    project.write("cassettes/trains.json", disk::reseal(&older).unwrap());
    check(&project, lint, &["cargo cassette compact"], "exit 0");
    project.write("cassettes/blobs/aa67c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040.png", "a picture");
    check(&project, lint, &["cargo cassette compact"], "exit 0");
    project.write("cassettes/notes of 'mine'.json.orig", "{\n  \"cassette\": 1");
    check(&project, lint, &[r"rm 'cassettes/notes of '\''mine'\''.json.orig'"], "exit 0");
    project.write("cassettes/.pending/staged-1-0", "half of it");
    check(&project, lint, &["cargo cassette recover"], "exit 0");
    project.link("nowhere.json", "cassettes/lost.json");
    check(&project, lint, &["rm cassettes/lost.json"], "exit 0");

    let Some(project) = kept("fares/day").nobodys() else { return };
    project.allow("cassettes/fares", 0);
    check(&project, lint, &["chmod -R u+rwX cassettes/fares/"], "exit 0");
    project.allow("cassettes/fares/day.json", 0);
    check(&project, "cargo cassette show fares/day", &["chmod u+rw cassettes/fares/day.json"], "exit 0");
    project.allow("cassettes/fares/day.json", 0);
    check(&project, "cargo cassette scrub", &["chmod u+rw cassettes/fares/day.json"], "exit 0");
}

#[test]
fn what_is_pending_is_settled() {
    let lint = "cargo cassette lint --files";
    let project = kept("trains");
    pend(&project, "maps");
    check(&project, lint, &["cargo cassette review", "cargo cassette accept maps"], "exit 0");
    assert!(project.path("cassettes/maps.json").is_file());
    pend(&project, "food");
    pend(&project, "seats");
    check(&project, "cargo cassette accept seat", &["cargo cassette accept seats"], "exit 2");
    check(&project, "cargo cassette accept", &["cargo cassette accept food"], "exit 0");
    assert!(project.path("cassettes/food.json").is_file() && project.path("cassettes/seats.json").is_file());

    // What a program left that died, behind one that is pending already.
    pend(&project, "beds");
    drop(open(&project, "beds"));
    let typed = ["cargo cassette review", "cargo cassette accept beds"];
    check(&project, "cargo cassette recover", &typed, "exit 0");
    // It was recorded where nothing was, and something has come since.
    let told = project.run(&["accept", "beds"]);
    assert!(told.starts_with("exit 1") && told.contains("has appeared since"), "{told}");
    assert!(project.run(&["reject", "beds"]).starts_with("exit 0"));

    project.write("cassettes/.pending/torn.json", "{");
    check(&project, "cargo cassette accept torn", &["cargo cassette reject torn"], "exit 2");
    project.write("cassettes/.pending/torn.journal", "{}\n{}\n{}\n");
    check(&project, lint, &["cargo cassette recover", "rm cassettes/.pending/torn.journal"], "exit 0");
}

/// Leaves a recording that was cut short.
fn open(project: &Project, name: &str) -> Session {
    let store = FileStore::new(project.path("cassettes"), "cassettes");
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: name.into(), ignored: false };
    let plan = Plan::new(name, std::sync::Arc::new(store), Mode::Record, format!("suite::{name}"), rerun);
    let session = Session::open(plan).unwrap();
    if let Step::Live(ticket) = session.begin(ask("Who drives?")) {
        ticket.finish(answer("chatcmpl-1", "Somebody.")).unwrap();
    }
    session
}

#[test]
fn what_is_mistyped_is_typed_again() {
    let project = kept("trains");
    project.record("cassettes/fares/day.json", &conversation());
    check(&project, "cargo cassette show trian", &["cargo cassette show trains"], "exit 2");
    check(&project, "cargo cassette delete fare/day --dry-run", &["cargo cassette list"], "exit 2");
    check(&project, "cargo cassette delete none", &["cargo cassette list"], "exit 2");
    check(
        &project,
        "cargo cassette export train -o 'a b.har'",
        &["cargo cassette export trains -o 'a b.har'"],
        "exit 2",
    );
    assert!(project.path("a b.har").is_file());
    check(&project, "cargo cassette show trains 9", &["cargo cassette show trains 2"], "exit 2");
    check(&project, "cargo cassette show fares/day --raw", &["cargo cassette show fares/day --raw 1"], "exit 2");
    check(&project, "cargo cassette show fares/day 4 --raw", &["cargo cassette show fares/day 4"], "exit 2");
    check(&project, "cargo cassette scrub train", &["cargo cassette scrub trains"], "exit 2");
    check(&project, "cargo cassette diff trains train", &["cargo cassette list"], "exit 2");
    check(&project, "cargo cassette stats train --no-cost", &["cargo cassette stats trains --no-cost"], "exit 2");
    check(
        &project,
        "cargo cassette stats --price x",
        &["cargo cassette stats --price gpt-4o-mini=0.15/0.60"],
        "exit 2",
    );
    check(&project, "cargo cassette delete Cargo.toml", &["cargo cassette list"], "exit 2");
    project.commit();
    check(&project, "cargo cassette diff trains", &["cargo cassette diff --base HEAD trains"], "exit 2");
}

#[test]
fn a_name_that_several_have_is_given_as_a_path() {
    let project = Project::bare();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    for member in ["a", "b"] {
        project.write(&format!("{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
        project.record(&format!("{member}/cassettes/trains.json"), &[(ask("How much?"), answer("c", "At 09:04."))]);
    }
    check(&project, "cargo cassette show trains", &["cargo cassette show a/cassettes/trains.json"], "exit 2");
    check(&project, "cargo cassette scrub trains", &["cargo cassette scrub a/cassettes/trains.json"], "exit 2");
    check(
        &project,
        "cargo cassette serve trains -- true",
        &["cargo cassette serve a/cassettes/trains.json -- true"],
        "exit 2",
    );
    // From within a member, all of them are meant where it was said so.
    let project = project.within("a/src");
    leak(&project, "b/cassettes/trains.json");
    seal(&project, "b/cassettes/trains.json");
    let typed = ["cargo cassette scrub trains --dir ../../b/cassettes"];
    check(&project, "cargo cassette lint --files --workspace", &typed, "exit 0");
    change(&project, "b/cassettes/trains.json", |text| text.replace("At 09:04", "At 09:05"));
    let typed = ["cargo cassette seal trains --dir ../../b/cassettes"];
    check(&project, "cargo cassette lint --files --workspace", &typed, "exit 0");
    // One that no other has is told by its name.
    project.record("b/cassettes/fares.json", &[(ask("How much?"), answer("c", "At 09:04."))]);
    change(&project, "b/cassettes/fares.json", |text| text.replace("At 09:04", "At 09:05"));
    let typed = ["cargo cassette seal --workspace fares"];
    check(&project, "cargo cassette lint --files --workspace", &typed, "exit 0");
}

/// Leaves a recording of this name pending in the directory of a test's own.
fn pend_there(project: &Project, name: &str) {
    pend(project, name);
    let file = format!("cassettes/.pending/{name}.json");
    project.write(&format!("tests/tapes/.pending/{name}.json"), project.read(&file));
    std::fs::remove_file(project.path(&file)).unwrap();
}

#[test]
fn what_lies_in_the_directory_of_a_test_s_own_is_mended_as_all_else() {
    let calls = [(ask("How much?"), answer("chatcmpl-2", "A lot."))];
    // The sources tell, or the tests alone, as where a macro has made them.
    for (source, option) in
        [("#[cassette(\"own\", dir = \"tests/tapes\")]\n#[test]\nfn own() {}\n", ""), ("", " --dir tests/tapes")]
    {
        let project = lint::owning(&[("trains", "suite::trains"), ("own", "suite::own"), ("more", "suite::more")]);
        lint::told(&project, |text| {
            let at = text.find(r#""cassette":"own""#).unwrap();
            format!("{}{}", &text[..at], text[at..].replace("/cassettes\"", "/tests/tapes\""))
        });
        lint::answering(&project);
        project.write("tests/suite.rs", source);
        ["cassettes/trains.json", "tests/tapes/own.json", "tests/tapes/more.json"].iter().for_each(|it| {
            project.record(it, &calls);
            let own = it.rsplit(['/', '.']).nth(1).unwrap();
            project.write(it, project.read(it).replace("suite::ask", &format!("suite::{own}")));
        });
        let with = |command: &str| format!("cargo cassette {command}{option}");
        let lint = "cargo cassette lint";
        leak(&project, "tests/tapes/own.json");
        seal(&project, "tests/tapes/own.json");
        check(&project, lint, &[&with("scrub own")], "exit 0");
        change(&project, "tests/tapes/own.json", |text| text.replace("A lot", "Little"));
        check(&project, lint, &[&with("seal own")], "exit 0");
        leak_again(&project, "tests/tapes/more.json");
        let sealing = if option.is_empty() {
            "cargo cassette seal more --scrub".to_owned()
        } else {
            format!("cargo cassette seal more{option} --scrub")
        };
        check(&project, lint, &[&sealing], "exit 0");
        std::fs::remove_file(project.path("tests/tapes/own.json")).unwrap();
        pend_there(&project, "own");
        let told = project.run(&["lint"]);
        assert!(told.contains(&format!(" accept or reject it: {}\n", with("review"))), "{told}");
        check(&project, &with("review"), &[&format!("cargo cassette accept{option} own")], "exit 0");
        project.write("tests/tapes/.pending/torn.json", "{");
        check(&project, lint, &[&with("reject torn")], "exit 0");
        project.write("tests/tapes/.pending/staged-1-0", "half of it");
        check(&project, lint, &[&with("recover")], "exit 0");
        change(&project, "tests/tapes/own.json", |text| text.replace("Here.", &key()));
        seal(&project, "tests/tapes/own.json");
        let told = project.run(&["scrub", "tests/tapes/own.json", "./cassettes/trains.json"]);
        assert!(told.starts_with("exit 0\n") && told.ends_with("\n2 cassettes looked at, 1 place\n"), "{told}");
        // What stands beside cassettes is looked at by all, where the sources tell.
        leak(&project, "tests/tapes/more.json");
        let sees = project.run(&["scrub", "--dry-run"]).contains("refuses more");
        assert_eq!(sees, option.is_empty(), "{}", project.run(&["scrub", "--dry-run"]));
        let lists = [&["list"][..], &["show", "own"]];
        let seen = lists
            .iter()
            .filter(|words| project.run(words).contains("own") && !project.run(words).starts_with("exit 2"));
        assert_eq!(seen.count(), if option.is_empty() { lists.len() } else { 0 });
    }
}

#[test]
fn what_was_said_of_the_directory_holds_for_the_advice() {
    let project = kept("unused");
    let calls = [(ask("How much?"), answer("chatcmpl-2", "A lot."))];
    project.record("else where/trains.json", &calls);
    leak(&project, "else where/trains.json");
    seal(&project, "else where/trains.json");
    let lint = "cargo cassette lint --files --dir 'else where'";
    check(&project, lint, &["cargo cassette scrub --dir 'else where' trains"], "exit 0");
    leak_again(&project, "else where/trains.json");
    let typed = ["cargo cassette seal --dir 'else where' trains --scrub"];
    check(&project, "cargo cassette --dir 'else where' scrub", &typed, "exit 0");
    check(
        &project,
        "cargo cassette show --dir 'else where' train",
        &["cargo cassette show --dir 'else where' trains"],
        "exit 2",
    );
    project.record("show/trains.json", &calls);
    check(&project, "cargo cassette --dir show show train", &["cargo cassette --dir show show trains"], "exit 2");
}

fn leak_again(project: &Project, file: &str) {
    change(project, file, |text| text.replace("A lot.", &format!("{}.", key())));
}

#[test]
fn a_cassette_may_be_called_as_an_option_is() {
    let lint = "cargo cassette lint --files";
    for name in ["--help", "-n"] {
        let project = kept(name);
        let file = format!("cassettes/{name}.json");
        leak(&project, &file);
        seal(&project, &file);
        check(&project, lint, &[&format!("cargo cassette scrub ./{name}")], "exit 0");
        leak_again(&project, &file);
        check(&project, lint, &[&format!("cargo cassette seal ./{name} --scrub")], "exit 0");
        pend(&project, "--new");
        check(&project, lint, &["cargo cassette review", "cargo cassette accept ./--new"], "exit 0");
        project.write("cassettes/.pending/-torn.json", "{");
        check(&project, "cargo cassette accept --all", &["cargo cassette reject ./-torn"], "exit 0");
        let path = format!("cargo cassette show ./{name}");
        assert!(project.sh(&path).starts_with("exit 0"));
        assert!(
            project.sh(&format!("cargo cassette serve ./{name} -- true")).starts_with("exit 1"),
            "nothing was asked"
        );
        project.write("-v", "somebody's");
        assert!(
            project.sh(&format!("cargo cassette delete ./{name}")).starts_with("exit 0")
                && !project.path(&file).exists()
        );
    }
}

#[test]
fn a_merge_that_stopped_is_settled() {
    let lint = "cargo cassette lint --files";
    let merged = |ours: Option<&str>, theirs: Option<&str>| {
        let project = kept("trains");
        let file = "cassettes/trains.json";
        let text = project.read(file);
        project.git(&["init", "-q", "-b", "main"]);
        project.git(&["add", "-A"]);
        project.git(&["commit", "-q", "-m", "base"]);
        let side = |branch: &str, hour: Option<&str>| {
            project.git(&["checkout", "-q", "-b", branch, "main"]);
            match hour {
                Some(hour) => project.write(file, disk::reseal(&text.replace("09:04", hour)).unwrap()),
                None => std::fs::remove_file(project.path(file)).unwrap(),
            }
            project.git(&["commit", "-q", "-a", "-m", branch]);
        };
        side("theirs", theirs);
        side("ours", ours);
        let merge = project.sh("git merge -q theirs");
        assert!(merge.starts_with("exit 1"), "{merge}");
        (project, text)
    };
    let (project, _) = merged(Some("10:00"), Some("11:00"));
    let take = "git checkout --ours -- cassettes/trains.json && git add -- cassettes/trains.json";
    check(&project, lint, &[take], "exit 0");
    assert!(project.read("cassettes/trains.json").contains("10:00") && project.git(&["ls-files", "-u"]).is_empty());
    // Whoever meets it says the same.
    for (first, end) in [
        ("cargo cassette show trains", "exit 0"),
        ("cargo cassette scrub", "exit 0"),
        ("cargo cassette compact", "exit 0"),
        ("cargo cassette export trains", "exit 0"),
        ("cargo cassette fork trains --at 1 began", "exit 0"),
        ("cargo cassette serve trains -- true", "exit 1"),
    ] {
        let (project, _) = merged(Some("10:00"), Some("11:00"));
        check(&project, first, &[take], end);
    }

    // One side has removed it, and somebody has merged the two by hand.
    for (ours, theirs, side) in [(None, Some("11:00"), "theirs"), (Some("10:00"), None, "ours")] {
        let take = format!("git checkout --{side} -- cassettes/trains.json && git add -- cassettes/trains.json");
        let (project, _) = merged(ours, theirs);
        check(&project, lint, &[&take], "exit 0");
        let (project, _) = merged(ours, theirs);
        let other = if side == "ours" { "as the other side did" } else { "as this side did" };
        let told = project.sh(lint);
        assert!(told.contains(&format!("; or remove it, {other}: git rm -- cassettes/trains.json")), "{told}");
        change(&project, "cassettes/trains.json", |text| text.replace("    {\n", "<<<<<<< HEAD\n    {\n"));
        check(&project, lint, &[&take], "exit 0");
    }

    // It was committed so: what stood there before the merge is sound, and only a run knows what should stand there now.
    let (project, text) = merged(Some("10:00"), Some("11:00"));
    project.git(&["commit", "-q", "-a", "-m", "as it is"]);
    let told = project.sh(lint);
    assert!(told.contains(", or record it anew: CASSETTE_MODE=refresh cargo test ask -- --exact\n"), "{told}");
    project.write("cassettes/trains.json", text);
    assert!(project.sh(lint).starts_with("exit 0"));
}

#[test]
fn a_link_that_leads_elsewhere_gives_way_to_a_copy() {
    let project = kept("trains");
    leak(&project, "cassettes/trains.json");
    seal(&project, "cassettes/trains.json");
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("it's trains.json");
    std::fs::rename(project.path("cassettes/trains.json"), &target).unwrap();
    project.link(&target.to_string_lossy(), "cassettes/trains.json");
    let quoted = target.to_string_lossy().replace('\'', r"'\''");
    let typed = format!("rm cassettes/trains.json && cp '{quoted}' cassettes/trains.json");
    check(&project, "cargo cassette scrub", &[&typed], "exit 0");
    assert!(!project.read("cassettes/trains.json").contains(&key()));
}

#[test]
fn what_is_served_is_served_as_it_was_advised() {
    let project = kept("trains");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let first = format!("cargo cassette serve trains --port {port} -- true");
    let told = project.sh(&first);
    assert!(told.contains(&format!("the gateway has no address for https://api.openai.com: port {port}: ")), "{told}");
    let free = "cargo cassette serve trains -- true";
    assert_eq!(follow(&project, &first), [free]);
    assert!(project.sh(free).starts_with("exit 1") && project.sh(free).contains("cassette no-calls"));
    drop(taken);

    let script = "-c 'true --port 1'";
    let right = format!("cargo cassette serve trains --mode replay -- sh {script}");
    assert_eq!(follow(&project, &format!("cargo cassette serve trains --mode rec -- sh {script}")), [right]);

    project.write("cassettes/torn.json", "{");
    let again = "rm cassettes/torn.json && cargo cassette serve --mode record torn --upstream here=http://127.0.0.1:9/v1 -- true";
    let first = "cargo cassette serve torn --upstream here=http://127.0.0.1:9/v1 -- true";
    let told = project.sh(first);
    // It may have been a test's: nothing of it is left that tells.
    assert!(told.contains(&format!("cargo cassette record --missing; else {again}\n")), "{told}");
    let told = project.sh(again);
    assert!(told.starts_with("exit 1"), "it serves, and nothing was asked: {told}");

    project.write("notes/empty.txt", "nothing");
    let typed = ["cargo cassette serve --mode record notes/first.json"];
    let told = project.sh("cargo cassette serve notes -- true");
    assert_eq!(advised(&told).as_slice(), typed);
    assert!(project.sh(&format!("{} -- true", typed[0])).contains("no-calls"), "it serves what is to be recorded");
}

#[test]
fn a_dialect_on_this_machine_is_found_where_its_clients_look() {
    let project = Project::new();
    let body = ask("When?").body.to_vec();
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let call = Call::http("POST", "http://127.0.0.1:8000/v1/chat/completions", headers, body);
    project.record("cassettes/local.json", &[(call, json(200, r#"{"choices":[]}"#))]);
    let script = "echo \"$OPENAI_BASE_URL $HOST_127_0_0_1_8000_BASE_URL $HERE_BASE_URL\"";
    let told = project.run(&["serve", "local", "--", "sh", "-c", script]);
    let addresses = told.split("--- stdout\n").nth(1).unwrap().lines().next().unwrap();
    let [openai, host] = addresses.split(' ').filter(|it| !it.is_empty()).collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(openai, format!("{host}/v1"), "one address by two names");
    assert!(told.contains("`--upstream NAME=URL` sets NAME_BASE_URL"), "{told}");
    // As it says, and at the address at which it was recorded.
    let words = ["serve", "local", "--upstream", "here=http://127.0.0.1:8000/v1", "--", "sh", "-c", script];
    let told = project.run(&words);
    let addresses = told.split("--- stdout\n").nth(1).unwrap().lines().next().unwrap();
    assert!(addresses.trim().ends_with("/v1") && addresses.split_whitespace().count() == 1, "{addresses}");
}

#[test]
fn a_newer_format_is_told_alike_by_all() {
    let project = kept("trains");
    change(&project, "cassettes/trains.json", |text| text.replace("\"cassette\": 1", "\"cassette\": 2"));
    let help = "help: get the newest version: cargo install cargo-cassette";
    let verbs = [
        "lint --files",
        "scrub",
        "compact",
        "show trains",
        "export trains",
        "fork trains --at 1 x",
        "serve trains -- true",
    ];
    for verb in verbs {
        let told = project.sh(&format!("cargo cassette {verb}"));
        let helps: Vec<_> = told.lines().map(str::trim_start).filter(|line| line.starts_with("help:")).collect();
        assert_eq!(helps, [help], "{verb}: {told}");
        assert!(told.contains("it needs format 2, and this reader knows format 1"), "{verb}: {told}");
    }
}

#[test]
fn what_is_there_already_is_replaced_where_that_is_meant() {
    let project = kept("trains");
    project.run(&["export", "trains", "-o", "a night's trains.har"]);
    let typed = r"cargo cassette import 'a night'\''s trains.har' --name trains --force";
    let first = r"cargo cassette import 'a night'\''s trains.har' --name trains";
    check(&project, first, &[typed], "exit 1");
}

/// Returns a package of its own, built for real, with these tests.
fn package(name: &str, suite: &str) -> Project {
    let project = built::package(name, "\"replay\"", "");
    project.write("tests/suite.rs", suite);
    project
}

#[test]
fn a_test_that_was_renamed_gets_its_cassette_back() {
    let suite = |name: &str| {
        format!(
            "use cassette_test::{{Call, Cassette, cassette}};\n\nmod fares {{\n    use super::*;\n\n    #[cassette]\n    #[test]\n    fn {name}(cassette: Cassette) {{\n        let _ = cassette.call_blocking(Call::tool(\"price\", &()), || 3);\n    }}\n}}\n"
        )
    };
    let project = package("renamed", &suite("adult"));
    let record = project.sh("CASSETTE_MODE=record cargo test -q --test suite");
    assert!(record.starts_with("exit 0"), "{record}");
    assert!(project.path("cassettes/suite/fares/adult.json").is_file());
    project.write("tests/suite.rs", suite("adults"));
    let moving = "mv cassettes/suite/fares/adult.json cassettes/suite/fares/adults.json";
    let typed: [&str; 1] = [moving];
    check(&project, "cargo test -q --test suite", &typed, "exit 0");

    project.write("tests/suite.rs", suite("child"));
    let moving = "mv cassettes/suite/fares/adults.json cassettes/suite/fares/child.json";
    let told = project.sh("cargo cassette lint");
    assert_eq!(told.matches(moving).count(), 2, "beside the orphan and beside the test: {told}");
    check(&project, "cargo cassette lint", &[moving], "exit 0");

    // Another module, by the name of the test that recorded it.
    project.write("tests/suite.rs", suite("adult").replace("mod fares", "mod prices"));
    let moving =
        "mkdir -p cassettes/suite/prices && mv cassettes/suite/fares/child.json cassettes/suite/prices/adult.json";
    check(&project, "cargo cassette lint", &[moving], "exit 0");

    project.write("tests/suite.rs", suite("adults").replace("mod fares", "mod prices"));
    let told = project.sh("cargo cassette record --missing");
    let note =
        "perhaps renamed: suite::prices::adults, whose cassette may be cassettes/suite/prices/adult.json\n  help: mv ";
    assert!(told.contains(note), "{told}");

    // What a test may want back is kept beside what is removed.
    let (old, gone) = ("cassettes/suite/prices/adult.json", "cassettes/gone.json");
    std::fs::remove_file(project.path("cassettes/suite/prices/adults.json")).unwrap();
    let text = project.read(old);
    let nobodys = text.replace("suite::fares::adult", "suite::nothing_alike");
    project.write(gone, &nobodys);
    let told = project.run(&["prune", "--dry-run"]);
    let mv = format!("mv {old} cassettes/suite/prices/adults.json");
    let kept = format!(
        "would remove {gone}\nkeeps {old}, whose test is most likely suite::prices::adults now\n  help: if it is, {mv}; if not, cargo cassette delete {old}\n"
    );
    assert_eq!(told, format!("exit 1\n--- stdout\n{kept}"));
    assert_eq!(
        project.run(&["prune", "-n", "--renamed"]),
        format!("exit 0\n--- stdout\nwould remove {gone}\nwould remove {old}\n")
    );
    let json = project.run(&["prune", "-n", "--json"]);
    let kept = format!(
        "\"outcome\": \"kept\",\n      \"test\": \"suite::prices::adults\",\n      \"help\": \"if it is, {mv}; "
    );
    assert!(json.starts_with("exit 1\n") && json.contains(&kept), "{json}");
    check(&project, "cargo cassette prune", &[&mv], "exit 0");
    assert!(!project.path(gone).exists() && project.path("cassettes/suite/prices/adults.json").is_file());
    // The advice on one orphan is about that one.
    project.write(gone, &nobodys);
    project.write("cassettes/gone_too.json", &nobodys);
    let typed = [gone, "cassettes/gone_too.json"].map(|file| format!("cargo cassette delete {file}"));
    check(&project, "cargo cassette lint", &[&typed[0]], "exit 1");
    check(&project, "cargo cassette lint", &[&typed[1]], "exit 0");
}

#[test]
fn what_may_be_behind_a_feature_is_decided_by_those_who_build_it() {
    let test = |name: &str| {
        format!(
            "#[cassette(\"{name}\")]\n#[test]\nfn {name}(cassette: Cassette) {{\n    let _ = cassette.call_blocking(Call::tool(\"price\", &()), || 3);\n}}\n\n"
        )
    };
    let head = "use cassette_test::{Call, Cassette, cassette};\n\n";
    let suite = format!("{head}{}#[cfg(feature = \"extra\")]\n{}", test("plain"), test("featured"));
    let project = package("behind", &suite);
    let manifest = project.read("Cargo.toml").replace("[dev-dep", "[features]\nextra = []\n\n[dev-dep");
    project.write("Cargo.toml", manifest);
    let record = project.sh("CASSETTE_MODE=record cargo test -q --test suite --features extra");
    assert!(record.starts_with("exit 0"), "{record}");
    assert!(
        project
            .run(&["lint"])
            .contains("\nnot decided: cassettes/featured.json, whose test may be behind behind/extra\n")
    );
    check(&project, "cargo cassette lint", &["cargo cassette lint --all-features"], "exit 0");
    // Whoever asks what would be removed is told as whoever removes it.
    let [dry, real] = [&["prune", "--dry-run"][..], &["prune"]].map(|words| project.run(words));
    assert!(dry == real && dry.starts_with("exit 2"), "{dry}");
    check(&project, "cargo cassette prune --dry-run", &["cargo cassette prune --all-features"], "exit 2");
    assert!(project.path("cassettes/featured.json").is_file());

    // No renaming is guessed from what may be nobody's, or not.
    project.write("tests/suite.rs", suite.replace("plain", "featuring"));
    std::fs::remove_file(project.path("cassettes/plain.json")).unwrap();
    let told = project.run(&["lint"]);
    assert!(told.contains("missing: ") && !told.contains("mv ") && !told.contains("orphan"), "{told}");
}

#[test]
fn a_doc_test_that_failed_is_run_by_what_it_says() {
    let project = package("documented", "");
    project.write(
        "src/lib.rs",
        "/// Asks.\n///\n/// ```\n/// use cassette_test::{Call, Cassette};\n///\n/// let session = Cassette::builder(\"asked\").open().unwrap_or_else(|report| panic!(\"{report}\"));\n/// assert_eq!(session.cassette().call_blocking(Call::tool(\"price\", &()), || 3), 3);\n/// session.finish().unwrap_or_else(|report| panic!(\"{report}\"));\n/// ```\npub fn ask() {}\n",
    );
    let told = project.sh("cargo test --doc");
    let record = "CASSETTE_MODE=record cargo test -p documented --doc";
    assert_eq!(advised(&told).as_deref(), Some(record), "{told}");
    let told = project.sh(record);
    assert!(told.starts_with("exit 0") && told.contains("test result: ok. 1 passed"), "{told}");
    assert!(project.sh("cargo test -p documented --doc").starts_with("exit 0"), "and it replays");
}

#[test]
fn words_that_mean_nothing_are_typed_again_as_they_were_meant() {
    let project = kept("trains");
    project.record("cassettes/-dash.json", &[(ask("How much?"), answer("c", "At 09:04."))]);
    let check = |first: &str, typed: &str| check(&project, first, &[typed], "exit 2");
    check("cargo cassette shwo trains", "cargo cassette show trains");
    check("cargo cassette --dir cassettes lst", "cargo cassette --dir cassettes list");
    check("cargo cassette help shwo", "cargo cassette help show");
    check("cargo cassette show trains --formt json", "cargo cassette show trains --format json");
    check("cargo cassette show trains --formt=json", "cargo cassette show trains --format=json");
    check("cargo cassette show trains --format jsn", "cargo cassette show trains --format json");
    check("cargo cassette show trains --format=jsn", "cargo cassette show trains --format=json");
    check("cargo cassette show trains first", "cargo cassette show trains 1");
    check("cargo cassette show 'a b' --bogus", "cargo cassette show --help");
    check("cargo cassette show -dash", "cargo cassette show --help");
    check("cargo cassette list -x", "cargo cassette list --help");
    check("cargo cassette list --dir a --workspace", "cargo cassette list --help");
    check("cargo cassette show", "cargo cassette show --help");
    check("cargo cassette lint --files --max-age 5", "cargo cassette lint --files --max-age 90d");
    check("cargo cassette lint --files --max-age=5x", "cargo cassette lint --files --max-age=90d");
    check("cargo cassette lint --files --max-age ''", "cargo cassette lint --files --max-age 90d");
    check("cargo cassette stats --runs many", "cargo cassette stats --runs 1");
    check("cargo cassette fork trains --at one began -n", "cargo cassette fork trains --at 1 began -n");
    check("cargo cassette completions bsh", "cargo cassette completions bash");
    let told = project.sh("cargo cassette show -dash");
    assert!(told.ends_with("; a name that begins so is typed as a path: cargo cassette show ./-dash\n"), "{told}");
    assert!(project.sh("cargo cassette show ./-dash").starts_with("exit 0"));
    for asks in ["help", "help show", "help --dir a show"] {
        let words = asks.strip_prefix("help").unwrap();
        assert_eq!(project.sh(&format!("cargo cassette {asks}")), project.sh(&format!("cargo cassette{words} --help")));
    }
}

#[test]
fn a_file_without_a_name_gets_one() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = kept("trains");
    let odd = |name: &[u8]| project.path("cassettes").join(std::ffi::OsStr::from_bytes(name));
    std::fs::create_dir_all(odd(b"night\xfe")).unwrap();
    for name in [&b"bad\xff.json"[..], b"bad_.json", b"night\xfe/it's.json"] {
        std::fs::copy(project.path("cassettes/trains.json"), odd(name)).unwrap();
    }
    let lint = "cargo cassette lint --files";
    let mut typed = Vec::new();
    while let Some(next) = advised(&project.bash(lint)) {
        assert!(typed.len() < STEPS, "{typed:#?}");
        project.bash(&next);
        typed.push(next);
    }
    assert_eq!(
        typed,
        [r"mv $'cassettes/bad\xff.json' cassettes/bad_-2.json", r"mv $'cassettes/night\xfe' cassettes/night_"]
    );
    assert!(project.bash(lint).starts_with("exit 0"));
}

#[test]
fn what_a_commit_has_is_taken_from_it() {
    let project = kept("trains");
    project.commit();
    let text = project.read("cassettes/trains.json");
    project.write("cassettes/trains.json", &text[..200]);
    let take = "git checkout HEAD -- cassettes/trains.json";
    check(&project, "cargo cassette lint --files", &[take], "exit 0");
    project.write("cassettes/trains.json", &text[..200]);
    check(&project, "cargo cassette show trains", &[take], "exit 0");
    // What `serve` has recorded no test records.
    let serves = text.replace("\"suite::ask\"", "\"cargo-cassette::serve\"");
    assert_ne!(text, serves);
    project.write("cassettes/fares.json", &serves[..400]);
    let told = project.sh("cargo cassette show fares");
    assert!(told.ends_with("help: record it anew: cargo cassette serve --mode refresh fares -- ..\n"), "{told}");
    project.write("cassettes/fares.json", serves);
    let told = project.sh("cargo cassette lint --files --max-age 1d");
    assert!(
        told.contains("anew: rm cassettes/fares.json && cargo cassette serve --mode record fares -- ..\n"),
        "{told}"
    );
    assert!(
        told.contains("anew: rm cassettes/trains.json && CASSETTE_MODE=record cargo test ask -- --exact\n"),
        "{told}"
    );
}

/// Returns the only test of a package, with what it asks.
fn asks(options: &str, body: &str) -> String {
    format!(
        "use cassette_test::{{Call, Cassette, cassette}};\n\n#[cassette(\"prices\"{options})]\n#[test]\nfn prices(cassette: Cassette) {{\n    let ask = |to: &str| -> u32 {{ cassette.call_blocking(Call::tool(\"price\", &to), || 3) }};\n{body}\n}}\n"
    )
}

#[test]
fn what_the_report_of_a_run_says_mends_it() {
    let project = package("reported", &asks("", "    ask(\"Bergen\");"));
    let [record, refresh] = ["record", "refresh"]
        .map(|mode| format!("CASSETTE_MODE={mode} cargo test -p reported --test suite prices -- --exact"));
    let run = "cargo test -q --test suite";
    let file = "cassettes/prices.json";
    // There is no cassette; the call is another one; it is made once too often, after one that would not run; and once less.
    let bodies = [
        ("ask(\"Bergen\");", &record),
        ("ask(\"Oslo\");", &record),
        ("ask(\"Oslo\");\n    ask(\"Oslo\");", &refresh),
        ("ask(\"Oslo\");", &record),
    ];
    for (body, again) in bodies {
        project.write("tests/suite.rs", asks("", &format!("    {body}")));
        check(&project, run, &[again], "exit 0");
    }
    // The file is damaged; it was changed by hand; the type is another; it was recorded with something else.
    project.write(file, &project.read(file)[..200]);
    check(&project, run, &[&refresh], "exit 0");
    change(&project, file, |text| text.replace("\"json\": 3", "\"json\": 4"));
    check(&project, run, &[&refresh], "exit 0");
    let text = "    let _: String = cassette.call_blocking(Call::tool(\"price\", &\"Oslo\"), || \"3\".to_owned());\n    let _ = ask;";
    project.write("tests/suite.rs", asks("", text));
    check(&project, run, &[&refresh], "exit 0");
    project.write("tests/suite.rs", asks(", version = \"2\"", text));
    check(&project, run, &[&refresh], "exit 0");
    // The order is another one.
    project.write("tests/suite.rs", asks("", "    ask(\"Oslo\");\n    ask(\"Bergen\");"));
    check(&project, run, &[&refresh], "exit 0");
    project.write("tests/suite.rs", asks(", order = \"strict\"", "    ask(\"Bergen\");\n    ask(\"Oslo\");"));
    check(&project, run, &[&refresh], "exit 0");
}
