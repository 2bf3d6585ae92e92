//! One test greps everything a run leaves behind for the secrets that went through it.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use cassette_test::{Cassette, cassette};
use serde_json::json;
use stages::{Answer, Rehearsal, Request, assert_told, is_set, seen, tell_on, var};

use crate::told::base;

const PLACES: [&str; 12] = [
    "header",
    "query",
    "body",
    "text",
    "reply",
    "cookie",
    "environment",
    "handle",
    "encoded",
    "basic",
    "form",
    "event",
];

/// Returns the secret that goes through this place: assembled here, so that no file of this project holds one.
fn secret(place: &str) -> String {
    let mut state = place.bytes().fold(7_u64, |state, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        char::from(LETTERS[(state >> 33) as usize % LETTERS.len()])
    };
    let letters: String = (0..40).map(|_| letter()).collect();
    match place {
        // Nothing but its shape gives it away.
        "text" => format!("{}-{}-{letters}", "sk", "proj"),
        "query" | "form" => format!("{letters}+{}", letter()),
        "cookie" => format!("{letters}+/{}", letter()),
        "body" => format!("{letters}&={}", letter()),
        _ => letters,
    }
}

#[cassette("spilling")]
#[test]
#[ignore]
fn it_spills(cassette: Cassette) {
    let (key, token) = (var("OPENAI_API_KEY"), cassette.secret("VENDOR_TOKEN"));
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let send = |question: &str| {
        let sent = agent
            .post(format!("{}/spill?api_key={}", base(&cassette), percent(&secret("query"))))
            .header("authorization", &format!("Bearer {key}"))
            .header("x-api-key", &secret("header"))
            .header("proxy-authorization", &format!("Basic {}", base64(format!("me:{}", secret("basic")).as_bytes())))
            .header("cookie", &format!("session={}", secret("cookie")))
            .send_json(json!({
                "question": question,
                "password": secret("body"),
                "note": format!("{question} {}, {key} and {token}", secret("text")),
                "page": format!("https://example.com/?client_secret={}&a=b", percent(&secret("form"))),
                "nested": json!({"client_secret": secret("body"), "key": key}).to_string(),
                "encoded": base64(format!("{{\"access_token\":\"{}\"}}", secret("encoded")).as_bytes()),
            }));
        let mut reply = sent.unwrap();
        (reply.status().as_u16(), reply.body_mut().read_to_string().unwrap())
    };
    let form = format!("client_secret={}&question=when", percent(&secret("form")));
    let login = agent.post(format!("{}/events", base(&cassette))).content_type("application/x-www-form-urlencoded");
    login.send(form).unwrap().body_mut().read_to_string().unwrap();
    send("when?");
    if is_set("STORY_MISSES") {
        let (status, body) = send("where?");
        seen(format!("{body}\n{:?}\n{cassette:?}", cassette.calls()));
        assert_eq!(status, 200);
    }
    assert!(!is_set("STORY_FAILS"), "the keys were {key} and {}", "not shown");
}

/// Repeats everything that it is sent, and adds a secret of its own.
fn echo(request: &Request) -> Answer {
    if request.target.ends_with("/events") {
        let (first, second) = (format!("sk-proj-{}", secret("event")), request.text());
        let (first, rest) = first.split_at(20);
        let event =
            |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
        return Answer::events(&[&event(first), &event(rest), &event(&second), "data: [DONE]\n\n"]);
    }
    let said = json!({"access_token": secret("reply"), "headers": request.headers, "target": request.target, "body": request.text()});
    let cookie = format!("session={}; Path=/", secret("cookie"));
    Answer::json(200, &said.to_string()).with("set-cookie", &cookie).with("x-api-key", &secret("header"))
}

#[cassette("proxied")]
#[test]
#[ignore]
fn it_names_itself_to_a_proxy(cassette: Cassette) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let ask = |scheme: &str, question: &str| {
        let sent = agent.post(format!("{}/ask", base(&cassette))).header("proxy-authorization", scheme);
        let mut reply = sent.send_json(json!({ "question": question })).unwrap();
        reply.body_mut().read_to_string().unwrap()
    };
    let basic = format!("Basic {}", base64(format!("me:{}", secret("basic")).as_bytes()));
    let bearer = format!("Bearer {}", secret("header"));
    seen(format!("{}{}", ask(&basic, "when?"), ask(&bearer, "where?")));
}

