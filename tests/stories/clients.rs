//! Each client with the bodies it deals in: recorded, the provider shut down, replayed.

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use cassette_test::{Cassette, cassette};
use stages::{Answer, Request, seen, tell};

use crate::told::base;

/// A chat completion as a provider answers it.
const CHAT: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1764400000,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"The 09:04, from platform 2."},"finish_reason":"stop","logprobs":null}],"usage":{"prompt_tokens":9,"completion_tokens":8,"total_tokens":17}}"#;

fn chat(request: &Request) -> Answer {
    assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("authorization"), "Bearer a-key-that-is-not-recorded");
    assert_eq!(request.header("accept-encoding"), "", "the provider is not asked to encode");
    Answer::json(200, CHAT).with("x-request-id", "req-0001").with("date", "Sun, 29 Nov 2026 17:00:00 GMT")
}

#[cassette("async-openai")]
#[tokio::test]
#[ignore]
async fn async_openai_chats(cassette: Cassette) {
    use async_openai::types::chat::{ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs};
    let config = OpenAIConfig::new().with_api_base(base(&cassette)).with_api_key("a-key-that-is-not-recorded");
    let question = ChatCompletionRequestUserMessageArgs::default()
        .content("When does the next train to Bergen leave?")
        .build()
        .unwrap();
    let request =
        CreateChatCompletionRequestArgs::default().model("gpt-4o-mini").messages([question.into()]).build().unwrap();
    let answer = Client::with_config(config).chat().create(request).await.unwrap();
    let text = answer.choices[0].message.content.clone().unwrap();
    assert!(text.contains("09:04"));
    seen(format!("{text} {:?}", answer.usage));
}

#[test]
fn async_openai() {
    let file = tell("clients::async_openai_chats", chat);
    assert!(!file.contains("a-key-that-is-not-recorded"), "{file}");
    assert!(!file.contains("req-0001") && !file.contains("17:00:00"), "volatile headers have stand-ins: {file}");
}

#[cassette("reqwest")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn reqwest_asks(cassette: Cassette) {
    let (base, client) = (base(&cassette), reqwest::Client::new());
    let sent = tokio::spawn(async move {
        let request = client.post(format!("{base}/ask?b=2&a=1")).header("x-unrecorded", "1");
        let reply = request.json(&serde_json::json!({"to": "Bergen"})).send().await.unwrap();
        (reply.status().as_u16(), reply.headers()["x-kept"].to_str().unwrap().to_owned(), reply.bytes().await.unwrap())
    });
    let (status, kept, body) = sent.await.unwrap();
    seen(format!("{status} {kept} {}", String::from_utf8_lossy(&body)));
}

#[test]
fn reqwest_async() {
    // The body is neither compact nor pretty, and its numbers are spelled in no common way.
    let body = r#"{ "b":1.50,"a" : 1e3, "text":"\u00e9\/" }"#;
    tell("clients::reqwest_asks", move |_| Answer::json(201, body).with("x-kept", "yes"));
}

#[cassette("blocking")]
#[test]
#[ignore]
fn reqwest_blocks(cassette: Cassette) {
    let client = reqwest::blocking::Client::new();
    let form = reqwest::blocking::multipart::Form::new()
        .text("question", "when?")
        .part("photo", reqwest::blocking::multipart::Part::bytes(vec![0xff, 0x00, 0xfe]).file_name("a.jpg"));
    let reply = client.post(format!("{}/upload", base(&cassette))).multipart(form).send().unwrap();
    seen(format!("{} {:?}", reply.status(), reply.bytes().unwrap()));
}

#[test]
fn reqwest_blocking_with_a_random_boundary() {
    tell("clients::reqwest_blocks", |request| {
        assert!(request.header("content-type").starts_with("multipart/form-data; boundary="));
        Answer::bytes("image/png", &[0x89, b'P', b'N', b'G', 13, 10, 0x1a, 10, 0, 0xff, 0xfe])
    });
}

#[cassette("ureq")]
#[test]
#[ignore]
fn ureq_asks(cassette: Cassette) {
    let agent = ureq::Agent::new_with_defaults();
    let mut reply = agent.get(format!("{}/trains/Bergen", base(&cassette))).call().unwrap();
    seen(format!("{} {}", reply.status(), reply.body_mut().read_to_string().unwrap()));
}

#[test]
fn ureq() {
    tell("clients::ureq_asks", |_| Answer::bytes("text/plain; charset=utf-8", "09:04 … æøå\r\n".as_bytes()));
}

#[cassette("redirected")]
#[test]
#[ignore]
fn a_client_follows_redirects(cassette: Cassette) {
    let mut reply = ureq::get(format!("{}/old", base(&cassette))).call().unwrap();
    seen(reply.body_mut().read_to_string().unwrap());
}

#[test]
fn redirects_are_recorded_hop_by_hop() {
    let file = tell("clients::a_client_follows_redirects", |request| match request.target.as_str() {
        "/v1/old" => Answer::json(302, "{}").with("location", "/v1/new"),
        _ => Answer::json(200, r#"{"moved":true}"#),
    });
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 2, "{file}");
}

#[cassette("encoded")]
#[test]
#[ignore]
fn a_body_that_comes_encoded(cassette: Cassette) {
    let mut reply = ureq::get(format!("{}/zipped", base(&cassette))).call().unwrap();
    assert!(reply.headers().get("content-encoding").is_none());
    seen(reply.body_mut().read_to_string().unwrap());
}

#[test]
fn a_body_that_is_encoded_unasked_is_decoded_for_program_and_file() {
    // `{"zipped":true}`, as gzip writes it.
    let zipped: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 170, 202, 44, 40, 72, 77, 81, 178, 42, 41, 42, 77, 173, 5, 0, 132,
        40, 188, 8, 15, 0, 0, 0,
    ];
    let file = tell("clients::a_body_that_comes_encoded", move |_| {
        Answer::bytes("application/json", zipped).with("content-encoding", "gzip")
    });
    assert!(file.contains("\"zipped\": true"), "{file}");
}
