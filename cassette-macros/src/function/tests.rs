use insta::assert_snapshot;

use super::{Kind, Switch, expand, recordable};
use crate::tests::{shown, tokens};

#[track_caller]
fn check(name: &str, arguments: &str, item: &str) {
    let (arguments, item) = (tokens(arguments), tokens(item));
    assert_snapshot!(name, shown(&expand(Kind::Tool, Switch::Recording, arguments.clone(), item.clone())));
    let bare = expand(Kind::Tool, Switch::Bare, arguments, item.clone());
    assert_eq!(bare.to_string(), item.to_string(), "bare, the function is what it was");
}

#[test]
fn an_async_function_is_waited_for() {
    let item = "/// Searches.\n#[inline] pub(crate) async fn search<T: Serialize>(client: &Client, city: &str, mut tags: HashSet<T>, _: u8) \
                -> Result<Vec<Hit>, Error> where T: Clone { if tags.is_empty() { return Ok(Vec::new()); } client.ask(city).await }";
    check("asynchronous", "name = \"find\", skip(client), unordered(tags)", item);
}

#[test]
fn a_function_is_not_waited_for() {
    check("blocking", "also(index = self.index), crate = other", "fn now(&self) -> SystemTime { SystemTime::now() }");
    check("unit", "", "fn note(text: String) { store(text); }");
}

#[test]
fn a_future_that_is_returned_is_waited_for() {
    let boxed = "fn ask<'life0, 'async_trait>(&'life0 self, city: String) \
                 -> Pin<Box<dyn Future<Output = Result<u8, Error>> + Send + 'async_trait>> where 'life0: 'async_trait \
                 { Box::pin(async move { let city = city; self.inner(city).await }) }";
    check("boxed", "error = \"from\"", boxed);
    check(
        "future",
        "error = \"serde\"",
        "fn ask(city: String) -> impl Future<Output = Result<u8, Error>> { async move { Ok(7) } }",
    );
}

#[test]
fn a_stream_is_recorded_as_it_passes() {
    check("stream", "", "fn say(words: &str) -> impl Stream<Item = Result<String, Error>> + use<> { split(words) }");
    let boxed =
        "async fn say(words: String) -> Result<BoxStream<'static, u8>, Error> { Ok(open(words).await?.boxed()) }";
    check("stream_boxed", "", boxed);
}

#[test]
fn a_trait_is_implemented_for_what_is_recorded() {
    let item = "#[async_trait] pub trait Provider<K: Clone = u8>: Send + Sync { \
                const NAME: &'static str; type Error: Debug; type Tokens: Stream<Item = Result<K, Self::Error>> + Send; \
                /// Asks.\n#[tool(name = \"ask\", skip(on))] #[must_use] async fn ask(&self, key: &K, on: &mut u8) -> Result<Vec<K>, Self::Error>; \
                fn tokens(&self, _: u8) -> Result<Self::Tokens, Self::Error>; fn model(&self) -> &str; \
                #[memory(skip(self))] fn learn(&mut self, what: String) {} \
                #[recordable(provided)] fn both(self) -> Self where Self: Sized { self } }";
    let (arguments, item) = (tokens("error = \"serde\""), tokens(item));
    let told = recordable::expand(Switch::Recording, arguments.clone(), item.clone());
    assert_snapshot!("trait", shown(&told));
    assert_snapshot!("trait_bare", shown(&recordable::expand(Switch::Bare, arguments, item)));
}

#[test]
fn an_error_is_recorded_as_the_attribute_says() {
    let item = "fn ask() -> anyhow::Result<u8> { Ok(7) }";
    check("types", "errors(NoTown, crate::Closed)", item);
    check("functions", "describe = described, rebuild = rebuilt", item);
}

#[test]
fn a_mistake_is_told_bare_too_and_leaves_the_function_in_place() {
    let (arguments, item) = (tokens("skip(town)"), tokens("fn ask(city: &mut String) {}"));
    let [told, bare] = [Switch::Recording, Switch::Bare]
        .map(|switch| expand(Kind::Llm, switch, arguments.clone(), item.clone()).to_string());
    assert_eq!(told, bare);
    assert_eq!(told.matches("compile_error").count(), 2, "{told}");
    assert!(told.ends_with("fn ask (city : & mut String) { }"), "{told}");
}

#[test]
fn a_body_that_does_something_before_it_gives_its_future_is_refused() {
    let expanded = |body: &str| {
        let item = format!("fn early(town: String) -> Pin<Box<dyn Future<Output = String>>> {{ {body} }}");
        let (arguments, item) = (proc_macro2::TokenStream::new(), item.parse().unwrap());
        super::expand(super::Kind::Tool, super::Switch::Recording, arguments, item).to_string()
    };
    for body in ["count(); Box::pin(async move { town })", "self.other(town)", "Box::pin(ready(town))"] {
        assert!(expanded(body).contains("write `async fn`"), "{body}");
    }
    for body in
        ["Box::pin(async move { town })", "async move { town }.boxed()", "const A: u8 = 1; Box::pin(async { town })"]
    {
        assert!(!expanded(body).contains("write `async fn`"), "{body}");
    }
}
