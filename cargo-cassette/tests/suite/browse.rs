//! Call by call: `-i`, in a terminal that is none but behaves as one.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::BodyEnd;

use crate::browser::told;
use crate::project::Project;
use crate::recordings::{answer, ask, json, pieces};
use crate::trip::{later, trip};

/// How long a screen may take to show what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

fn project() -> Project {
    let project = Project::new().with("TERM", "tmux-256color");
    project.record("cassettes/trip.json", &trip());
    project.record("cassettes/later.json", &later());
    project
}

/// A terminal of tmux's, on a server of its own.
struct Screen<'a> {
    project: &'a Project,
    socket: PathBuf,
}

impl<'a> Screen<'a> {
    /// Opens a shell on a screen of this size; tells of it where there is no tmux.
    fn open(project: &'a Project, (columns, lines): (u16, u16)) -> Option<Screen<'a>> {
        let screen = Screen { project, socket: project.path("tmux") };
        let size = [columns.to_string(), lines.to_string()];
        let words = ["-f", "/dev/null", "new-session", "-d", "-x", &size[0], "-y", &size[1], "env PS1='$ ' sh"];
        match screen.tmux(&words).output() {
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                screen.wait("$");
                Some(screen)
            }
            Err(_) => {
                told("no tmux: the screen is not seen");
                None
            }
        }
    }

    fn tmux(&self, words: &[&str]) -> Command {
        let mut command = self.project.program("tmux".as_ref());
        command.env("LC_ALL", "C.UTF-8").arg("-u").arg("-S").arg(&self.socket).args(words).stdin(Stdio::null());
        command
    }

    /// Types words of tmux: a key by its name, or a text.
    fn keys(&self, keys: &[&str]) {
        for key in keys {
            assert!(self.tmux(&["send-keys", key]).output().unwrap().status.success());
        }
    }

    /// Types this line at the shell, in which `it` is the command.
    fn start(&self, line: &str) {
        let line = line.replace("it ", &format!("'{}' ", env!("CARGO_BIN_EXE_cargo-cassette")));
        assert!(self.tmux(&["send-keys", "-l", &line]).output().unwrap().status.success());
        self.keys(&["Enter"]);
    }

    /// Returns the id of the program that the shell runs.
    fn child(&self) -> String {
        let shell = String::from_utf8(self.tmux(&["display", "-p", "#{pane_pid}"]).output().unwrap().stdout).unwrap();
        let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", shell.trim())).unwrap();
        children.trim().to_owned()
    }

    fn shown(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p"]).output().unwrap().stdout).unwrap()
    }

    /// Waits until the screen shows this, and returns it.
    #[track_caller]
    fn wait(&self, what: &str) -> String {
        self.wait_for(what, 1)
    }

