//! An MCP server without a test: `mcp --cassette`. A pipe plays the client, a shell the server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::project::Project;

/// A server that answers each request with how many it has had, and notes that it was started.
const SERVER: &str = r#"echo started >> effects; n=0; while read -r line; do
id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
if [ -n "$id" ]; then n=$((n+1)); printf '{"jsonrpc":"2.0","id":%s,"result":{"answers":%s}}\n' "$id" "$n"; fi
done"#;

/// A client, as far as it has to be one.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    fn start(project: &Project, words: &[&str]) -> Client {
        let mut child = project.command(words);
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Client { child, stdin, stdout }
    }

    fn ask(&mut self, id: u32, city: &str) -> String {
        let params = format!(r#"{{"name":"next_train","arguments":{{"to":"{city}"}}}}"#);
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        writeln!(self.stdin.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// Goes away, and returns how it ended and what was told beside the protocol.
    fn end(mut self) -> String {
        drop(self.stdin.take());
        self.told()
    }

    /// Asks it to end, as a client does that has no patience.
    fn terminate(mut self) -> String {
        let asked = std::process::Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.unwrap().success());
        self.told()
    }

    fn told(&mut self) -> String {
        let (mut more, mut told) = (String::new(), String::new());
        self.stdout.read_to_string(&mut more).unwrap();
        assert_eq!(more, "", "the protocol has its stream for itself");
        self.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        format!("exit {}\n{told}", self.child.wait().unwrap().code().unwrap())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

const RECORD: [&str; 9] = ["mcp", "--cassette", "trains", "--mode", "record", "--", "sh", "-c", SERVER];
const REPLAY: [&str; 5] = ["mcp", "--cassette", "trains", "--", "/nowhere/server"];

/// Records two calls.
fn recorded() -> Project {
    let project = Project::new();
    let mut client = Client::start(&project, &RECORD);
    assert_eq!(client.ask(7, "Bergen"), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"answers\":1}}\n");
    assert_eq!(client.ask(8, "Oslo"), "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"answers\":2}}\n");
    assert_eq!(client.end(), "exit 0\ncassette `trains`: 2 recorded, 0 served, in cassettes/trains.json\n");
    project
}

#[test]
fn a_server_is_recorded_and_not_started_again() {
    let project = recorded();
    assert_eq!(project.read("effects"), "started\n");
    let mut client = Client::start(&project, &REPLAY);
    // In another order, and under other ids.
    assert_eq!(client.ask(1, "Oslo"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"answers\":2}}\n");
    assert_eq!(client.ask(2, "Bergen"), "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"answers\":1}}\n");
    let told = client.end();
    assert!(told.starts_with("exit 0\n"), "{told}");
    assert_eq!(project.read("effects"), "started\n");
}

#[test]
fn what_is_missed_and_what_is_left_over_makes_the_exit_code_1() {
    let project = recorded();
    let mut client = Client::start(&project, &REPLAY);
    client.ask(1, "Bergen");
    insta::assert_snapshot!("left_over", client.end());

    let words = ["mcp", "--cassette", "trains", "--mode", "replay", "--", "/nowhere/server"];
    let mut client = Client::start(&project, &words);
    let answer = client.ask(1, "Stavanger");
    assert!(answer.contains("\"error\"") && answer.contains("cassette mismatch"), "{answer}");
    insta::assert_snapshot!("missed", client.end());
}

#[test]
fn the_mode_is_the_environments_unless_it_is_given() {
    let project = recorded().with("CASSETTE_MODE", "refresh");
    let words: Vec<_> = RECORD.into_iter().filter(|word| !["--mode", "record"].contains(word)).collect();
    let mut client = Client::start(&project, &words);
    client.ask(1, "Bergen");
    let told = client.end();
    assert!(told.contains("cassette `trains`: 1 recorded, 0 served"), "{told}");
    assert_eq!(project.read("effects"), "started\nstarted\n");

    let project = project.with("CASSETTE_MODE", "off");
    let mut client = Client::start(&project, &words);
    assert_eq!(client.ask(1, "Stavanger"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"answers\":1}}\n");
    assert_eq!(client.end(), "exit 0\n");
}

#[test]
fn what_was_recorded_is_kept_where_the_client_ends_it_by_a_signal() {
    let project = Project::new();
    let mut client = Client::start(&project, &RECORD);
    client.ask(1, "Bergen");
    assert_eq!(client.terminate(), "exit 0\ncassette `trains`: 1 recorded, 0 served, in cassettes/trains.json\n");
}

#[test]
fn what_cannot_be_stood_in_for_says_what_to_type() {
    let project = recorded();
    let told = [
        project.run(&["mcp", "--", "server"]),
        project.run(&["mcp", "--cassette", "nothing", "--", "server"]),
        project.run(&["mcp", "--cassette", "trains", "--mode", "rec", "--", "server"]),
        project.run(&["mcp", "--cassette", "trains", "--session", "127.0.0.1:1", "--", "server"]),
        project.run(&["mcp", "--mode", "record", "--", "server"]),
        project.with("CI", "true").run(&["mcp", "--cassette", "trains", "--mode", "record", "--", "server"]),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_to_type_names_the_directory_that_was_typed() {
    let project = recorded();
    let words = ["mcp", "--cassette", "trains", "--dir", "cassettes", "--", "/nowhere/server"];
    let mut client = Client::start(&project, &words);
    client.ask(1, "Stavanger");
    let told = client.end();
    let help = "cargo cassette mcp --mode record --cassette trains --dir cassettes -- /nowhere/server";
    assert!(told.lines().any(|line| line.starts_with("help: ") && line.ends_with(help)), "{told}");
}

#[test]
fn a_cassette_of_a_tests_is_recorded_anew_under_a_name_of_its_own() {
    let project = recorded();
    let text = project.read("cassettes/trains.json");
    let tests = text.replace("\"test\": \"cargo-cassette::mcp\"", "\"test\": \"suite::trains\"");
    assert_ne!(tests, text);
    project.write("cassettes/trains.json", &tests);
    let mut client = Client::start(&project, &REPLAY);
    client.ask(1, "Stavanger");
    insta::assert_snapshot!("missed_of_a_tests", client.end());
    let mut client = Client::start(&project, &RECORD);
    client.ask(1, "Stavanger");
    let told = client.end();
    let help =
        "help: record it under a name of its own: cargo cassette mcp --mode record --cassette trains-served -- sh -c ";
    assert!(told.lines().any(|line| line.starts_with(help)), "{told}");
    // What is advised does what it says.
    let words: Vec<_> = RECORD.map(|word| if word == "trains" { "trains-served" } else { word }).to_vec();
    let mut client = Client::start(&project, &words);
    client.ask(1, "Stavanger");
    assert_eq!(
        client.end(),
        "exit 0\ncassette `trains-served`: 1 recorded, 0 served, in cassettes/trains-served.json\n"
    );
    assert_eq!(project.read("cassettes/trains.json"), tests);
}

#[test]
fn a_directory_named_in_full_needs_no_package() {
    let (recorded, elsewhere) = (recorded(), tempfile::tempdir().unwrap());
    let dir = recorded.path("cassettes").display().to_string();
    let project = recorded.with("CASSETTE_DIR", &dir);
    let mut child = project.command(&REPLAY);
    child.current_dir(elsewhere.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let told = String::from_utf8(child.output().unwrap().stderr).unwrap();
    assert!(!told.contains("Cargo.toml") && told.contains("cassette no-calls: "), "{told}");
}

#[test]
fn a_server_that_is_not_there_dies_or_speaks_no_json_is_told_as_that() {
    let dies = "read -r line; exit 3";
    let babbles = "read -r line; echo 'listening on port 7'; echo '{\"half\": '; exit 0";
    let mut told = Vec::new();
    for server in [vec!["/nowhere/server"], vec!["sh", "-c", dies], vec!["sh", "-c", babbles]] {
        let project = Project::new();
        let words: Vec<&str> = RECORD[..6].iter().chain(&server).copied().collect();
        let mut client = Client::start(&project, &words);
        let mut heard = client.ask(7, "Bergen");
        while heard.lines().last().is_some_and(|line| !line.contains("jsonrpc")) {
            if client.stdout.read_line(&mut heard).unwrap() == 0 {
                break;
            }
        }
        told.push(format!("{heard}{}", client.end()));
        assert!(!project.path("cassettes/trains.json").exists(), "nothing half is saved as if whole");
    }
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_line_that_is_no_text_fails_the_recording() {
    let project = Project::new();
    let mut client = Client::start(&project, &RECORD);
    client.ask(7, "Bergen");
    let stdin = client.stdin.as_mut().unwrap();
    stdin.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}\n").unwrap();
    let told = client.end();
    assert!(told.starts_with("exit 1\n"), "{told}");
    assert!(
        told.contains("cassette wiring: an MCP client sent a line that is no UTF-8, and cannot be recorded: {"),
        "{told}"
    );
    assert!(!project.path("cassettes/trains.json").exists(), "nothing half is saved as if whole");
}

#[test]
fn a_server_that_cannot_be_started_is_told_however_soon_the_client_goes() {
    for patience in [0, 1] {
        let project = Project::new();
        let words = ["mcp", "--cassette", "trains", "--mode", "record", "--", "/nowhere/server"];
        let mut client = Client::start(&project, &words);
        let stdin = client.stdin.as_mut().unwrap();
        for id in [1, 2] {
            let params = r#"{"name":"next_train","arguments":{}}"#;
            writeln!(stdin, r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#).unwrap();
        }
        if patience > 0 {
            // It waits for its answer, and is hung up on.
            let mut line = String::new();
            client.stdout.read_line(&mut line).unwrap();
        }
        let told = client.end();
        let (first, rest) = told.split_once("\nerror: the MCP server ").unwrap_or_else(|| panic!("{told}"));
        // How much was heard of the client hangs on who was quicker.
        assert!(first.starts_with("exit 1"), "{told}");
        assert_eq!(
            rest,
            "`/nowhere/server` was not started: No such file or directory (os error 2)\n\
             help: see that it can be started, and record again: cargo cassette mcp --mode record --cassette trains -- /nowhere/server\n"
        );
        assert!(!project.path("cassettes/trains.json").exists(), "what nobody answered is no recording");
    }
}