#[test]
fn what_a_client_tells_a_proxy_is_nowhere_in_the_file() {
    for rehearsal in [
        Rehearsal::of(|request| {
            Answer::json(200, &json!({"you said": request.headers, "of": request.text()}).to_string())
        }),
        // A service that repeats what no proxy was there to take off.
        Rehearsal::of(|_| Answer::json(200, &json!({"me": secret("basic"), "it": [secret("header")]}).to_string())),
    ] {
        let mut rehearsal = rehearsal;
        rehearsal.passes("secrets::it_names_itself_to_a_proxy", "record");
        rehearsal.shut_down();
        rehearsal.passes("secrets::it_names_itself_to_a_proxy", "replay");
        let file = rehearsal.file("proxied");
        assert_eq!(file.matches("\"question\"").count(), 2, "{file}");
        for hidden in [secret("basic"), secret("header"), base64(format!("me:{}", secret("basic")).as_bytes())] {
            assert!(!file.contains(&hidden), "{file}");
        }
        assert!(!file.contains("proxy-authorization\", \"B"), "{file}");
    }
}

#[cassette("archives")]
#[test]
#[ignore]
fn it_fetches_an_archive(cassette: Cassette) {
    let mut reply = ureq::get(format!("{}/archive", base(&cassette))).call().unwrap();
    seen(format!("{}", reply.body_mut().read_to_vec().unwrap().len()));
}

/// Returns 65 MiB of nothing, in gzip: more than anybody looks through.
fn packed() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    (0..65).for_each(|_| std::io::Write::write_all(&mut encoder, &zeros).unwrap());
    encoder.finish().unwrap()
}

/// Returns an archive with one member, which is that.
fn zipped() -> Vec<u8> {
    let (gzip, name) = (packed(), "a.txt");
    let deflated = &gzip[10..gzip.len() - 8];
    let mut zip = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0".to_vec();
    zip.extend([0; 4]);
    zip.extend(u32::try_from(deflated.len()).unwrap().to_le_bytes());
    zip.extend((65_u32 << 20).to_le_bytes());
    zip.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    zip.extend([0; 2]);
    zip.extend(name.as_bytes());
    zip.extend(deflated);
    zip
}

#[test]
fn an_archive_that_is_too_big_to_be_looked_through_is_refused_and_may_be_vouched_for() {
    let archive = zipped();
    let rehearsal = Rehearsal::of(move |_| Answer::bytes("application/zip", &archive));
    let told = rehearsal.fails("secrets::it_fetches_an_archive", "record");
    assert_told!("unsearched", told);
    assert_eq!(rehearsal.file("archives"), "");
    let entry = told.split_once("{\"cassette\"").and_then(|(_, entry)| entry.split_once('}')).unwrap().0;
    let vouched =
        format!("[{{\"cassette\"{}}}]", entry.replace("\"reason\": \"\"", "\"reason\": \"nothing but zeros\""));
    #[expect(clippy::disallowed_methods, reason = "somebody's editor")]
    std::fs::write(rehearsal.stage.cassettes().join("allow.json"), vouched).unwrap();
    tell_on(rehearsal, "secrets::it_fetches_an_archive");
}

#[test]
fn no_secret_is_in_anything_that_a_run_leaves_behind() {
    let (say, hear) = mpsc::channel();
    let say = Mutex::new(say);
    let rehearsal = Rehearsal::of(move |request| {
        if !request.text().contains("where?") {
            return echo(request);
        }
        say.lock().unwrap().send(()).unwrap();
        Answer::Endless(Vec::new(), Vec::new())
    });
    let rehearsal = rehearsal.with("OPENAI_API_KEY", &secret("environment")).with("VENDOR_TOKEN", &secret("handle"));
    let story = "secrets::it_spills";
    let passed = rehearsal.passes(story, "record");
    let replayed = rehearsal.passes(story, "replay");
    // A recording that fails is pending, and one that is killed leaves its journal.
    let mut rehearsal = rehearsal.with("STORY_MISSES", "1");
    let missed = rehearsal.play(story, "replay");
    assert!(missed.seen.contains("cassette mismatch"), "the gateway's error says why: {}", missed.printed);
    let mut child = rehearsal.stage.command(story, "refresh").unwrap();
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let asked = hear.recv_timeout(Duration::from_secs(30));
    child.kill().unwrap();
    child.wait().unwrap();
    asked.unwrap();
    assert_eq!(rehearsal.journal("spilling").lines().count(), 3, "its head, and two calls that had ended");
    let journal = files(&rehearsal.stage.cassettes());
    rehearsal.shut_down();
    let down = rehearsal.play(story, "refresh");
    assert!(!down.passed && !down.printed.is_empty());
    let mut left = vec![
        ("a run without its provider", down.printed),
        ("the recording", passed.printed),
        ("the replay", replayed.printed),
        ("the miss", missed.printed),
        ("the gateway's error", missed.seen),
    ];
    left.extend(journal.into_iter().chain(files(&rehearsal.stage.cassettes())).map(|text| ("a file", text)));
    assert!(left.len() >= 5 + 3 + 4, "the cassette, the journal, the pending file and what ignores them");
    for (place, secret) in PLACES.map(|place| (place, secret(place))) {
        for (whose, text) in &left {
            let found: Vec<_> = spellings(&secret).into_iter().filter(|spelling| text.contains(spelling)).collect();
            assert!(found.is_empty(), "{whose} holds the secret of `{place}` as {found:?}:\n{text}");
        }
    }
    let hidden = left.iter().map(|(_, text)| text.matches("REDACTED.").count()).max();
    assert!(hidden > Some(PLACES.len()), "they were there to be hidden: {left:?}");
}

