use super::{Slots, Volatile};
use crate::call::{Call, Kind};
use crate::json::Json;

#[track_caller]
fn check(call: &Call, place: &str, [recorded, incoming]: [&str; 2], expected: Option<Volatile>) {
    let json = |text: &str| Json::parse(text).unwrap();
    assert_eq!(Slots::of(call).at(place, &json(recorded), &json(incoming)), expected, "{place}: {recorded} {incoming}");
}

fn post(url: &str) -> Call {
    Call::http("POST", url, Vec::new(), b"{}".to_vec())
}

const TWO_IDS: [&str; 2] = [r#""a-1""#, r#""b-2""#];

#[test]
fn a_dialect_is_judged_by_its_table_alone() {
    let chat = post("https://api.openai.com/v1/chat/completions");
    check(&chat, "id", TWO_IDS, Some(Volatile::Id));
    check(&chat, "created", ["1", "2"], Some(Volatile::Free));
    check(&chat, "obfuscation", TWO_IDS, Some(Volatile::Padding));
    check(&chat, "choices[].delta.tool_calls[].id", TWO_IDS, Some(Volatile::Id));
    check(&chat, "usage.prompt_tokens", ["1", "2"], None);
    check(&chat, "choices[].message.content", TWO_IDS, None);
    let uuids = [r#""550e8400-e29b-41d4-a716-446655440000""#, r#""650e8400-e29b-41d4-a716-446655440000""#];
    let claude = post("https://api.anthropic.com/v1/messages");
    check(&claude, "content[].input.id", uuids, None);
    check(&claude, "message.id", TWO_IDS, Some(Volatile::Id));
    let responses = post("https://api.openai.com/v1/responses");
    check(&responses, "response.output[].call_id", TWO_IDS, Some(Volatile::Id));
    let gemini = post("https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent");
    check(&gemini, "[].responseId", TWO_IDS, Some(Volatile::Id));
    check(&gemini, "candidates[].content.parts[].functionCall.args.id", uuids, None);
    let bedrock = post("https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse");
    check(&bedrock, "trace.guardrail.guardrailProcessingLatency", ["1", "2"], Some(Volatile::Free));
}

#[test]
fn any_other_reply_is_judged_by_name_and_shape() {
    let other = post("https://api.example.com/orders");
    let uuids = [r#""550e8400-e29b-41d4-a716-446655440000""#, r#""650e8400-e29b-41d4-a716-446655440000""#];
    check(&other, "id", uuids, Some(Volatile::Id));
    check(&other, "items[].orderId", uuids, Some(Volatile::Id));
    check(&other, "name", uuids, None);
    check(&other, "paid", uuids, None);
    check(&other, "valid", uuids, None);
    check(&other, "order_id", [r#""ord_8fK2pQ91xZ3b""#, r#""ord_9aB3cD45eF6g""#], Some(Volatile::Id));
    check(&other, "order_id", [r#""ord_8fK2pQ91xZ3b""#, r#""inv_9aB3cD45eF6g""#], None);
    check(&other, "id", [r#""bergen""#, r#""oslo""#], None);
    check(&other, "id", [r#""claude-3-5-sonnet-20241022""#, r#""claude-3-5-sonnet-20240620""#], None);
    check(&other, "id", ["41", "42"], None);
    check(&other, "created", ["1764400000", "1764400777"], Some(Volatile::Free));
    check(&other, "createdAt", [r#""2026-11-29T17:00:00Z""#, r#""2026-11-30T09:00:00.25Z""#], Some(Volatile::Free));
    check(&other, "departure_time", [r#""2026-11-29T17:00:00Z""#, r#""2026-11-30T09:00:00Z""#], None);
    check(&other, "date", [r#""2026-11-29T17:00:00Z""#, r#""2026-11-30T09:00:00Z""#], None);
    check(&other, "created", ["17", "18"], None);
    check(&other, "body.system_fingerprint", [r#""fp_1""#, r#""fp_2""#], Some(Volatile::Free));
    check(&other, "completed_at", ["1764400000", "1764400777"], Some(Volatile::Free));
    for event in ["in_progress", "finalizing", "expired", "cancelling", "cancel_initiated", "archived"] {
        check(&other, &format!("{event}_at"), ["1764400000", "1764400777"], Some(Volatile::Free));
    }
    check(&other, "departure_time", ["1764400000", "1764400777"], None);
    check(&other, "expireTime", [r#""2026-11-29T17:00:00Z""#, r#""2026-11-30T09:00:00Z""#], Some(Volatile::Free));
}

#[test]
fn a_value_that_was_asked_for_alone_is_judged_by_its_shape() {
    let value = Call { kind: Kind::Value, name: "id".into(), headers: Vec::new(), body: Vec::new() };
    let uuids = [r#""550e8400-e29b-41d4-a716-446655440000""#, r#""650e8400-e29b-41d4-a716-446655440000""#];
    check(&value, "", uuids, Some(Volatile::Id));
    check(&value, "", ["1764400000123", "1764400777123"], Some(Volatile::Free));
    check(&value, "", ["7", "8"], None);
    check(&value, "id", uuids, None);
}
