//! What redaction does to whole calls and replies.

use std::time::Duration;

use proptest::prelude::{ProptestConfig, any, prop, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};

use super::{
    Depth, Rules, Secrets, placeholders, redact_call, redact_error, redact_recorded, redact_recorded_reply,
    redact_reply, redact_text, unescape,
};
use crate::call::{Call, Kind};
use crate::reply::{Chunk, Reply, TransportClass, TransportError};

/// A credential, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

fn post(url: &str, content_type: &str, body: &str) -> Call {
    Call::http("POST", url, vec![("content-type".into(), content_type.into())], body.into())
}

fn json(body: &str) -> Call {
    post("https://api.test/v1", "application/json", body)
}

fn reply(content_type: &str, chunks: &[&str]) -> Reply {
    let chunks =
        chunks.iter().map(|chunk| Chunk { bytes: chunk.as_bytes().to_vec(), at: Some(Duration::ZERO) }).collect();
    Reply {
        status: 200,
        headers: vec![("content-type".into(), content_type.into())],
        chunks,
        trailers: Vec::new(),
        truncated: None,
    }
}

/// Redacts a body in which `KEY` stands for a credential; in what is expected, `#` stands for its placeholder.
#[track_caller]
fn check_body(call: &Call, expected: &str) {
    let call = Call { body: String::from_utf8_lossy(&call.body).replace("KEY", &key()).into_bytes(), ..call.clone() };
    let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
    let body = String::from_utf8_lossy(&redacted.body).into_owned();
    let named = placeholders(&body).next().map(str::to_owned).unwrap_or_default();
    assert_eq!(if named.is_empty() { body } else { body.replace(&named, "#") }, expected);
    let again = redact_recorded(redacted.call(), &Rules::default(), Depth::Shape, &mut Secrets::default());
    assert_eq!(again.call(), redacted.call());
}

#[test]
fn a_secret_in_hexadecimal_is_hidden_in_it() {
    let lower = |text: &str| hexadecimal(text, "");
    let forms: [fn(&str) -> String; 6] = [
        |text| hexadecimal(text, ""),
        |text| hexadecimal(text, "").to_uppercase(),
        |text| hexadecimal(text, ":"),
        |text| hexadecimal(text, " "),
        |text| hexadecimal(text, ", ").to_uppercase(),
        |text| format!("00ff{}{}", hexadecimal(text, ""), "fe00"),
    ];
    for form in forms {
        let around = |text: &str| format!("[\"dump: {}.\"]", form(&format!("the key is {text} there")));
        check_body(&json(&around(&key())), &around("REDACTED.openai-key.0"));
    }
    let packed = |text: &str| {
        let spelling = super::coding::base64::Spelling { url: false, padded: true };
        super::coding::base64::encode(text.as_bytes(), spelling)
    };
    check_body(
        &json(&format!("[\"{}\"]", packed(&lower(&key())))),
        &format!("[\"{}\"]", packed(&lower("REDACTED.openai-key.0"))),
    );
    let rules = Rules::default();
    let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), "tulip gate 9".to_owned())]);
    let told = redact_text(&format!("x'{}'", lower("tulip gate 9")), &rules, &mut secrets);
    assert_eq!(told, format!("x'{}'", lower("REDACTED.secret.0")));
    let digest = format!("[\"{}\"]", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
    check_body(&json(&digest), &digest);
}

#[test]
fn a_secret_in_utf_16_is_hidden_in_it() {
    let rules = Rules::default();
    let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), "tulip gate 9".to_owned())]);
    let said =
        |key: &str, known: &str| format!("{{\"town\": \"Bod\u{f8}\", \"the key\": \"{key}\", \"b\": \"{known}\"}}");
    for (mark, unit) in [
        (&b"\xff\xfe"[..], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        (b"\xfe\xff", u16::to_be_bytes),
        (b"", u16::to_le_bytes),
    ] {
        let wide = |text: &str| [mark, &text.encode_utf16().flat_map(unit).collect::<Vec<_>>()].concat();
        let call = Call { body: wide(&said(&key(), "tulip gate 9")), ..post("https://a.test", "text/plain", "") };
        let redacted = redact_call(&call, &rules, Depth::Known, &mut secrets);
        assert_eq!(redacted.body, wide(&said("REDACTED.openai-key.0", "REDACTED.secret.0")));
        assert_eq!(redact_recorded(redacted.call(), &rules, Depth::Known, &mut secrets).call(), redacted.call());
    }
}

#[test]
fn a_secret_in_quoted_printable_is_hidden_in_it() {
    let mail = |body: &str| post("https://a.test", "text/plain", body);
    check_body(&mail("the key is=\r\n KEY=3D there"), "the key is=\r\n #=3D there");
    let key = key();
    let broken = format!("=3D {}=\r\n{}.", &key[..11], &key[11..]);
    check_body(&mail(&broken), "=3D #.");
    check_body(&json("[\"password=3DTulip=219gate; x\"]"), "[\"password=#; x\"]");
    let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), "tulip=gate=9".to_owned())]);
    let told = redact_text("a tulip=3Dgat=\ne=3D9 b", &Rules::default(), &mut secrets);
    assert_eq!(told, "a REDACTED.secret.1 b");
}

