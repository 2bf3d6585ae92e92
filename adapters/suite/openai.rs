//! async-openai's hook for a service of the user's own, filled with a client that has the middleware.

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use reqwest_middleware::{ClientBuilder, Error};
use serde_json::{Value, json};
use stages::{Answer, Rehearsal, seen, story, tell, upstream};

fn client(cassette: &Cassette) -> Client<OpenAIConfig> {
    let http = ClientBuilder::new(reqwest::Client::new()).with(cassette.middleware()).build();
    let service = tower::service_fn(move |request: HttpRequestFactory| {
        let http = http.clone();
        async move {
            http.execute(request.build().await?).await.map_err(|err| match err {
                Error::Reqwest(err) => OpenAIError::Reqwest(err),
                Error::Middleware(err) => OpenAIError::Boxed(err.into()),
            })
        }
    });
    let config = OpenAIConfig::new().with_api_base(format!("{}/v1", upstream())).with_api_key("a key");
    Client::with_config(config).with_http_service(service)
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_and_listens(cassette: Cassette) {
    let (client, ask) =
        (client(&cassette), json!({"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "?"}]}));
    let answer: Value = client.chat().create_byot(&ask).await.unwrap();
    let mut ask = ask;
    ask["stream"] = Value::Bool(true);
    let events = client.chat().create_stream_byot::<_, Value>(&ask).await.unwrap();
    let events: Vec<Value> = events.map(Result::unwrap).collect().await;
    seen(format!("{answer} {events:?}"));
}

#[test]
fn its_hook_records_and_replays() {
    let file = tell(story!(it_asks_and_listens), |request| match request.text().contains("\"stream\":true") {
        false => Answer::json(200, r#"{"choices":[{"message":{"content":"09:04"}}]}"#),
        true => Answer::events(&["data: {\"n\":1}\n\n", "data: {\"n\":2}\n\n", "data: [DONE]\n\n"]),
    });
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 2, "{file}");
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_misses(cassette: Cassette) {
    let model = if cassette.is_replaying() { "gpt-4o" } else { "gpt-4o-mini" };
    let answer: Result<Value, _> = client(&cassette).chat().create_byot(json!({"model": model, "messages": []})).await;
    if let Err(err) = answer {
        seen(format!("{err} after {} calls", cassette.calls().len()));
    }
}

#[test]
fn a_miss_is_its_own_error_and_is_not_retried() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, r#"{"choices":[]}"#));
    rehearsal.passes(story!(it_misses), "record");
    rehearsal.fails(story!(it_misses), "replay");
    let seen = rehearsal.seen();
    assert!(seen.starts_with("cassette mismatch: ") && seen.ends_with(" after 1 calls"), "{seen}");
}
