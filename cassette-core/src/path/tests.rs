use proptest::prelude::*;

use super::walk::{leave_out, select};
use super::{Line, PartPath, PartPlace, Path, Step};
use crate::json::{Json, Layout};

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(text.parse::<Path>().unwrap_err().to_string(), format!("`{text}` is no path: {expected}"));
}

fn steps(path: &str) -> Vec<Step> {
    match path.parse().unwrap() {
        Path::Body(steps) => steps,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn left(path: &str, document: &str, expected: &str) {
    let mut json = Json::parse(document).unwrap();
    leave_out(&mut json, &steps(path));
    assert_eq!(json.print(Layout::Compact), expected, "{document} without {path}");
}

#[track_caller]
fn found(path: &str, document: &str, expected: &[(&str, &str)]) {
    let found = select(&Json::parse(document).unwrap(), &steps(path));
    let found: Vec<_> = found.iter().map(|(place, value)| (place.clone(), value.print(Layout::Compact))).collect();
    let expected: Vec<_> = expected.iter().map(|(place, value)| ((*place).to_owned(), (*value).to_owned())).collect();
    assert_eq!(found, expected, "{path} in {document}");
}

#[test]
fn each_form_is_read() {
    let member = |name: &str| Step::Member(name.to_owned());
    assert_eq!(
        steps("messages[*].metadata.timestamp"),
        [member("messages"), Step::EachElement, member("metadata"), member("timestamp")]
    );
    assert_eq!(steps("**.request_id"), [Step::Anywhere, member("request_id")]);
    assert_eq!(
        steps(r#"["na me"][3].*.arguments~[0]"#),
        [member("na me"), Step::Element(3), Step::EachMember, member("arguments"), Step::Inside, Step::Element(0)]
    );
    let read = |text: &str| text.parse::<Path>().unwrap();
    assert_eq!(read("@header.X-Tenant"), Path::Header("x-tenant".into()));
    assert_eq!(read("@query.api-version"), Path::Query("api-version".into()));
    let part = |nth, place| Path::Part(PartPath { name: "fi\"le".into(), nth, place });
    assert_eq!(read("@part[\"fi\\\"le\"]"), part(None, PartPlace::Whole));
    assert_eq!(read("@part[\"fi\\\"le\"][1]"), part(Some(1), PartPlace::Whole));
    assert_eq!(read("@part[\"fi\\\"le\"]@filename"), part(None, PartPlace::Filename));
    assert_eq!(read("@part[\"fi\\\"le\"][0]@header.X-Y"), part(Some(0), PartPlace::Header("x-y".into())));
    let inside = vec![Step::Inside, member("k"), Step::Element(2)];
    assert_eq!(read("@part[\"fi\\\"le\"]~.k[2]"), part(None, PartPlace::Inside(inside)));
    assert_eq!(read("@body"), Path::Body(Vec::new()));
    assert_eq!(read("@body~[2]"), Path::Body(vec![Step::Inside, Step::Element(2)]));
    assert_eq!(read("@path"), Path::Line(Line::Path));
}

#[test]
fn what_is_no_path_is_refused_with_its_place() {
    let name = "a name should stand here; one of other characters is quoted, as in `[\"na me\"]`";
    refused("", &format!("at character 1, {name}"));
    refused("a..b", &format!("at character 3, {name}"));
    refused("a.", &format!("at character 3, {name}"));
    refused(".a", &format!("at character 1, {name}"));
    refused("größe", "at character 3, a step is `.name`, `[\"text\"]`, `[n]`, `[*]`, `.*`, `.**` or `~`");
    refused("[\"größe\"].ä", &format!("at character 11, {name}"));
    refused("a[x]", "at character 3, a position, `*` or a quoted name should stand here");
    refused("a[-1]", "at character 3, a position, `*` or a quoted name should stand here");
    refused("a[1", "at character 4, `]` is missing");
    refused("a[\"b]", "at character 3, a name in quotes should stand here");
    refused("a[\"\\x\"]", "at character 3, this is no JSON string");
    refused("a.**", "at character 5, a step should follow `**`");
    refused("@header.", "at character 9, a name should stand here");
    let of_part = "a part is followed by `[n]`, `@filename`, `@header.x`, `~` or nothing";
    refused("@part[\"a\"].b", &format!("at character 11, {of_part}"));
    refused("@part[\"a\"][1][2]", &format!("at character 14, {of_part}"));
    refused("@part[\"a\"][*]", "at character 14, a position should stand here");
    refused("@body.a", "at character 6, nothing but `~` can follow @body; what is in the body goes without it");
    refused(
        "@cookie",
        "at character 2, there are @method, @host, @path, @name, @header.x, @query.key, @body and @part[\"file\"]",
    );
}

#[test]
fn what_is_left_out_is_gone_and_nothing_else_is() {
    left("a", r#"{"a":1,"b":2}"#, r#"{"b":2}"#);
    left("a.b", r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"c":2}}"#);
    left("a[1]", r#"{"a":[1,2,3]}"#, r#"{"a":[1,null,3]}"#);
    left("a[*].id", r#"{"a":[{"id":1},{"x":2},3]}"#, r#"{"a":[{},{"x":2},3]}"#);
    left("**.id", r#"{"id":1,"a":[{"id":2,"b":{"id":3}}]}"#, r#"{"a":[{"b":{}}]}"#);
    left("a.*", r#"{"a":{"b":1},"c":2}"#, r#"{"a":{},"c":2}"#);
    left("*.id", r#"{"a":{"id":1},"id":2}"#, r#"{"a":{},"id":2}"#);
    left("a~.b", r#"{"a":"{\"b\":1, \"c\":2}"}"#, r#"{"a":"{\"c\":2}"}"#);
    left("a~.b", r#"{"a":"no json"}"#, r#"{"a":"no json"}"#);
    left("a.b.c", r#"{"a":[1]}"#, r#"{"a":[1]}"#);
}

#[test]
fn what_is_selected_tells_its_place() {
    found("a", r#"{"a":1}"#, &[("a", "1")]);
    found("a[*].b", r#"{"a":[{"b":1},{},{"b":2}]}"#, &[("a[0].b", "1"), ("a[2].b", "2")]);
    found("**.b", r#"{"b":1,"a":[{"b":2}]}"#, &[("b", "1"), ("a[0].b", "2")]);
    found("a~.b", r#"{"a":"{\"b\":1}"}"#, &[("a~.b", "1")]);
    found("*", r#"{"a":1,"b c":2}"#, &[("a", "1"), ("[\"b c\"]", "2")]);
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<String>().prop_map(Step::Member),
        "[a-z_-]{1,8}".prop_map(Step::Member),
        any::<usize>().prop_map(Step::Element),
        Just(Step::EachMember),
        Just(Step::EachElement),
        Just(Step::Anywhere),
        Just(Step::Inside),
    ]
}

fn any_path() -> impl Strategy<Value = Path> {
    let body =
        ("[a-z]{1,8}", prop::collection::vec(any_step(), 0..6), "[a-z]{1,8}").prop_map(|(first, steps, last)| {
            let ends = [Step::Member(first), Step::Member(last)];
            let [first, last] = ends;
            Path::Body([vec![first], steps, vec![last]].concat())
        });
    prop_oneof![
        4 => body,
        1 => any_part(),
        1 => prop::collection::vec(any_step(), 0..4).prop_map(|steps| {
            let inside = if steps.is_empty() { None } else { Some(Step::Inside) };
            Path::Body(inside.into_iter().chain(steps).filter(|step| *step != Step::Anywhere).collect())
        }),
        1 => "[a-z-]{1,12}".prop_map(Path::Header),
        1 => ".{1,12}".prop_map(Path::Query),
    ]
}

fn any_part() -> impl Strategy<Value = Path> {
    let place = prop_oneof![
        Just(PartPlace::Whole),
        Just(PartPlace::Filename),
        "[a-z-]{1,12}".prop_map(PartPlace::Header),
        "[a-z]{1,8}".prop_map(|name| PartPlace::Inside(vec![Step::Inside, Step::Member(name)])),
    ];
    let nth = prop::option::of(any::<usize>());
    (any::<String>(), nth, place).prop_map(|(name, nth, place)| Path::Part(PartPath { name, nth, place }))
}

/// Returns whether the check at compile time lets this text pass.
fn checked(text: &str) -> bool {
    std::panic::catch_unwind(|| super::check(text)).is_ok()
}

#[test]
fn the_check_at_compile_time_refuses_the_same() {
    for path in [
        "",
        "@part[]",
        "a",
        "a.b",
        "a..b",
        "a.",
        ".a",
        "a[0]",
        "a[x]",
        "a[-1]",
        "a[1",
        "a[]",
        "a[*]",
        "a.*",
        "*",
        "**",
        "**.a",
        "a.**",
        "a***",
        "a.***",
        "a~",
        "~a",
        "a~.b",
        "a~b",
        "[0]",
        "[\"a b\"].c",
        "[\"a\\\"]\"]",
        "[\"a]",
        "größe",
        "[\"größe\"]",
        "@path",
        "@paths",
        "@header.",
        "@header.x",
        "@query.a[b]",
        "@part[\"f\"]",
        "@part[\"f\"].a",
        "@part[\"f\"][1]",
        "@part[\"f\"][]",
        "@part[\"f\"][*]",
        "@part[\"f\"][\"a\"]",
        "@part[\"f\"][1][2]",
        "@part[\"f\"]@filename",
        "@part[\"f\"]@filenames",
        "@part[\"f\"][1]@header.x",
        "@part[\"f\"]@header.",
        "@part[\"f\"]~",
        "@part[\"f\"]~.a[0]",
        "@part[\"f\"]~.",
        "@part[\"f\"]~.**",
        "@body",
        "@body~",
        "@body~.a",
        "@body.a",
        "@body[0]",
        "@bodyguard",
        "@part[f]",
        "@part[\"f",
        "@",
        "@cookie",
        "a b",
        "a.**.b",
        "a[99999999999999999999999]x",
        "a.**[0]",
        "[*][*]",
    ] {
        assert_eq!(checked(path), path.parse::<Path>().is_ok(), "{path}");
    }
}

proptest! {
    #[test]
    fn every_path_passes_the_check_at_compile_time(path in any_path()) {
        prop_assert!(checked(&path.to_string()));
    }

    #[test]
    fn what_passes_the_check_at_compile_time_is_a_path(text in "[@ab.*\\[\\]~1]{0,9}|@(part|header|query|body)[.\\[\\]\"a~1]{0,8}|@part\\[\"a\"\\][\\[\\]1~.a@]{0,4}") {
        prop_assert_eq!(checked(&text), text.parse::<Path>().is_ok());
    }

    #[test]
    fn every_path_reads_back_as_it_is_printed(path in any_path()) {
        prop_assert_eq!(path.to_string().parse::<Path>().unwrap(), path);
    }

    #[test]
    fn no_text_is_too_strange_to_be_refused(text in ".{0,24}") {
        if let Err(error) = text.parse::<Path>() {
            prop_assert!(error.at <= text.chars().count() + 1);
        }
    }

    #[test]
    fn what_is_selected_and_then_left_out_is_selected_no_more(path in "(a|b|\\*|\\*\\*)(\\.(a|b|\\*)|\\[[01*]\\]){0,3}\\.(a|b)") {
        let document = r#"{"a":{"a":[{"a":1,"b":2},{"b":{"a":3}}],"b":{"b":4}},"b":[{"a":{"b":5}}]}"#;
        let mut json = Json::parse(document).unwrap();
        let steps = steps(&path);
        leave_out(&mut json, &steps);
        prop_assert_eq!(select(&json, &steps), []);
    }
}
