//! The recordings of other tools, as cassettes: `import`.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cassette_core::call::{Call, Kind};
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::BodyEnd;
use cassette_core::store::{FileStore, Store as _};
use cassette_core::tape::Tape;

use crate::built;
use crate::project::{Project, RECORDED};
use crate::recordings::{CHAT, answer, ask, chat, key};

/// What `ask("When?")` sends.
const WHEN: &str = r#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"When?"}]}"#;

/// A stream, as a provider sends it.
const STREAM: &str = "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"At \"}}]}\n\ndata: {\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"nine.\"}}]}\n\ndata: [DONE]\n\n";

/// Bytes that are no text: the beginning of a picture.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\xff";

/// A recording of vcrpy: a question with this answer, and a page with bytes that are no text.
fn vcrpy(said: &str) -> String {
    let picture = STANDARD.encode(PICTURE);
    format!(
        "interactions:
- request:
    body: '{WHEN}'
    headers:
      authorization: [Bearer {key}]
      content-type: [application/json]
    method: POST
    uri: {CHAT}
  response:
    body: {{string: '{{\"id\":\"chatcmpl-1\",\"choices\":[{{\"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":\"{said}\"}}}}]}}'}}
    headers:
      content-type: [application/json]
      content-length: ['9']
    status: {{code: 200, message: OK}}
- request:
    body: null
    headers: {{}}
    method: GET
    uri: https://pictures.example.com/draw?of=a%20train
  response:
    body: {{string: !!binary {picture}}}
    headers:
      content-type: [image/png]
    status: {{code: 200, message: OK}}
version: 1
",
        key = key()
    )
}

/// One of VCR of Ruby: the question, and a stream.
fn ruby() -> String {
    format!(
        "---\nhttp_interactions:\n- request:\n    method: post\n    uri: {CHAT}\n    body:\n      encoding: UTF-8\n      string: '{WHEN}'\n    headers:\n      Content-Type: [application/json]\n  response:\n    status: {{code: 200, message: OK}}\n    headers:\n      Content-Type: [text/event-stream]\n    body:\n      encoding: UTF-8\n      string: {stream}\n  recorded_at: Sun, 29 Nov 2026 12:00:00 GMT\nrecorded_with: VCR 6.4.0\n",
        stream = Json::from(STREAM).print(cassette_core::json::Layout::Compact)
    )
}

/// One of go-vcr.
fn go() -> String {
    let picture = STANDARD.encode(PICTURE);
    format!(
        "version: 2\ninteractions:\n- id: 0\n  request: {{body: a, headers: {{}}, url: 'https://pictures.example.com/draw', method: POST}}\n  response: {{body: !!binary {picture}, headers: {{Content-Type: [image/png]}}, status: 200 OK, code: 200, duration: 1.5s}}\n"
    )
}

/// One of httprr.
fn httprr() -> String {
    let request = format!(
        "POST {CHAT} HTTP/1.1\r\nHost: api.openai.com\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{WHEN}",
        WHEN.len()
    );
    let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{STREAM}");
    format!("httprr trace v1\n{} {}\n{request}{response}", request.len(), response.len())
}

/// An archive of a proxy's.
fn har() -> String {
    let picture = STANDARD.encode(PICTURE);
    let size = PICTURE.len();
    format!(
        r#"{{"log": {{"version": "1.2", "creator": {{"name": "a proxy", "version": "1"}}, "entries": [
  {{"time": 12.5, "request": {{"method": "GET", "url": "https://pictures.example.com/draw?of=two", "headers": []}},
   "response": {{"status": 200, "headers": [{{"name": "Content-Type", "value": "image/png"}}], "content": {{"size": {size}, "mimeType": "image/png", "encoding": "base64", "text": "{picture}"}}}}}}
]}}}}"#
    )
}

/// One of httpmock, which names no host.
const HOSTLESS: &str = "when:\n  path: /v1/next\n  method: GET\nthen:\n  status: 200\n  header: [{name: content-type, value: application/json}]\n  body: '{\"at\":\"09:04\"}'\n---\nwhen:\n  path: /v1/last\n  method: GET\nthen: {status: 204}\n";

/// One that was stored parsed.
const PARSED: &str = "interactions:\n- request:\n    headers: {}\n    method: POST\n    parsed_body:\n      a: 1\n    uri: https://a.test/\n  response: {status: {code: 200}, headers: {}}\nversion: 1\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

