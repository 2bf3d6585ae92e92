//! Bodies that count their own bytes, recorded and replayed.

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::BodyEnd;
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, gone, plan, reply, run, typed};

/// A credential, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

/// A protocol buffer of one text, in the frame of gRPC.
fn grpc(text: &str) -> Vec<u8> {
    let length = match text.len() {
        short @ ..128 => vec![short as u8],
        long => vec![(long & 0x7f) as u8 | 0x80, (long >> 7) as u8],
    };
    let message = [b"\n".as_slice(), &length, text.as_bytes()].concat();
    [&[0], &(message.len() as u32).to_be_bytes()[..], &message].concat()
}

#[test]
fn a_message_of_grpc_replays_as_one_whatever_was_hidden_in_it() {
    let of_grpc = |body: Vec<u8>| {
        let Outcome::Reply(mut answer) = typed("application/grpc", "") else { panic!("it is a reply") };
        answer.chunks[0].bytes = body;
        Outcome::Reply(answer)
    };
    let long = "the next train to Bergen ".repeat(20);
    for said in [long.clone(), format!("{long} {}", key()), format!("it is {} now", key())] {
        let headers = vec![("content-type".to_owned(), "application/grpc".to_owned())];
        let call = Call::http("POST", "https://api.example.com/Trains/Next", headers, grpc(&long));
        let store = MemoryStore::default();
        let calls = [call.clone(), ask(&key())];
        let mut answers = [of_grpc(grpc(&said)), reply(200, "yes")].into_iter();
        let (_, verdict) = run(plan(&store, Mode::Record), &calls, |_| answers.next().unwrap(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let before = "REDACTED.openai-key.";
        let hidden = format!("{before}{}", "0".repeat(key().len() - before.len()));
        assert_eq!(got[0], Ok(of_grpc(grpc(&said.replace(&key(), &hidden)))));
    }
}
