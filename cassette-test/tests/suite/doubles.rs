//! Test doubles: a model with a script, and what is never called.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use cassette_test::{Cassette, Mode, NeverCalled, ScriptedChat, ScriptedLlm};
use insta::assert_snapshot;

use crate::child;

/// Returns what this panics with.
#[track_caller]
fn panicked<T>(body: impl FnOnce() -> T) -> String {
    let payload = catch_unwind(AssertUnwindSafe(body)).err().expect("it panics");
    payload.downcast_ref::<String>().cloned().expect("it panics with a text")
}

#[derive(Debug, PartialEq)]
struct Busy(u32);

fn script() -> ScriptedLlm<String, String, Busy> {
    ScriptedLlm::new("planner").value("one").error(Busy(429)).answer(|asked: &String| Ok(format!("{asked}!")))
}

#[test]
fn it_answers_by_its_script_and_keeps_what_was_asked() {
    let model = script();
    assert_eq!((model.remaining(), model.calls()), (3, vec![]));
    assert_eq!(model.call("a".into()), Ok("one".into()));
    assert_eq!(model.clone().call("b".into()), Err(Busy(429)));
    assert_eq!(model.call("c".into()), Ok("c!".into()));
    assert_eq!((model.remaining(), model.calls()), (0, vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
    model.assert_finished();
}

#[tokio::test]
async fn it_is_asked_where_it_is_awaited() {
    let model: ScriptedLlm<&str, u32> = ScriptedLlm::new("planner").values([1u32, 2]);
    let later = model.call_async("first");
    assert_eq!(model.call("second"), Ok(1));
    assert_eq!(later.await, Ok(2));
    assert_eq!(model.calls(), ["second", "first"]);
}

#[test]
fn a_closure_may_ask_what_was_asked() {
    let model: ScriptedLlm<&str, usize> = ScriptedLlm::new("planner").value(0usize);
    let seen = model.clone();
    let model = model.answer(move |_| Ok(seen.calls().len()));
    let _ = model.call("first");
    assert_eq!(model.call("second"), Ok(1));
}

#[test]
fn one_call_too_many_is_loud_and_so_is_every_later_one() {
    let model: ScriptedLlm<&str, u32> = ScriptedLlm::new("planner").value(1u32);
    let _ = model.call("first");
    let told = panicked(|| model.call("second"));
    assert_snapshot!(told);
    assert_eq!(panicked(|| model.call("third")), told, "what went wrong first is told");
    assert_eq!(panicked(|| model.assert_finished()), told);
    assert_eq!(model.calls(), ["first", "second", "third"]);
}

#[test]
fn what_is_left_over_fails_where_the_test_asks_and_nowhere_else() {
    let model = script();
    let _ = model.call("a".into());
    assert_snapshot!(panicked(|| model.assert_finished()));
    drop(model);
}

#[test]
fn a_panic_that_was_swallowed_comes_back_with_the_last_handle() {
    let model: ScriptedLlm<&str, u32> = ScriptedLlm::new("planner");
    let asked = model.clone();
    let task = std::thread::spawn(move || asked.call("first"));
    let told = *task.join().unwrap_err().downcast::<String>().unwrap();
    assert_eq!(panicked(|| drop(model)), told);
    // Whoever has asked was told.
    let model: ScriptedLlm<&str, u32> = ScriptedLlm::new("planner");
    assert!(model.try_call("first").is_err());
    assert!(model.try_assert_finished().is_err());
    drop(model);
}

#[test]
fn what_is_never_called_names_what_was_asked() {
    let model = NeverCalled::new("model");
    model.assert_never_called();
    let told = panicked(|| model.call::<u32>(("When does the train leave?", 3)));
    assert_snapshot!(told);
    assert_eq!(panicked(|| model.assert_never_called()), told);
    let model = NeverCalled::new("model");
    let asked = model.clone();
    assert!(std::thread::spawn(move || asked.call::<()>("x")).join().is_err());
    assert!(panicked(|| drop(model)).starts_with("cassette double: `model` was called"));
}

#[test]
fn a_report_of_a_double_holds_no_secret_and_not_all_of_a_long_request() {
    let key = ["sk", "proj", &"a1B2c3D4".repeat(5)].join("-");
    let model = NeverCalled::new("model");
    let told = panicked(|| model.call::<()>(format!("Bearer {key} {}", "long ".repeat(200))));
    assert!(!told.contains(&key) && told.len() < 700, "{told}");
    let _ = model.try_assert_never_called();
}

#[test]
fn what_goes_wrong_fails_the_cassette_that_is_current() {
    let session = Cassette::builder("doubles").mode(Mode::Off).allow_ci().open().unwrap();
    let model: ScriptedLlm<&str, u32> = ScriptedLlm::new("planner");
    let kept = Arc::new(Mutex::new(String::new()));
    {
        let _entered = session.enter();
        *kept.lock().unwrap() = panicked(|| model.call("first"));
    }
    let _ = model.try_assert_finished();
    assert_eq!(session.finish().unwrap_err().to_string(), *kept.lock().unwrap());
}

/// Posts this body, and returns the status and the body of the answer.
fn post(base: &str, path: &str, body: &str) -> (u16, String) {
    let address = base.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("POST /v1{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

const QUESTION: &str = r#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"When?"}]}"#;

#[test]
fn a_scripted_model_behind_an_address_speaks_as_the_provider_does() {
    let model = ScriptedChat::new("planner")
        .calls_tool("departures", "{\"to\":\"Bergen\"}")
        .status(429)
        .answers(|body| format!("You asked {}.", body.get("model").and_then(|model| model.as_str()).unwrap()))
        .says("At 09:04.");
    let base = model.base_url();
    let streamed = QUESTION.replacen('{', "{\"stream\":true,", 1);
    let mut told = String::new();
    for body in [QUESTION, QUESTION, QUESTION, &streamed] {
        let (status, body) = post(&base, "/chat/completions", body);
        told.push_str(&format!("{status} {body}\n"));
    }
    assert_snapshot!(told);
    model.assert_finished();
    assert_eq!(model.calls().len(), 4);
    // Beyond its script it fails the client for good, and the test.
    let (status, body) = post(&base, "/chat/completions", QUESTION);
    assert_eq!((status, body.contains("call 5 of `planner` finds no answer")), (404, true), "{body}");
    assert!(model.try_assert_finished().is_err());
    assert_eq!(post(&base, "/embeddings", "{}").0, 404);
    assert_eq!(model.calls().len(), 5);
}

#[test]
fn what_a_client_swallowed_comes_back_with_the_drop() {
    let model = ScriptedChat::new("planner");
    assert_eq!(post(&model.base_url(), "/chat/completions", QUESTION).0, 404);
    assert!(panicked(|| drop(model)).starts_with("cassette double: call 1 of `planner`"));
}

/// Doubles that are moved into the program, which swallows their panics: run in a process of their own.
mod moved {
    use super::*;

    fn swallowed(model: impl FnOnce() -> String + Send + 'static) -> String {
        std::thread::spawn(model).join().unwrap_or_else(|_| "from the cache".into())
    }

    #[test]
    #[ignore]
    fn it_is_called_in_a_thread() {
        let model = NeverCalled::new("model");
        assert_eq!(swallowed(move || model.call("Bergen")), "from the cache");
    }

    #[tokio::test]
    #[ignore]
    async fn it_is_asked_too_often_in_a_task() {
        let model: Arc<ScriptedLlm<&str, String>> = Arc::new(ScriptedLlm::new("planner"));
        let task = tokio::spawn(async move { model.call("Bergen").unwrap() });
        assert!(task.await.is_err());
    }

    #[test]
    #[ignore]
    fn it_is_asked_after_too_early() {
        let model = NeverCalled::new("model");
        assert!(model.try_assert_never_called().is_ok());
        assert_eq!(swallowed(move || model.call("Bergen")), "from the cache");
    }

    #[tokio::test]
    #[ignore]
    async fn it_goes_with_its_runtime() {
        let model = NeverCalled::new("model");
        let (ask, asked) = tokio::sync::oneshot::channel::<()>();
        tokio::spawn(async move {
            let _ = catch_unwind(AssertUnwindSafe(|| model.call::<()>("Bergen")));
            let _ = ask.send(());
            std::future::pending::<()>().await;
            drop(model);
        });
        asked.await.unwrap();
    }

    #[test]
    #[ignore]
    fn it_is_never_dropped() {
        let model: &'static NeverCalled = Box::leak(Box::new(NeverCalled::new("model")));
        assert_eq!(swallowed(|| model.call("Oslo")), "from the cache");
    }

    #[test]
    #[ignore]
    fn told_it_is_asked_after() {
        let model = NeverCalled::new("model");
        let asked = model.clone();
        assert_eq!(swallowed(move || asked.call("Bergen")), "from the cache");
        assert!(model.try_assert_never_called().is_err());
    }
}

#[test]
fn a_panic_that_nobody_can_be_told_of_fails_the_process() {
    let told = [
        "it_is_called_in_a_thread",
        "it_is_asked_too_often_in_a_task",
        "it_is_asked_after_too_early",
        "it_goes_with_its_runtime",
        "it_is_never_dropped",
    ]
    .map(|test| child::told(&format!("doubles::moved::{test}"), &[]));
    assert_snapshot!(told.join("\n---\n"));
    child::all_pass("doubles::moved::told_", 1);
}
