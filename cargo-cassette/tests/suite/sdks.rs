//! The official clients of other languages, recorded and replayed through `serve`.

use std::path::{Path, PathBuf};

use stages::{Answer, Provider, Request};

use crate::project::Project;

/// Where `cargo xtask sdks` puts them.
fn sdks() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("sdks")
}

/// Answers as OpenAI and Anthropic do.
fn provider() -> Provider {
    Provider::start(|request: &Request| {
        let streams = request.text().contains("\"stream\":true") || request.text().contains("\"stream\": true");
        match (request.target.ends_with("/chat/completions"), streams) {
            (true, false) => Answer::json(
                200,
                r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"At 09:04."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}"#,
            ),
            (true, true) => {
                let event = |text: &str| {
                    format!("data: {{\"id\":\"chatcmpl-2\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"gpt-4o-mini\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":null}}]}}\n\n")
                };
                Answer::events(&[&event("At "), &event("09:04"), &event("."), "data: [DONE]\n\n"])
            }
            (false, false) => Answer::json(
                200,
                r#"{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"At 09:04."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":4}}"#,
            ),
            (false, true) => {
                let event = |kind: &str, rest: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
                let text = |text: &str| {
                    event("content_block_delta", &format!(",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}"))
                };
                Answer::events(&[
                    &event("message_start", ",\"message\":{\"id\":\"msg_2\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}"),
                    &event("content_block_start", ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
                    &text("At "),
                    &text("09:04."),
                    &event("content_block_stop", ",\"index\":0"),
                    &event("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":4}"),
                    &event("message_stop", ""),
                ])
            }
        }
    })
    .unwrap()
}

/// Records a program against a provider, then replays it without one and without a key, then lets it ask something else.
fn replays(program: &[&str]) {
    let project = Project::new().with("SDKS", &sdks().join("node").display().to_string());
    let provider = provider();
    let openai = format!("openai={}/v1", provider.url());
    let anthropic = format!("anthropic={}", provider.url());
    // Put together here so that no scanner takes this file for a leak.
    let key = ["sk-", "test", "0123456789abcdef"].concat();
    let recording = ["serve", "agent", "--mode", "record", "--upstream", &openai, "--upstream", &anthropic, "--"];
    let run = |words: &[&str], more: &[(&str, &str)]| {
        let output = project.command(words).envs(more.iter().copied()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    let keys = [("OPENAI_API_KEY", key.as_str()), ("ANTHROPIC_API_KEY", key.as_str())];
    let (code, live, said) = run(&[&recording[..], program].concat(), &keys);
    assert_eq!(code, 0, "{said}");
    assert!(!project.read("cassettes/agent.json").contains(&key));
    drop(provider);

    let replay = [&["serve", "agent", "--"][..], program].concat();
    let (code, replayed, said) = run(&replay, &[]);
    assert_eq!((code, &replayed), (0, &live), "{said}");
    assert_eq!(replayed.lines().count(), 4, "{replayed}");

    let (code, _, said) = run(&replay, &[("QUESTION", "When does the last train leave?")]);
    assert_ne!(code, 0);
    assert!(said.contains("cassette mismatch: `agent` holds no recording of call 1"), "{said}");
}

/// Records a program into a cassette a provider, then replays it from both, and lets it ask something else of one.
fn replays_from_two(program: &[&str]) {
    let project = Project::new().with("SDKS", &sdks().join("node").display().to_string());
    let provider = provider();
    let openai = format!("openai={}/v1", provider.url());
    let anthropic = format!("anthropic={}", provider.url());
    let apart = "OPENAI_BASE_URL=$ONE_OPENAI_BASE_URL ANTHROPIC_BASE_URL=$AN_OTHER_ANTHROPIC_BASE_URL exec \"$@\"";
    let apart = ["sh", "-c", apart, "sh"];
    let two = ["serve", "one", "an/other"];
    let recording = [&two[..], &["--mode", "record", "--upstream", &openai, "--upstream", &anthropic, "--"]].concat();
    let run = |words: &[&str], question: &str| {
        let mut command = project.command(words);
        command.env("OPENAI_API_KEY", "0").env("ANTHROPIC_API_KEY", "0").env("QUESTION", question);
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    let (code, live, said) = run(&[&recording[..], &apart, program].concat(), "When?");
    assert_eq!(code, 0, "{said}");
    drop(provider);
    for (name, other) in [("one", "anthropic"), ("an/other", "openai")] {
        let file = project.read(&format!("cassettes/{name}.json"));
        assert!(
            file.matches("\"POST http://").count() == 2 && !file.contains(&format!("POST http://{other}")),
            "{file}"
        );
    }

    // Since each provider stands in one of them, the program finds them where it always looks, too.
    for how in [&apart[..], &[]] {
        let (code, replayed, said) = run(&[&two[..], &["--"], how, program].concat(), "When?");
        assert_eq!((code, &replayed), (0, &live), "{said}");
    }
    let (code, _, said) = run(&[&two[..], &["--"], program].concat(), "Why?");
    assert_ne!(code, 0);
    assert!(said.contains("cassette mismatch: `one` holds no recording of call 1"), "{said}");
    assert!(said.contains("1 of 2 cassettes failed: cassettes/one.json\n"), "{said}");
}

#[test]
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
fn pythons_clients_replay_plain_and_streamed() {
    let python = sdks().join("python/bin/python");
    if !python.is_file() {
        eprintln!("skipped: no Python clients: cargo xtask sdks");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdks/agent.py");
    replays(&[python.to_str().unwrap(), script]);
    replays_from_two(&[python.to_str().unwrap(), script]);
}

#[test]
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
fn nodes_clients_replay_plain_and_streamed() {
    if !sdks().join("node/node_modules/openai").is_dir() {
        eprintln!("skipped: no Node clients: cargo xtask sdks");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdks/agent.mjs");
    replays(&["node", script]);
    replays_from_two(&["node", script]);
}
