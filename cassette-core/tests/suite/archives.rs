//! Archives: what is secret in one is never saved, however it is packed, and what is harmless is.

use std::io::{Read as _, Write as _};

use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::{DeflateEncoder, GzEncoder};

use crate::bench_of_calls::{ask, codes, gone, plan, run, typed};
use crate::pieces::{base64_of, environment, json, secret};

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, held) in members {
        let mut head = [0; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..135].copy_from_slice(format!("{:011o}", held.len()).as_bytes());
        head[257..265].copy_from_slice(b"ustar\x0000");
        let sum = format!("{:06o}\0 ", sum(&head));
        head[148..156].copy_from_slice(sum.as_bytes());
        archive.extend(head);
        archive.extend_from_slice(held);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.extend([0; 1024]);
    archive
}

/// The sum of a head of tar.
fn sum(head: &[u8]) -> usize {
    head.iter().enumerate().map(|(i, byte)| if (148..156).contains(&i) { 32 } else { usize::from(*byte) }).sum()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive of one member, which is packed.
fn zip(name: &str, held: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(held).unwrap();
    let packed = encoder.finish().unwrap();
    let mut head = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0".to_vec();
    head.extend((packed.len() as u32).to_le_bytes());
    head.extend((held.len() as u32).to_le_bytes());
    head.extend([name.len() as u8, 0, 0, 0]);
    [&head, name.as_bytes(), &packed, b"PK\x01\x02\xff\xfe"].concat()
}

/// A text that packs to less than it is, with something in the middle.
fn prose(middle: &str) -> Vec<u8> {
    let words = "the next train to Bergen leaves at nine, ".repeat(12);
    format!("{words}{middle}, {words}").into_bytes()
}

fn answer(media: &str, body: &[u8]) -> Outcome {
    let Outcome::Reply(mut reply) = typed(media, "") else { panic!("it is a reply") };
    reply.chunks[0].bytes = body.to_vec();
    Outcome::Reply(reply)
}

/// Records a body and returns what a replay serves, or the code of the report that refuses it.
fn recorded(media: &str, body: &[u8]) -> Result<Reply, String> {
    let store = MemoryStore::default();
    let recording = Plan { environment: environment(), ..plan(&store, Mode::Record) };
    let live = answer(media, body);
    let (_, verdict) = run(recording, &[ask("x")], |_| live.clone(), BodyEnd::Passed);
    if let [code, ..] = codes(&verdict).as_slice() {
        return Err((*code).to_owned());
    }
    let (served, verdict) = run(plan(&store, Mode::Replay), &[ask("x")], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    match served.into_iter().next() {
        Some(Ok(Outcome::Reply(reply))) => Ok(reply),
        other => panic!("it is a reply: {other:?}"),
    }
}

fn in_json(bytes: &[u8]) -> Vec<u8> {
    let text = base64_of(bytes);
    let padding = "=".repeat(text.len().next_multiple_of(4) - text.len());
    format!("{{\"name\":\"logs\",\"content\":\"{text}{padding}\"}}").into_bytes()
}

/// Ways to pack a text under a name.
type Packing = (&'static str, &'static str, fn(&str, &[u8]) -> Vec<u8>);

const PACKINGS: &[Packing] = &[
    ("tar.gz", "application/gzip", |name, held| gz(&tar(&[("a.txt", b"one"), (name, held)]))),
    ("tar.gz without a type", "", |name, held| gz(&tar(&[(name, held)]))),
    ("tar", "application/x-tar", |name, held| tar(&[(name, held)])),
    ("zip", "application/zip", zip),
    ("tar.gz in JSON", "application/json", |name, held| in_json(&gz(&tar(&[(name, held)])))),
    ("zip in JSON", "application/json", |name, held| in_json(&zip(name, held))),
    ("tar.gz in zip", "application/zip", |name, held| zip("in.tgz", &gz(&tar(&[(name, held)])))),
    ("zip in tar.gz in JSON", "application/json", |name, held| in_json(&gz(&tar(&[("in.zip", &zip(name, held))])))),
    ("gz in tar", "application/x-tar", |name, held| tar(&[(name, &gz(held))])),
    ("tar.gz in hexadecimal", "text/plain", |name, held| {
        gz(&tar(&[(name, held)])).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes()
    }),
];

#[test]
fn what_is_harmless_in_an_archive_is_recorded_as_it_came() {
    for (name, media, pack) in PACKINGS {
        let body = pack("notes.txt", &prose("platform 2"));
        let served = recorded(media, &body).unwrap_or_else(|code| panic!("{name}: {code}"));
        assert_eq!(served.body(), body, "{name}");
    }
}

#[test]
fn what_is_known_in_an_archive_is_never_saved() {
    for (name, media, pack) in PACKINGS {
        for (member, held) in [("notes.txt".to_owned(), prose(&secret())), (secret(), prose("platform 2"))] {
            // What is not packed can be hidden, in as many bytes or with all that base64 holds.
            let hidden = |served: Reply| {
                let text = String::from_utf8_lossy(&served.body()).into_owned();
                let open = *name == "tar" || member == secret() && ["gz in tar", "zip in JSON"].contains(name);
                open && !text.contains(&secret()) && text.contains("REDACTED.secret.")
            };
            match recorded(media, &pack(&member, &held)) {
                Ok(served) => assert!(hidden(served), "{name}: {member}"),
                Err(code) => assert_eq!(code, "leak", "{name}"),
            }
        }
    }
}

#[test]
fn an_archive_in_which_something_was_hidden_is_still_one() {
    let body = tar(&[("a.txt", b"one"), (&secret(), &prose(&secret()))]);
    let served = recorded("application/x-tar", &body).unwrap().body();
    let stands = "REDACTED.secret.000000";
    assert_eq!(served, tar(&[("a.txt", b"one"), (stands, &prose(stands))]));
}

#[test]
fn what_comes_before_the_cut_and_behind_the_end_is_looked_into() {
    let cut = |bytes: &[u8], end: usize| bytes[..end].to_vec();
    let zipped = zip("notes.txt", &prose(&secret()));
    for end in zipped.len() / 2..zipped.len() {
        let text = cut(&zipped, end);
        for body in [text.clone(), in_json(&text)] {
            let media = if body.starts_with(b"{") { "application/json" } else { "application/zip" };
            let mut shown = Vec::new();
            let _ = DeflateDecoder::new(&text[30 + "notes.txt".len()..]).read_to_end(&mut shown);
            let is_shown = String::from_utf8_lossy(&shown).contains(&secret());
            assert_eq!(recorded(media, &body).is_err(), is_shown, "{end}");
        }
    }
    let packed = gz(&tar(&[("a", &prose(&secret()))]));
    for end in packed.len() - 9..packed.len() {
        assert!(recorded("application/gzip", &cut(&packed, end)).is_err(), "{end}");
        assert!(recorded("application/json", &in_json(&cut(&packed, end))).is_err(), "{end}");
    }
    let two = [gz(&prose("platform 2")), gz(&tar(&[("a", &prose(&secret()))]))].concat();
    for (media, body) in [("application/gzip", two.clone()), ("application/json", in_json(&two))] {
        assert!(recorded(media, &body).is_err(), "{media}");
    }
}

/// What a key of some service looks like, put together here so that no scanner takes this file for a leak.
fn key() -> Vec<u8> {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-").into_bytes()
}

/// Bytes that nobody can read: what is packed in a way that is not known here, or encrypted.
fn unreadable() -> Vec<u8> {
    let mut state = 7u32;
    let byte = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..1600).map(byte).collect()
}

#[track_caller]
fn refused(name: &str, media: &str, body: &[u8]) {
    let served = recorded(media, body);
    assert!(served.is_err(), "{name} was saved: {}", String::from_utf8_lossy(&served.unwrap().body()));
}

#[test]
fn nothing_stands_unseen_behind_the_end_of_an_archive_or_what_is_damaged_in_one() {
    let first = tar(&[("a.txt", b"one")]);
    let hidden = tar(&[("b.gz", &gz(&prose(&secret())))]);
    refused("two archives", "application/x-tar", &[&first[..], &hidden].concat());
    refused("in gzip", "application/gzip", &gz(&[&first[..], &hidden].concat()));
    let mut damaged = tar(&[("a.txt", b"one"), ("b.gz", &gz(&prose(&secret())))]);
    damaged[1024 + 3] ^= 1;
    refused("a damaged head", "application/x-tar", &damaged);
    let zipped = zip("a.txt", b"one");
    for behind in [gz(&prose(&secret())), [&key()[..], b"\xff"].concat(), unreadable()] {
        refused("behind a tar", "application/x-tar", &[&first[..], &behind].concat());
        refused("behind a zip", "application/zip", &[&zipped[..zipped.len() - 6], &behind].concat());
        refused("in a padding", "application/gzip", &gz(&[&first[..600], &behind, &first[1024..]].concat()));
    }
    let two = [&first[..], &tar(&[("b.txt", b"two")])].concat();
    assert_eq!(recorded("application/x-tar", &two).unwrap().body(), two);
}

#[test]
fn an_archive_in_a_text_is_looked_into_whatever_its_name() {
    for name in ["data", "content", "image_url"] {
        for archive in [tar(&[("a.txt", &prose("")[..]), ("b.txt", &key())]), tar(&[("b.gz", &gz(&prose(&secret())))])]
        {
            let text = String::from_utf8(in_json(&archive)).unwrap().replace("content", name);
            refused(name, "application/json", text.as_bytes());
        }
        let harmless = tar(&[("a.png", b"\x89PNG\x01\x02\xff"), ("b.txt", &prose("platform 2"))]);
        let text = String::from_utf8(in_json(&harmless)).unwrap().replace("content", name);
        assert_eq!(recorded("application/json", text.as_bytes()).unwrap().body(), text.as_bytes(), "{name}");
    }
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes();
    for archive in [tar(&[("b.gz", &gz(&key()))]), zip("b.txt", &prose(&secret()))] {
        refused("in hexadecimal", "text/plain", &digits(&archive));
    }
}

#[test]
fn a_known_secret_is_found_in_a_member_however_it_is_written() {
    let digits = secret().bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let percent = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let letters = "p\u{e4}ssw\u{f6}rt-Gr\u{f6}\u{df}e-77xK";
    let coded = [letters.to_owned(), percent(letters), base64_of(letters.as_bytes()), json(letters)];
    for written in [digits, percent(&secret())].into_iter().chain(coded) {
        for (name, media, pack) in PACKINGS.iter().filter(|(name, ..)| *name != "tar") {
            let store = MemoryStore::default();
            let known = vec![("LIB_API_KEY".to_owned(), letters.to_owned())];
            let recording = Plan { environment: [environment(), known].concat(), ..plan(&store, Mode::Record) };
            let live = answer(media, &pack("notes.txt", &prose(&written)));
            let (_, verdict) = run(recording, &[ask("x")], |_| live.clone(), BodyEnd::Passed);
            assert_eq!(codes(&verdict), ["leak"], "{name}: {written}");
        }
    }
}

#[test]
fn a_member_that_cannot_be_read_is_as_opaque_as_a_body() {
    assert_eq!(recorded("application/octet-stream", &unreadable()), Err("leak".to_owned()));
    for (name, media, pack) in PACKINGS {
        for held in
            [unreadable(), [b"\xfd7zXZ\0".to_vec(), unreadable()].concat(), gz(&prose("platform 2"))[..60].to_vec()]
        {
            refused(name, media, &pack("notes.txt.xz", &held));
        }
    }
    for (place, value) in [(8, 12), (8, 14), (8, 93), (8, 99), (6, 1)] {
        let mut zipped = zip("notes.txt", &prose("platform 2"));
        zipped[place] = value;
        refused("a method that is not known, or encrypted", "application/zip", &zipped);
        refused("in JSON", "application/json", &in_json(&zipped));
    }
}

#[test]
fn an_archive_in_a_part_of_a_body_is_looked_into() {
    let part = |archive: &[u8]| {
        let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"logs\"\r\n\r\n";
        [head.as_bytes(), archive, b"\r\n--b--\r\n"].concat()
    };
    for (_, _, pack) in PACKINGS
        .iter()
        .filter(|(name, media, _)| *name != "tar" && media.starts_with("application/") && !name.contains("JSON"))
    {
        let harmless = part(&pack("notes.txt", &prose("platform 2")));
        assert_eq!(recorded("multipart/form-data; boundary=b", &harmless).unwrap().body(), harmless);
        refused("a part", "multipart/form-data; boundary=b", &part(&pack("notes.txt", &prose(&secret()))));
    }
}

#[test]
fn an_archive_within_an_archive_in_which_something_was_hidden_is_still_one() {
    let held = |name: &str| tar(&[("in.tar", &tar(&[(name, &prose("platform 2"))])), ("b.txt", b"two")]);
    let served = recorded("application/x-tar", &held(&secret())).unwrap().body();
    assert_eq!(served, held("REDACTED.secret.000000"));
}

#[test]
fn what_is_packed_ever_deeper_or_without_end_is_refused() {
    let mut packed = prose("platform 2");
    for depth in 0..3000 {
        if depth == 3 {
            let served = recorded("text/plain", &packed).unwrap();
            assert_eq!(served.body(), packed);
        }
        packed = gz(&packed);
    }
    refused("gzip in gzip", "text/plain", &packed);
    let mut long = GzEncoder::new(Vec::new(), Compression::fast());
    long.write_all(format!("{{\"a\":\"{}\",\"b\":\"", secret()).as_bytes()).unwrap();
    for _ in 0..65 {
        long.write_all(&vec![b'a'; 1 << 20]).unwrap();
    }
    long.write_all(b"\"}").unwrap();
    refused("more than there may be", "application/json", &long.finish().unwrap());
}
