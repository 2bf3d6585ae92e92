//! What the attributes on functions refuse, and where the errors point.

use std::pin::Pin;

#[cassette_test::tool]
struct Tool;

trait Provider {
    #[cassette_test::llm]
    fn ask(&self) -> u8;
}

#[cassette_test::tool]
const fn constant() -> u8 {
    7
}

#[cassette_test::tool]
fn pattern((one, two): (u8, u8)) -> u8 {
    one + two
}

#[cassette_test::tool]
fn changes(list: &mut Vec<u8>, pinned: Pin<&mut u8>) {
    list.push(*pinned);
}

#[cassette_test::tool]
fn changes_within(counter: &std::sync::atomic::AtomicU32, log: &std::sync::Mutex<Vec<u8>>) {
    log.lock().unwrap().push(counter.load(std::sync::atomic::Ordering::SeqCst) as u8);
}

#[cassette_test::tool]
fn has_no_order(tags: &std::collections::HashSet<u8>) -> usize {
    tags.len()
}

struct Store(u8);

impl Store {
    #[cassette_test::memory]
    fn remember(&mut self) -> u8 {
        self.0 += 1;
        self.0
    }

    #[cassette_test::memory]
    fn forget(self: Box<&mut Self>) -> u8 {
        self.0
    }
}

#[cassette_test::tool]
fn opaque() -> impl Iterator<Item = u8> {
    std::iter::once(7)
}

#[cassette_test::tool]
fn never() -> ! {
    panic!("never")
}

#[cassette_test::tool]
fn borrowed(text: &str) -> &str {
    text
}

#[cassette_test::tool]
async fn borrowed_within(text: &str) -> Result<Option<&str>, std::io::Error> {
    Ok(Some(text))
}

#[cassette_test::tool(skip(town), unordered(city), also(limit = 3))]
fn names(limit: u8) -> u8 {
    limit
}

#[cassette_test::tool(skip(city), unordered(city))]
fn both(city: Vec<String>) -> usize {
    city.len()
}

#[cassette_test::tool]
#[cassette_test::llm]
fn twice() -> u8 {
    7
}

#[cassette_test::tool(speed = 3, name = 7, name, error = "json", errors, describe = a, error = "from", skip(1), also(x))]
fn options() -> Result<u8, String> {
    Ok(7)
}

#[cassette_test::tool(name = "a", name = "b", error = "from", errors(String), rebuild = b)]
fn contradictions() -> Result<u8, String> {
    Ok(7)
}

#[cassette_test::tool(name = "")]
fn nameless() -> u8 {
    7
}

#[cassette_test::tool(name = "a" skip(b), "c")]
fn commas(b: u8) -> u8 {
    b
}

#[cassette_test::tool]
fn early(town: String) -> std::pin::Pin<Box<dyn Future<Output = String>>> {
    println!("{town} is looked up");
    Box::pin(async move { town })
}

#[cassette_test::tool]
fn given(town: String) -> impl Future<Output = String> {
    std::future::ready(town)
}

#[cassette_test::tool]
fn lent_error(town: &str) -> Result<String, &'static str> {
    if town.is_empty() { Err("no town") } else { Ok(town.to_owned()) }
}

fn main() {}
