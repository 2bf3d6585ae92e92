//! `test`, `record`, `refresh` with real cargo, real cargo-nextest and real test binaries, against a provider on loopback.

use std::io::Read as _;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use stages::{Answer, Provider, Request};

use crate::built;
use crate::project::Project;

/// What the tests ask with, and a test of the library's own.
const LIBRARY: &str = r##"
use std::io::{Read, Write};

/// Asks a model, and returns the reply as it is.
pub fn ask(base: &str, question: &str) -> String {
    let (host, path) = base.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let body = format!("{{\"model\":\"gpt-4o-mini\",\"messages\":[{{\"role\":\"user\",\"content\":\"{question}\"}}]}}");
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /{path}/chat/completions HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

#[cfg(test)]
mod tests {
    use cassette_test::{Cassette, cassette};

    #[cassette("unit")]
    #[test]
    fn unit(cassette: Cassette) {
        let upstream = std::env::var("UPSTREAM").unwrap_or("http://127.0.0.1:9/v1".into());
        assert!(super::ask(&cassette.upstream("openai", upstream), "unit").contains("At nine."));
    }
}
"##;

/// What every integration binary begins with.
const HEAD: &str = r#"
use cassette_test::{Cassette, cassette};

fn ask(cassette: &Cassette, question: &str) {
    let upstream = std::env::var("UPSTREAM").unwrap_or("http://127.0.0.1:9/v1".into());
    let reply = library::ask(&cassette.upstream("openai", upstream), question);
    assert!(reply.contains("At nine."), "{reply}");
}
"#;

const SUITE: &str = r#"
#[cassette("trains")]
#[test]
fn trains(cassette: Cassette) {
    ask(&cassette, "trains");
}

#[cassette("fares")]
#[test]
fn fares(cassette: Cassette) {
    ask(&cassette, "fares");
    ask(&cassette, "fares, return");
}

#[cassette("fares_of_seats")]
#[test]
fn fares_of_seats(cassette: Cassette) {
    ask(&cassette, "seats");
    assert_eq!("a window seat", "an aisle seat");
}

#[cassette("night")]
#[test]
#[ignore = "runs at night"]
fn night(cassette: Cassette) {
    ask(&cassette, "night");
}

mod classes {
    use super::*;

    #[cassette("classes/{class}")]
    #[rstest::rstest]
    #[case::first("first")]
    #[case::second("second")]
    fn of_trains(cassette: Cassette, #[case] class: &str) {
        ask(&cassette, class);
    }

    #[cassette("berths")]
    #[rstest::rstest]
    #[case("upper")]
    #[case("lower")]
    fn of_berths(cassette: Cassette, #[case] berth: &str) {
        ask(&cassette, berth);
    }
}

#[test]
fn without_a_cassette() {}
"#;

const LATER: &str = r#"
#[cassette("later")]
#[test]
fn later(cassette: Cassette) {
    ask(&cassette, "later");
}
"#;

/// A provider that remembers what it was asked.
struct Asked {
    provider: Provider,
    questions: Arc<Mutex<Vec<String>>>,
}

impl Asked {
    /// Starts one of which each answer takes so many tokens.
    fn start(tokens: u64) -> Asked {
        Asked::after(tokens, || {})
    }

    /// Starts one that answers once it is told to.
    fn once(tokens: u64, answered: Receiver<()>) -> Asked {
        let answered = Mutex::new(answered);
        Asked::after(tokens, move || _ = answered.lock().unwrap().recv())
    }

    fn after(tokens: u64, wait: impl Fn() + Send + Sync + 'static) -> Asked {
        let questions: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&questions);
        let answer = format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":"At nine."}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":{tokens},"completion_tokens":0,"total_tokens":{tokens}}}}}"#
        );
        let provider = Provider::start(move |request: &Request| {
            let text = request.text();
            let question = text.split("\"content\":\"").nth(1).and_then(|rest| rest.split('"').next());
            kept.lock().unwrap().push(question.unwrap_or(&text).to_owned());
            wait();
            Answer::json(200, &answer)
        });
        Asked { provider: provider.unwrap(), questions }
    }

    /// Returns what was asked since the last time, sorted.
    fn questions(&self) -> Vec<String> {
        let mut questions = std::mem::take(&mut *self.questions.lock().unwrap());
        questions.sort();
        questions
    }
}

/// Returns the package of this name, whose tests ask this provider when they go live.
fn package(name: &str, asked: &Asked) -> Project {
    let project = built::package(name, "\"record\"", "rstest = { version = \"0.29.0\", default-features = false }\n");
    let head = HEAD.replace("library", &name.replace('-', "_"));
    project.write("src/lib.rs", LIBRARY);
    project.write("tests/suite.rs", format!("{head}{SUITE}"));
    project.write("tests/later.rs", format!("{head}{LATER}"));
    project.with("UPSTREAM", &format!("{}/v1", asked.provider.url()))
}

