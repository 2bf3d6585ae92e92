use std::sync::Arc;
use std::time::{Duration, Instant};

use cargo_cassette::shelf;
use cassette_core::alignment::diff;
use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store as _};
use cassette_core::tape::Tape;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

use super::super::settling::Verdict;
use super::reel::{Reel, Side};
use super::state::{Effect, Key, Next, Question, Room, Settled, Stand, State};
use super::terminal::{Colours, paint};
use crate::output::{Ink, Line};

/// Returns a cassette of these questions, each with its answer.
fn tape(said: &[(String, String)]) -> Tape {
    let store = MemoryStore::default();
    let rerun = Rerun { package: "p".into(), target: Target::Test("t".into()), test: "t".into(), ignored: false };
    let session = Session::open(Plan::new("c", Arc::new(store.clone()), Mode::Record, "t::t", rerun)).unwrap();
    for (question, answer) in said {
        let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{question}"}}]}}"#);
        let url = "https://api.openai.com/v1/chat/completions";
        let Step::Live(ticket) = session.begin(Call::http("POST", url, Vec::new(), body.into_bytes())) else {
            panic!("a call did not go live");
        };
        let reply = format!(
            r#"{{"choices":[{{"index":0,"message":{{"role":"assistant","content":"{answer}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":9,"completion_tokens":7}}}}"#
        );
        let chunks = vec![Chunk { bytes: reply.into_bytes(), at: Some(Duration::from_millis(100)) }];
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let reply = Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None };
        ticket.finish(Outcome::Reply(reply)).unwrap();
    }
    assert!(session.finish(BodyEnd::Passed).reports.is_empty());
    shelf::read(&store.load("c").unwrap().unwrap()).unwrap()
}

fn said(question: &str, answer: &str) -> (String, String) {
    (question.to_owned(), answer.to_owned())
}

fn before() -> Vec<(String, String)> {
    let rules: String = (1..=40).map(|i| format!("{i}. A rule that nobody reads.\\n")).collect();
    vec![
        said("When does the next train to Bergen leave?", "At 09:04, from track 2."),
        said("次の列車は何時に大阪駅を出ますか。", "九時四分に二番線から出ます。"),
        said("Which rules are there?", &rules),
        said("Is a bicycle allowed on board?", "Yes, with a ticket of its own."),
    ]
}

fn alone() -> Reel {
    Reel::of("trains", "4 calls", tape(&before()))
}

fn compared() -> Reel {
    let mut later = before();
    later[0].1 = "At 09:14, from track 2.".to_owned();
    later.insert(2, said("How many carriages?", "Nine."));
    let (before, after) = (tape(&before()), tape(&later));
    let alignment = diff(&before, &after);
    Reel::beside("trains", "4 calls", (before, after, alignment), Side::Before)
}

fn nothing() -> Stand {
    Stand::Nothing("nothing is pending that is shown here".to_owned())
}

/// Presses keys on a screen of this size and returns what it then shows; `<name>` is a key with a name.
fn screen(reel: &Reel, size: (u16, u16), keys: &str) -> String {
    let mut state = State::at(0, nothing());
    draw(&mut state, reel, size);
    for key in pressed(keys) {
        assert_eq!(state.press(key, reel), Next::GoOn);
        draw(&mut state, reel, size);
    }
    draw(&mut state, reel, size)
}

/// Draws a terminal of its own each time: this one keeps what a wide letter covered, which no real one does.
fn draw(state: &mut State, reel: &Reel, size: (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| paint(state, reel, Colours::Used, frame.buffer_mut())).unwrap();
    terminal.backend().to_string()
}

fn pressed(keys: &str) -> Vec<Key> {
    let mut pressed = Vec::new();
    let mut rest = keys;
    while let Some(c) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let (key, after) = match named {
            Some((name, after)) => (named_key(name), after),
            None => (Key::Char(c), &rest[c.len_utf8()..]),
        };
        pressed.push(key);
        rest = after;
    }
    pressed
}

fn named_key(name: &str) -> Key {
    match name {
        "enter" => Key::Enter,
        "esc" => Key::Escape,
        "tab" => Key::Tab,
        "pgdn" => Key::PageDown,
        "pgup" => Key::PageUp,
        "end" => Key::End,
        "down" => Key::Down,
        "up" => Key::Up,
        "erase" => Key::Erase,
        other => panic!("no key {other}"),
    }
}

