use super::*;

#[test]
fn a_query_is_decoded() {
    assert_eq!(decoded("a%20b+c%zz%4"), "a b c%zz%4");
    assert_eq!(moment("2026-11-29", 3_723_004), "2026-11-29T01:02:03.004Z");
}