/// A package with recordings of several tools, good ones and bad ones.
fn project() -> Project {
    let project = Project::new();
    project.write("fixtures/trains.yaml", vcrpy("At nine."));
    project.write("fixtures/night/trains.yaml.gz", gzip(&vcrpy("At ten.")));
    project.write("fixtures/ruby/When does it leave?.yml", ruby());
    project.write("fixtures/go.yaml", go());
    project.write("fixtures/streams.httprr", httprr());
    project.write("fixtures/session.har", har());
    project.write("fixtures/hostless.yaml", HOSTLESS);
    project.write("fixtures/parsed.yaml", PARSED);
    project.write("fixtures/empty.yaml", "interactions: []\nversion: 1\n");
    project.write("fixtures/notes.txt", "Nothing was recorded here.\n");
    project.write("fixtures/.hidden/trains.yaml", "never looked at");
    project
}

/// Every file of the project below a directory, but for what ignores itself.
fn files(project: &Project, dir: &str) -> Vec<String> {
    let listed = project.program("find".as_ref()).args([dir, "-type", "f", "-not", "-name", ".gitignore"]).output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    let mut files: Vec<_> = listed.lines().map(str::to_owned).collect();
    files.sort();
    files
}

fn body(tape: &Tape, at: usize) -> Vec<u8> {
    let Outcome::Reply(reply) = tape.interactions[at].outcome() else { panic!("it is a reply") };
    reply.body()
}

#[test]
fn a_directory_of_recordings_and_what_is_bad_in_it_stops_nothing() {
    let project = project();
    insta::assert_snapshot!(project.run(&["import", "fixtures"]));
    insta::assert_snapshot!(files(&project, "cassettes").join("\n"));
    let document = project.read("cassettes/trains.json");
    let dated = |line: &str| {
        if line.starts_with("  \"recorded\"") {
            format!("  \"recorded\": \"{RECORDED}\",\n")
        } else {
            format!("{line}\n")
        }
    };
    insta::assert_snapshot!(document.lines().map(dated).collect::<String>());
    assert_eq!(body(&project.tape("cassettes/trains.json"), 1), PICTURE);
    assert_eq!(body(&project.tape("cassettes/night/trains.json"), 1), PICTURE);
    let lint = project.run(&["lint", "--files"]);
    assert!(lint.starts_with("exit 0"), "{lint}");
}

#[test]
fn a_dry_run_shows_what_would_be_and_writes_nothing() {
    let project = project();
    insta::assert_snapshot!(project.run(&["import", "fixtures", "-n"]));
    assert!(!project.path("cassettes").exists());
    project.run(&["import", "fixtures/trains.yaml"]);
    let before = project.read("cassettes/trains.json");
    project.write("fixtures/trains.yaml", vcrpy("At eight."));
    insta::assert_snapshot!(project.run(&["import", "fixtures/trains.yaml", "--force", "--dry-run"]));
    assert_eq!((before, files(&project, "cassettes").len()), (project.read("cassettes/trains.json"), 1));
}

#[test]
fn what_became_of_each_for_a_program() {
    let project = project();
    project.write("fixtures/opaque.yaml", opaque());
    insta::assert_snapshot!(project.run(&["import", "fixtures", "--json"]));
    insta::assert_snapshot!(project.run(&["import", "fixtures/go.yaml", "--name", "pictures", "-n", "--json"]));
}

