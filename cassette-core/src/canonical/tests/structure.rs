//! Calls that are no model call's, by the structure of their bodies.

use super::super::Canonical;
use crate::call::{Call, Kind};
use crate::dialect::Dialect;
use crate::matching::{Matching, Selector};

fn form(kind: &str, body: &str) -> Canonical {
    of(None, kind, body)
}

fn of(dialect: Option<Dialect>, kind: &str, body: &str) -> Canonical {
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    let call = Call::http("POST", "https://example.com/upload", headers, body.replace('\n', "\r\n").into_bytes());
    Canonical::in_dialect(&call, dialect, &Matching::default())
}

fn names(form: &Canonical) -> Vec<&str> {
    form.parts().iter().map(|part| part.name.as_str()).collect()
}

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn a_form_goes_by_its_fields() {
    let base = form(FORM, "to=Bergen&via=a&via=b");
    assert_eq!(names(&base), ["endpoint", "@form", "to", "via"]);
    assert_eq!(base, form(FORM, "via=a&to=B%65rgen&via=b"));
    for other in ["to=Oslo&via=a&via=b", "to=Bergen&via=b&via=a", "to=Bergen&via=a", "to=Bergen&via=a&via=b&c="] {
        assert_ne!(base.parts(), form(FORM, other).parts(), "{other}");
    }
    assert_ne!(form(FORM, "a=1").parts(), form("application/json", r#"{"a":"1"}"#).parts());
    for broken in ["a=%zz", "a=%+f", "a=%", "a=%ff", "a"] {
        assert_eq!(names(&form(FORM, broken)), ["endpoint", "@body"], "{broken}");
    }
}

fn multipart(boundary: &str, parts: &[(&str, &str)]) -> (String, String) {
    let part =
        |(head, value): &(&str, &str)| format!("--{boundary}\nContent-Disposition: form-data; {head}\n\n{value}\n");
    let body: String = parts.iter().map(part).collect();
    (format!("multipart/form-data; boundary={boundary}"), format!("{body}--{boundary}--\n"))
}

#[test]
fn a_multipart_body_goes_by_its_parts() {
    let file = ("name=\"file\"; filename=\"a.wav\"", "RIFF\n\nx");
    let read = |boundary: &str, parts: &[(&str, &str)]| {
        let (kind, body) = multipart(boundary, parts);
        form(&kind, &body)
    };
    let base = read("xyz", &[("name=\"model\"", "whisper-1"), file]);
    assert_eq!(names(&base), ["endpoint", "@part[\"file\"]", "@part[\"model\"]"]);
    let other = read("----1234", &[file, ("name=\"model\"", "whisper-1")]);
    assert_eq!(base.parts(), other.parts());
    assert_ne!(base.parts(), read("xyz", &[("name=\"model\"", "whisper-2"), file]).parts());
    for same in ["filename=\"a.wav\"; name=\"file\"", "name=file; filename=a.wav", "NAME=\"file\";filename=\"a.wav\""] {
        assert_eq!(base.parts(), read("xyz", &[("name=\"model\"", "whisper-1"), (same, file.1)]).parts(), "{same}");
    }
    let within = ("name=\"file\"; filename=\"a.wav; name=b\"", file.1);
    assert_ne!(base.parts(), read("xyz", &[("name=\"model\"", "whisper-1"), within]).parts());
    let renamed = ("name=\"file\"; filename=\"b.wav\"", file.1);
    assert_ne!(base.parts(), read("xyz", &[("name=\"model\"", "whisper-1"), renamed]).parts());
    let cut = form("multipart/form-data; boundary=xyz", "--xyz\nContent-Disposition: form-data; name=\"a\"\n\nb");
    assert_eq!(names(&cut), ["endpoint", "@body"]);
}

#[test]
fn each_header_of_a_name_in_a_part_is_compared() {
    let selector = Selector::Path("@part[\"file\"]@header.x-hint".parse().unwrap());
    let matching = Matching { match_on: Some(vec![selector]), ..Matching::default() };
    let read = |second: &str| {
        let head = format!("name=\"file\"\nx-hint: first\nx-hint: {second}");
        let (kind, body) = multipart("xyz", &[(&head, "RIFF")]);
        let headers = vec![("content-type".to_owned(), kind)];
        let call = Call::http("POST", "https://example.com/upload", headers, body.replace('\n', "\r\n").into_bytes());
        Canonical::in_dialect(&call, None, &matching)
    };
    assert_eq!(names(&read("second")), ["endpoint", "@part[\"file\"]@header.x-hint"]);
    assert_ne!(read("second").parts(), read("third").parts());
}

#[test]
fn the_settings_of_a_model_call_stand_in_a_multipart_body_too() {
    let read = |temperature: &str, model: &str| {
        let parts = [("name=\"model\"", model), ("name=\"temperature\"", temperature), ("name=\"file\"", "RIFF")];
        let (kind, body) = multipart("xyz", &parts);
        of(Some(Dialect::OpenAiAudio), &kind, &body)
    };
    assert_eq!(names(&read("0", "whisper-1")), ["endpoint", "messages", "model"]);
    assert_eq!(read("0", "whisper-1").parts(), read("1", "whisper-1").parts());
    assert_ne!(read("0", "whisper-1").parts(), read("0", "whisper-2").parts());
}

#[test]
fn an_upload_to_a_model_is_what_it_is_given_in_whatever_order_its_fields_stand() {
    let read = |dialect: Dialect, fields: &[(&str, &str)]| {
        let (kind, body) = multipart("xyz", fields);
        of(Some(dialect), &kind, &body)
    };
    let (image, other) =
        (("name=\"image[]\"; filename=\"a.png\"", "PNG1"), ("name=\"image[]\"; filename=\"b.png\"", "PNG2"));
    let (prompt, size) = (("name=\"prompt\"", "a train"), ("name=\"size\"", "1024x1024"));
    let edit = |fields: &[(&str, &str)]| read(Dialect::OpenAiImages, fields);
    let base = edit(&[image, other, prompt, size]);
    assert_eq!(names(&base), ["endpoint", "@part[\"size\"]", "messages"]);
    assert_eq!(base.parts(), edit(&[size, prompt, image, other]).parts());
    for fields in [
        [other, image, prompt, size],
        [image, other, ("name=\"prompt\"", "a tram"), size],
        [image, other, prompt, ("name=\"size\"", "512x512")],
        [image, ("name=\"image[]\"; filename=\"b.png\"", "PNG3"), prompt, size],
        [image, ("name=\"mask\"; filename=\"b.png\"", "PNG2"), prompt, size],
    ] {
        assert_ne!(base.parts(), edit(&fields).parts(), "{fields:?}");
    }
    let (sound, language) = (("name=\"file\"; filename=\"a.wav\"", "RIFF"), ("name=\"language\"", "no"));
    let heard = |fields: &[(&str, &str)]| read(Dialect::OpenAiAudio, fields);
    let paths = |form: &Canonical| {
        let parts = form.parts().iter().skip(1);
        let each = parts.flat_map(|part| part.elements().map(|(path, _)| format!("{}: {path}", part.name)));
        each.collect::<Vec<_>>()
    };
    assert_eq!(
        paths(&heard(&[prompt, sound, language])),
        ["@part[\"language\"]: @part[\"language\"]", "messages: @part[\"file\"]", "messages: @part[\"prompt\"]"]
    );
    assert_eq!(heard(&[prompt, sound, language]).parts(), heard(&[language, sound, prompt]).parts());
    assert_ne!(heard(&[prompt, sound]).parts(), heard(&[prompt]).parts());
}

#[test]
fn graphql_goes_by_query_and_variables() {
    let form = form("application/json", r#"{"query":"{ train { at } }","variables":{"to":"Bergen"}}"#);
    assert_eq!(names(&form), ["endpoint", "query", "variables"]);
}

#[test]
fn the_address_counts_by_its_meaning() {
    let form = |name: &str| {
        let call = Call { kind: Kind::Http, name: name.to_owned(), headers: Vec::new(), body: Vec::new() };
        Canonical::in_dialect(&call, None, &Matching::default())
    };
    let base = form("GET https://example.com/a?x=1&y=2&x=1");
    assert_eq!(base, form("GET HTTPS://Example.com:443/a?y=2&x=1&x=1"));
    for other in [
        "PUT https://example.com/a?x=1&y=2&x=1",
        "GET http://example.com/a?x=1&y=2&x=1",
        "GET https://example.com:8443/a?x=1&y=2&x=1",
        "GET https://example.com/A?x=1&y=2&x=1",
        "GET https://example.com/a?x=1&y=2",
        "GET https://example.com/a?x=1&y=2&x=2",
    ] {
        assert_ne!(base.parts(), form(other).parts(), "{other}");
    }
}

#[test]
fn a_function_goes_by_name_and_arguments() {
    let form = |kind: Kind, name: &str, body: &str| {
        let call = Call { kind, name: name.to_owned(), headers: Vec::new(), body: body.as_bytes().to_vec() };
        Canonical::in_dialect(&call, None, &Matching::default())
    };
    let base = form(Kind::Tool, "search", r#"{"q":"trains","stream":false}"#);
    assert_eq!(names(&base), ["endpoint", "q", "stream"]);
    assert_ne!(base.parts(), form(Kind::Tool, "find", r#"{"q":"trains","stream":false}"#).parts());
    assert_ne!(base.parts(), form(Kind::Memory, "search", r#"{"q":"trains","stream":false}"#).parts());
    assert_ne!(base.parts(), form(Kind::Tool, "search", r#"{"q":"trains"}"#).parts());
}
