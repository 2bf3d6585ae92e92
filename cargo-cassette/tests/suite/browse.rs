//! Call by call: `-i`, in a terminal that is none but behaves as one.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::browser::told;
use crate::project::Project;
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
        let started = Instant::now();
        loop {
            let shown = self.shown();
            // A screen that is being drawn is another one a moment later.
            if shown.contains(what) && shown == self.shown() {
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

#[test]
fn what_is_pending_stands_beside_the_cassette() {
    let project = project();
    std::fs::create_dir(project.path("cassettes/.pending")).unwrap();
    std::fs::rename(project.path("cassettes/later.json"), project.path("cassettes/.pending/trip.json")).unwrap();
    let Some(screen) = Screen::open(&project, (110, 30)) else { return };
    screen.start("it show trip -i");
    insta::assert_snapshot!("pending", kept(&screen.wait("q quit")));
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