/// Returns a screen without what cargo-nextest says of itself, which differs from version to version.
fn plain(screen: &str) -> String {
    if !screen.contains("Nextest run ID") {
        return screen.to_owned();
    }
    let (out, err) = screen.split_once("--- stderr\n").unwrap_or((screen, ""));
    let is_a_tests = |line: &&str| line.starts_with("        PASS ") || line.starts_with("        FAIL ");
    let mut tests: Vec<_> = err.lines().filter(is_a_tests).collect();
    // What failed is told once more at the end.
    let mut seen = std::collections::BTreeSet::new();
    tests.retain(|line| seen.insert(*line));
    format!("{out}--- tests\n{}\n", tests.join("\n"))
}

/// Returns what the command itself says at the end.
fn summary(screen: &str) -> &str {
    let start = screen.find("cassettes: ").unwrap_or_else(|| panic!("there is no summary: {screen}"));
    screen[start..].split("--- ").next().unwrap()
}

/// Snapshots a whole screen, without what differs from run to run.
macro_rules! assert_screen {
    ($name:expr, $screen:expr) => {
        insta::with_settings!({ filters => FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, plain(&$screen));
        });
    };
}

/// What differs from run to run, and what stands for it.
const FILTERS: [(&str, &str); 7] = [
    (r" +(Compiling|Blocking|Finished) .*\n", ""),
    (r"\([^ ]*/deps/(\w+)-[0-9a-f]+\)", "($1)"),
    (r"[0-9]+\.[0-9]+s", "TIME"),
    (r"\[ +TIME\]", "[TIME]"),
    (r"(thread '[^']+' )\(\d+\) ", "$1"),
    (r"(saved +\$\S+, ).*", "${1}TIME"),
    (r"(\.rs):\d+:\d+:", "$1:"),
];

/// Returns who may run the tests; cargo-nextest only where it is installed.
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
fn runners() -> Vec<(&'static str, Vec<&'static str>)> {
    let is_there = std::process::Command::new("cargo-nextest").args(["nextest", "--version"]).output();
    let nextest = is_there.is_ok_and(|told| told.status.success()).then(|| ("nextest", vec!["--nextest", "-j1"]));
    if nextest.is_none() {
        eprintln!("skipped: there is no cargo-nextest: cargo install cargo-nextest");
    }
    [("cargo", vec![])].into_iter().chain(nextest).collect()
}

