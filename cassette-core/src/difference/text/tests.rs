use super::words;
use crate::difference::hunks::tokens;
use crate::difference::show::Room;
use crate::report::Nature;

fn told(recorded: &str, incoming: &str) -> String {
    let words = words(recorded, incoming, Room::Line);
    let mut text = String::new();
    for shown in &words.shown {
        text.push_str(&format!("- {}\n+ {}\n", shown.recorded.as_deref().unwrap(), shown.incoming.as_deref().unwrap()));
    }
    if words.more > 0 {
        text.push_str(&format!("and {} more\n", words.more));
    }
    text
}

#[track_caller]
fn check(recorded: &str, incoming: &str, expected: &str) {
    assert_eq!(told(recorded, incoming), expected);
}

#[test]
fn short_texts_are_shown_whole() {
    check("to Bergen?", "to Oslo?", "- \"to Bergen?\"\n+ \"to Oslo?\"\n");
}

#[test]
fn of_a_long_text_the_words_are_shown_that_changed() {
    let long = "You are a timetable. Answer in one sentence, in English, and never guess. ".repeat(20);
    let mut changed = long.clone();
    changed.insert_str(740, "really ");
    check(
        &long,
        &changed,
        "- \"…sentence, in English, and never guess. You are a timetable. Answer in one…\"\n\
         + \"…sentence, in English, and never guess. really You are a timetable. Answer in one…\"\n",
    );
    let changed = long.replacen("English", "German", 5);
    let pair = "- \"…a timetable. Answer in one sentence, in English, and never guess. You are a timetable.…\"\n\
                + \"…a timetable. Answer in one sentence, in German, and never guess. You are a timetable.…\"\n";
    check(&long, &changed, &format!("{}and 2 more\n", pair.repeat(3)));
}

#[test]
fn what_is_easily_overlooked_is_named() {
    let nature = |recorded: &str, incoming: &str| words(recorded, incoming, Room::Line).nature;
    assert_eq!(nature("a b", "a  b"), Some(Nature::WhiteSpace));
    assert_eq!(nature("a b", "a\u{a0}b"), Some(Nature::WhiteSpace));
    assert_eq!(nature("a b", "ab"), Some(Nature::WhiteSpace));
    assert_eq!(nature("a\nb\n", "a\r\nb\r\n"), Some(Nature::LineEndings));
    assert_eq!(nature("to Bergen", "to bergen"), Some(Nature::LetterCase));
    assert_eq!(nature("ab", "a\u{200b}b"), Some(Nature::Invisible));
    assert_eq!(nature("ab", "\u{feff}ab"), Some(Nature::Invisible));
    assert_eq!(nature("ab", "ac"), None);
    assert_eq!(nature("", "a"), None);
    check("ab", "a\u{200b}b", "- \"ab\"\n+ \"a\\u200bb\"\n");
    check("e\u{301}", "é", "- \"e\\u0301\"\n+ \"é\"\n");
}

#[test]
fn tokens_are_words_runs_of_space_and_single_characters() {
    assert_eq!(tokens("to Bergen,  e\u{301}!"), ["to", " ", "Bergen", ",", "  ", "e\u{301}", "!"]);
    assert_eq!(tokens("東京へ"), ["東", "京", "へ"]);
    assert_eq!(tokens("👩\u{200d}🚀x"), ["👩\u{200d}", "🚀", "x"]);
}

#[test]
fn a_megabyte_is_taken_apart_in_no_time() {
    let word =
        |i: usize| format!("{}{} ", ["train", "fjord", "ticket", "rain", "harbour"][(i * 7 + i / 11) % 5], i % 89);
    let long: String = (0..150_000).map(word).collect();
    let scattered: String = (0..150_000).map(|i| if i % 15_000 == 3 { "snow ".into() } else { word(i) }).collect();
    let unique: String = (0..150_000).map(|i| format!("w{i} ")).collect();
    let halved: String = (0..150_000).map(|i| if i % 2 == 0 { format!("w{i} ") } else { format!("v{i} ") }).collect();
    let other: String = (0..150_000).map(|i| word(i * 3 + 1)).collect();
    let blob = "A1b2C3d4".repeat(131_072);
    let flipped = format!("{}x{}", &blob[..500_000], &blob[500_001..]);
    for (name, a, b, changes) in [
        ("scattered", &long, &scattered, 10),
        ("halved", &unique, &halved, 0),
        ("other", &long, &other, 0),
        ("unlike", &long, &unique, 0),
        ("blob", &blob, &flipped, 1),
    ] {
        let started = std::time::Instant::now();
        let words = words(a, b, Room::Line);
        let spent = started.elapsed();
        assert!((1..=3).contains(&words.shown.len()));
        assert!(changes == 0 || words.shown.len() + words.more == changes, "{name}: {words:?}");
        assert!(spent.as_secs() < 5, "{name}: {spent:?}");
    }
}

#[test]
fn a_reader_of_nothing_else_is_shown_more_and_told_what_is_left_out() {
    let old = format!("Rain. {}", "a".repeat(1_300));
    let (new, words) = ("The ferry leaves at ten. ".repeat(30), |a: &str, b: &str| words(a, b, Room::Page).shown);
    let told = words(&old, &new);
    assert_eq!(told[0].incoming.as_deref(), Some(&*format!("{new:?}")));
    let cut = told[0].recorded.as_deref().unwrap();
    assert!(cut.starts_with("\"Rain. aaa") && cut.ends_with("aaa…\" and 106 more characters"), "{cut}");
    let line = super::words(&old, &new, Room::Line).shown;
    assert!(line[0].incoming.as_ref().unwrap().ends_with("…\"") && line[0].incoming.as_ref().unwrap().len() < 100);
}
