//! Gemini's two spellings of each name.

use super::super::Canonical;
use super::{different, same};
use crate::call::Call;
use crate::dialect::Dialect::{self, Gemini};
use crate::matching::{Matching, Selector};

#[test]
fn a_field_under_either_spelling_is_one_field() {
    for (camel, snake) in [
        (
            r#"{"systemInstruction":{"parts":[{"text":"a"}]},"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["my_tool"]}}}"#,
            r#"{"system_instruction":{"parts":[{"text":"a"}]},"tool_config":{"function_calling_config":{"allowed_function_names":["my_tool"]}}}"#,
        ),
        (
            r#"{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"a"},"thoughtSignature":"s"}]}]}"#,
            r#"{"contents":[{"parts":[{"inline_data":{"mime_type":"image/png","data":"a"},"thought_signature":"s"}]}]}"#,
        ),
        (
            r#"{"tools":[{"functionDeclarations":[{"name":"a","parameters":{"properties":{"my_name":{"anyOf":[{"type":"STRING"}]}}}}]}]}"#,
            r#"{"tools":[{"function_declarations":[{"name":"a","parameters":{"properties":{"my_name":{"any_of":[{"type":"STRING"}]}}}}]}]}"#,
        ),
        (
            r#"{"generationConfig":{"responseSchema":{"minItems":1},"thinkingConfig":{"includeThoughts":true},"candidateCount":2}}"#,
            r#"{"generation_config":{"response_schema":{"min_items":1},"thinking_config":{"include_thoughts":true},"candidate_count":2}}"#,
        ),
        (
            r#"{"contents":[{}],"generationConfig":{"topP":1}}"#,
            r#"{"contents":[{}],"generation_config":{"top_p":0.5}}"#,
        ),
        (r#"{"content":{},"outputDimensionality":8}"#, r#"{"content":{},"output_dimensionality":8}"#),
    ] {
        same(Gemini, camel, snake);
        different(Dialect::OpenAiChat, camel, snake);
    }
}

#[test]
fn a_field_that_is_null_is_one_that_is_not_there() {
    let declared = r#""functionDeclarations":[{"name":"a"},{"name":"b"}]"#;
    let tools = |more: &str| format!(r#"{{"tools":[{{{declared}{more}}}]}}"#);
    same(Gemini, &tools(""), &tools(r#","codeExecution":null"#));
    same(Gemini, r#"{"contents":[]}"#, r#"{"contents":[],"toolConfig":null,"generationConfig":null}"#);
    // The value of such a field may itself be null.
    let schema = |default: &str| {
        format!(
            r#"{{"tools":[{{"functionDeclarations":[{{"name":"a","parameters":{{"type":"STRING"{default}}}}}]}}]}}"#
        )
    };
    different(Gemini, &schema(""), &schema(r#","default":null"#));
    different(Dialect::OpenAiChat, r#"{"messages":[]}"#, r#"{"messages":[],"user":null}"#);
}

#[test]
fn names_that_are_the_users_own_have_one_spelling() {
    let part = |text: &str| format!(r#"{{"contents":[{{"parts":[{text}]}}]}}"#);
    for (a, b) in [
        (
            part(r#"{"functionCall":{"name":"f","args":{"my_arg":1}}}"#),
            part(r#"{"functionCall":{"name":"f","args":{"myArg":1}}}"#),
        ),
        (
            part(r#"{"functionResponse":{"name":"f","response":{"my_arg":{"a_b":1}}}}"#),
            part(r#"{"functionResponse":{"name":"f","response":{"my_arg":{"aB":1}}}}"#),
        ),
        (
            r#"{"tools":[{"functionDeclarations":[{"parameters":{"properties":{"a_b":{}}}}]}]}"#.to_owned(),
            r#"{"tools":[{"functionDeclarations":[{"parameters":{"properties":{"aB":{}}}}]}]}"#.to_owned(),
        ),
        (
            r#"{"generationConfig":{"responseJsonSchema":{"a_b":1}}}"#.to_owned(),
            r#"{"generationConfig":{"responseJsonSchema":{"aB":1}}}"#.to_owned(),
        ),
        (r#"{"labels":{"a_b":"c"}}"#.to_owned(), r#"{"labels":{"aB":"c"}}"#.to_owned()),
        (
            r#"{"instances":[],"parameters":{"a_b":1}}"#.to_owned(),
            r#"{"instances":[],"parameters":{"aB":1}}"#.to_owned(),
        ),
        (part(r#"{"text":"a","partMetadata":{"stream_id":1}}"#), part(r#"{"text":"a","partMetadata":{"streamId":1}}"#)),
        (
            r#"{"generationConfig":{"responseSchema":{"defs":{"my_type":{"type":"STRING"}}}}}"#.to_owned(),
            r#"{"generationConfig":{"responseSchema":{"defs":{"myType":{"type":"STRING"}}}}}"#.to_owned(),
        ),
        // What is no field of the API's that is known, null or not.
        (r#"{"my_own":1}"#.to_owned(), r#"{"myOwn":1}"#.to_owned()),
        (r#"{"my_own":{"mime_type":1}}"#.to_owned(), r#"{"my_own":{"mimeType":1}}"#.to_owned()),
        (r#"{"contents":[],"parent":null}"#.to_owned(), r#"{"contents":[]}"#.to_owned()),
        // Who sends both sends two fields.
        (r#"{"a_b":1,"aB":2}"#.to_owned(), r#"{"a_b":2,"aB":1}"#.to_owned()),
        (r#"{"generation_config":{"Top_P":1}}"#.to_owned(), r#"{"generation_config":{"topP":1}}"#.to_owned()),
        (part(r#"{"text":"my_text"}"#), part(r#"{"text":"myText"}"#)),
    ] {
        different(Gemini, &a, &b);
    }
}

#[test]
fn paths_may_be_spelled_either_way() {
    let key = |body: &str, matching: &Matching| {
        Canonical::in_dialect(&Call { ..super::call(body) }, Some(Gemini), matching).key()
    };
    let camel = |n: u8| {
        format!(r#"{{"safetySettings":{n},"contents":[{{"parts":[{{"functionCall":{{"args":{{"a_b":1}}}}}}]}}]}}"#)
    };
    let snake = |n: u8| {
        format!(r#"{{"safety_settings":{n},"contents":[{{"parts":[{{"function_call":{{"args":{{"a_b":1}}}}}}]}}]}}"#)
    };
    for path in ["safetySettings", "safety_settings"] {
        let ignore = Matching { ignore: vec![path.parse().unwrap()], ..Matching::default() };
        assert_eq!(key(&camel(1), &ignore), key(&snake(2), &ignore), "{path}");
        let on = Matching { match_on: Some(vec![Selector::Path(path.parse().unwrap())]), ..Matching::default() };
        assert_eq!(key(&camel(1), &on), key(&snake(1), &on), "{path}");
        assert_ne!(key(&camel(1), &on), key(&snake(2), &on), "{path}");
    }
    let within = |name: &str| {
        let path = format!("contents[*].parts[*].function_call.args.{name}");
        Matching { ignore: vec![path.parse().unwrap()], ..Matching::default() }
    };
    let other = camel(1).replace("\"a_b\":1", "\"a_b\":2");
    assert_eq!(key(&camel(1), &within("a_b")), key(&other, &within("a_b")));
    assert_ne!(key(&camel(1), &within("aB")), key(&other, &within("aB")));
}
