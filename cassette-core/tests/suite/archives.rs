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
use crate::pieces::{base64_of, environment, secret};

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