#[test]
fn a_list_beside_the_call_that_is_read() {
    insta::assert_snapshot!(screen(&alone(), (100, 16), ""));
}

#[test]
fn wide_letters_take_two_columns() {
    insta::assert_snapshot!(screen(&alone(), (80, 12), "j"));
}

#[test]
fn a_narrow_terminal_has_one_of_the_two() {
    insta::assert_snapshot!(screen(&alone(), (50, 12), "j"));
    insta::assert_snapshot!(screen(&alone(), (50, 12), "j<tab>"));
}

#[test]
fn what_is_folded_unfolds_and_is_read_to_its_end() {
    insta::assert_snapshot!(screen(&alone(), (90, 14), "3<enter><enter><end>"));
}

#[test]
fn a_search_finds_what_is_folded_and_goes_round() {
    insta::assert_snapshot!(screen(&alone(), (90, 14), "/RULE<enter>nn"));
    assert_eq!(screen(&alone(), (90, 14), "/rule<enter>nnNN"), screen(&alone(), (90, 14), "/rule<enter>"));
    insta::assert_snapshot!(screen(&alone(), (90, 14), "/39. a rule<enter>"));
    insta::assert_snapshot!(screen(&alone(), (90, 8), "/zeppelin<enter>"));
    insta::assert_snapshot!(screen(&alone(), (90, 8), "/大阪<enter>"));
}

#[test]
fn what_is_typed_is_seen_and_may_be_given_up() {
    let start = screen(&alone(), (90, 8), "");
    insta::assert_snapshot!(screen(&alone(), (90, 8), "/bic"));
    assert_eq!(screen(&alone(), (90, 8), "/bic<esc>"), start);
    assert_eq!(screen(&alone(), (90, 8), "4<erase><erase>"), start);
    insta::assert_snapshot!(screen(&alone(), (90, 8), ":17<enter>"));
}

#[test]
fn differences_are_gone_through() {
    insta::assert_snapshot!(screen(&compared(), (100, 18), ""));
    insta::assert_snapshot!(screen(&compared(), (100, 18), "d"));
    assert_eq!(screen(&compared(), (100, 18), "dd"), screen(&compared(), (100, 18), ""));
    assert_eq!(screen(&compared(), (100, 18), "]["), screen(&compared(), (100, 18), ""));
    insta::assert_snapshot!(screen(&alone(), (100, 8), "d"));
}

#[test]
fn a_call_has_one_number_on_the_list_in_its_heading_and_where_it_is_jumped_to() {
    let reel = compared();
    let size = (100, 18);
    for step in 0..reel.len() {
        let number = step + 1;
        assert_eq!((reel.row(step).number, reel.numbered(number)), (number, Some(step)));
        let there = screen(&reel, size, &format!("{number}<enter>"));
        assert_eq!(there, screen(&reel, size, &"j".repeat(step)), "{number}");
        assert!(there.contains(&format!("  {number}  POST")) && there.contains(&format!("  {number} of 5")), "{there}");
    }
    assert_eq!((reel.numbered(0), reel.numbered(6)), (None, None));
}

/// Returns a cassette beside a recording in which one of its calls was refused.
fn refused() -> Reel {
    let (before, mut after) = (tape(&before()[..1]), tape(&before()[..1]));
    let text = disk::write(&after).replace("\"status\": 200", "\"status\": 503").replace("At 09:04", "At no time");
    after = shelf::read(disk::reseal(&text).unwrap().as_bytes()).unwrap();
    let alignment = diff(&before, &after);
    Reel::beside("trains", "1 call", (before, after, alignment), Side::Before)
}

#[test]
fn a_call_that_changed_is_read_whole_as_it_was_and_as_it_is() {
    let reel = refused();
    let folded = "that follows from how it ended";
    let brief = screen(&reel, (100, 26), "");
    insta::assert_snapshot!(brief);
    assert!(brief.contains(folded), "{brief}");
    let full = screen(&reel, (100, 60), "<enter>");
    insta::assert_snapshot!(full);
    assert!(!full.contains(folded), "{full}");
    assert_eq!(screen(&reel, (100, 26), "<enter><enter>"), brief);
    // What the new recording alone says is found too.
    assert!(screen(&reel, (100, 26), "/no time<enter>").contains("At no time"));
    assert!(!screen(&reel, (100, 26), "/no time<enter>").contains("nobody says"));
}

