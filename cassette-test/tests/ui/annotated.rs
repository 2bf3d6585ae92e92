//! Where the attributes on functions go without a word.
#![forbid(unsafe_code)]
#![deny(warnings)]

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;

use cassette_test::tool as recorded_tool;

mod elsewhere {
    pub mod cassette_test_renamed {
        pub use cassette_test::*;
    }
}

/// It is public, documented and inlined.
#[recorded_tool]
#[inline]
#[must_use]
pub fn plain(city: &str, mut limit: u8) -> Option<String> {
    limit += 1;
    (limit > 1).then(|| city.to_owned())
}

#[cassette_test::tool(crate = elsewhere::cassette_test_renamed)]
async fn renamed() {}

#[cassette_test::llm]
async fn result<'a>(one: &'a str, two: &'a [u8]) -> Result<Vec<String>, std::io::Error> {
    if two.is_empty() {
        return Err(std::io::Error::other("nothing"));
    }
    let number: u8 = one.parse().map_err(std::io::Error::other)?;
    Ok(vec![number.to_string()])
}

#[cassette_test::tool(unordered(tags))]
fn boxed_error(tags: HashSet<u8>) -> Result<usize, Box<dyn std::error::Error + Send + Sync>> {
    let all: u8 = "7".parse()?;
    Ok(tags.len() + usize::from(all))
}

#[cassette_test::memory]
fn boxed<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>> {
    Box::pin(async move { text.len() })
}

#[cassette_test::tool]
fn opaque(text: String) -> impl Future<Output = usize> + Send {
    const MORE: usize = 1;
    async move { text.len() + MORE }
}

#[cassette_test::tool(unordered(tags))]
fn conditional(#[cfg(any())] missing: Missing, #[cfg(all())] there: u8, tags: HashSet<u8>) -> u8 {
    there + tags.len() as u8
}

#[cassette_test::tool(describe = described, rebuild = rebuilt)]
fn lent_error(of: u8) -> Result<u8, &'static str> {
    of.checked_add(1).ok_or("too much")
}

fn described(error: &&'static str) -> cassette_test::ReplayedError {
    cassette_test::ReplayedError::new("str", *error)
}

fn rebuilt(_: cassette_test::ReplayedError) -> &'static str {
    "too much"
}

pub struct Store<T> {
    items: Vec<T>,
}

impl<T: Clone + Send + Sync> Store<T> {
    #[cassette_test::memory(also(length = self.items.len()), skip(filter))]
    pub async fn count(&self, filter: impl Fn(&T) -> bool + Send) -> usize
    where
        T: PartialEq,
    {
        self.items.iter().filter(|item| filter(item)).count()
    }

    #[cassette_test::memory(skip(self))]
    fn push(&mut self) -> usize {
        self.items.len()
    }

    #[cassette_test::tool]
    fn into_length(self) -> usize {
        self.items.len()
    }
}

pub trait Named {
    #[cassette_test::tool]
    fn name(&self) -> String {
        "named".to_owned()
    }
}

impl Named for u8 {}

fn is_send<T: Send>(value: T) -> T {
    value
}

fn main() {
    // No test with a cassette is in this program, so functions just run.
    assert_eq!(plain("Bergen", 1).as_deref(), Some("Bergen"));
    assert_eq!(boxed_error([1, 2].into()).ok(), Some(9));
    assert_eq!((conditional(1, [2].into()), lent_error(255)), (2, Err("too much")));
    let mut store = Store { items: vec![1, 2, 3] };
    assert_eq!((store.push(), 7.name()), (3, "named".to_owned()));
    let futures = async {
        renamed().await;
        assert_eq!(is_send(result("7", &[1])).await.unwrap(), ["7"]);
        assert!(result("7", &[]).await.is_err());
        assert_eq!(is_send(boxed("seven")).await, 5);
        assert_eq!(is_send(store.count(|item| *item > 1)).await, 2);
        assert_eq!(store.into_length(), 3);
    };
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(futures);
}