/// Returns the words with what runs the tests one after the other.
fn words<'a>(verb: &'a str, runner: &[&'a str], more: &[&'a str], tests: &[&'a str]) -> Vec<&'a str> {
    let behind = if runner.is_empty() { &["--", "--test-threads=1"][..] } else { &["--"] };
    [&[verb], runner, more, behind, tests].concat()
}

#[test]
fn only_the_tests_without_a_cassette_are_run() {
    let asked = Asked::start(1_000);
    for (name, runner) in runners() {
        let project = package(&format!("missing-{name}"), &asked);
        let first = words("record", &runner, &["--test", "suite"], &["trains", "--exact"]);
        assert_screen!(format!("record_one_{name}"), project.run(&first));
        assert_eq!(asked.questions(), ["trains"]);

        let missing = words("record", &runner, &["--missing"], &[]);
        assert_screen!(format!("record_missing_{name}"), project.run(&missing));
        let all = ["fares", "fares, return", "first", "later", "lower", "seats", "second", "unit", "upper"];
        assert_eq!(asked.questions(), all);

        // What failed is missing still; of a pattern's cases the one without a file.
        std::fs::remove_file(project.path("cassettes/classes/second.json")).unwrap();
        let told = project.run(&words("record", &runner, &["--missing"], &["--skip", "seats"]));
        assert_screen!(format!("record_missing_case_{name}"), told);
        assert_eq!(asked.questions(), ["second"]);

        let told = project.run(&words("record", &runner, &["--missing", "--test", "suite"], &["night", "--ignored"]));
        assert_screen!(format!("record_missing_ignored_{name}"), told);
        assert_eq!(asked.questions(), ["night"]);

        let told = project.run(&words("record", &runner, &["--missing", "--test", "later"], &[]));
        assert_screen!("nothing_missing", told);
        assert_eq!(asked.questions(), Vec::<String>::new());
    }
}

#[cfg(unix)]
#[test]
fn what_a_test_advises_in_a_directory_that_was_named_can_be_typed() {
    let asked = Asked::start(1_000);
    let project = package("elsewhere", &asked);
    let told = project.run(&["test", "--dir", "else where", "--test", "later"]);
    let advice = "CASSETTE_DIR='else where' CASSETTE_MODE=record cargo test -p elsewhere --test later later -- --exact";
    assert!(told.contains(&format!("\nhelp: record it: {advice}\n")), "{told}");
    let typed = project.sh(advice);
    assert!(typed.starts_with("exit 0"), "{typed}");
    assert!(project.path("else where/later.json").is_file() && !project.path("cassettes").exists());
    // Whoever has set the variable has it still.
    let told = project.with("CASSETTE_DIR", "nowhere").run(&["test", "--dir", "empty", "--test", "later"]);
    assert!(told.contains("\nhelp: record it: CASSETTE_DIR=empty CASSETTE_MODE=record cargo test"), "{told}");
}

#[test]
fn everything_may_follow_and_the_exit_code_is_the_runners() {
    let asked = Asked::start(1_000);
    for (name, runner) in runners() {
        let project = package(&format!("verbs-{name}"), &asked);
        let run = |verb: &str, more: &[&str], tests: &[&str]| project.run(&words(verb, &runner, more, tests));
        assert_screen!(format!("record_all_{name}"), run("record", &["--no-fail-fast"], &["--include-ignored"]));
        assert_eq!(asked.questions().len(), 11);

        // A test that fails before its cassette is opened is one that failed.
        std::fs::remove_file(project.path("cassettes/fares.json")).unwrap();
        assert_screen!(format!("test_some_{name}"), run("test", &["--test", "suite"], &["fares", "--skip", "seats"]));
        assert_screen!(format!("test_rest_{name}"), run("test", &["--tests"], &["--skip", "fares"]));
        assert_eq!(asked.questions(), Vec::<String>::new(), "a replay asks nobody");

        assert_screen!(format!("refresh_{name}"), run("refresh", &["--test", "suite"], &["trains", "--exact"]));
        assert_screen!(format!("off_{name}"), run("off", &["--test", "later"], &[]));
        assert_eq!(asked.questions(), ["later", "trains"]);
        assert_screen!(format!("no_test_{name}"), run("test", &["--test", "suite"], &["nobody", "--exact"]));
        let unknown = run("test", &["--test", "nowhere"], &[]);
        assert!(unknown.starts_with("exit 101\n") || unknown.starts_with("exit 102\n"), "{unknown}");
    }
}

/// A test whose program ends its process, as if all were well, behind a call that nothing is recorded for.
const EXITS: &str = r#"
use cassette_test::{Call, Cassette, cassette};

unsafe extern "C" {
    fn quick_exit(code: i32) -> !;
}

#[cassette("exits")]
#[test]
fn exits(cassette: Cassette) {
    let ask = |to: &str| cassette.call_blocking(Call::tool("price", &to), || 3);
    ask("Bergen");
    if std::env::var_os("EXIT").is_some() {
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ask("Oslo")));
        unsafe { quick_exit(0) };
    }
}
"#;

#[test]
fn a_test_that_ends_its_process_has_not_passed() {
    for (name, runner) in runners() {
        let project = built::package(&format!("exits-{name}"), "\"replay\"", "");
        project.write("tests/suite.rs", EXITS);
        let run = |project: &Project, verb: &str| project.run(&words(verb, &runner, &["--test", "suite"], &[]));
        assert!(run(&project, "record").starts_with("exit 0\n") && run(&project, "test").starts_with("exit 0\n"));
        let told = run(&project.with("EXIT", "1"), "test");
        assert!(told.starts_with("exit 101\n"), "{told}");
        assert!(told.contains("\nerror: 1 test did not end, ") && told.contains("\nhelp: see what ended "), "{told}");
        assert_screen!("cut_off", summary(&told).split("\n\n").next().unwrap());
    }
}

/// What a call costs, in the model's price and a million tokens: $0.15.
const EXPENSIVE: u64 = 1_000_000;

#[test]
fn a_budget_is_that_of_all_binaries_and_processes() {
    for (name, runner) in runners() {
        for (how, more, variable, settings) in [
            ("option", &["--budget", "0.40", "--no-fail-fast"][..], "", ""),
            ("variable", &["--no-fail-fast"], "0.40", ""),
            ("file", &["--no-fail-fast"], "", "budget = \"0.40\"\n"),
        ] {
            if (name, how) == ("nextest", "variable") {
                continue;
            }
            let asked = Asked::start(EXPENSIVE);
            let project = package(&format!("budget-{name}"), &asked).with("CASSETTE_BUDGET", variable);
            project.write("cassette.toml", settings);
            let told = project.run(&words("record", &runner, more, &["--skip", "seats"]));
            assert_eq!(asked.questions().len(), 3, "$0.45 were spent when nothing more went live: {told}");
            assert!(told.contains("$0.45 are spent of a budget of $0.4\n"), "{told}");
            assert_screen!(format!("budget_{how}"), summary(&told));
            // Nothing went over into the next run: it has its own budget.
            let told = project.run(&words("refresh", &runner, &[more, &["--test", "later"]].concat(), &[]));
            assert_eq!(asked.questions(), ["later"], "{told}");
        }
    }
}

