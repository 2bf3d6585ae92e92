//! A longer conversation, with all that a page has to show, and what became of it later.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use crate::recordings::{ask, chat, conversation, json, pieces};

/// What somebody who wants to run a program in a reader's browser puts into a reply.
pub(crate) const HOSTILE: &str = r#"</script></div></main><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><iframe src=https://example.com></iframe><style>*{display:none}</style><svg onload=alert(1)><a href=javascript:alert(1)>x</a>"#;

const SYSTEM: &str = r#"{"role":"system","content":"You plan journeys by train. Answer from the timetable alone, and never guess a platform."}"#;

const TOOLS: &str = r#""tools":[{"type":"function","function":{"name":"search_trains","description":"Finds the trains between two places on a day.","parameters":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"},"date":{"type":"string","format":"date"}},"required":["from","to"]}}},{"type":"function","function":{"name":"seat_map","description":"Tells which seats of a train are free.","parameters":{"type":"object","properties":{"train":{"type":"string"}}}}}]"#;

/// A conversation of seven calls.
pub(crate) fn trip() -> Vec<(Call, Outcome)> {
    told("R 42", 1_340)
}

/// The same, later: another train is found and so another answer given, a call came, and one is gone.
pub(crate) fn later() -> Vec<(Call, Outcome)> {
    let mut calls = told("R 44", 1_362);
    calls.remove(6);
    calls.insert(2, (ask("Wie viele Fahrräder dürfen mit?"), json(200, &said("chatcmpl-9", "Zwei, im Wagen 4."))));
    calls
}

fn told(train: &str, input: u64) -> Vec<(Call, Outcome)> {
    let ticket = STANDARD.encode(png(96, 48));
    let user = format!(
        r#"{{"role":"user","content":[{{"type":"text","text":"When does the next train to Bergen leave, and from which platform? This is my ticket."}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{ticket}"}}}}]}}"#
    );
    let called = format!(
        r#"{{"id":"call_1a2b3c","type":"function","function":{{"name":"search_trains","arguments":"{{\"from\":\"Oslo S\",\"to\":\"Bergen\",\"date\":\"2026-11-29\"}}"}}}},{{"id":"call_4d5e6f","type":"function","function":{{"name":"seat_map","arguments":"{{\"train\":\"{train}\"}}"}}}}"#
    );
    let found = format!(
        r#"{{"role":"tool","tool_call_id":"call_1a2b3c","content":"{{\"train\":\"{train}\",\"departs\":\"09:04\",\"arrives\":\"15:57\",\"stops\":[\"Drammen\",\"Hønefoss\",\"Geilo\",\"Finse\",\"Myrdal\",\"Voss\"],\"platform\":null}}"}},{{"role":"tool","tool_call_id":"call_4d5e6f","content":"{{\"free\":[\"4A\",\"4C\",\"11F\"]}}"}}"#
    );
    let first = chat(&format!(r#"{{"model":"gpt-4o-mini","messages":[{SYSTEM},{user}],{TOOLS},"temperature":0.2}}"#));
    let second = chat(&format!(
        r#"{{"model":"gpt-4o-mini","messages":[{SYSTEM},{user},{{"role":"assistant","content":null,"tool_calls":[{called}]}},{found}],{TOOLS},"temperature":0.2,"stream":true,"stream_options":{{"include_usage":true}}}}"#
    ));
    let asks = format!(
        r#"{{"id":"chatcmpl-1","model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":null,"tool_calls":[{called}]}},"finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":{input},"completion_tokens":61,"prompt_tokens_details":{{"cached_tokens":1024}}}}}}"#
    );
    let event =
        |text: &str| format!("data: {{\"id\":\"chatcmpl-2\",\"choices\":[{{\"index\":0,\"delta\":{text}}}]}}\n\n");
    let answer = format!(
        "The next train is **{train}**, at 09:04 from Oslo S.\\n\\n| stop | time |\\n|---|---|\\n| Drammen | 09:38 |\\n| Finse | 13:31 |\\n| Bergen | 15:57 |\\n\\nThe timetable names no platform yet."
    );
    let (head, tail) = answer.split_at(40);
    let counted = format!(
        "data: {{\"id\":\"chatcmpl-2\",\"choices\":[],\"usage\":{{\"prompt_tokens\":{},\"completion_tokens\":88}}}}\n\ndata: [DONE]\n\n",
        input + 140
    );
    let stream = pieces(
        200,
        "text/event-stream",
        &[
            &event(r#"{"role":"assistant","reasoning_content":"The tool names no platform, so I must not name one."}"#),
            &event(&format!(r#"{{"content":"{head}"}}"#)),
            &event(&format!(r#"{{"content":"{tail}"}},"finish_reason":"stop""#)),
            &counted,
        ],
    );
    let mut others = conversation().split_off(1).into_iter();
    let (cut, limited, timeout, plain) =
        (others.next().unwrap(), others.next().unwrap(), others.next().unwrap(), others.next().unwrap());
    let long: String = (1..=60).map(|i| format!("{i}. A rule of carriage that nobody reads to its end.\\n")).collect();
    vec![
        (first, json(200, &asks)),
        (second, stream),
        limited,
        timeout,
        (ask("What does the law say?"), json(200, &said("chatcmpl-5", &long))),
        (ask(HOSTILE), json(200, &said("chatcmpl-6", HOSTILE))),
        plain,
        cut,
    ]
}

fn said(id: &str, text: &str) -> String {
    format!(
        r#"{{"id":"{id}","model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":21,"completion_tokens":9}}}}"#
    )
}

/// Returns a picture of this size: a slope of colours.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..height {
        pixels.push(0);
        for x in 0..width {
            pixels.extend([(255 * x / width) as u8, (255 * y / height) as u8, 160]);
        }
    }
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&pixels).unwrap();
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in [(b"IHDR", head), (b"IDAT", packed.finish().unwrap()), (b"IEND", Vec::new())] {
        out.extend((body.len() as u32).to_be_bytes());
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(&body);
        out.extend(kind);
        out.extend(&body);
        out.extend(sum.sum().to_be_bytes());
    }
    out
}
