//! What `#[recordable]` refuses, and where its errors point.

use cassette_test::{Cassette, recordable};

#[recordable]
struct NoTrait;

#[recordable(kind = "model", color = "blue", error = "panic", kind = "tool", provided)]
trait Options {}

#[recordable]
unsafe trait Unsafe {
    unsafe fn ask(&self);
}

#[recordable]
trait Receivers {
    fn none(question: &str) -> String;
    fn owned(self) -> String;
    fn pointed(self: Box<Self>) -> String;
    fn changing(&mut self) -> String;
    fn itself(&self) -> Option<Self>
    where
        Self: Sized;
}

#[recordable]
trait Arguments {
    fn changed(&self, seen: &mut Vec<u8>);
    fn called(&self, token: impl Fn(&str));
    fn boxed(&self, token: Box<dyn FnMut(&str) + Send>);
    fn generic<F: FnOnce(u8)>(&self, token: F);
    #[cassette_test::tool(skip(nobody))]
    fn stranger(&self);
}

#[recordable]
trait Ways {
    #[cassette_test::tool]
    #[cassette_test::llm]
    fn twice(&self);
    #[recordable(provided)]
    fn bodiless(&self);
    #[recordable]
    fn plain(&self);
    #[cassette_test::tool(name = "one")]
    fn one(&self);
    #[cassette_test::llm(name = "one")]
    fn other(&self);
    #[cassette_test::tool(colour = "blue")]
    fn unknown(&self);
}

#[recordable]
#[recordable]
trait Twice {}

#[recordable]
trait Own {
    type Error;
    type Lent<'a>
    where
        Self: 'a;
    type Later: Future<Output = u8>;
    fn ask(&self) -> Result<u8, Self::Error>;
    fn opaque(&self) -> impl Iterator<Item = u8>;
}

#[recordable]
trait Parts {
    fn lent_within(&self) -> Option<&str>;
    fn lent_or_failed(&self) -> Result<Vec<&str>, std::io::Error>;
    fn conditional(&self, of: u8, #[cfg(any())] missing: u8) -> u8;
}

struct Foreign;

#[recordable]
trait Types {
    fn value(&self) -> Foreign;
    fn error(&self) -> Result<u8, Foreign>;
    fn argument(&self, foreign: Foreign);
    fn lent(&self) -> &Foreign;
    fn generic<T: Clone>(&self, value: T) -> u8;
}

#[recordable]
trait Provider {
    fn answer(&self) -> u8;
}

trait Asks: Provider {}

#[recordable]
trait Below: Asks {
    fn below(&self) -> u8;
}

fn behind(cassette: Cassette, provider: Box<dyn Provider + Send>) -> u8 {
    cassette.wrap(|| provider).answer()
}

fn main() {}