#[test]
fn it_goes_where_it_is_asked_for() {
    let project = project();
    insta::assert_snapshot!(project.run(&["import", "fixtures/trains.yaml", "--name", "by/hand"]));
    let told =
        project.run(&["import", "fixtures/ruby", "fixtures/go.yaml", "fixtures/../fixtures/go.yaml", "--into", "vcr/"]);
    insta::assert_snapshot!(told);
    let told = project.run(&["import", "fixtures/go.yaml", "--dir", "elsewhere", "--into", "allow"]);
    assert!(told.starts_with("exit 0"), "{told}");
    assert_eq!(
        files(&project, "cassettes"),
        ["cassettes/by/hand.json", "cassettes/vcr/When-does-it-leave.json", "cassettes/vcr/go.json"]
    );
    assert_eq!(files(&project, "elsewhere"), ["elsewhere/allow/go.json"]);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_imported() {
    let project = Project::new();
    project.write("fixtures/go.yaml", go());
    project.write("fixtures/closed/trains.yaml", vcrpy("At nine."));
    project.write("elsewhere/trains.yaml", vcrpy("At nine."));
    project.link("nowhere.yaml", "fixtures/lost.yaml");
    project.link("../elsewhere", "fixtures/more");
    project.link("../elsewhere/trains.yaml", "fixtures/linked.yaml");
    let pipe = std::process::Command::new("mkfifo").arg(project.path("fixtures/pipe.yaml")).status();
    assert!(pipe.unwrap().success());
    let Some(project) = project.nobodys() else { return };
    project.allow("fixtures/closed", 0o000);
    let (told, json) = (project.run(&["import", "fixtures"]), project.run(&["import", "fixtures", "--json", "-n"]));
    project.allow("fixtures/closed", 0o755);
    insta::assert_snapshot!(told);
    assert_eq!(
        json.matches("\"outcome\": \"refused\"").count(),
        6,
        "those four, and two that are there by now: {json}"
    );
    assert_eq!(files(&project, "cassettes"), ["cassettes/go.json", "cassettes/linked.json"]);
}

#[test]
fn nothing_is_replaced_unless_it_is_asked_for() {
    let project = project();
    project.recording("trains", &[(ask("Why?"), answer("chatcmpl-9", "Because."))], Mode::Record, BodyEnd::Passed);
    let before = project.read("cassettes/trains.json");
    insta::assert_snapshot!(project.run(&["import", "fixtures/trains.yaml"]));
    assert_eq!(project.read("cassettes/trains.json"), before);
    insta::assert_snapshot!(project.run(&["import", "fixtures/trains.yaml", "--force"]));
    let now = project.tape("cassettes/trains.json");
    assert_eq!((now.head.test.as_deref(), now.head.registered), (Some("suite::trains"), true), "it stays the test's");
    assert_eq!((now.interactions.len(), body(&now, 1)), (2, PICTURE.to_vec()));

    // Two files of one name, and names that are one where case does not count.
    project.write("fixtures/trains.har", har());
    project.write("fixtures/Go.yaml", go());
    insta::assert_snapshot!(project.run(&["import", "fixtures", "--into", "all"]));
    insta::assert_snapshot!(project.run(&["import", "fixtures/go.yaml", "--name", "All/day"]));
    // What cannot be read is replaced too, if it is asked for.
    project.write("cassettes/go.json", "{");
    assert!(project.run(&["import", "fixtures/go.yaml"]).starts_with("exit 1"));
    assert!(project.run(&["import", "fixtures/go.yaml", "--force"]).starts_with("exit 0"));
    assert_eq!(body(&project.tape("cassettes/go.json"), 0), PICTURE);
}

#[test]
fn what_is_pending_or_under_way_is_left_alone() {
    let project = project();
    project.recording("trains", &[(ask("Why?"), answer("chatcmpl-9", "Because."))], Mode::Record, BodyEnd::Failed);
    let before = project.read("cassettes/.pending/trains.json");
    insta::assert_snapshot!(project.run(&["import", "fixtures/trains.yaml", "--force"]));
    assert_eq!(project.read("cassettes/.pending/trains.json"), before);
    assert!(!project.path("cassettes/trains.json").exists());

    let journal = FileStore::new(project.path("cassettes"), "cassettes").journal("go").unwrap().journal;
    insta::assert_snapshot!(project.run(&["import", "fixtures/go.yaml"]));
    journal.close().unwrap();
    assert!(project.run(&["import", "fixtures/go.yaml"]).starts_with("exit 0"));
}

/// A body into which nobody can look.
fn opaque() -> String {
    let body = STANDARD.encode([0x83, 0x40, 0xff, 0xfe, 0x80, 0x91, 0xc3, 0x28, 0xa0, 0xa1, 0xe2, 0x28]);
    format!(
        "version: 2\ninteractions:\n- id: 0\n  request: {{body: '', headers: {{}}, url: 'https://a.test/', method: GET}}\n  response: {{body: hi, headers: {{}}, status: 200 OK, code: 200}}\n- id: 1\n  request: {{body: '', headers: {{}}, url: 'https://a.test/x', method: GET}}\n  response: {{body: !!binary {body}, headers: {{Content-Encoding: [br]}}, status: 200 OK, code: 200}}\n"
    )
}

#[test]
fn what_the_audit_finds_is_refused_with_its_line_and_may_be_vouched_for() {
    let project = Project::new();
    project.write("opaque.yaml", opaque());
    let told = project.run(&["import", "opaque.yaml"]);
    insta::assert_snapshot!(told);
    assert_eq!(files(&project, "."), ["./Cargo.toml", "./opaque.yaml"], "nothing is left behind");
    let entry = told.lines().find(|line| line.trim().starts_with('{')).unwrap();
    project.write(
        "cassettes/allow.json",
        format!("[{}]", entry.replace(r#""reason": """#, r#""reason": "a page in Brotli""#)),
    );
    let told = project.run(&["import", "opaque.yaml"]);
    assert!(told.starts_with("exit 0"), "{told}");
}

#[test]
fn no_secret_is_ever_saved() {
    let key = key();
    let named = ["correct", "horse", "battery"].join("-");
    let project = Project::new().with("TIMETABLE_TOKEN", &named);
    project.write("cassette.toml", "redact_field = [\"customer\"]\n");
    let call = |text: &str| {
        format!(
            "- id: 0\n  request: {{body: '{{\"customer\":\"ada lovelace\",\"q\":\"{text}\"}}', headers: {{Authorization: [{text}], Content-Type: [application/json]}}, url: 'https://a.test/?api_key={key}', method: POST}}\n  response: {{body: 'it said {text}', headers: {{Set-Cookie: [session={text}]}}, status: 200 OK, code: 200}}\n"
        )
    };
    project.write("talk.yaml", format!("version: 2\ninteractions:\n{}{}", call(&key), call(&named)));
    let told = project.run(&["import", "talk.yaml"]);
    insta::assert_snapshot!(told);
    let document = project.read("cassettes/talk.json");
    for secret in [&key, &named, "ada lovelace"] {
        assert!(!document.contains(secret) && !told.contains(secret), "{secret}: {document}");
    }
    // Whoever sends them again is answered.
    let curl = |text: &str| {
        format!(
            "curl -sSf -H 'content-type: application/json' --data-binary '{{\"customer\":\"ada lovelace\",\"q\":\"{text}\"}}' \"$A_TEST_BASE_URL/?api_key={key}\""
        )
    };
    let served = project.run(&["serve", "talk", "--", "sh", "-c", &format!("{} && {}", curl(&key), curl(&named))]);
    assert_eq!(served, "exit 0\n--- stdout\nit said REDACTED.api-key.1it said REDACTED.secret.1");
}

#[test]
fn what_is_imported_replays_byte_for_byte_through_the_gateway() {
    let project = project();
    assert!(project.run(&["import", "fixtures"]).starts_with("exit 1"));
    let post = |base: &str, path: &str, body: &str| {
        format!("curl -sSf -o got -H 'content-type: application/json' --data-binary '{body}' \"${base}{path}\"")
    };
    let get = |base: &str, path: &str| format!("curl -sSf -o got \"${base}{path}\"");
    let said = |text: &str| {
        format!(
            r#"{{"id":"chatcmpl-1","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}"}}}}]}}"#
        )
        .into_bytes()
    };
    let chat = |body: &str| post("OPENAI_BASE_URL", "/chat/completions", body);
    let pictures = "PICTURES_EXAMPLE_COM_BASE_URL";
    let check = |name: &str, scripts: &[(String, &[u8])]| {
        let script: Vec<_> =
            scripts.iter().enumerate().map(|(i, (curl, _))| curl.replace("-o got", &format!("-o got-{i}"))).collect();
        let told = project.run(&["serve", name, "--", "sh", "-c", &script.join(" && ")]);
        assert_eq!(told, "exit 0\n", "{name}: everything was asked for, and nothing was missed");
        for (i, (_, expected)) in scripts.iter().enumerate() {
            let got = std::fs::read(project.path(&format!("got-{i}"))).unwrap();
            assert_eq!(got.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{name}, call {}", i + 1);
        }
    };
    let draw = get(pictures, "/draw?of=a%20train");
    check("trains", &[(chat(WHEN), &said("At nine.")), (draw.clone(), PICTURE)]);
    check("night/trains", &[(chat(WHEN), &said("At ten.")), (draw, PICTURE)]);
    check("ruby/When-does-it-leave", &[(chat(WHEN), STREAM.as_bytes())]);
    check("streams", &[(chat(WHEN), STREAM.as_bytes())]);
    check("session", &[(get(pictures, "/draw?of=two"), PICTURE)]);
    check("go", &[(post(pictures, "/draw", "a").replace("-H 'content-type: application/json' ", ""), PICTURE)]);
    let unknown = "UNKNOWN_INVALID_BASE_URL";
    check("hostless", &[(get(unknown, "/v1/next"), br#"{"at":"09:04"}"#), (get(unknown, "/v1/last"), b"")]);
}

/// A test that asks what `trains.yaml` has.
const TEST: &str = r##"
use std::io::{Read, Write};

use cassette_test::{Cassette, cassette};

fn send(base: &str, head: &str, body: &str) -> Vec<u8> {
    let (host, path) = base.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (method, rest) = head.split_once(' ').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(stream, "{method} /{path}{rest} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).unwrap();
    reply
}

#[cassette("trains")]
#[test]
fn trains(cassette: Cassette) {
    let chat = send(&cassette.base_url("https://api.openai.com/v1"), "POST /chat/completions", r#"WHEN"#);
    assert!(String::from_utf8(chat).unwrap().contains("At nine."));
    let picture = send(&cassette.base_url("https://pictures.example.com/"), "GET draw?of=a%20train", "");
    assert!(picture.ends_with(b"IHDR\0\xff"));
}
"##;

#[test]
fn a_test_that_names_it_replays_it_and_adopts_it_when_it_records() {
    let project = built::package("imports", "\"record\"", "");
    project.write("tests/suite.rs", TEST.replace("WHEN", WHEN));
    project.write("trains.yaml", vcrpy("At nine."));
    assert!(project.run(&["import", "trains.yaml"]).starts_with("exit 0"));
    let imported = project.tape("cassettes/trains.json");
    assert_eq!((imported.head.test.as_deref(), imported.head.registered), (None, false));
    let lint = project.run(&["lint"]);
    assert!(lint.starts_with("exit 0"), "{lint}");

    let told = project.run(&["test", "--quiet", "--test", "suite"]);
    assert!(told.starts_with("exit 0"), "{told}");
    assert_eq!(project.tape("cassettes/trains.json"), imported, "a replay changes nothing");

    let told = project.run(&["record", "--quiet", "--test", "suite"]);
    assert!(told.starts_with("exit 0"), "{told}");
    let adopted = project.tape("cassettes/trains.json");
    assert_eq!((adopted.head.test.as_deref(), adopted.head.registered), (Some("suite::trains"), true));
    assert_eq!(adopted.interactions, imported.interactions);
    assert!(project.run(&["test", "--quiet", "--test", "suite"]).starts_with("exit 0"));
}

#[test]
fn what_was_exported_is_imported_again() {
    let project = Project::new();
    let page = Call::http("GET", "https://timetable.example.com/next?to=Bergen", Vec::new(), Vec::new());
    let calls = [(chat(WHEN), answer("chatcmpl-1", "At nine.")), (page, answer("chatcmpl-2", "At ten."))];
    project.record("cassettes/trains.json", &calls);
    project.run(&["export", "trains", "-o", "trains.har"]);
    let told = project.run(&["import", "trains.har", "--name", "again"]);
    assert!(told.starts_with("exit 0"), "{told}");
    let (first, again) = (project.tape("cassettes/trains.json"), project.tape("cassettes/again.json"));
    for (i, (a, b)) in first.interactions.iter().zip(&again.interactions).enumerate() {
        assert_eq!((a.key(), a.call(), body(&first, i)), (b.key(), b.call(), body(&again, i)));
        assert_eq!(b.asked().kind(), Kind::Http);
    }
    insta::assert_snapshot!(project.run(&["import", "cassettes/again.json"]));
}

#[test]
fn what_cannot_be_done_as_asked_says_what_to_type() {
    let project = project();
    project.write("nothing/.keep", "");
    let mut told: Vec<_> = [
        &["import"][..],
        &["import", "fixtures/none.yaml", "fixtures/go.yaml"],
        &["import", "nothing"],
        &["import", "fixtures", "--name", "all"],
        &["import", "fixtures/go.yaml", "--name", "../go"],
        &["import", "fixtures/go.yaml", "--into", ".."],
        &["import", "fixtures/go.yaml", "--name", "a", "--into", "b"],
    ]
    .into_iter()
    .map(|words| project.run(words))
    .collect();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    for member in ["a", "b"] {
        project.write(&format!("{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
    }
    told.push(project.run(&["import", "fixtures/go.yaml"]));
    insta::assert_snapshot!(told.join("\n"));
    assert!(!project.path("cassettes").exists());
    project.write("cassette.toml", "redcat_field = [\"a\"]\n");
    project.write("Cargo.toml", "[package]\nname = \"timetable\"\n");
    insta::assert_snapshot!(project.run(&["import", "fixtures/go.yaml"]));
}

#[test]
fn a_reader_that_goes_away_stops_no_import() {
    let project = Project::new();
    for i in 0..200 {
        project.write(&format!("fixtures/{i:0>200}.yaml"), go().replace("/draw", &format!("/{i}")));
    }
    let mut child =
        project.command(&["import", "fixtures"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut head = [0; 8];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut head).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((&head, output.status.code(), output.stderr), (b"imported", Some(0), Vec::new()));
    assert_eq!(files(&project, "cassettes").len(), 200);
}

#[test]
fn a_terminal_is_told_how_far_it_has_come_and_a_pipe_is_not() {
    let project = project().with("TERM", "xterm");
    let words = ["import", "fixtures/go.yaml", "fixtures/session.har", "--color", "never"];
    let output = project.output(&[&words[..], &["-n"]].concat());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let line = format!("'{}' {} 2>&1", env!("CARGO_BIN_EXE_cargo-cassette"), words.join(" "));
    let script = project.program("script".as_ref()).args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).output();
    let Ok(output) = script else { return };
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("\r\u{1b}[2K1 of 2: fixtures/go.yaml\r\u{1b}[2Kimported go: 1 call, go-vcr"), "{told:?}");
}

/// An archive of one exchange, of which something is changed.
fn archive(change: (&str, &str)) -> String {
    let text = "{\"log\": {\"version\": \"1.2\", \"entries\": [\n{\"request\": {\"method\": \"GET\", \"url\": \"https://a.example/x\", \"headers\": []},\n\"response\": {\"status\": 200, \"headers\": [{\"name\": \"x-a\", \"value\": \"v\"}], \"content\": {\"text\": \"yes\"}}}\n]}}\n";
    let changed = text.replacen(change.0, change.1, 1);
    assert_ne!(changed, text);
    changed
}

#[test]
fn what_no_client_can_ask_and_no_server_answer_is_refused_with_its_line() {
    let project = Project::new();
    let url = "https://a.example/x";
    let changes = [
        ("\"GET\"", "\"PO ST\""),
        ("\"GET\"", "\"\""),
        (url, "file:///etc/passwd"),
        (url, "chrome-extension://abc/x"),
        (url, "wss://a.example/s"),
        (url, "https:///nohost"),
        (url, "https://a.example:99999/x"),
        (url, "https://a b.example/x"),
        ("\"x-a\"", r#""x\ny""#),
        ("\"x-a\"", "\"x a\""),
        ("\"v\"", r#""v\r\ninj: 1""#),
        ("\"v\"", r#""v\u0000""#),
        ("200", "204"),
        ("200", "101"),
        ("\"GET\"", "\"HEAD\""),
        ("\"headers\": []", r#""headers": [{"name": "x b", "value": "v"}]"#),
        // As an archive of ours says it, too.
        ("{\"request\"", "{\"_cassette\": {\"trailers\": [{\"name\": \"x\", \"value\": \"a\\nb\"}]},\n\"request\""),
        ("{\"request\": {\"method\": \"GET\"", "{\"_cassette\": {},\n\"request\": {\"method\": \"G T\""),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        project.write(&format!("in/{i:02}.har"), archive(change));
    }
    let yaml = vcrpy("yes");
    project.write("in/vcrpy.yaml", yaml.replacen("method: POST", "method: PO ST", 1));
    project.write("in/go.yaml", go().replacen("https://pictures", "ftp://pictures", 1));
    project.write("in/ruby.yaml", ruby().replacen("Content-Type: [text", "'Content Type': [text", 1));
    // Names of HTTP/2's own are no headers, and what is not asked for is no fault.
    project.write("in/whole.har", archive(("\"x-a\"", "\":status\"")));
    insta::assert_snapshot!(project.run(&["import", "in"]));
    assert!(project.tape("cassettes/whole.json").interactions.len() == 1);
}

#[test]
fn what_is_no_exchange_of_a_browsers_is_left_out_and_named() {
    let project = Project::new();
    let others = r#"  {"request": {"method": "GET", "url": "data:text/plain,x", "headers": []}, "response": {"status": 200}},
  {"request": {"method": "GET", "url": "wss://a.test/live", "headers": []}, "response": {"status": 101}},
  {"request": {"method": "GET", "url": "data:text/plain,y", "headers": []}, "response": {"status": 200}},
"#;
    project.write("session.har", har().replacen("\"entries\": [\n", &format!("\"entries\": [\n{others}"), 1));
    insta::assert_snapshot!(
        [project.run(&["import", "session.har", "--dry-run"]), project.run(&["import", "session.har", "--json"]),]
            .join("\n")
    );
    assert_eq!(project.tape("cassettes/session.json").interactions.len(), 1);
}
