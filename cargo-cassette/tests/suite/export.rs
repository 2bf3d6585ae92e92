//! A cassette for other tools: `export`.

use cargo_cassette::import;
use cassette_core::call::{Call, Kind};
use cassette_core::json::Json;
use cassette_core::reply::{Chunk, Outcome, Reply, Truncation};

use crate::project::{Project, digests};
use crate::recordings::{answer, ask, conversation, json, pieces};

fn picture() -> (Call, Outcome) {
    let call = Call::http(
        "POST",
        "https://pictures.example.com/draw?of=a%20train&of=two",
        vec![("content-type".to_owned(), "image/jpeg".to_owned())],
        vec![0xff, 0xd8, 0xff, 0xe0, 0x00, 0x80],
    );
    let chunk = Chunk {
        bytes: vec![0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a],
        at: Some(std::time::Duration::from_millis(40)),
    };
    let headers = vec![("content-type".to_owned(), "image/png".to_owned())];
    (call, Outcome::Reply(Reply { status: 200, headers, chunks: vec![chunk], trailers: Vec::new(), truncated: None }))
}

fn project() -> Project {
    let project = Project::new();
    let mut exchanges = conversation();
    exchanges.push(picture());
    let value = Outcome::Reply(Reply::value(b"1".to_vec(), std::time::Duration::ZERO));
    exchanges.push((Call::function(Kind::Tool, "tools::look_up", b"{}".to_vec()), value));
    project.record("cassettes/trains.json", &exchanges);
    project
}

#[test]
fn everything_that_is_http_is_in_it_and_what_is_not_is_told() {
    let project = project();
    insta::assert_snapshot!(project.run(&["export", "trains", "--dry-run", "-o", "trains.har"]));
    assert!(!project.path("trains.har").exists());
    insta::assert_snapshot!(project.run(&["export", "trains", "-o", "trains.har"]));
    insta::assert_snapshot!(project.read("trains.har"));
    assert!(project.run(&["export", "trains"]).contains("\"version\": \"1.2\""));
}

#[test]
fn an_archive_of_nothing_is_not_written() {
    let project = Project::new();
    let value = Outcome::Reply(Reply::value(b"1".to_vec(), std::time::Duration::ZERO));
    project.record("cassettes/tools.json", &[(Call::function(Kind::Tool, "tools::look_up", b"{}".to_vec()), value)]);
    insta::assert_snapshot!(project.run(&["export", "tools", "-o", "tools.har"]));
    assert!(!project.path("tools.har").exists());
    assert!(project.run(&["show", "tools", "--json"]).starts_with("exit 0"));
}

#[test]
fn what_is_exported_is_imported_again_byte_for_byte() {
    let project = project();
    let output = project.output(&["export", "trains", "--format", "har"]);
    let imported = import::import(std::path::Path::new("trains.har"), &output.stdout).unwrap();
    let tape = cargo_cassette::shelf::open(&project.path("cassettes/trains.json")).unwrap();
    let kept: Vec<_> = tape.interactions.iter().filter(|one| one.asked().kind() == Kind::Http).collect();
    assert_eq!(imported.exchanges.len(), kept.len());
    for (exchange, interaction) in imported.exchanges.iter().zip(kept) {
        let call = interaction.call().unwrap();
        assert_eq!((&exchange.call.name, &exchange.call.body), (&call.name, &call.body));
        assert_eq!(exchange.call.headers, call.headers);
        match (&exchange.reply, interaction.outcome()) {
            (Outcome::Reply(read), Outcome::Reply(kept)) => {
                assert_eq!((read.status, &read.headers, read.body()), (kept.status, &kept.headers, kept.body()));
            }
            (Outcome::Error(read), Outcome::Error(kept)) => assert_eq!(read.class, kept.class),
            other => panic!("{other:?}"),
        }
    }
}

/// What HAR 1.2 asks of each object: its members, and of what type they are.
const SCHEMA: [(&str, &[(&str, &str)]); 9] = [
    ("log", &[("version", "text"), ("creator", "object"), ("entries", "list")]),
    ("creator", &[("name", "text"), ("version", "text")]),
    (
        "entries",
        &[
            ("startedDateTime", "text"),
            ("time", "number"),
            ("request", "object"),
            ("response", "object"),
            ("cache", "object"),
            ("timings", "object"),
        ],
    ),
    (
        "request",
        &[
            ("method", "text"),
            ("url", "text"),
            ("httpVersion", "text"),
            ("cookies", "list"),
            ("headers", "list"),
            ("queryString", "list"),
            ("headersSize", "number"),
            ("bodySize", "number"),
        ],
    ),
    ("postData", &[("mimeType", "text"), ("text", "text")]),
    (
        "response",
        &[
            ("status", "number"),
            ("statusText", "text"),
            ("httpVersion", "text"),
            ("cookies", "list"),
            ("headers", "list"),
            ("content", "object"),
            ("redirectURL", "text"),
            ("headersSize", "number"),
            ("bodySize", "number"),
        ],
    ),
    ("content", &[("size", "number"), ("mimeType", "text")]),
    ("headers", &[("name", "text"), ("value", "text")]),
    ("timings", &[("send", "number"), ("wait", "number"), ("receive", "number")]),
];