#[cassette("refused", unused = "allow")]
#[test]
#[ignore]
fn it_is_refused(cassette: Cassette) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("{}/{}?api_key={}", base(&cassette), var("STORY_CASE"), secret("query"));
    match var("STORY_CASE").as_str() {
        "oversize" => {
            let mut reply = agent.post(url).send(&vec![b'x'; (64 << 20) + 1][..]).unwrap();
            seen(reply.body_mut().read_to_string().unwrap());
        }
        "endless" => {
            let mut reader = agent.get(url).call().unwrap().into_body().into_reader();
            std::io::Read::read_exact(&mut reader, &mut [0]).unwrap();
            // The one that replays waits for more than was recorded.
            if cassette.is_replaying() {
                std::mem::forget(reader);
            }
        }
        _ => drop(agent.get(url).call().unwrap().body_mut().read_to_string()),
    }
}

#[test]
fn no_secret_is_in_what_the_gateway_refuses() {
    let rehearsal = Rehearsal::of(|request| {
        if request.target.contains("/endless") {
            let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
            return Answer::Endless(headers, vec![b"data: 1\n\n".to_vec()]);
        }
        Answer::json(200, "{\"plain\": \"after all\"}").with("content-encoding", "gzip")
    });
    let mut rehearsal = rehearsal.with("STORY_CASE", "endless");
    rehearsal.passes("secrets::it_is_refused", "record");
    for (case, mode, expected) in [
        ("endless", "replay", "/v1/endless?api_key=REDACTED."),
        ("oversize", "record", "/v1/oversize?api_key=REDACTED."),
        ("undecodable", "record", "/v1/undecodable?api_key=REDACTED."),
    ] {
        rehearsal = rehearsal.with("STORY_CASE", case);
        let played = rehearsal.play("secrets::it_is_refused", mode);
        assert!(!played.passed && played.printed.contains(expected), "{case}: {}", played.printed);
        for text in [played.printed, played.seen] {
            assert!(!spellings(&secret("query")).iter().any(|spelling| text.contains(spelling)), "{case}:\n{text}");
        }
    }
}

#[test]
fn no_secret_is_in_what_a_failed_recording_leaves_behind() {
    let rehearsal = Rehearsal::of(echo).with("OPENAI_API_KEY", &secret("environment"));
    let rehearsal = rehearsal.with("VENDOR_TOKEN", &secret("handle")).with("STORY_FAILS", "1");
    rehearsal.fails("secrets::it_spills", "record");
    let pending = rehearsal.pending("spilling");
    assert!(pending.contains("REDACTED."), "{pending}");
    for (place, secret) in PLACES.map(|place| (place, secret(place))) {
        assert!(!spellings(&secret).iter().any(|spelling| pending.contains(spelling)), "{place}:\n{pending}");
    }
}

/// Returns the text of every file below a directory.
fn files(dir: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts.extend(files(&path)),
            false => texts.push(String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()),
        }
    }
    texts
}

/// Returns a secret as it is, percent-encoded, and what base64 makes of its middle wherever it begins.
pub(crate) fn spellings(secret: &str) -> Vec<String> {
    let shifted = (0..3).map(|shift| {
        let encoded = base64(&[&b"  "[..shift.min(2)], secret.as_bytes()].concat());
        encoded[4..encoded.len() - 8].to_owned()
    });
    [secret.to_owned(), percent(secret)].into_iter().chain(shifted).collect()
}

fn percent(text: &str) -> String {
    let spell =
        |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(spell).collect()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let number = (0..3).fold(0_usize, |number, i| number << 8 | usize::from(*group.get(i).unwrap_or(&0)));
        let letter = |i: usize| char::from(LETTERS[number >> (18 - 6 * i) & 63]);
        (0..4).map(|i| if i > group.len() { '=' } else { letter(i) }).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}
