//! Mistakes in the attribute's arguments: every one is told, at its place.

use cassette_test::cassette;

#[cassette("trains", order = "random", speed = 3, unused = "ignore", on_miss)]
#[test]
fn values() {}

#[cassette(order = "fuzzy", mode = "record")]
#[test]
fn for_one_run() {}

#[cassette("trains", requests = "digests", fork)]
#[test]
fn later() {}

#[cassette("trains", "buses")]
#[test]
fn two_names() {}

#[cassette(order = "any", "trains")]
#[test]
fn name_at_the_end() {}

#[cassette(b"trains")]
#[test]
fn name_of_bytes() {}

#[cassette("trains" order = "any")]
#[test]
fn comma() {}

#[cassette("trains", order = "any", order = "strict")]
#[test]
fn twice() {}

#[cassette("trains", mode = 3, mode_of = "x", dir, dir = 3)]
#[test]
fn kinds() {}

#[cassette("trains", allow_errors = false, repeat = 1, pii(true))]
#[test]
fn flags() {}

#[cassette("trains", match_header, keep_header(), redact_field(x), redact_value("a", 3), redact("f"), redact(a, b))]
#[test]
fn lists() {}

#[cassette("trains", pace = "slow", crate = 3, +, allow_hosts = "a")]
#[test]
fn rest() {}

#[cassette("trains", match_on(), match_on(modell), match_on = "model", ignore(model), normalize("f"), hooks(), provider, version = 1)]
#[test]
fn comparison() {}

#[cassette("trains", order = "ordered", matcher, threshold = 0.5)]
#[test]
fn exploring() {}

#[cassette("trains", matcher(a, b))]
#[test]
fn two_matchers() {}

#[cassette("trains", matcher = f, matcher(f))]
#[test]
fn a_matcher_twice() {}

#[cassette("trains", guard = "loose")]
#[test]
fn guarded() {}

#[cassette("fixed", fork(), fork("run"), fork("run", 23))]
#[test]
fn forks() {}

#[cassette("fixed", fork("run", at = "23"))]
#[test]
fn fork_at_a_text() {}

#[cassette("fixed", fork("run", at = -1))]
#[test]
fn fork_before_it() {}

#[cassette("fixed", fork("fixed", at = 1))]
#[test]
fn fork_of_itself() {}

#[cassette("fixed/{town}", fork("run/{day}", at = 1))]
#[test]
fn fork_of_another_argument() {}

fn main() {}