/// Holds a document against the schema, object by object.
fn check(name: &str, json: &Json, seen: &mut Vec<String>) {
    if let Json::Array(items) = json {
        items.iter().for_each(|item| check(name, item, seen));
    }
    let Json::Object(members) = json else { return };
    for (member, kind) in SCHEMA.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, members)| members) {
        let value = json.get(member).unwrap_or_else(|| panic!("{name} lacks {member}"));
        let is_so = match *kind {
            "text" => value.as_str().is_some(),
            "number" => matches!(value, Json::Number(_)),
            "list" => matches!(value, Json::Array(_)),
            _ => matches!(value, Json::Object(_)),
        };
        assert!(is_so, "{name}.{member} is no {kind}: {value:?}");
        seen.push(format!("{name}.{member}"));
    }
    for (member, value) in members {
        check(&member.value(), value, seen);
    }
}

#[test]
fn it_is_what_the_specification_asks_for() {
    let project = project();
    let output = project.output(&["export", "trains"]);
    let har = Json::parse(std::str::from_utf8(&output.stdout).unwrap()).unwrap();
    let mut seen = Vec::new();
    check("", &har, &mut seen);
    for (object, members) in SCHEMA {
        members.iter().for_each(|(member, _)| {
            let path = format!("{object}.{member}");
            assert!(seen.contains(&path), "{path} was not met");
        });
    }
}

#[test]
fn what_stands_for_a_secret_stands_for_it_there_too() {
    let project = Project::new();
    let key = ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat();
    project.record("cassettes/trains.json", &[(ask(&key), answer("c", "REDACTED.openai-key.9"))]);
    let har = project.run(&["export", "trains"]);
    assert!(!har.contains(&key) && har.contains("REDACTED.openai-key.1"), "{har}");
    // What only looks like a stand-in comes out as the service sent it.
    assert!(har.contains("REDACTED.openai-key.9"), "{har}");
}

#[test]
fn no_cassette_is_written_over() {
    let project = project();
    let before = project.read("cassettes/trains.json");
    let told = project.run(&["export", "trains", "-o", "cassettes/trains.json"]);
    assert!(
        told.contains(
            "error: cassettes/trains.json is a cassette, and is not written over\nhelp: name another file: -o <FILE>"
        ),
        "{told}"
    );
    assert_eq!(project.read("cassettes/trains.json"), before);
    for (file, text) in [("torn.json", &before[..90]), ("later.json", "{\n  \"cassette\": 9\n}\n")] {
        project.write(file, text);
        let told = project.run(&["export", "trains", "-o", file, "--force"]);
        assert!(told.contains("is a cassette, and is not written over"), "{told}");
        assert_eq!(project.read(file), text);
    }
}

#[test]
fn what_somebody_keeps_is_written_over_by_force_alone() {
    let project = project();
    project.write("notes.txt", "mine\n");
    let told = [
        project.run(&["export", "trains", "-o", "notes.txt", "--dry-run"]),
        project.run(&["export", "trains", "-o", "notes.txt"]),
        project.run(&["export", "trains", "-o", "notes.txt", "--force", "--dry-run"]),
    ];
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(project.read("notes.txt"), "mine\n");
    assert!(project.run(&["export", "trains", "-o", "notes.txt", "--force"]).starts_with("exit 0"));
    let har = project.read("notes.txt");
    assert!(har.starts_with('{'));
    assert!(project.run(&["export", "trains", "-o", "notes.txt"]).starts_with("exit 0"), "it is the same");
    project.write("empty.har", "");
    assert!(project.run(&["export", "trains", "-o", "empty.har"]).starts_with("exit 0"));
    assert_eq!(project.read("empty.har"), har);
}

#[test]
fn what_cannot_be_exported_says_so() {
    let project = Project::new();
    project.write("cassettes/kept.json", digests(&[(ask("When?"), answer("c", "At 9."))]));
    project.write("cassettes/torn.json", "{");
    let mut cut = pieces(200, "text/event-stream", &["data: 1\n\n"]);
    if let Outcome::Reply(reply) = &mut cut {
        reply.truncated = Some(Truncation::Client);
    }
    project.record("cassettes/cut.json", &[(ask("When?"), cut), (ask("Why?"), json(200, "{}"))]);
    insta::assert_snapshot!(project.run(&["export", "kept", "-n"]));
    insta::assert_snapshot!(project.run(&["export", "torn"]));
    insta::assert_snapshot!(project.run(&["export", "nothing"]));
    insta::assert_snapshot!(project.run(&["export", "cut", "-o", "no/such/place.har"]));
    assert!(project.run(&["export", "cut"]).contains("the program stopped reading here"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_written_to_and_stays_what_it_is() {
    use std::os::unix::fs::FileTypeExt as _;

    let project = project();
    let pipe = project.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let read = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let told = project.run(&["export", "trains", "-o", "pipe"]);
    let har = read.join().unwrap();
    assert_eq!(har, project.output(&["export", "trains"]).stdout);
    assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
    insta::assert_snapshot!(told);
}

#[cfg(unix)]
#[test]
fn a_name_with_a_line_end_begins_no_line_of_what_export_prints() {
    let project = project();
    project.write("cassettes/n\n# head.json", project.read("cassettes/trains.json"));
    insta::assert_snapshot!(project.run(&["export", "n\n# head", "-n", "-o", "o\nx.har"]));
}