#[test]
fn keys_go_as_far_as_there_is_something() {
    let reel = alone();
    let same = |a: &str, b: &str| assert_eq!(screen(&reel, (90, 10), a), screen(&reel, (90, 10), b), "{a:?} {b:?}");
    same("k", "");
    same("jjjjjjjjjj", "G");
    same("Gg", "");
    same("<down><down><up>", "j");
    same("3<enter><tab>jjj", "3<enter><tab><down><down><down>");
    same("3<enter><tab>G<pgdn>j", "3<enter><tab>G");
    same("3<enter><pgdn><pgup>", "3<enter>");
    same("2<enter>", "j");
    let mut state = State::at(0, nothing());
    assert_eq!(state.press(Key::Char('l'), &reel), Next::GoOn);
    assert_eq!(state.press(Key::Escape, &reel), Next::GoOn);
    assert_eq!(state.press(Key::Escape, &reel), Next::Quit);
    assert_eq!(State::at(0, nothing()).press(Key::Stop, &reel), Next::Quit);
}

#[test]
fn no_size_is_too_small() {
    for reel in [alone(), compared(), Reel::of("empty", "", Tape::default())] {
        for size in [(1, 1), (3, 2), (10, 3), (30, 4), (72, 3), (200, 60)] {
            screen(&reel, size, "jj<enter>G/rule<enter>nd9<enter><tab><pgdn>");
        }
    }
}

/// What would be asked of a recording in which a service was out of order.
fn question(verdict: Verdict) -> Question {
    let texts = [
        (Ink::Warn, "  not taken over: the upstream was not in order"),
        (Ink::Plain, "    POST https://api.openai.com/v1/chat/completions: status 503"),
        (Ink::Plain, "    POST https://api.anthropic.com/v1/messages: a broken reply, of which nothing came"),
        (Ink::Bad, "  cannot be accepted: the file that it was recorded over has changed since"),
        (
            Ink::Faint,
            "    help: record again: CASSETTE_MODE=record cargo test it_answers_from_the_timetable -- --exact; or take this one \
             over all the same: cargo cassette accept --replace trains",
        ),
    ];
    let lines = texts.into_iter().map(|(ink, text)| Line::new().ink(ink, text)).collect();
    Question { verdict, name: "trains".to_owned(), lines }
}

#[test]
fn a_recording_is_settled_once_yes_is_said() {
    let reel = compared();
    let mut state = State::at(0, Stand::Waiting);
    insta::assert_snapshot!(draw(&mut state, &reel, (100, 18)));
    for (key, verdict) in [('a', Verdict::Accept), ('r', Verdict::Reject)] {
        assert_eq!(state.press(Key::Char(key), &reel), Next::Do(Effect::Ask(verdict)));
        for other in ['n', 'Y', 'a', 'r', ' ', 'q'] {
            state.ask(question(verdict));
            assert_eq!(state.press(Key::Char(other), &reel), Next::GoOn);
            assert_eq!(state.note, "it stays pending");
        }
        state.ask(question(verdict));
        assert_eq!(state.press(Key::Enter, &reel), Next::GoOn);
        state.ask(question(verdict));
        assert_eq!(state.press(Key::Stop, &reel), Next::Quit);
        assert_eq!(state.press(Key::Escape, &reel), Next::GoOn);
    }
    state.ask(question(Verdict::Accept));
    insta::assert_snapshot!(draw(&mut state, &reel, (100, 18)));
    insta::assert_snapshot!(draw(&mut state, &reel, (50, 12)));
    assert_eq!(state.press(Key::Char('y'), &reel), Next::Do(Effect::Settle(Verdict::Accept)));
    state
        .settled(Settled::Refused(vec![Line::of("refuses trains: it has been recorded again since it was looked at")]));
    insta::assert_snapshot!(draw(&mut state, &reel, (100, 18)));
    // It is pending as before, and may be settled still.
    assert_eq!(state.press(Key::Char('j'), &reel), Next::GoOn);
    assert_eq!((state.step, state.stand.clone()), (0, Stand::Waiting));
    assert_eq!(state.press(Key::Char('a'), &reel), Next::Do(Effect::Ask(Verdict::Accept)));
    state.settled(Settled::Done(Verdict::Accept, Line::of("accepted trains: cassettes/trains.json has 5 calls")));
    insta::assert_snapshot!(draw(&mut state, &reel, (100, 18)));
    state.press(Key::Enter, &reel);
    assert_eq!(state.press(Key::Char('r'), &reel), Next::GoOn);
    assert_eq!(state.note, "it is accepted already");
}