    /// Waits until the screen shows this so many times, and returns it.
    #[track_caller]
    fn wait_for(&self, what: &str, times: usize) -> String {
        let started = Instant::now();
        loop {
            let shown = self.shown();
            // A screen that is being drawn is another one a moment later.
            if shown.matches(what).count() >= times && shown == self.shown() {
                return shown;
            }
            assert!(started.elapsed() < PATIENCE, "{what:?} is not on the screen:\n{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).output();
    }
}

/// Returns the screen without the line that started the command, which has a path of this machine in it.
fn kept(shown: &str) -> String {
    shown.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_cassette_is_gone_through_on_the_whole_screen() {
    let project = project();
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it show trip -i; echo code $?");
    insta::assert_snapshot!("first", kept(&screen.wait("q quit")));
    screen.keys(&["j"]);
    insta::assert_snapshot!("second", kept(&screen.wait("2 of 8")));
    screen.keys(&["Enter"]);
    screen.wait("headers  content-type");
    screen.keys(&["/", "law", "Enter"]);
    insta::assert_snapshot!("found", kept(&screen.wait("5 of 8")));
    assert!(screen.tmux(&["resize-window", "-x", "60", "-y", "12"]).output().unwrap().status.success());
    screen.wait("What does the law say?");
    screen.keys(&["q"]);
    let after = screen.wait("code 0");
    assert!(!after.contains("q quit") && after.contains("$"), "the screen is as it was:\n{after}");
    screen.keys(&["echo", "Space", "typed", "Enter"]);
    screen.wait("\ntyped");
}

#[test]
fn two_are_gone_through_beside_each_other() {
    let project = project();
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it diff trip later -i; echo code $?");
    insta::assert_snapshot!("difference", kept(&screen.wait("q quit")));
    screen.keys(&["d", "d"]);
    insta::assert_snapshot!("came", kept(&screen.wait("3 of 9")));
    screen.keys(&["Escape"]);
    screen.wait("code 1");
}

/// Returns a project in which a service was out of order while `fares` was recorded again, so that it is pending, and `trains`
/// had something in it that nobody can look into, so that it never will be accepted. Of `maps` nothing but what is pending is there.
fn pending() -> Project {
    let project = Project::new().with("TERM", "tmux-256color");
    let price = (ask("What does it cost?"), answer("chatcmpl-1", "449 kroner."));
    for name in ["fares", "trains"] {
        project.recording(name, std::slice::from_ref(&price), Mode::Record, BodyEnd::Passed);
    }
    let overloaded = (ask("For two?"), json(503, r#"{"error":{"message":"Overloaded."}}"#));
    project.recording("fares", &[price.clone(), overloaded.clone()], Mode::Refresh, BodyEnd::Passed);
    project.recording("maps", &[overloaded], Mode::Record, BodyEnd::Passed);
    let mut opaque = pieces(200, "application/octet-stream", &[""]);
    if let Outcome::Reply(reply) = &mut opaque {
        reply.chunks[0].bytes = b"\x00\x01\x02\xff\xfe of no known kind".to_vec();
    }
    project.recording("trains", &[price, (ask("Where?"), opaque)], Mode::Refresh, BodyEnd::Passed);
    project
}

#[test]
fn what_is_pending_is_accepted_where_it_is_looked_at() {
    let project = pending();
    let taken = project.read("cassettes/.pending/fares.json");
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it show fares -i; echo code $?");
    insta::assert_snapshot!("pending", kept(&screen.wait("q quit")));
    screen.keys(&["a"]);
    insta::assert_snapshot!("accept", kept(&screen.wait("accept fares?")));
    screen.keys(&["n"]);
    screen.wait("it stays pending");
    assert!(project.is_pending("fares") && !project.read("cassettes/fares.json").contains("For two?"));
    screen.keys(&["a"]);
    screen.wait("accept fares?");
    screen.keys(&["y"]);
    insta::assert_snapshot!("accepted", kept(&screen.wait("any key goes on")));
    screen.keys(&["j", "q"]);
    let after = screen.wait("code 0");
    assert!(after.contains("\naccepted fares: cassettes/fares.json has 2 calls: 1 added, 1 as before"), "{after}");
    // It is what `accept` writes.
    let by_name = pending();
    by_name.write("cassettes/.pending/fares.json", taken);
    assert!(by_name.run(&["accept", "fares"]).starts_with("exit 0"));
    assert!(!project.is_pending("fares"));
    assert_eq!(project.read("cassettes/fares.json"), by_name.read("cassettes/fares.json"));
}

#[test]
fn what_is_pending_is_rejected_where_it_is_looked_at() {
    let project = pending();
    let committed = project.read("cassettes/fares.json");
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it diff fares cassettes/.pending/fares.json -i; echo code $?");
    screen.wait("a accept");
    screen.keys(&["r"]);
    insta::assert_snapshot!("reject", kept(&screen.wait("reject fares?")));
    screen.keys(&["y"]);
    insta::assert_snapshot!("rejected", kept(&screen.wait("any key goes on")));
    screen.keys(&["q", "r"]);
    screen.wait("it is rejected already");
    screen.keys(&["q"]);
    let after = screen.wait("code 1");
    assert!(after.contains("\nrejected fares, 2 calls"), "{after}");
    assert!(!project.is_pending("fares"));
    assert_eq!(project.read("cassettes/fares.json"), committed);
}

#[test]
fn what_is_refused_is_told_on_the_screen_and_stays_as_it_was() {
    let project = pending();
    let masked = project.read("cassettes/.pending/trains.json");
    let Some(screen) = Screen::open(&project, (110, 34)) else { return };
    screen.start("it show trains -i; echo code $?");
    screen.wait("a accept");
    screen.keys(&["a"]);
    insta::assert_snapshot!("masked", kept(&screen.wait("accept trains?")));
    screen.keys(&["y"]);
    insta::assert_snapshot!("refused", kept(&screen.wait("any key goes on")));
    screen.keys(&["Space", "q"]);
    let after = screen.wait("code 1");
    assert!(after.contains("\nrefuses trains: something secret was taken out of it"), "{after}");
    assert_eq!(project.read("cassettes/.pending/trains.json"), masked);

    // What was recorded again while somebody looks is neither accepted nor removed.
    for (key, asked) in [("a", "accept fares?"), ("r", "reject fares?")] {
        screen.keys(&["C-l"]);
        screen.start("clear; it show fares -i; echo code $?");
        screen.wait("a accept");
        let overloaded = (ask("For three?"), json(503, r#"{"error":{"message":"Overloaded."}}"#));
        project.recording("fares", &[overloaded], Mode::Refresh, BodyEnd::Passed);
        let again = project.read("cassettes/.pending/fares.json");
        screen.keys(&[key]);
        screen.wait(asked);
        screen.keys(&["y"]);
        screen.wait("it has been recorded again since it was looked at");
        screen.keys(&["Space", "q"]);
        screen.wait("code 1");
        assert_eq!(project.read("cassettes/.pending/fares.json"), again);
        // A recording that says the same would be no other one.
        let price = (ask("What does it cost?"), answer("chatcmpl-1", "449 kroner."));
        project.recording("fares", &[price, (ask("No?"), json(503, "{}"))], Mode::Refresh, BodyEnd::Passed);
    }
}

#[test]
fn what_was_never_committed_is_looked_at_by_its_name() {
    let project = pending();
    let Some(screen) = Screen::open(&project, (110, 20)) else { return };
    screen.start("it show maps -i; echo code $?");
    insta::assert_snapshot!("alone", kept(&screen.wait("q quit")));
    screen.keys(&["r"]);
    insta::assert_snapshot!("nothing_stays", kept(&screen.wait("reject maps?")));
    screen.keys(&["n", "q"]);
    screen.wait("code 0");
    screen.start("clear; it diff maps fares -i; it show cassettes/.pending/maps.json -i; echo code $?");
    screen.wait("a accept");
    screen.keys(&["a", "y"]);
    screen.wait("any key goes on");
    screen.keys(&["n", "q"]);
    screen.wait("\naccepted maps: cassettes/maps.json is new, with 1 call");
    assert!(project.path("cassettes/maps.json").is_file());
}

#[test]
fn what_is_not_shown_is_not_settled() {
    let project = pending();
    project.record("cassettes/other.json", &[(ask("What does it cost?"), answer("chatcmpl-1", "498 kroner."))]);
    let Some(screen) = Screen::open(&project, (110, 14)) else { return };
    screen.start("it diff other fares -i");
    screen.wait("q quit");
    screen.keys(&["a"]);
    insta::assert_snapshot!("elsewhere", kept(&screen.wait("what is pending is not what is shown")));
    assert!(project.is_pending("fares"));
}

#[test]
fn a_recording_is_settled_line_by_line_where_no_screen_can_be_had() {
    let project = pending();
    let Some(screen) = Screen::open(&project, (90, 50)) else { return };
    screen.start("clear; TERM=dumb it show fares -i; echo code $?");
    screen.wait("call 1 of 2");
    screen.keys(&["a", "Enter"]);
    screen.wait("accept fares?");
    screen.keys(&["Enter"]);
    screen.wait("it stays pending");
    assert!(project.is_pending("fares"));
    screen.keys(&["a", "Enter"]);
    screen.wait_for("accept fares?", 2);
    screen.keys(&["y", "Enter"]);
    screen.wait("accepted fares:");
    screen.keys(&["r", "Enter"]);
    screen.wait("it is accepted already");
    screen.keys(&["q", "Enter"]);
    let shown = kept(&screen.wait("code 0"));
    let start = shown.find("fares  beside").unwrap();
    insta::assert_snapshot!("lines", &shown[start..]);
    assert!(!project.is_pending("fares"));
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let project = project();
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it show trip -i; echo code $?");
    screen.wait("q quit");
    assert!(project.program("kill".as_ref()).args(["-TERM", &screen.child()]).output().unwrap().status.success());
    let after = screen.wait("code 143");
    assert!(!after.contains("q quit"), "{after}");
    screen.keys(&["echo", "Space", "typed", "Enter"]);
    screen.wait("\ntyped");
}

#[test]
fn where_no_screen_can_be_had_lines_are_read() {
    let project = project();
    let Some(screen) = Screen::open(&project, (90, 50)) else { return };
    screen.start("TERM=dumb it show trip -i; echo code $?");
    screen.wait("call 1 of 8");
    screen.keys(&["3", "Enter"]);
    screen.wait("call 3 of 8");
    screen.keys(&["/", "law", "Enter"]);
    screen.wait("call 5 of 8");
    screen.keys(&["x", "Enter"]);
    screen.wait("enter next");
    screen.keys(&["q", "Enter"]);
    screen.wait("code 0");
}

#[test]
fn where_nobody_answers_the_transcript_is_printed() {
    let project = project();
    let told = |words: &[&str]| String::from_utf8(project.output(words).stdout).unwrap();
    assert_eq!(told(&["show", "trip", "-i"]), told(&["show", "trip"]));
    assert_eq!(told(&["diff", "trip", "later", "-i"]), told(&["diff", "trip", "later"]));
    // Where there is only what is pending, it is that which a terminal would show.
    let project = pending();
    let told = |words: &[&str]| String::from_utf8(project.output(words).stdout).unwrap();
    let alone = told(&["show", "maps", "-i"]);
    assert!(alone.starts_with("maps  cassettes/.pending/maps.json\n"), "{alone}");
    assert_eq!(
        alone,
        told(&["show", "cassettes/.pending/maps.json"]).replacen("cassettes/.pending/maps  ", "maps  ", 1)
    );
    assert!(project.run(&["show", "mapz", "-i"]).starts_with("exit 2\n--- stderr\nerror: there is no cassette `mapz`"));
}

#[test]
fn a_terminal_that_goes_away_leaves_nothing_behind() {
    let project = project();
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it show trip -i");
    screen.wait("q quit");
    let pid = screen.child();
    assert!(running(&pid));
    drop(screen);
    let started = Instant::now();
    while running(&pid) {
        assert!(started.elapsed() < PATIENCE, "the command goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn running(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}
