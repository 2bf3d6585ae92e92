use proptest::prelude::*;

use super::{Json, Layout};

#[track_caller]
fn round_trips(text: &str, layout: Layout) {
    assert_eq!(Json::parse(text).unwrap().print(layout), text);
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(Json::parse(text).unwrap_err().to_string(), expected);
}

#[track_caller]
fn same(a: &str, b: &str) {
    assert_eq!(Json::parse(a).unwrap().canonical(), Json::parse(b).unwrap().canonical(), "{a} and {b}");
}

#[track_caller]
fn different(a: &str, b: &str) {
    assert_ne!(Json::parse(a).unwrap().canonical(), Json::parse(b).unwrap().canonical(), "{a} and {b}");
}

#[test]
fn numbers_strings_and_order_are_printed_as_they_were_written() {
    round_trips(r#"{"z":1.50,"a":[6.4e-06,12345678901234567890],"é\u00e9\/":"\ud83d\ude00\ud800"}"#, Layout::Compact);
    round_trips(r#"{"z": 1, "a": [1, 2], "e": {}, "f": []}"#, Layout::Spaced);
    round_trips("{\n  \"z\": [\n    1,\n    {}\n  ]\n}", Layout::Indent(2));
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    refused("", "the text ends where a value should stand at line 1, column 1");
    refused("{\"a\":1,\n\"a\":2}", "a member of this object is named twice at line 2, column 7");
    refused("[1,]", "no value starts so at line 1, column 4");
    refused("01", "something follows the document at line 1, column 2");
    refused("\"a\nb\"", "a control character stands bare in a string at line 1, column 3");
    refused("\"\\ud8\"", "four hexadecimal digits should follow \\u at line 1, column 2");
    refused("\u{feff}{}", "a byte-order mark stands before the document at line 1, column 1");
    refused("NaN", "no value starts so at line 1, column 1");
    refused(&"[".repeat(100_000), "the document is nested too deeply at line 1, column 201");
}

#[test]
fn spelling_does_not_count_and_meaning_does() {
    same(r#"{"a":1,"b":[1.0,2]}"#, r#" { "b" : [ 10e-1, 2.000 ], "a" : 1 } "#);
    same(r#""é\/""#, r#""\u00e9/""#);
    same("-0.0", "0");
    same("100", "1e2");
    same("1200e-2", "12");
    different("1", "\"1\"");
    different("[1,2]", "[2,1]");
    different(r#"{"a":null}"#, "{}");
    different("9007199254740993", "9007199254740992");
    different(r#""\ud800""#, r#""\ufffd""#);
    different("0.1", "0.10000000000000001");
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_document_of_serde_json_prints_back(value in any_json()) {
        let text = value.to_string();
        prop_assert_eq!(Json::parse(&text).unwrap().print(Layout::Compact), text);
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(Json::parse(&pretty).unwrap().print(Layout::Indent(2)), pretty);
    }

    #[test]
    fn the_canonical_text_is_its_own(value in any_json()) {
        let canonical = Json::parse(&value.to_string()).unwrap().canonical();
        prop_assert_eq!(Json::parse(&canonical).unwrap().canonical(), canonical);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        let ours = Json::parse(&text).is_ok();
        let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        prop_assert!(!ours || theirs || text.contains("\\u") || text.contains('e') || text.contains('E'), "{}", text);
    }
}

#[track_caller]
fn style(text: &str, expected: Option<&str>) {
    let found = super::Style::detect(text);
    assert_eq!(found.as_ref().map(|(_, style)| style.name()).as_deref(), expected, "{text}");
    if let Some((tree, style)) = found {
        assert_eq!(style.print(&tree), text);
        assert_eq!(super::Style::from_name(&style.name()), Some(style));
    }
}

#[test]
fn a_style_is_found_where_it_gives_the_same_bytes() {
    style(r#"{"a":[1,2]}"#, Some("compact"));
    style("{\"a\": [1, 2]}\n", Some("spaced newline"));
    style("{\n    \"a\": 1\n}", Some("indent 4"));
    style(r#"{"a":"\u00e9\ud83d\ude00"}"#, Some("compact ascii"));
    style(r#"{"a":"\u00e9é"}"#, Some("compact"));
    style(r#"{"a" :1}"#, None);
    style("", None);
}