#[test]
fn what_tables_and_statements_hold_is_hidden() {
    check_body(
        &post("https://a.test", "text/csv", "user,password\r\njoe,tulip-gate\r\n"),
        "user,password\r\njoe,#\r\n",
    );
    check_body(&json(r#"{"said": "user,password\njoe,tulip-gate\n"}"#), r#"{"said": "user,password\njoe,#\n"}"#);
    check_body(
        &json(r#"{"query": "ALTER ROLE joe PASSWORD 'tulip-gate'"}"#),
        r#"{"query": "ALTER ROLE joe PASSWORD '#'"}"#,
    );
    check_body(
        &json("{\"query\": \"CREATE USER joe IDENTIFIED BY \\\"tulip-gate\\\"\"}"),
        "{\"query\": \"CREATE USER joe IDENTIFIED BY \\\"#\\\"\"}",
    );
}

fn hexadecimal(text: &str, separator: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(separator)
}

#[test]
fn a_secret_that_an_array_spells_out_is_hidden_in_it() {
    let bytes = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",");
    let characters = |text: &str| text.chars().map(|c| format!("{:?}", c.to_string())).collect::<Vec<_>>().join(",");
    let said = format!("the key is {} \u{e9}", key());
    let hidden = "the key is REDACTED.openai-key.0 \u{e9}";
    let events = |array: &str| format!("data: {{\"a\":[{array}]}}\n\ndata: [{array}]\n\n");
    for (spelled, expected) in [(bytes(&said), bytes(hidden)), (characters(&said), characters(hidden))] {
        check_body(&json(&format!("[{spelled}]")), &format!("[{expected}]"));
        check_body(
            &json(&format!("{{\"a\": [[ {spelled} ], [1,2]]}}")),
            &format!("{{\"a\": [[ {expected} ], [1,2]]}}"),
        );
        check_body(&json(&format!("{{\"a\":[{}]}}", spelled.replace(',', " ,\n"))), &format!("{{\"a\":[{expected}]}}"));
        check_body(&post("https://a.test", "text/event-stream", &events(&spelled)), &events(&expected));
    }
    for plain in ["[1,2,3,4,5,6,7,8,9,10]", "[104,105,32,104,105,32,104,105]", r#"["a","b","c","d","e","f","g","h"]"#] {
        check_body(&json(plain), plain);
    }
}

#[test]
fn the_audit_finds_what_arrays_spell_out() {
    let found = |body: String| {
        let file = format!("{{\"cassette\": 1, \"interactions\": [{{\"reply\": {{\"body\": {body}}}}}]}}");
        let findings = crate::audit::audit(&file, &Rules::default(), &Secrets::default(), &[]);
        let masked = crate::audit::mask(&file, &Rules::default(), &Secrets::default());
        let findings: Vec<_> = findings.iter().map(|finding| format!("{} {}", finding.path, finding.rule)).collect();
        (findings, masked)
    };
    let spelled = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",");
    let (findings, masked) = found(format!("{{\"json\": {{\"a\": [{}]}}}}", spelled(&key())));
    assert_eq!(findings, ["interactions[0].reply.body.json.a openai-key"]);
    assert!(masked.contains("[\"MASKED.openai-key\",\"MASKED.openai-key\","), "{masked}");
    let key = key();
    let (one, other) = key.split_at(12);
    let events = format!("{{\"events\": [{{\"data\": [{}]}}, {{\"data\": [{}]}}]}}", spelled(one), spelled(other));
    let (findings, _) = found(events);
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert_eq!(found(format!("{{\"json\": [{}]}}", spelled("the next train leaves at nine"))).0, [""; 0]);
}

#[test]
fn a_password_is_hidden_by_its_name_whatever_it_is_made_of() {
    for password in ["correct horse battery", "Tr0ub4dor&3", "open sesame now", "swordfish12"] {
        check_named("password", password, true);
    }
    for said in
        ["is too short", "The password is wrong", "must not be empty", "", "****", "your password here", "string"]
    {
        check_named("password", said, false);
    }
    check_number("api_key", "998877665544332211", true);
    for (name, number) in [
        ("token", "998877665544332211"),
        ("api_key", "128000"),
        ("max_tokens", "100000000000"),
        ("id", "998877665544332211"),
    ] {
        check_number(name, number, false);
    }
}

#[track_caller]
fn check_named(name: &str, value: &str, hidden: bool) {
    let body = format!("{{\"{name}\":{value:?}}}");
    let redacted = redact_call(&json(&body), &Rules::default(), Depth::Shape, &mut Secrets::default());
    let found = String::from_utf8_lossy(&redacted.body).contains("REDACTED.");
    assert_eq!(found, hidden, "{value}");
}

#[track_caller]
fn check_number(name: &str, number: &str, hidden: bool) {
    let body = format!("{{\"{name}\":{number}}}");
    let redacted = redact_call(&json(&body), &Rules::default(), Depth::Shape, &mut Secrets::default());
    assert_eq!(String::from_utf8_lossy(&redacted.body).contains("REDACTED."), hidden, "{body}");
}

#[test]
fn a_body_keeps_every_byte_around_a_secret() {
    check_body(&json(r#"{ "a" : "KEY", "n": 1.0}"#), r##"{ "a" : "#", "n": 1.0}"##);
    check_body(&json(r#"{"a":"{\"b\":\"KEY\"}","a":"\u00e9"}"#), r##"{"a":"{\"b\":\"#\"}","a":"\u00e9"}"##);
    check_body(&json(r#"{"KEY":{"spend":1}}"#), r##"{"#":{"spend":1}}"##);
    check_body(&json(r#"{"a":"x KEY"#), r##"{"a":"x #"##);
    check_body(
        &post("https://a.test", "application/x-www-form-urlencoded", "a=1&api_key=KEY&b=%20"),
        "a=1&api_key=#&b=%20",
    );
    check_body(&post("https://a.test", "text/plain", "a%253DKEY%2526 &quot;KEY&quot;"), "a%253D#%2526 &quot;#&quot;");
    check_body(&json(r#"{"max_tokens":16,"tokens":["a"]}"#), r#"{"max_tokens":16,"tokens":["a"]}"#);
}

#[test]
fn names_decide_by_what_stands_under_them() {
    let value = "hunter3-Zq9";
    for (body, hidden) in [
        (r#"{"password":"V"}"#, true),
        (r#"{"name":"DB_PASSWORD","value":"V"}"#, true),
        (r#"[["x-api-key","V"]]"#, true),
        (r#"{"api_keys":["V"]}"#, true),
        (r#"{"kty":"OKP","d":"V"}"#, true),
        (r#"{"password":{"type":"V"}}"#, false),
        (r#"{"password_hint":"V"}"#, false),
        (r#"{"d":"V"}"#, false),
    ] {
        let call = json(&body.replace('V', value));
        let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
        assert_eq!(redacted.body != call.body, hidden, "{body}");
    }
}

#[test]
fn names_beside_and_above_a_value_decide_too() {
    for (body, hidden) in [
        (r#"{"headers":[["x-api-key","V"],["retry-after","3"]]}"#, true),
        (r#"{"a":{"headers":[["password","V"]]}}"#, true),
        (r#"{"headers":[["x-vault-token","V"]]}"#, true),
        (r#"{"error":{"type":"HttpErr","headers":[["x-api-key","V"]]}}"#, true),
        (r#"{"headers":[{"name":"x-api-key","value":"V"}]}"#, true),
        (r#"{"password":{"current":"V"}}"#, true),
        (r#"{"x-api-key":{"value":"V"}}"#, true),
        (r#"{"user":{"password":{"new":"V","old":"x"}}}"#, true),
        (r#"{"field":"password","value":"V"}"#, true),
        (r#"{"key":"password","val":"V"}"#, true),
        (r#"["--password","V"]"#, true),
        (r#"{"args":["run","--api-key","V","-v"]}"#, true),
        (r#"{"password":{"S":"V"}}"#, true),
        (r#"{"changes":{"password":{"from":"x","to":"V"}}}"#, true),
        (r#"{"password":{"new":{"v":"V"}}}"#, true),
        (r#"{"password":{"a":{"b":[{"c":{"d":"V"}}]}}}"#, true),
        (r#"{"password":{"type":"str","values":["V"]}}"#, true),
        (r#"{"api_key":{"new":{"v":"V"}}}"#, true),
        (r#"{"field":"password","old":"abc","new":"V"}"#, true),
        (r#"[{"op":"replace","path":"/user/password","value":"V"}]"#, true),
        (r#"{"label":"Password","type":"text","content":"V"}"#, true),
        (r#"{"Name":"/db/x","Type":"SecureString","value":"V"}"#, true),
        (r#"{"id":"x","type":"CONCEALED","value":"V"}"#, true),
        (r#"{"db":{"sensitive":true,"type":"string","value":"V"}}"#, true),
        (r#"{"Name":"db","SecretString":"V"}"#, true),
        (r#"{"kind":"Secret","data":{"db":"V"}}"#, true),
        (r#"{"name":"projects/1/secrets/db/versions/1","payload":{"data":"V"}}"#, true),
        (r#"{"value":"V","id":"https://v.vault.azure.net/secrets/db/1"}"#, true),
        (r#"{"lease_id":"","data":{"data":{"db":"V"}}}"#, true),
        (r#"{"password":{"id":"V"}}"#, false),
        (r#"{"password":{"updatedAt":"V"}}"#, false),
        (r#"{"api_key":{"owner":{"v":"V"}}}"#, false),
        (r#"{"page":{"new":{"v":"V"}}}"#, false),
        (r#"{"field":"town","old":"abc","new":"V"}"#, false),
        (r#"[{"op":"replace","path":"/user/town","value":"V"}]"#, false),
        (r#"{"Type":"String","value":"V"}"#, false),
        (r#"{"db":{"sensitive":false,"value":"V"}}"#, false),
        (r#"{"kind":"ConfigMap","data":{"db":"V"}}"#, false),
        (r#"{"columns":["user","password"],"rows":[["a","V"],["b","x"]]}"#, true),
        (r#"{"fields":["user","password"],"values":["a","V"]}"#, true),
        (r#"{"a":"{\"headers\":[[\"x-api-key\",\"V\"]]}"}"#, true),
        (r#"{"languages":["password","username"]}"#, false),
        (r#"{"required":["token","session_id"]}"#, false),
        (r#"{"args":["--verbose","V"]}"#, false),
        (r#"{"password":{"description":"V"}}"#, false),
        (r#"{"page":{"current":"V"}}"#, false),
        (r#"{"name":"password","description":"V"}"#, false),
        (r#"{"columns":["user","password"],"rows":[["V","x"]]}"#, false),
        (r#"{"columns":["user","password"],"rows":[["a","b","V"]]}"#, false),
    ] {
        let call = json(&body.replace('V', "hunter-77-Abc-def-xyz"));
        let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
        assert_eq!(redacted.body != call.body, hidden, "{body}");
        let file = |body: &[u8]| {
            let body = String::from_utf8_lossy(body).into_owned();
            format!("{{\"cassette\":1,\"interactions\":[{{\"request\":{{\"body\":{{\"json\":{body}}}}}}}]}}")
        };
        let audit = |text: &str| crate::audit::audit(text, &Rules::default(), &Secrets::default(), &[]);
        assert_eq!(!audit(&file(&call.body)).is_empty(), hidden, "the audit of {body}");
        assert_eq!(audit(&file(&redacted.body)), [], "the audit of what is left of {body}");
        let masked = crate::audit::mask(&file(&call.body), &Rules::default(), &Secrets::default());
        assert_eq!(masked.contains("hunter"), !hidden && body.contains('V'), "the mask of {body}: {masked}");
    }
}

#[test]
fn a_known_value_is_found_in_dumps_and_where_every_letter_is_coded() {
    let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), "tulip gate 9".to_owned())]);
    let mut told = |text: &str| redact_text(text, &Rules::default(), &mut secrets);
    let coded = |unit: fn(u8) -> String, text: &str| text.bytes().map(unit).collect::<String>();
    let quoted: fn(u8) -> String = |b| format!("={b:02X}");
    assert_eq!(told(&coded(quoted, "a tulip gate 9")), format!("{}REDACTED.secret.1", coded(quoted, "a ")));
    for unit in [|b| format!("&#{b}"), (|b| format!("&#x{b:x};")) as fn(u8) -> String, |b| format!("&amp;#{b};")] {
        let text = coded(unit, "a tulip gate 9");
        assert_eq!(told(&text), format!("{}REDACTED.secret.1", coded(unit, "a ")));
    }
    let spaced: fn(u8) -> String = |b| format!("{b} ");
    assert_eq!(told(&coded(spaced, "tulip gate 9")).trim(), coded(spaced, "REDACTED.secret.0").trim());
    let dump = "00000000: 6120 7475 6c69 7020 6761 7465 2039 2061  a tulip gate 9 a\n";
    let hidden = "00000000: 6120 5245 4441 4354 4544 2e73 6563 7265  a REDACTED.secre\n00000010: 742e 3020 61                             t.0 a\n";
    assert_eq!(told(dump), hidden);
}

#[test]
fn tables_in_documents_are_read_by_their_heads() {
    let value = "hunter-77-Abc-def-xyz";
    for (body, hidden) in [
        (r#"{"columns":[{"name":"user"},{"name":"password"}],"rows":[["bob","V"],["ann","x"]]}"#, true),
        (r#"{"schema":{"fields":[{"name":"user"},{"name":"password"}]},"rows":[{"f":[{"v":"bob"},{"v":"V"}]}]}"#, true),
        (r#"{"values":[["user","password"],["bob","V"]]}"#, true),
        (r#"[["user","password","town"],["bob","V","Voss"]]"#, true),
        (r#"{"columnMetadata":[{"name":"id"},{"name":"password"}],"records":[[{"n":1},{"v":"V"}]]}"#, false),
        (r#"{"columnMetadata":[{"name":"user"},{"name":"password"}],"records":[[{"v":"b"},{"v":"V"}]]}"#, true),
        (r#"{"columns":[{"name":"user"},{"name":"password"}],"rows":[["V","x"]]}"#, false),
        (r#"{"columns":[{"name":"user"},{"name":"password"}],"rows":[["a","b","V"]]}"#, false),
        (r#"{"values":[["user","town"],["bob","V"]]}"#, false),
        (r#"{"a":{"b":{"c":{"d":{"columns":["user","password"]}}}},"rows":[["bob","V"]]}"#, false),
    ] {
        let call = json(&body.replace('V', value));
        let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
        assert_eq!(redacted.body != call.body, hidden, "{body}");
    }
}

#[test]
fn long_numbers_and_what_is_in_a_secret_are_hidden() {
    check_named("SecretString", "{\"username\":\"joe\",\"pass\":\"Tu7lip-gate-77xQ\"}", true);
    check_named("SecretString", "{\"pass\":\"Tulip-gate\"}", false);
    check_number("password", "90817263544", true);
    check_number("password", "1234567", false);
    check_number("api_key", "90817263544", true);
    check_number("api_key", "1700000000", false);
    check_number("max_tokens", "90817263544", false);
}

#[test]
fn headers_that_the_user_names_are_found_in_pairs() {
    let rules = Rules { headers: vec!["x-acme".into()], ..Rules::default() };
    let call = json(r#"{"error":{"headers":[["x-acme","blue"],["x-other","blue"]]}}"#);
    let redacted = redact_call(&call, &rules, Depth::Shape, &mut Secrets::default());
    let body = String::from_utf8_lossy(&redacted.body).into_owned();
    assert_eq!(body, r#"{"error":{"headers":[["x-acme","REDACTED.header.1"],["x-other","blue"]]}}"#);
}

#[test]
fn the_line_and_the_headers_are_redacted_too() {
    let key = key();
    let mut call = post(&format!("https://user:{key}@a.test/p?key={key}&q=1#f"), "text/plain", "");
    call.headers.extend([("authorization".into(), format!("Bearer {key}")), ("anthropic-version".into(), "1".into())]);
    let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
    let named = redacted.secrets()[0].placeholder();
    assert_eq!(redacted.name, format!("POST https://user:{named}@a.test/p?key={named}&q=1#f"));
    assert_eq!(redacted.headers.len(), 2);
    assert_eq!(redacted.secrets().len(), 1);
    assert!(!format!("{redacted:?}").contains(&key));
}

#[test]
fn only_the_known_depth_looks_for_what_is_known() {
    let environment = [("ACME_TOKEN".to_owned(), "timetable".to_owned())];
    let mut secrets = Secrets::new(&environment);
    let call = json(r#"{"q":"the timetable, a timetables, dGhlIHRpbWV0YWJsZSE="}"#);
    let shape = redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
    assert_eq!(shape.body, call.body);
    let known = redact_call(&call, &Rules::default(), Depth::Known, &mut secrets);
    let body = String::from_utf8_lossy(&known.body).into_owned();
    assert!(
        body.starts_with(r#"{"q":"the REDACTED.secret.1, a timetables, "#) && !body.contains("dGhlIHRpbWV0"),
        "{body}"
    );
}

#[test]
fn an_echo_of_a_header_is_found() {
    let token = "q7Zp9Lm2Xw4Rt6Yb";
    let mut call = json("{}");
    call.headers.push(("x-api-key".into(), token.into()));
    let answer = reply("text/plain", &[&format!("no such key {token}.")]);
    let redacted = redact_reply(&answer, &call, &Rules::default(), &mut Secrets::default());
    assert_eq!(redacted.body(), b"no such key REDACTED.secret.1.");
}

#[test]
fn an_echo_is_found_of_what_does_not_look_secret_but_stands_where_secrets_do() {
    let padded = super::coding::base64::Spelling { url: false, padded: true };
    let basic = |value: &str| super::coding::base64::encode(format!("me:{value}").as_bytes(), padded);
    for value in ["QmZtLrWkXpVn", "kWqLzR!tpmNs", "bcdfghjklmnpqr", "x7k2m9q4w1z"] {
        let header = |name: &str, value: String| {
            let mut call = json("{}");
            call.headers.push((name.into(), value));
            call
        };
        let calls = [
            header("authorization", format!("Basic {}", basic(value))),
            header("x-api-key", value.to_owned()),
            json(&format!("{{\"password\":\"{value}\"}}")),
            json(&format!("{{\"at\":\"postgres://me:{}@db.test/x\"}}", value.replace('!', "%21"))),
        ];
        for call in calls {
            let mut secrets = Secrets::default();
            redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
            let answer = reply("text/plain", &[&format!("me with {value} denied")]);
            let body = redact_reply(&answer, &call, &Rules::default(), &mut secrets).body();
            assert!(!String::from_utf8_lossy(&body).contains(value), "{value} in {call:?}");
        }
    }
}

#[test]
fn what_people_give_to_a_test_is_hidden_where_it_stands_and_nowhere_else() {
    for value in ["testuser1", "12345678", "postgres1", "test-user-1"] {
        let mut call = json(&format!("{{\"user\":\"{value}\",\"password\":\"{value}\"}}"));
        call.headers.push(("x-api-key".into(), value.into()));
        let mut secrets = Secrets::default();
        let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
        assert!(String::from_utf8_lossy(&redacted.body).ends_with("\"password\":\"REDACTED.password.1\"}"));
        let answer = reply("application/json", &[&format!("{{\"path\":\"/users/{value}\",\"id\":12345678}}")]);
        assert_eq!(redact_reply(&answer, &call, &Rules::default(), &mut secrets).body(), answer.body(), "{value}");
    }
}

#[test]
fn a_stream_keeps_its_events_and_chunks() {
    let key = key();
    let (head, tail) = key.split_at(12);
    let event =
        |text: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    let events = [event("use "), event(head), event(tail), event(" now")];
    let answer = reply("text/event-stream", &events.each_ref().map(String::as_str));
    let redacted = redact_reply(&answer, &json("{}"), &Rules::default(), &mut Secrets::default());
    let chunks: Vec<String> =
        redacted.chunks.iter().map(|chunk| String::from_utf8_lossy(&chunk.bytes).into_owned()).collect();
    assert_eq!(chunks, [event("use "), event("REDACTED.openai-key.1"), event(""), event(" now")]);
}

#[test]
fn reply_headers_keep_what_a_program_needs() {
    let mut answer = reply("text/plain", &["x"]);
    for (name, value) in [
        ("set-cookie", "sid=abc; Path=/"),
        ("date", "now"),
        ("retry-after", "3"),
        ("content-length", "1"),
        ("x-request-id", "r1"),
    ] {
        answer.headers.push((name.into(), value.into()));
    }
    let rules = Rules { keep_reply_headers: vec!["x-request-id".into()], ..Rules::default() };
    let redacted = redact_reply(&answer, &json("{}"), &rules, &mut Secrets::default());
    let headers: Vec<_> = redacted.headers.iter().skip(1).map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        headers,
        ["set-cookie: sid=REDACTED.cookie.1; Path=/", "date: volatile", "retry-after: 3", "x-request-id: r1"]
    );
}

#[test]
fn what_looks_like_a_placeholder_is_escaped_unless_it_was_served() {
    let mut secrets = Secrets::default();
    secrets.start_after(["REDACTED.token.2"].into_iter());
    let call = json(r#"{"a":"REDACTED.x.1 REDACTED..x.1 REDACTED.token.2"}"#);
    let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
    let body = String::from_utf8_lossy(&redacted.body).into_owned();
    assert_eq!(body, r#"{"a":"REDACTED..x.1 REDACTED...x.1 REDACTED.token.2"}"#);
    assert_eq!(unescape(&body).into_bytes(), call.body);
    let again = redact_recorded(redacted.call(), &Rules::default(), Depth::Known, &mut secrets);
    assert_eq!(again.call(), redacted.call());
}

#[test]
fn a_bound_secret_gets_the_recorded_placeholder() {
    let mut secrets = Secrets::default();
    let call = json(&format!(r#"{{"a":"{}"}}"#, key()));
    let first = redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
    secrets.bind(&first.secrets()[0].clone(), "REDACTED.openai-key.7");
    let second = redact_call(&call, &Rules::default(), Depth::Shape, &mut secrets);
    assert_eq!(second.body, br#"{"a":"REDACTED.openai-key.7"}"#);
}

#[test]
fn the_users_rules_add() {
    let rules = Rules {
        fields: vec!["tenant-id".into()],
        values: vec!["acme".into()],
        custom: vec![|text| text.split(' ').filter(|word| word.starts_with("zz")).map(str::to_owned).collect()],
        pii: true,
        ..Rules::default()
    };
    let call = json(r#"{"tenantId":42,"q":"acme zz9 a@b.org","password":"Zq9-hunter3"}"#);
    let redacted = redact_call(&call, &rules, Depth::Shape, &mut Secrets::default());
    let expected = r#"{"tenantId":"REDACTED.field.1","q":"REDACTED.value.1 REDACTED.custom.1 REDACTED.email.1","password":"REDACTED.password.1"}"#;
    assert_eq!(String::from_utf8_lossy(&redacted.body), expected);
}

#[test]
fn what_stands_under_a_name_of_the_users_is_hidden_everywhere() {
    let rules = Rules { fields: vec!["customer".into()], headers: vec!["x-tenant".into()], ..Rules::default() };
    let mut secrets = Secrets::default();
    let body = r#"{"q":"is K-4711-xy here, or 70112233?","customer":"K-4711-xy","mode":"default"}"#;
    let mut call = post("https://a.test/p?customer=4711a4711b&x=K-4711-xy", "application/json", body);
    call.headers.push(("x-tenant".into(), "70112233".into()));
    let redacted = redact_call(&call, &rules, Depth::Known, &mut secrets);
    assert_eq!(redacted.name, "POST https://a.test/p?customer=REDACTED.field.1&x=REDACTED.field.2");
    assert_eq!(
        String::from_utf8_lossy(&redacted.body),
        r#"{"q":"is REDACTED.field.2 here, or REDACTED.secret.1?","customer":"REDACTED.field.2","mode":"default"}"#
    );
    let mut answer = reply("text/plain", &["/p?customer=4711a4711b of K-4711-xy, renamed T-9988776"]);
    answer.headers.push(("x-tenant".into(), "T-9988776".into()));
    let redacted = redact_reply(&answer, &call, &rules, &mut secrets);
    let body = "/p?customer=REDACTED.field.1 of REDACTED.field.2, renamed REDACTED.header.1";
    assert_eq!(String::from_utf8_lossy(&redacted.body()), body);
    let later = redact_call(&json(r#"{"q":"and T-9988776?"}"#), &rules, Depth::Known, &mut secrets);
    assert_eq!(String::from_utf8_lossy(&later.body), r#"{"q":"and REDACTED.header.1?"}"#);
}

#[test]
fn an_ordinary_word_under_a_name_of_the_users_is_hidden_only_there() {
    let rules = Rules { fields: vec!["customer".into()], headers: vec!["x-tenant".into()], ..Rules::default() };
    for word in ["1", "true", "default", "4711", "production"] {
        let mut call = json(&format!(r#"{{"q":"{word} or not","customer":"{word}"}}"#));
        call.headers.push(("x-tenant".into(), word.into()));
        let redacted = redact_call(&call, &rules, Depth::Known, &mut Secrets::default());
        let expected = format!(r#"{{"q":"{word} or not","customer":"REDACTED.field.1"}}"#);
        assert_eq!(String::from_utf8_lossy(&redacted.body), expected);
    }
}

#[test]
fn numbers_are_texts_too() {
    let rules = Rules {
        values: vec!["4155550123".into()],
        custom: vec![|text| text.split(' ').filter(|word| word.starts_with("777")).map(str::to_owned).collect()],
        pii: true,
        ..Rules::default()
    };
    let mut secrets = Secrets::new(&[("BANK_PASSWORD".to_owned(), "8273645190".to_owned())]);
    let body = r#"{"a":4155550123,"b":[4111111111111111,-7771],"c":8273645190,"d":82736451901,"e":4.111111111111111,"f":"4155550123"}"#;
    let redacted = redact_call(&json(body), &rules, Depth::Known, &mut secrets);
    let expected = r#"{"a":"REDACTED.value.1","b":["REDACTED.card-number.1",-7771],"c":"REDACTED.secret.1","d":82736451901,"e":4.111111111111111,"f":"REDACTED.value.1"}"#;
    assert_eq!(String::from_utf8_lossy(&redacted.body), expected);
    let again = redact_recorded(redacted.call(), &rules, Depth::Known, &mut secrets);
    assert_eq!(again.call(), redacted.call());
    let event = "data: {\"a\":4155550123}\n\n";
    let answer = redact_reply(&reply("text/event-stream", &[event]), &json("{}"), &rules, &mut secrets);
    assert_eq!(String::from_utf8_lossy(&answer.body()), "data: {\"a\":\"REDACTED.value.1\"}\n\n");
}

#[test]
fn what_the_user_named_is_hidden_in_bytes_too() {
    let rules = Rules { values: vec!["timetable".into()], ..Rules::default() };
    let call = json(r#"{"data":"timetable8273645190","url":"AAECAwQFBgcICQoLDA0ODw"}"#);
    let redacted = redact_call(&call, &rules, Depth::Shape, &mut Secrets::default());
    let expected = r#"{"data":"REDACTED.value.1","url":"AAECAwQFBgcICQoLDA0ODw"}"#;
    assert_eq!(String::from_utf8_lossy(&redacted.body), expected);
}

/// Texts of which each part begins something that would have to be followed far.
#[test]
fn a_text_that_takes_too_much_work_is_hidden_whole() {
    let rules = Rules { pii: true, ..Rules::default() };
    let many = |of: fn(usize) -> String| (0..2_000).map(of).collect::<String>();
    for hostile in [
        "token=".repeat(10_000),
        "sk-".repeat(10_000),
        "Cookie: a=b;".repeat(10_000),
        "eyJ.".repeat(10_000),
        format!("REDACTED.x.1 {}", "token=".repeat(10_000)),
        many(|i| format!("api_key=kX9{i:06}vQ7mZ2pL8wR4nY6cJ1 ")),
        many(|i| format!("p{i}@example.org ")),
        "\\\\&amp;amp;amp;%252525\\u00".repeat(4_000),
    ] {
        let said = crate::json::Json::from(hostile.as_str()).print(crate::json::Layout::Compact);
        let call = json(&format!(r#"{{"a":{said},"b":"fine"}}"#));
        let mut secrets = Secrets::default();
        secrets.start_after_text("REDACTED.x.1");
        let redacted = redact_call(&call, &rules, Depth::Known, &mut secrets);
        let expected = r#"{"a":"REDACTED.unsearched.1","b":"fine"}"#;
        assert_eq!(String::from_utf8_lossy(&redacted.body), expected, "{}", &hostile[..40]);
        let file = |body: &[u8]| format!(r#"{{"body": {{"json": {}}}}}"#, String::from_utf8_lossy(body));
        let audit = |body: &[u8]| crate::audit::audit(&file(body), &rules, &secrets, &[]);
        assert!(audit(&redacted.body).is_empty());
        let found = audit(&call.body);
        assert_eq!(found.iter().map(|f| f.rule.as_str()).collect::<Vec<_>>(), ["unsearched"], "{}", &hostile[..40]);
    }
}

#[test]
fn debug_tells_no_secret() {
    let rules = Rules { values: vec!["very-secret-value".into()], fields: vec!["pin".into()], ..Rules::default() };
    let mut secrets = Secrets::new(&[("A_KEY".to_owned(), "another-secret".to_owned())]);
    secrets.declare("s3cr3t").expect("it is long enough");
    let shown = format!("{rules:?} {secrets:?}");
    assert!(!["very-secret", "another-secret", "s3cr3t"].iter().any(|value| shown.contains(value)), "{shown}");
    assert!(shown.contains("pin"));
}

#[test]
fn what_is_learnt_later_is_hidden_where_it_stood_before() {
    let token = "kX9vQ7mZ2pL8wR4nY6cJ1hF5dG0sUaT3";
    let mut secrets = Secrets::default();
    let rules = Rules::default();
    let (head, tail) = token.split_at(9);
    let mut answer = reply("text/plain", &["x ", head, tail, " REDACTED.x.1"]);
    for (name, value) in
        [("x-next", token), ("date", "now"), ("x-session-id", token), ("set-cookie", "sid=abc; Path=/")]
    {
        answer.headers.push((name.into(), value.into()));
    }
    let first = redact_reply(&answer, &json("{}"), &rules, &mut secrets);
    assert_eq!(first.body(), String::from_utf8_lossy(&answer.body()).replace("REDACTED.x", "REDACTED..x").into_bytes());
    let mut later = json("{}");
    later.headers.push(("authorization".into(), format!("Bearer {token}")));
    redact_call(&later, &rules, Depth::Known, &mut secrets);

    // A volatile value that a later request took up stands in the file as it came.
    let mut recorded = first.reply().clone();
    recorded.headers[3].1 = token.to_owned();
    let again = redact_recorded_reply(&recorded, &rules, &mut secrets);
    let chunks: Vec<_> = again.chunks.iter().map(|chunk| String::from_utf8_lossy(&chunk.bytes).into_owned()).collect();
    assert_eq!(chunks, ["x ", "REDACTED.secret.1", "", " REDACTED..x.1"]);
    let headers: Vec<_> = again.headers.iter().skip(1).map(|(_, value)| value.as_str()).collect();
    assert_eq!(headers, ["REDACTED.secret.1", "volatile", "REDACTED.secret.1", "sid=REDACTED.cookie.1; Path=/"]);
    assert_eq!(redact_recorded_reply(again.reply(), &rules, &mut secrets).reply(), again.reply());
}

#[test]
fn the_beginning_of_what_was_cut_short_is_hidden() {
    let token = "kX9vQ7mZ2pL8wR4nY6cJ";
    let items = |items: &[&str]| {
        let lines: Vec<String> = items.iter().map(|item| format!("{{\"item\":\"{item}\"}}\n")).collect();
        reply("application/x-ndjson", &lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let cut = |truncated, answer: Reply| {
        let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), token.to_owned())]);
        let answer = Reply { truncated, ..answer };
        let redacted = redact_reply(&answer, &json("{}"), &Rules::default(), &mut secrets);
        let again = redact_recorded_reply(redacted.reply(), &Rules::default(), &mut secrets);
        assert_eq!(again.reply(), redacted.reply());
        String::from_utf8(redacted.body()).unwrap()
    };
    let left = Some(crate::reply::Truncation::Left);
    assert_eq!(
        cut(left, items(&["it is ", "kX9v", "Q7mZ", "2pL8", "wR4n"])),
        String::from_utf8(items(&["it is ", "REDACTED.secret.1", "", "", ""]).body()).unwrap()
    );
    assert_eq!(cut(left, reply("text/plain", &["kX9vQ7mZ2 kX9vQ7mZ2p"])), "kX9vQ7mZ2 REDACTED.secret.1");
    assert_eq!(cut(left, reply("text/plain", &["ends in kX9vQ7m"])), "ends in kX9vQ7m");
    assert_eq!(cut(None, reply("text/plain", &["kX9vQ7mZ2p"])), "kX9vQ7mZ2p");
}

#[test]
fn the_head_of_a_part_is_looked_into() {
    let part = |file: &str, content: &str| {
        format!(
            "--b\r\nContent-Disposition: form-data; name=\"api_key\"; filename=\"{file}\"\r\n\r\n{content}\r\n--b--\r\n"
        )
    };
    let sent = |body: &str| post("https://a.test", "multipart/form-data; boundary=b", body);
    check_body(&sent(&part("KEY.txt", "hello")), &part("#.txt", "hello"));
    check_body(&sent(&part("a.txt", "hello")), &part("a.txt", "hello"));
}

#[test]
fn messages_and_errors() {
    let error = TransportError { class: TransportClass::Connect, message: format!("no route for {}", key()) };
    let redacted = redact_error(&error, &Rules::default(), &mut Secrets::default());
    assert_eq!(redacted.message, "no route for REDACTED.openai-key.1");
    assert_eq!(redact_text("nothing", &Rules::default(), &mut Secrets::default()), "nothing");
}

/// Texts that hold, beside anything at all, what redaction looks for and what it leaves.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[a-zA-Z0-9+/=_-]{0,80}",
        "[ -~]{0,20}",
        "\\\\u[0-9a-f]{4}|%[0-9a-f]{2}|&#[0-9]{1,4};|\\\\[nrt\"\\\\]",
        prop::sample::select(vec![
            "api_key=",
            "\"token\": \"",
            "password: ",
            "Bearer ",
            "Basic ",
            "://a:",
            "@",
            "-----BEGIN PRIVATE KEY-----",
            "\n",
            "\r\n\r\n",
            "data: ",
            "{\"a\":\"",
            "\"}",
            "[",
            "]",
            "eyJ",
            "AKIA",
            "ghp_",
            "cookie: a=",
            "REDACTED.",
            "REDACTED.x.1",
            "<token>",
            "</token>",
            ";base64,",
            "\\",
            "\"",
            "--b",
            "Content-Disposition: form-data; name=\"token\"",
            "user,password\njoe,",
            ",",
            "=3D",
            "=\r\n",
            "ALTER USER joe PASSWORD '",
            "GRANT x TO joe IDENTIFIED BY '",
            "'",
        ])
        .prop_map(str::to_owned),
        Just(key()),
        Just(hexadecimal(&key(), "")),
        Just(hexadecimal(&key(), ":")),
        Just(format!("\0{}\0", key().chars().map(String::from).collect::<Vec<_>>().join("\0"))),
        Just(super::coding::base64::encode(
            format!("key={}", key()).as_bytes(),
            super::coding::base64::Spelling { url: false, padded: true }
        )),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing(body in text(), url in text(), media in 0..5usize, known in any::<bool>()) {
        let content_type = ["application/json", "text/event-stream", "application/x-ndjson", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"][media];
        let depth = if known { Depth::Known } else { Depth::Shape };
        let call = post(&format!("https://a.test/{url}"), content_type, &body);
        let mut secrets = Secrets::new(&[("A_KEY".to_owned(), key())]);
        let once = redact_call(&call, &Rules::default(), depth, &mut secrets);
        let twice = redact_recorded(once.call(), &Rules::default(), depth, &mut secrets);
        assert_eq!(twice.call(), once.call());
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..200), text in text()) {
        let rules = Rules { pii: true, ..Rules::default() };
        let mut secrets = Secrets::default();
        let call = Call { kind: Kind::Tool, name: text.clone(), headers: vec![("content-type".into(), text.clone())], body: bytes.clone() };
        redact_call(&call, &rules, Depth::Known, &mut secrets);
        let answer = reply("multipart/mixed; boundary=b", &[&text, &text]);
        let redacted = redact_reply(&answer, &call, &rules, &mut secrets);
        assert_eq!(redacted.chunks.len(), 2);
        let again = redact_recorded_reply(redacted.reply(), &rules, &mut secrets);
        assert_eq!(again.reply(), redacted.reply());
        let _ = crate::audit::mask(&text, &rules, &secrets);
    }

    #[test]
    fn what_is_known_is_found_however_it_is_coded(known in "[a-z]{3}[A-Z=/+]{3}[0-9]{3}[ !#&=~]{2}[a-z]", around in "[a-z ]{0,9}", breaks in 1..40usize, wide in 0..3usize) {
        let mut secrets = Secrets::new(&[("A_TOKEN".to_owned(), known.clone())]);
        let said = format!("{around} {known} {around}");
        // As RFC 2045 has it: a line breaks wherever its writer likes, but for within a sign.
        let signs: Vec<String> = said.chars().map(|c| if c == '=' { "=3D".to_owned() } else { c.to_string() }).collect();
        let quoted = signs.chunks(breaks).map(|line| line.concat()).collect::<Vec<_>>().join("=\r\n");
        let utf16 = match wide {
            0 => [vec![0xff, 0xfe], said.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat(),
            1 => said.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
            _ => said.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        for body in [quoted.into_bytes(), utf16] {
            let call = Call { body: body.clone(), ..post("https://a.test", "text/plain", "") };
            let redacted = redact_call(&call, &Rules::default(), Depth::Known, &mut secrets);
            let left = String::from_utf8_lossy(&redacted.body).replace("=\r\n", "").replace('\0', "").replace("=3D", "=");
            proptest::prop_assert!(!left.contains(&known), "{left}");
            // The audit finds it where it was left.
            let encoded = super::coding::base64::encode(&body, super::coding::base64::Spelling { url: false, padded: true });
            let file = format!("{{\"interactions\": [{{\"reply\": {{\"body\": {{\"base64\": \"{encoded}\"}}}}}}]}}");
            let found = crate::audit::audit(&file, &Rules::default(), &secrets, &[]);
            proptest::prop_assert!(found.iter().any(|found| found.rule == "secret"), "{found:?}");
        }
    }

    #[test]
    fn what_is_escaped_comes_back(body in "(REDACTED|\\.|x|1|[a-z]|\"| ){0,12}") {
        let call = post("https://a.test", "text/plain", &body);
        let redacted = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
        assert_eq!(unescape(&String::from_utf8_lossy(&redacted.body)), body);
    }
}