#[test]
fn where_nothing_waits_the_keys_say_so() {
    insta::assert_snapshot!(screen(&alone(), (100, 8), "a"));
    assert_eq!(screen(&alone(), (100, 8), "a"), screen(&alone(), (100, 8), "r"));
    // What is typed into a search settles nothing.
    let mut state = State::at(0, Stand::Waiting);
    pressed("/ary<enter>").into_iter().for_each(|key| assert_eq!(state.press(key, &alone()), Next::GoOn));
}

#[test]
fn a_question_has_room_on_the_smallest_screen() {
    for size in [(1, 1), (3, 2), (10, 3), (30, 4), (72, 3), (20, 10)] {
        let mut state = State::at(0, Stand::Waiting);
        state.ask(question(Verdict::Accept));
        draw(&mut state, &compared(), size);
    }
}

#[test]
fn colours_are_left_out_where_none_are_wanted() {
    let reel = compared();
    let colours = |colours: Colours| {
        let mut terminal = Terminal::new(TestBackend::new(100, 18)).unwrap();
        terminal.draw(|frame| paint(&mut State::at(0, nothing()), &reel, colours, frame.buffer_mut())).unwrap();
        terminal.backend().buffer().content().iter().filter(|cell| cell.fg != Color::Reset).count()
    };
    assert_eq!(colours(Colours::None), 0);
    assert!(colours(Colours::Used) > 50);
}

#[test]
fn only_what_is_in_sight_is_laid_out() {
    let calls: Vec<_> = (0..200).map(|i| said(&format!("Question {i}?"), &"word ".repeat(2_000))).collect();
    let reel = Reel::of("huge", "", tape(&calls));
    let mut state = State::at(0, nothing());
    let mut terminal = Terminal::new(TestBackend::new(100, 40)).unwrap();
    let started = Instant::now();
    for _ in 0..100 {
        state.press(Key::Char('j'), &reel);
        terminal.draw(|frame| paint(&mut state, &reel, Colours::Used, frame.buffer_mut())).unwrap();
    }
    // Laying all of it out takes as many times as long as there are calls.
    let hundred = started.elapsed();
    let one = Instant::now();
    (0..100).for_each(|step| assert!(!reel.lines(step, super::super::transcript::Detail::Brief, 60).is_empty()));
    assert!(hundred < one.elapsed() * 30, "{hundred:?}");
}

#[test]
fn what_keys_do_is_told_until_one_is_pressed() {
    let reel = alone();
    let told = screen(&reel, (100, 30), "?");
    assert!(
        told.contains("the next call that differs, the one before") && !told.contains("accepts or rejects"),
        "{told}"
    );
    assert_eq!(screen(&reel, (100, 30), "?x"), screen(&reel, (100, 30), ""));
    let mut state = State::at(0, Stand::Waiting);
    draw(&mut state, &reel, (100, 30));
    state.press(Key::Char('?'), &reel);
    assert!(draw(&mut state, &reel, (100, 30)).contains("accepts or rejects"));
}

#[test]
fn a_list_that_has_room_again_begins_at_its_first_call() {
    let reel = alone();
    let mut state = State::at(3, Stand::Waiting);
    let room = |rows| Room { width: 40, height: rows, rows };
    state.fit(room(1), &reel);
    assert_eq!(state.list_top, 3);
    state.fit(room(2), &reel);
    assert_eq!(state.list_top, 2);
    state.fit(room(10), &reel);
    assert_eq!(state.list_top, 0);
}
