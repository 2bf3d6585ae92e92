//! A recording that is killed.

use std::process::{Child, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use cassette_core::journal;
use cassette_test::{Cassette, cassette};
use stages::{Answer, Rehearsal, Request, assert_told};

use crate::asking::{must_ask, timetable, towns};

const STORY: &str = "killing::it_asks_until_it_is_killed";

#[cassette("killed")]
#[test]
#[ignore]
fn it_asks_until_it_is_killed(cassette: Cassette) {
    towns().iter().for_each(|town| drop(must_ask(&cassette, town)));
}

/// Where the last call is when the process dies.
#[derive(Clone, Copy)]
enum Death {
    /// The provider has not answered.
    Unanswered,
    /// Half the answer is there.
    HalfWay,
}

/// A provider that knows all towns but `Nowhere`: asked for that, it says so to the teller, and takes its time.
fn hesitating(death: Death) -> (impl Fn(&Request) -> Answer + Send + Sync + 'static, mpsc::Receiver<()>) {
    let (say, hear) = mpsc::channel();
    let say = Mutex::new(say);
    let answer = move |request: &Request| {
        if !request.text().contains("Nowhere") {
            return timetable(request);
        }
        say.lock().unwrap().send(()).unwrap();
        let half = match death {
            Death::Unanswered => Vec::new(),
            Death::HalfWay => vec![br#"{"answer":"The train to"#.to_vec()],
        };
        Answer::Endless(vec![("content-type".to_owned(), "application/json".to_owned())], half)
    };
    (answer, hear)
}

/// Records a few calls over a file that is there, kills the process in the next one, and looks at what is left.
#[track_caller]
fn check(calls: usize, death: Death) -> Rehearsal {
    let (answer, asked_for_nowhere) = hesitating(death);
    let rehearsal = Rehearsal::of(answer).with("STORY_ASKS", "Bergen");
    rehearsal.passes(STORY, "record");
    let before = rehearsal.file("killed");
    let towns: Vec<_> = (1..=calls).map(|call| format!("town {call}")).collect();
    let rehearsal = rehearsal.with("STORY_ASKS", &format!("Bergen,{},Nowhere", towns.join(",")));
    let command = rehearsal.stage.command(STORY, "record");
    let mut child = Killed(command.unwrap().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    asked_for_nowhere.recv_timeout(Duration::from_secs(30)).unwrap();
    child.kill();
    assert_eq!(rehearsal.file("killed"), before, "the file is as it was");
    let (kept, torn) = journal::recover(&rehearsal.journal("killed")).unwrap();
    assert_eq!((kept.len(), torn), (calls, false), "every call that had ended is kept");
    for (interaction, town) in kept.iter().zip(&towns) {
        assert!(String::from_utf8_lossy(&interaction.call().unwrap().body).contains(town.as_str()));
    }
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen");
    rehearsal.passes(STORY, "replay");
    rehearsal
}

/// A process that does not outlive its test.
struct Killed(Child);

impl Killed {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn nothing_that_was_recorded_is_lost() {
    for calls in [1, 2, 5] {
        let rehearsal = check(calls, Death::HalfWay);
        let journal = rehearsal.journal("killed");
        let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Oslo");
        let told = rehearsal.passes(STORY, "record").told;
        assert_told!("an_earlier_recording", told);
        assert_eq!(rehearsal.journal("cut-short-1"), "", "it is named after its cassette");
        assert_eq!(rehearsal.journal("killed.cut-short-1"), journal, "and set aside whole");
        rehearsal.passes(STORY, "replay");
    }
}

#[test]
fn a_first_call_that_is_killed_leaves_nothing_to_tell() {
    let rehearsal = check(0, Death::Unanswered).with("STORY_ASKS", "Bergen,Oslo");
    let told = rehearsal.passes(STORY, "record").told;
    assert!(!told.contains("cut short"), "{told}");
}

#[test]
fn an_unanswered_call_does_not_take_the_others_with_it() {
    check(3, Death::Unanswered);
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_file_or_the_new_one() {
    for moment in (0..60).step_by(3) {
        let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
        rehearsal.passes(STORY, "record");
        let before = rehearsal.file("killed");
        let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Oslo,Voss");
        let command = rehearsal.stage.command(STORY, "record");
        let mut child = Killed(command.unwrap().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        // Whichever moment this is, the promise holds.
        std::thread::sleep(Duration::from_millis(moment));
        child.kill();
        let is_old = rehearsal.file("killed") == before;
        journal::recover(&rehearsal.journal("killed")).unwrap();
        let rehearsal = rehearsal.with("STORY_ASKS", if is_old { "Bergen" } else { "Bergen,Oslo,Voss" });
        rehearsal.passes(STORY, "replay");
        rehearsal.passes(STORY, "record");
    }
}
