//! The shim that a client starts in place of its MCP server: a socket plays the test at the other end, a pipe the client.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::project::Project;

/// A server that repeats what it hears, and says when it hears no more.
const ECHO: &str = "while read -r line; do echo \"heard $line\"; done; echo over";

struct Shim {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    test: TcpStream,
    told: BufReader<TcpStream>,
}

impl Shim {
    /// Starts it for a server of this name, which is this program.
    fn start(project: &Project, name: &str, server: &[&str]) -> Shim {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let words = [&["mcp", "--session", &address, "--name", name, "--"], server].concat();
        let mut child = project.command(&words);
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (test, _) = listener.accept().unwrap();
        test.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
        let told = BufReader::new(test.try_clone().unwrap());
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Shim { child, stdin, stdout, test, told }
    }

    /// Returns the next line that the test is told; an empty one where it is told no more.
    fn hears(&mut self) -> String {
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    /// Tells it something, as the test.
    fn tell(&mut self, line: &str) {
        writeln!(self.test, "{line}").unwrap();
    }

    /// Says something, as the client.
    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Returns what the client hears.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    /// Hangs up, as the test, and returns the exit code.
    fn hang_up(mut self) -> Option<i32> {
        self.test.shutdown(std::net::Shutdown::Both).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn both_sides_are_told_what_the_other_says_and_the_server_is_started_when_it_is_first_asked() {
    let project = Project::new();
    let mut shim = Shim::start(&project, "timetable", &["sh", "-c", &format!("echo started > effects; {ECHO}")]);
    assert_eq!(shim.hears(), "htimetable");
    shim.say("{\"id\":1}");
    assert_eq!(shim.hears(), "c{\"id\":1}");
    shim.tell("c{\"answer\":1}");
    assert_eq!(shim.answer(), "{\"answer\":1}");
    assert!(!project.path("effects").exists(), "nothing went live");
    for (line, n) in [("one", 1), ("two", 2)] {
        shim.tell(&format!("s{line}"));
        assert_eq!(shim.hears(), format!("sheard {line}"), "{n}: one server hears all");
    }
    assert_eq!(project.read("effects"), "started\n");
    // It hears no more, says what it has left to say, and ends.
    shim.tell("e");
    assert_eq!([shim.hears(), shim.hears()], ["sover", "xit closed its output"]);
    drop(shim.stdin.take());
    assert_eq!(shim.hears(), "e", "the client is gone too");
    assert_eq!(shim.hang_up(), Some(0));
}

#[test]
fn where_nothing_was_started_it_ends_with_its_client() {
    let mut shim = Shim::start(&Project::new(), "", &["/nowhere/server"]);
    assert_eq!(shim.hears(), "h");
    drop(shim.stdin.take());
    assert_eq!(shim.hears(), "e");
    shim.tell("e");
    assert_eq!(shim.hears(), "", "it hangs up");
    assert_eq!(shim.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_server_that_does_not_start_is_told_each_time_it_is_asked() {
    let mut shim = Shim::start(&Project::new(), "", &["/nowhere/server"]);
    assert_eq!(shim.hears(), "h");
    for _ in 0..2 {
        shim.tell("s{\"id\":1}");
        assert_eq!(shim.hears(), "xit was not started: No such file or directory (os error 2)");
    }
    assert_eq!(shim.hang_up(), Some(2), "whoever started it sees that, too");
}

#[test]
fn a_server_that_does_not_go_is_ended_when_the_test_hangs_up() {
    let project = Project::new();
    let mut shim = Shim::start(&project, "", &["sh", "-c", "echo $$; exec sleep 60"]);
    assert_eq!(shim.hears(), "h");
    shim.tell("s{}");
    let process = shim.hears().strip_prefix('s').unwrap().to_owned();
    assert_eq!(shim.hang_up(), Some(0));
    let is_there = project.program("kill".as_ref()).args(["-0", &process]).output().unwrap().status.success();
    if is_there {
        project.program("kill".as_ref()).arg(&process).status().unwrap();
    }
    assert!(!is_there, "process {process} is gone");
}

#[test]
fn a_server_has_a_moment_to_end_by_itself() {
    let project = Project::new();
    let slow = "while read -r line; do echo \"heard $line\"; done; sleep 0.2; echo ended > effects";
    let mut shim = Shim::start(&project, "", &["sh", "-c", slow]);
    assert_eq!(shim.hears(), "h");
    shim.tell("sone");
    assert_eq!(shim.hears(), "sheard one");
    assert_eq!(shim.hang_up(), Some(0));
    assert_eq!(project.read("effects"), "ended\n");
}

#[test]
fn where_the_test_is_gone_it_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let told = Project::new().run(&["mcp", "--session", &address, "--", "server"]).replace(&address, "[ADDRESS]");
    assert!(told.starts_with("exit 2\n--- stderr\nerror: could not speak to the test at [ADDRESS]: "), "{told}");
}
