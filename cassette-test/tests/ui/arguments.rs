//! Arguments that serde does not write: the error names them, and what to do.

use std::fmt::Display;
use std::sync::mpsc::Sender;

struct Client;

#[cassette_test::tool]
async fn departures(client: &Client, town: &str) -> usize {
    let Client = client;
    town.len()
}

#[cassette_test::tool]
fn told(tell: Sender<u32>) -> bool {
    tell.send(7).is_ok()
}

#[cassette_test::tool]
fn shown(what: &dyn Display) -> String {
    what.to_string()
}

#[cassette_test::tool]
fn all<T: Clone>(what: T, rest: Vec<Client>) -> usize {
    let _ = what;
    rest.len()
}

#[cassette_test::tool(unordered(clients))]
fn sorted(clients: Vec<Client>) -> usize {
    clients.len()
}

#[cassette_test::tool(also(client = Client))]
fn also() -> u8 {
    7
}

fn main() {}
