//! A cassette for programs in any language: `serve`. A socket plays the client.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use cassette_core::call::{Call, Kind};
use stages::{Answer, Provider};

use crate::project::Project;
use crate::recordings::{answer, ask, conversation, json, key};

/// The body that `ask("When?")` sends.
const WHEN: &str = r#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"When?"}]}"#;

fn project() -> Project {
    let project = Project::new();
    let page = Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new());
    project.record(
        "cassettes/trains.json",
        &[(ask("When?"), answer("chatcmpl-1", "At nine.")), (page, json(200, r#"{"at":"09:04"}"#))],
    );
    project
}

/// Sends a request, and returns the reply as it is, head and body.
fn send(base: &str, method: &str, path: &str, body: &str) -> String {
    let rest = base.strip_prefix("http://").unwrap();
    let (host, prefix) = rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")));
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {prefix}{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

/// A cassette that is being served, and the lines that it printed.
struct Served {
    child: Child,
    lines: Vec<String>,
}

impl Served {
    /// Serves with these words, and reads the addresses.
    fn start(project: &Project, words: &[&str], addresses: usize) -> Served {
        let mut command = project.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(addresses).map(Result::unwrap).collect();
        Served { child, lines }
    }

    /// Serves these cassettes from a port that is free, and reads the addresses: one that was free a moment ago, and those behind it, may
    /// have been taken by now.
    fn at_a_port(project: &Project, cassettes: &[&str], addresses: usize) -> (Served, u16) {
        let once = || {
            let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let typed = port.to_string();
            let words: Vec<&str> = ["serve"].iter().chain(cassettes).chain(&["--port", &typed]).copied().collect();
            let served = Served::start(project, &words, addresses);
            (served.lines.len() == addresses).then_some((served, port))
        };
        (0..20).find_map(|_| once()).unwrap()
    }

    fn base(&self, name: &str) -> String {
        let line = self.lines.iter().find_map(|line| line.strip_prefix(&format!("export {name}=")));
        line.unwrap_or_else(|| panic!("{name} is not in {:?}", self.lines)).to_owned()
    }

    /// Interrupts it, and returns how it ended and what it said.
    fn end(mut self) -> (i32, String) {
        let interrupted = std::process::Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(interrupted.unwrap().success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code().unwrap(), said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// Returns the text without ports, which differ.
fn portless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("127.0.0.1:") {
        out = format!("{out}{before}127.0.0.1:PORT");
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

#[test]
fn addresses_are_printed_for_a_shell_and_what_is_asked_there_is_served() {
    let project = project();
    let served = Served::start(&project, &["serve", "trains"], 4);
    insta::assert_snapshot!(portless(&served.lines.join("\n")));
    let reply = send(&served.base("OPENAI_BASE_URL"), "POST", "/chat/completions", WHEN);
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.contains("At nine."), "{reply}");
    assert!(send(&served.base("TIMETABLE_EXAMPLE_COM_BASE_URL"), "GET", "/next", "").contains("09:04"));
    let (code, said) = served.end();
    assert_eq!((code, said.as_str()), (0, "serving cassettes/trains.json in replay, until an interrupt\n"));
}

#[test]
fn what_is_missed_and_what_is_left_over_makes_the_exit_code_1() {
    let project = project();
    let served = Served::start(&project, &["serve", "cassettes/trains.json"], 4);
    let base = served.base("OPENAI_BASE_URL");
    send(&base, "POST", "/chat/completions", WHEN);
    let (code, said) = served.end();
    insta::assert_snapshot!(format!("exit {code}\n{said}"));

    let served = Served::start(&project, &["serve", "trains"], 4);
    let reply = send(&served.base("OPENAI_BASE_URL"), "POST", "/chat/completions", &WHEN.replace("When", "Why"));
    assert!(reply.starts_with("HTTP/1.1 404"), "{reply}");
    let (code, said) = served.end();
    insta::assert_snapshot!(format!("exit {code}\n{said}"));
}

#[test]
fn what_no_program_can_ask_for_is_not_left_over_and_a_cassette_of_nothing_else_is_refused() {
    let project = Project::new();
    let function = |kind: Kind, name: &str| (Call::function(kind, name, b"{}".to_vec()), json(200, "3"));
    let page = Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new());
    let [value, memory] = [function(Kind::Value, "now"), function(Kind::Memory, "remember")];
    project.record("cassettes/clock.json", &[value.clone(), (page, json(200, r#"{"at":"09:04"}"#)), memory.clone()]);
    let served = Served::start(&project, &["serve", "clock"], 1);
    assert!(send(&served.base("TIMETABLE_EXAMPLE_COM_BASE_URL"), "GET", "/next", "").contains("09:04"));
    let (code, said) = served.end();
    let note = "2 of 3 recordings in cassettes/clock.json no program can ask for at an address, and they are not counted as left over\n";
    assert_eq!((code, said), (0, format!("{note}serving cassettes/clock.json in replay, until an interrupt\n")));
    // What could have been asked for is left over still, and counted without them.
    project.record(
        "cassettes/two.json",
        &[value.clone(), (ask("When?"), answer("c", "At 9.")), (ask("How?"), answer("c", "So."))],
    );
    let served = Served::start(&project, &["serve", "two"], 3);
    send(&served.base("OPENAI_BASE_URL"), "POST", "/chat/completions", WHEN);
    let (code, said) = served.end();
    let unused = "error: cassette unused: 1 of 2 recordings in `two` was not asked for\n  interaction 3, ";
    assert!(code == 1 && said.contains(unused) && !said.contains("interaction 1"), "{said}");

    project.record("cassettes/refunds.json", &[value, memory]);
    project.record("cassettes/tools.json", &[function(Kind::Mcp, "tools/list")]);
    let refused = |name: &str, what: &str, help: &str| {
        format!(
            "exit 2\n--- stderr\nerror: cassettes/{name}.json holds {what} alone, and nothing that a program asks for at an address\nhelp: {help}\n"
        )
    };
    let show = "its own test replays it; look at it: cargo cassette show cassettes/refunds.json";
    let mcp = "stand in for that server: cargo cassette mcp --cassette cassettes/tools.json -- ..";
    assert_eq!(project.run(&["serve", "refunds"]), refused("refunds", "what functions answered", show));
    assert_eq!(project.run(&["serve", "tools", "--", "true"]), refused("tools", "messages of an MCP server", mcp));
    // Among others it is left out.
    let told = project.run(&["serve", "refunds", "clock", "--", "true"]);
    assert!(
        told.contains("cassettes/refunds.json is not served, since it holds what functions answered alone\n"),
        "{told}"
    );
    assert!(told.contains("cassette no-calls: ") && !told.contains("`refunds`"), "{told}");
    // What goes live may be asked for anything.
    assert!(project.run(&["serve", "refunds", "--mode", "record", "--", "true"]).contains("cassette no-calls: "));
}

/// Serves a program that waits until it is asked to end, and returns how the command ended after these signals, each sent when the
/// program has said one more line.
fn signalled(project: &Project, script: &str, signals: &[&str]) -> (i32, String) {
    let mut command = project.command(&["serve", "trains", "--", "sh", "-c", script]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for signal in signals {
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        let sent = std::process::Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(sent.unwrap().success());
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code().unwrap(), said)
}

#[test]
fn what_asks_for_the_end_is_handed_on_to_the_program() {
    let project = project();
    for (signal, name) in [("-TERM", "TERM"), ("-INT", "INT")] {
        let script =
            format!("trap 'kill $!; echo told > {name}; exit 7' {name}; sleep 60 >/dev/null 2>&1 & echo ready; wait");
        let (code, said) = signalled(&project, &script, &[signal]);
        assert_eq!((code, project.read(name).as_str()), (7, "told\n"), "{said}");
    }
    // One that does nothing about it is ended by it, and the code is what shells make of that.
    let (code, said) = signalled(&project, "echo ready; exec sleep 60", &["-TERM"]);
    assert_eq!(code, 143, "{said}");
    // One that refuses is killed when it is asked once more.
    let stubborn = "trap 'echo ready' TERM; echo ready; while :; do :; done";
    let (code, said) = signalled(&project, stubborn, &["-TERM", "-TERM"]);
    assert_eq!(code, 1, "{said}");
}

#[test]
fn a_program_finds_the_addresses_and_hands_its_code_on() {
    let project = project().with("ANTHROPIC_API_KEY", "mine");
    let script = "echo $OPENAI_BASE_URL $OPENAI_API_KEY $ANTHROPIC_API_KEY; test -z \"$ANTHROPIC_BASE_URL\"; exit $0";
    let ran = |code: &str| portless(&project.run(&["serve", "trains", "--", "sh", "-c", script, code]));
    insta::assert_snapshot!(ran("0"));
    insta::assert_snapshot!(ran("7"));
    let own = ["serve", "trains", "--", "sh", "-c", "echo $OPENAI_API_KEY; exit 7"];
    let output = project.command(&own).env("OPENAI_API_KEY", "mine").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "mine\n", "a key that is set stays");
    insta::assert_snapshot!(project.run(&["serve", "trains", "--", "no-such-program"]));
}

#[test]
fn what_is_advised_keeps_the_directory_and_no_secret() {
    let project = project();
    let key = key();
    let script = "curl -s -o /dev/null $OPENAI_BASE_URL/other; true";
    let told =
        project.run(&["serve", "--dir", "cassettes", "trains", "--", "sh", "-c", script, &format!("--key={key}")]);
    let help = told.lines().find(|line| line.starts_with("help: ")).unwrap_or_default();
    assert!(
        help.contains(" trains-served --dir cassettes") && help.contains("REDACTED.") && !told.contains(&key),
        "{told}"
    );
}

#[test]
fn the_first_address_has_the_port_that_was_asked_for() {
    let project = project();
    let (served, port) = Served::at_a_port(&project, &["trains"], 4);
    assert_eq!(served.base("OPENAI_BASE_URL"), format!("http://127.0.0.1:{port}/v1"));
    drop(served);
}

#[test]
fn an_upstream_is_recorded_and_found_again() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    let upstream = format!("time-table={}/v2", provider.url());
    let served = Served::start(&project, &["serve", "new", "--mode", "record", "--upstream", &upstream], 7);
    assert!(send(&served.base("TIME_TABLE_BASE_URL"), "GET", "/next", "").contains("09:04"));
    let (code, said) = served.end();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("cassette `new`: 1 recorded, 0 served, in cassettes/new.json"), "{said}");
    drop(provider);
    let file = project.read("cassettes/new.json");
    assert!(file.contains("\"GET http://time-table/v2/next\""), "{file}");

    let served = Served::start(&project, &["serve", "new"], 1);
    assert!(send(&served.base("TIME_TABLE_BASE_URL"), "GET", "/next", "").contains("09:04"));
    assert_eq!(served.end().0, 0);
}

#[test]
fn what_is_advised_after_a_mismatch_names_the_upstream_that_no_cassette_knows() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    let script = |path: &str| format!("curl -s \"$TIME_TABLE_BASE_URL/{path}\"");
    let upstream = format!("time-table={}/v2", provider.url());
    let words =
        ["serve", "--dir", "k", "t1", "--mode", "record", "--upstream", &upstream, "--", "sh", "-c", &script("next")];
    let told = project.run(&words);
    assert!(told.contains("cassette `t1`: 1 recorded, 0 served, in k/t1.json\n"), "the file, as it is typed: {told}");
    let other = script("other");
    let words = ["serve", "--dir", "k", "t1", "--", "sh", "-c", &other];
    let told = project.run(&words);
    let again =
        format!("cargo cassette serve --mode record t1 --dir k --upstream 'time-table=<URL>' -- sh -c '{other}'");
    assert!(told.contains(&format!("help: if the change is meant, {again}\n")), "{told}");
    let note = "what is recorded live needs the address of time-table, in the place of <URL>: no cassette holds it\n";
    assert!(told.contains(note), "{told}");
    // Typed with the address, it does what it says.
    let again = again.replace("time-table=<URL>", &upstream);
    let told = project.sh(&again);
    assert!(told.starts_with("exit 0"), "{again}: {told}");
    assert!(project.run(&words).starts_with("exit 0"), "and it replays");
    // Where it was named, nothing is missing.
    let named = ["serve", "--dir", "k", "t1", "--upstream", &upstream, "--", "true"];
    let told = project.run(&named);
    assert!(told.contains("exit 1") && !told.contains("<URL>"), "{told}");
}

#[test]
fn a_name_that_is_mistyped_is_told_with_what_was_meant() {
    let project = project();
    let told = project.run(&["serve", "--dir", "cassettes", "train", "--", "true"]);
    let expected = "exit 2\n--- stderr\nerror: there is no cassette `train`: no file cassettes/train.json\n  there is `trains`\nhelp: cargo cassette serve --dir cassettes trains -- true; or record it: cargo cassette serve --mode record train --dir cassettes -- true\n";
    assert_eq!(told, expected);
    // What is to be recorded is none that was mistyped, and what is like nothing is told as what was not recorded.
    assert!(project.run(&["serve", "--mode", "record", "train", "--", "true"]).contains("no-calls"));
    let told = project.run(&["serve", "--dir", "cassettes", "zzzzzz", "--", "true"]);
    assert!(told.contains("there is no cassettes/zzzzzz.json"), "{told}");
}

#[test]
fn what_cannot_be_served_says_what_to_type() {
    let project = project();
    project.write("cassettes/torn.json", "{");
    project.write("src/lib.rs", "");
    let told = [
        project.run(&["serve", "nothing"]),
        project.run(&["serve", "torn"]),
        project.run(&["serve", "trains", "--mode", "rec"]),
        project.run(&["serve", "trains", "--upstream", "openai"]),
        project.run(&["serve"]),
        project.run(&["serve", "trains", "./cassettes/trains.json"]),
        project.run(&["serve", "src"]),
        project
            .command(&["serve", "trains", "--mode", "record"])
            .env("CI", "true")
            .output()
            .map(|output| {
                format!("exit {}\n{}", output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr))
            })
            .unwrap(),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_failing_program_takes_nothing_over() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, "{}")).unwrap();
    let upstream = format!("api={}", provider.url());
    let told = project.run(&["serve", "new", "--mode", "record", "--upstream", &upstream, "--", "sh", "-c", "exit 3"]);
    assert!(told.starts_with("exit 3\n"), "{told}");
    assert!(!project.path("cassettes/new.json").exists());
}

#[test]
fn a_provider_that_the_environment_has_elsewhere_is_recorded_there_and_nowhere_else() {
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    let url = format!("{}/v2", provider.url());
    let project = Project::new().with("OPENAI_BASE_URL", &url);
    let script = "curl -sSf -d '{}' $OPENAI_BASE_URL/next";
    let told = project.run(&["serve", "new", "--mode", "record", "--", "sh", "-c", script]);
    let note = format!("OPENAI_BASE_URL is set, and openai is found at {url}; --upstream openai=<URL> goes over it\n");
    assert!(told.starts_with("exit 0\n") && told.contains("09:04") && told.contains(&note), "{told}");
    drop(provider);
    let file = project.read("cassettes/new.json");
    assert!(file.contains("POST http://openai/v2/next") && file.contains("\"openai\": \"http://openai/v2\""), "{file}");
    // A replay asks nobody, and hangs on no environment.
    let told = project.run(&["serve", "new", "--", "sh", "-c", script]);
    assert!(told.starts_with("exit 0\n") && told.contains("09:04") && !told.contains("is set"), "{told}");
    // What is typed goes over it.
    let other = Provider::start(|_| Answer::json(200, r#"{"at":"10:10"}"#)).unwrap();
    let upstream = format!("openai={}/v2", other.url());
    let told = project.run(&["serve", "it", "--mode", "record", "--upstream", &upstream, "--", "sh", "-c", script]);
    assert!(told.starts_with("exit 0\n") && told.contains("10:10") && !told.contains("is set"), "{told}");
}

/// A package with two cassettes, each with an answer of a model's, and one with a page beside it.
fn two() -> Project {
    let project = project();
    project.record("cassettes/fares/day.json", &[(ask("When?"), answer("chatcmpl-2", "At ten."))]);
    project
}

#[test]
fn each_of_several_cassettes_has_addresses_of_its_own() {
    let project = two();
    let (served, port) = Served::at_a_port(&project, &["trains", "fares/day"], 7);
    insta::assert_snapshot!(portless(&served.lines.join("\n")));
    let (trains, fares) = (served.base("TRAINS_OPENAI_BASE_URL"), served.base("FARES_DAY_OPENAI_BASE_URL"));
    assert_eq!(trains, format!("http://127.0.0.1:{port}/v1"));
    assert!(send(&fares, "POST", "/chat/completions", WHEN).contains("At ten."));
    assert!(send(&trains, "POST", "/chat/completions", WHEN).contains("At nine."));
    assert!(send(&served.base("TIMETABLE_EXAMPLE_COM_BASE_URL"), "GET", "/next", "").contains("09:04"));
    let (code, said) = served.end();
    insta::assert_snapshot!(format!("exit {code}\n{said}"));
}

#[test]
fn a_miss_or_what_is_left_over_in_any_of_several_is_told() {
    let project = two();
    let served = Served::start(&project, &["serve", "cassettes"], 7);
    send(&served.base("TRAINS_OPENAI_BASE_URL"), "POST", "/chat/completions", WHEN);
    let wrong = WHEN.replace("When", "Why");
    assert!(
        send(&served.base("FARES_DAY_OPENAI_BASE_URL"), "POST", "/chat/completions", &wrong)
            .starts_with("HTTP/1.1 404")
    );
    let (code, said) = served.end();
    assert!(said.contains("cargo cassette serve --mode record cassettes/fares/day-served.json\n"), "{said}");
    insta::assert_snapshot!(format!("exit {code}\n{said}"));

    let served = Served::start(&project, &["serve", "cassettes/fares/", "cassettes/trains.json"], 7);
    send(&served.base("FARES_DAY_OPENAI_BASE_URL"), "POST", "/chat/completions", WHEN);
    let (code, said) = served.end();
    insta::assert_snapshot!(format!("exit {code}\n{said}"));
}

#[test]
fn several_are_recorded_by_one_program_and_found_again_by_a_shell() {
    let project = Project::new();
    let provider =
        Provider::start(|request| Answer::json(200, &format!("{{\"asked\":\"{}\"}}", request.target))).unwrap();
    let upstream = format!("api={}/v2", provider.url());
    let script = "curl -sSf $A_API_BASE_URL/trains && curl -sSf $B_API_BASE_URL/fares";
    let recording = ["serve", "a", "b", "--mode", "record", "--upstream", &upstream, "--", "sh", "-c", script];
    let live = project.run(&recording);
    insta::assert_snapshot!(portless(&live).replace(&portless(&provider.url()), "[PROVIDER]"));
    drop(provider);
    for (name, path) in [("a", "/v2/trains"), ("b", "/v2/fares")] {
        let file = project.read(&format!("cassettes/{name}.json"));
        assert!(file.contains(&format!("\"GET http://api{path}\"")) && file.matches("\"GET ").count() == 1, "{file}");
    }

    // As the help says it: the shell goes on once the addresses are there, and has the exit code in the end.
    let shell = format!(
        "mkfifo addresses; '{}' serve cassettes/ > addresses & serving=$!; eval \"$(cat addresses)\"; {script}; kill $serving; wait $serving; echo; echo exit $?",
        env!("CARGO_BIN_EXE_cargo-cassette")
    );
    let output = project.program("sh".as_ref()).args(["-c", &shell]).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told, "{\"asked\":\"/v2/trains\"}{\"asked\":\"/v2/fares\"}\nexit 0\n", "{:?}", output.stderr);
}

#[test]
fn what_stands_in_a_cassette_is_never_a_command() {
    let project = Project::new();
    let page = Call::http("GET", "https://host.example.com/next", Vec::new(), Vec::new());
    project.record("cassettes/hostile.json", &[(page, json(200, "{}"))]);
    let file = project.read("cassettes/hostile.json").replacen(
        "\"interactions\"",
        "\"meta\": {\"upstreams\": {\"a;touch owned\": \"http://x\", \"b\": \"http://x/$(touch owned)\"}},\n  \"interactions\"",
        1,
    );
    project.write("cassettes/hostile.json", file);
    let served = Served::start(&project, &["serve", "hostile"], 2);
    insta::assert_snapshot!(portless(&served.lines.join("\n")));
    let status = project.program("sh".as_ref()).args(["-c", &served.lines.join("\n")]).status().unwrap();
    assert!(status.success() && !project.path("owned").exists());
}

#[test]
fn a_cassette_of_a_tests_is_recorded_anew_under_a_name_of_its_own() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    project.record("cassettes/trains.json", &conversation());
    let committed = project.read("cassettes/trains.json");
    let owner = "\"test\": \"";
    assert!(committed.contains(owner) && !committed.contains("\"test\": \"cargo-cassette::"), "{committed}");
    let script = "curl -s -d '{}' \"$OPENAI_BASE_URL/other\"";
    let again = |upstream: &str| {
        let script = script.replace('\'', "'\\''");
        let own = " --upstream timetable-example-com=https://timetable.example.com";
        format!("cargo cassette serve --mode record trains-served{upstream}{own} -- sh -c '{script}'")
    };
    let missed = project.run(&["serve", "trains", "--", "sh", "-c", script]);
    assert!(missed.contains(&format!("help: if the change is meant, {}\n", again(""))), "{missed}");

    let upstream = format!("openai={}/v1", provider.url());
    let words = ["serve", "trains", "--mode", "record", "--upstream", &upstream, "--", "sh", "-c", script];
    let refused = project.run(&words);
    let own = again(&format!(" --upstream {upstream}"));
    assert!(refused.contains(&format!("help: record it under a name of its own: {own}\n")), "{refused}");
    assert_eq!(project.read("cassettes/trains.json"), committed);

    // What is typed does what it says, and is that command's own from then on.
    let mut words = words;
    words[1] = "trains-served";
    let told = project.run(&words);
    assert!(told.contains("cassette `trains-served`: 1 recorded"), "{told}");
    let missed = project.run(&["serve", "trains-served", "--", "sh", "-c", &script.replace("other", "third")]);
    assert!(missed.contains("cargo cassette serve --mode record trains-served --upstream "), "{missed}");
}

#[test]
fn an_upstream_that_a_test_recorded_under_an_alias_is_to_be_filled_in() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    // As `cassette.upstream("openai", "http://127.0.0.1:..")` records it.
    let call = Call::http("POST", "http://openai/v1/chat/completions", Vec::new(), b"{}".to_vec());
    project.record("cassettes/delays.json", &[(call, json(200, "{}"))]);
    let script = "curl -s -d '{\"n\":1}' \"$OPENAI_BASE_URL/chat/completions\"";
    let quoted = script.replace('\'', "'\\''");
    let again =
        format!("cargo cassette serve --mode record delays-served --upstream 'openai=<URL>' -- sh -c '{quoted}'");
    let missed = project.run(&["serve", "delays", "--", "sh", "-c", script]);
    assert!(missed.contains(&format!("help: if the change is meant, {again}\n")), "{missed}");
    let note = "what is recorded live needs the address of openai, in the place of <URL>: no cassette holds it\n";
    assert!(missed.contains(note), "{missed}");
    let refused = project.run(&["serve", "delays", "--mode", "record", "--", "sh", "-c", script]);
    assert!(refused.contains(note) && refused.contains(&format!("under a name of its own: {again}\n")), "{refused}");
    // Where nothing is to be filled in, nothing is said of it.
    let quiet = project.run(&["serve", "delays", "--", "true"]);
    assert!(quiet.contains("cassette no-calls: ") && !quiet.contains("<URL>"), "{quiet}");
    // Typed as it stands, it says what is missing.
    let told = project.sh(&again);
    let address = again.replace("'openai=<URL>'", "openai=http://127.0.0.1:8000/v1");
    let help = format!(
        "`openai=<URL>` is no upstream\nhelp: put the address at which it is asked in the place of <URL>, as in {address}\n"
    );
    assert!(told.starts_with("exit 2\n") && told.contains(&help), "{told}");
    let typed = again.replace("'openai=<URL>'", &format!("openai={}/v1", provider.url()));
    let told = project.sh(&typed);
    assert!(told.contains("cassette `delays-served`: 1 recorded"), "{told}");
}

#[test]
fn a_damaged_cassette_of_a_tests_is_recorded_anew_by_that_test_alone() {
    let project = Project::new();
    let call = Call::http("POST", "http://openai/v1/chat/completions", Vec::new(), b"{}".to_vec());
    project.record("cassettes/delays.json", &[(call, json(200, "{}"))]);
    let whole = project.read("cassettes/delays.json");
    let edited = whole.replace("\"status\": 200", "\"status\": 201");
    let anew = "record it anew: CASSETTE_MODE=refresh cargo test ask -- --exact\n";
    let by_hand = "record it anew: where it is a test's, rm cassettes/delays.json && cargo cassette record --missing; \
                   else rm cassettes/delays.json && cargo cassette ";
    let cut = &whole[..whole.len() - 9];
    let nobodys = cut.replace("  \"test\": \"suite::ask\",\n", "");
    let other = "name one that is: cargo cassette list\n";
    for (text, help) in [(&*edited, anew), (cut, anew), (&nobodys, by_hand), ("{\"a\": 1}\n", other)] {
        project.write("cassettes/delays.json", text);
        for mode in [&["--mode", "refresh"][..], &["--mode", "record"], &[]] {
            let served = project.run(&[&["serve", "delays"], mode, &["--", "touch", "ran"]].concat());
            assert!(served.starts_with("exit 2\n") && served.contains(help), "{served}");
            assert!(
                help != by_hand || served.contains("cargo cassette serve --mode record delays -- touch ran\n"),
                "{served}"
            );
            let mcp = project.run(&[&["mcp", "--cassette", "delays"], mode, &["--", "touch", "ran"]].concat());
            assert!(mcp.starts_with("exit 2\n") && mcp.contains(help), "{mcp}");
            assert_eq!(project.read("cassettes/delays.json"), text);
        }
    }
    assert!(!project.path("ran").exists() && !project.path("cassettes/.pending").exists());
}

/// Returns a call of a model at this address, as a test's `cassette.base_url(..)` records it.
fn hello(base: &str) -> Call {
    let body = WHEN.replace("When?", "Hello");
    Call::http("POST", &format!("{base}/chat/completions"), Vec::new(), body.into_bytes())
}

#[test]
fn what_is_advised_after_a_miss_goes_live_where_the_recording_did() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    let base = format!("{}/v1", provider.url());
    project.record("cassettes/departures.json", &[(hello(&base), answer("c", "Hello."))]);
    let script = format!("curl -s -d '{WHEN}' \"$OPENAI_BASE_URL/chat/completions\"");
    let quoted = script.replace('\'', "'\\''");
    let again =
        format!("cargo cassette serve --mode record departures-served --upstream openai={base} -- sh -c '{quoted}'");
    for words in [&["serve", "departures"][..], &["serve", "departures", "--mode", "record"]] {
        let told = project.run(&[words, &["--", "sh", "-c", &script]].concat());
        assert!(told.contains(&format!(": {again}\n")) || told.contains(&format!(", {again}\n")), "{told}");
        assert!(!told.contains("<URL>"), "{told}");
    }
    // Typed as it stands, it asks there.
    let told = project.sh(&again);
    assert!(told.contains("cassette `departures-served`: 1 recorded") && told.contains("09:04"), "{told}");

    // Of a directory, too, and where it has a variable by its own name alone.
    let page = Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new());
    project.record("tapes/pages.json", &[(page, json(200, "{}"))]);
    let script = "curl -s \"$TIMETABLE_EXAMPLE_COM_BASE_URL/other\"";
    let missed = project.run(&["serve", "tapes", "--", "sh", "-c", script]);
    let own = " tapes/pages-served.json --upstream timetable-example-com=https://timetable.example.com -- sh -c ";
    assert!(missed.contains(own), "{missed}");
}

#[test]
fn what_was_asked_at_several_addresses_under_one_name_is_to_be_filled_in() {
    let project = Project::new();
    project.record("cassettes/a.json", &[(hello("http://127.0.0.1:9/v1"), answer("c", "Hello."))]);
    project.record("cassettes/b.json", &[(ask("When?"), answer("c", "At nine."))]);
    project.record("cassettes/c.json", &[(hello("http://desk/v1"), answer("c", "Hello."))]);
    let told = project.run(&["serve", "a", "b", "--", "true"]);
    assert!(told.contains("cassette no-calls: "), "{told}");
    let missed = |words: &[&str]| project.run(&[words, &["--", "sh", "-c", "curl -s $A_OPENAI_BASE_URL/x"]].concat());
    let told = missed(&["serve", "a", "b"]);
    assert!(told.contains("--mode record a-served b-served --upstream 'openai=<URL>' -- "), "{told}");
    // Where one is alone, that is known; of a name that a test gave both variables are to lead there.
    let told = missed(&["serve", "b", "--upstream", "a-openai=https://api.openai.com/v1"]);
    assert!(told.contains("record b-served --upstream a-openai=https://api.openai.com/v1 -- "), "{told}");
    let script = "curl -s $OPENAI_BASE_URL/x";
    let told = project.run(&["serve", "c", "--", "sh", "-c", script]);
    assert!(told.contains("record c-served --upstream 'desk=<URL>' --upstream 'openai=<URL>' -- "), "{told}");
}

#[test]
fn nothing_is_recorded_at_a_provider_where_another_server_was_asked_in_its_language() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    project.record("cassettes/llama.json", &[(hello(&format!("{}/v1", provider.url())), answer("c", "Hello."))]);
    // Nobody's: what was imported is recorded over by whoever does.
    let text = project.read("cassettes/llama.json");
    project.write("cassettes/llama.json", text.replace("  \"test\": \"suite::ask\",\n", ""));
    let script = format!("curl -sSf -d '{WHEN}' \"$OPENAI_BASE_URL/chat/completions\"");
    let missed = project.run(&["serve", "llama", "--", "sh", "-c", &script]);
    assert!(missed.contains("cargo cassette serve --mode record llama -- "), "{missed}");
    let told = project.run(&["serve", "llama", "--mode", "record", "--", "sh", "-c", &script]);
    assert!(told.contains("cassette `llama`: 1 recorded") && told.contains("09:04"), "{told}");
    assert_eq!(provider.asked(), 1);
}

#[test]
fn what_was_served_is_recorded_anew_from_where_it_was_recorded_though_it_is_damaged_or_removed_first() {
    let project = Project::new();
    let provider = Provider::start(|_| Answer::json(200, r#"{"at":"09:04"}"#)).unwrap();
    let upstream = format!("openai={}/v1", provider.url());
    let script = "curl -sSf $OPENAI_BASE_URL/models";
    let words =
        ["serve", "m", "--mode", "record", "--upstream", &upstream, "--upstream", "far=https://far.example.com/v1"];
    let told = project.run(&[&words[..], &["--", "sh", "-c", script]].concat());
    assert!(told.contains("cassette `m`: 1 recorded"), "{told}");
    let file = project.read("cassettes/m.json");
    let named = "--upstream 'openai=<URL>' --upstream far=https://far.example.com/v1 -- ..\n";
    let day = file.lines().find(|line| line.starts_with("  \"recorded\": ")).unwrap();
    project.write("cassettes/m.json", file.replace(day, "  \"recorded\": \"2026-11-29\","));
    let told = project.run(&["lint", "--files", "--max-age", "1d"]);
    let anew = format!("anew: rm cassettes/m.json && cargo cassette serve --mode record m {named}");
    assert!(told.contains(&anew), "{told}");
    project.write("cassettes/m.json", &file[..file.len() - 9]);
    let told = project.run(&["show", "m"]);
    assert!(told.contains(&format!("help: record it anew: cargo cassette serve --mode refresh m {named}")), "{told}");
    let told = project.run(&["serve", "m", "--", "sh", "-c", script]);
    assert!(told.contains("--mode refresh m --upstream 'openai=<URL>' -- "), "{told}");
    // Without that, nobody else is asked.
    let told = project.run(&["serve", "m", "--mode", "refresh", "--", "sh", "-c", script]);
    assert!(told.contains("http://openai/v1/models"), "{told}");
}