const SLOW: &str = r#"
#[cassette("slow")]
#[test]
fn slow(cassette: Cassette) {
    ask(&cassette, "slow");
    ask(&cassette, "after it");
}
"#;

/// How long a run may take to be built and to ask, or to end: far longer than it does.
const PATIENCE: Duration = Duration::from_secs(300);

/// The file in which it is kept what a run says on standard error.
const SAID: &str = "said.txt";

/// A recording run that waits for an answer.
struct Waiting {
    asked: Asked,
    answer: Sender<()>,
    project: Project,
    child: Child,
}

impl Waiting {
    /// Starts one with a directory of its own for temporary files, and waits until it has asked.
    fn start(name: &str, runner: &[&str]) -> Waiting {
        let (answer, answered) = channel();
        let asked = Asked::once(EXPENSIVE, answered);
        let project = package(name, &asked);
        let head = HEAD.replace("library", &name.replace('-', "_"));
        project.write("tests/slow.rs", format!("{head}{SLOW}"));
        project.write("tmp/somebody-elses", "");
        let temporary = project.path("tmp").display().to_string();
        let project = project.with("TMPDIR", &temporary);
        let mut command = project.command(&words("record", runner, &["--budget", "5", "--test", "slow"], &[]));
        // What the test says is read where it never asks: it may outlive the command, and no pipe is to hold it up.
        project.write(SAID, "");
        let said = std::fs::OpenOptions::new().append(true).open(project.path(SAID)).unwrap();
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(said).spawn().unwrap();
        let mut waiting = Waiting { asked, answer, project, child };
        waiting.until("it has asked", |waiting| (!waiting.asked.questions.lock().unwrap().is_empty()).then_some(()));
        waiting
    }

    /// Waits until there is something. Where the command has ended without it, or the time is up, this fails with what it said.
    fn until<Found>(&mut self, what: &str, mut found: impl FnMut(&mut Waiting) -> Option<Found>) -> Found {
        let start = Instant::now();
        loop {
            // How it has ended is looked at first: what it did before that is there by then.
            let ended = self.child.try_wait().unwrap();
            if let Some(found) = found(self) {
                return found;
            }
            if ended.is_some() || start.elapsed() > PATIENCE {
                let _ = self.child.kill();
                let said = self.project.read(SAID);
                panic!("waited until {what} for {:?}, and the command ended with {ended:?}:\n{said}", start.elapsed());
            }
            std::thread::yield_now();
        }
    }

    /// Returns what lies in the directory for temporary files.
    fn temporary(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.project.path("tmp")).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// Sends the command a signal, and it alone; returns how it ended.
    fn signal(&mut self, signal: &str) -> std::process::ExitStatus {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.until("it has ended", |waiting| waiting.child.try_wait().unwrap())
    }
}

#[test]
fn an_interrupted_run_is_summed_up_and_leaves_nothing() {
    for (name, runner) in runners() {
        for signal in ["-INT", "-TERM"] {
            let mut waiting = Waiting::start(&format!("interrupted-{name}"), &runner);
            let ended = waiting.signal(signal);
            assert_eq!(waiting.temporary(), ["somebody-elses"]);
            // Its end comes when the last program has gone that may write there: none waits for its answer.
            let mut told = String::new();
            waiting.child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
            drop(waiting.answer);
            // No call of it had ended, so that nothing comes back.
            let summary = summary(&told).trim_end().to_owned();
            insta::assert_snapshot!(
                format!("interrupted_{name}{signal}"),
                format!("exit {:?}\n{summary}", ended.code())
            );
        }
    }
}

#[test]
#[should_panic(expected = "and the command ended with Some")]
fn a_run_that_dies_before_it_asks_is_waited_for_by_nobody() {
    Waiting::start("dies-early", &["--no-such-option"]);
}

#[test]
fn what_a_killed_run_leaves_goes_with_the_next_one() {
    let mut waiting = Waiting::start("killed", &[]);
    waiting.signal("-KILL");
    assert_eq!(waiting.temporary().len(), 2, "{:?}", waiting.temporary());
    assert_eq!(waiting.asked.questions(), ["slow"]);

    // Whoever killed it with a budget is not to pay more, though the test lives on.
    let told = waiting.project.run(&["test", "--test", "later"]);
    assert!(told.contains("cassettes: 1 run of 1 cassette in replay, 1 failed"), "{told}");
    assert_eq!(waiting.temporary(), ["somebody-elses"]);
    waiting.answer.send(()).unwrap();
    let mut told = String::new();
    waiting.child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("in which the run writes what it spends, cannot be kept"), "{told}");
    assert_eq!(waiting.asked.questions(), Vec::<String>::new());
}
