//! How alike a request is to a recorded one, for the order `fuzzy`.

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::difference::words;
use crate::request::{Leaf, Request};
use crate::score::Score;

/// Says how alike two requests are, from 0 (nothing in common) to 1 (nothing that differs).
///
/// Any `Fn(&str, &str) -> f64` is one: it is given the [text](Request::text) of the recorded request and that of the incoming
/// one. Both are redacted. It should give the same for the same two requests, always: what is served hangs on it.
///
/// It is asked only where no unused recording is of exactly the request, and only about recordings that go where the
/// call goes. It runs while no lock is held, but must not call through the session that asks it: that call would wait for
/// its own answer. What is no number from 0 to 1 fails the test.
///
/// ```
/// use cassette_core::similarity::Similarity;
///
/// fn by_length(recorded: &str, incoming: &str) -> f64 {
///     let (shorter, longer) = (recorded.len().min(incoming.len()), recorded.len().max(incoming.len()));
///     if longer == 0 { 1.0 } else { shorter as f64 / longer as f64 }
/// }
/// # fn takes(_: impl Similarity) {}
/// takes(by_length);
/// ```
pub trait Similarity: Send + Sync {
    /// Returns how alike the two are, from 0 to 1.
    fn similarity(&self, recorded: &Request, incoming: &Request) -> f64;
}

impl<F: Fn(&str, &str) -> f64 + Send + Sync> Similarity for F {
    fn similarity(&self, recorded: &Request, incoming: &Request) -> f64 {
        self(&recorded.text(), &incoming.text())
    }
}

/// The similarity by words, which is used unless a test gives its own.
///
/// Two requests are as alike as the words in them: twice the number that they share, over the number of all (the
/// coefficient of Dice). A word counts with the member that it stands in, so that `{"from":"Oslo","to":"Bergen"}` has nothing
/// in common with the way back; letter case, punctuation, and the order of words and members do not count. Of two
/// conversations the last messages must be alike too, since they hold what is asked: the lower of the two scores is given,
/// so that a long prompt in common does not make two questions one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexical;

impl Similarity for Lexical {
    fn similarity(&self, recorded: &Request, incoming: &Request) -> f64 {
        let whole = dice(&recorded.leaves(), &incoming.leaves());
        match (recorded.last_leaves(), incoming.last_leaves()) {
            (Some(ours), Some(theirs)) => whole.min(dice(&ours, &theirs)),
            (None, None) => whole,
            _ => 0.0,
        }
    }
}

/// How like a call a recording must be for `fuzzy` to serve it.
#[derive(Clone)]
pub struct Fuzziness {
    /// What it must score, more than 0 and at most 1.
    pub threshold: f64,
    /// How many unused recordings are looked at, from the first on, whatever they are of.
    pub window: usize,
    /// How alike two requests are.
    pub similarity: Arc<dyn Similarity>,
}

impl Fuzziness {
    /// Returns what is wrong with it.
    pub fn mistake(&self) -> Option<String> {
        match self.score() {
            None => {
                Some(format!("the threshold of `fuzzy` is {}, which is not more than 0 and at most 1", self.threshold))
            }
            Some(_) if self.window == 0 => Some("the window of `fuzzy` is 0, which holds no recording".to_owned()),
            Some(_) => None,
        }
    }

    /// Returns the threshold as a score.
    pub(crate) fn score(&self) -> Option<Score> {
        Score::new(self.threshold).filter(|score| score.value() > 0.0)
    }
}

impl Default for Fuzziness {
    fn default() -> Fuzziness {
        Fuzziness { threshold: Score::THRESHOLD.value(), window: 8, similarity: Arc::new(Lexical) }
    }
}

impl fmt::Debug for Fuzziness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fuzziness = f.debug_struct("Fuzziness");
        fuzziness.field("threshold", &self.threshold).field("window", &self.window).finish_non_exhaustive()
    }
}

/// Returns how alike a similarity finds two requests.
///
/// # Errors
///
/// Fails with what it did instead of giving a number from 0 to 1.
pub(crate) fn ask(similarity: &dyn Similarity, recorded: &Request, incoming: &Request) -> Result<Score, String> {
    let said = catch_unwind(AssertUnwindSafe(|| similarity.similarity(recorded, incoming)));
    let value = said.map_err(|_| "panicked".to_owned())?;
    Score::new(value).ok_or_else(|| format!("returned {value}"))
}

fn dice(ours: &[Leaf], theirs: &[Leaf]) -> f64 {
    let mut counts: HashMap<(&str, String), usize> = HashMap::new();
    let mut total = 0;
    for word in ours.iter().flat_map(tokens) {
        *counts.entry(word).or_default() += 1;
        total += 1;
    }
    let mut shared = 0;
    for word in theirs.iter().flat_map(tokens) {
        total += 1;
        if let Some(left) = counts.get_mut(&word).filter(|left| **left > 0) {
            *left -= 1;
            shared += 1;
        }
    }
    if total == 0 { 1.0 } else { f64::from(2 * shared) / f64::from(total) }
}

/// How many bytes without white space are one word, whatever stands in them: an image, an audio clip.
const OPAQUE: usize = 512;

/// Returns the words of a text, each with the member that it stands in; what has no words is one itself.
fn tokens(leaf: &Leaf) -> Vec<(&str, String)> {
    let token = |word: &str| (leaf.name.as_str(), word.to_lowercase());
    let opaque = leaf.text.len() > OPAQUE && !leaf.text.contains(char::is_whitespace);
    let found: Vec<_> = if opaque { Vec::new() } else { words(&leaf.text).map(token).collect() };
    if found.is_empty() { vec![(leaf.name.as_str(), leaf.text.clone())] } else { found }
}

#[cfg(test)]
mod tests {
    use super::{Fuzziness, Lexical, Similarity as _, ask};
    use crate::call::Call;
    use crate::matching::Matching;
    use crate::request::Request;

    fn post(body: &str) -> Request {
        let call = Call::http("POST", "https://api.example.com/v1/chat/completions", Vec::new(), body.into());
        Request::of(&call, &Matching::default())
    }

    fn chat(system: &str, question: &str) -> String {
        format!(
            r#"{{"model":"m","messages":[{{"role":"system","content":"{system}"}},{{"role":"user","content":"{question}"}}]}}"#
        )
    }

    /// Compares the score in hundredths, both ways.
    #[track_caller]
    fn check(ours: &str, theirs: &str, expected: u32) {
        let (ours, theirs) = (post(ours), post(theirs));
        let [there, back] = [(&ours, &theirs), (&theirs, &ours)].map(|(a, b)| Lexical.similarity(a, b));
        assert_eq!((there * 100.0).round() as u32, expected, "{there}");
        assert_eq!(there, back);
    }

    #[test]
    fn words_count_with_their_members_and_nothing_else_does() {
        check(r#"{"a":"One two","b":3}"#, r#"{ "b": 3.0, "a": "two, one!" }"#, 100);
        check(r#"{"from":"Oslo","to":"Bergen"}"#, r#"{"from":"Bergen","to":"Oslo"}"#, 0);
        check(r#"{"a":"one two three"}"#, r#"{"a":"one two four"}"#, 67);
        check(r#"{"a":"one one one"}"#, r#"{"a":"one"}"#, 50);
        check(r#"{"a":"???"}"#, r#"{"a":"!!!"}"#, 0);
        check(r#"{"a":true}"#, r#"{"a":false}"#, 0);
        check(r#"{"a":"東京まで"}"#, r#"{"a":"京都まで"}"#, 75);
        check("", "", 100);
        check("plain text", "plain words", 50);
    }

    #[test]
    fn a_long_prompt_in_common_does_not_make_two_questions_one() {
        let prompt = "Answer from the timetable alone. ".repeat(100);
        check(&chat(&prompt, "When does the train to Bergen leave?"), &chat(&prompt, "Write a poem about cats"), 0);
        let (bergen, oslo) = ("When is the next train to Bergen?", "When is the next train to Oslo?");
        check(&chat(&prompt, bergen), &chat(&prompt, oslo), 86);
        check(&chat(&prompt, bergen), &chat(&prompt.replace("alone", "only"), bergen), 80);
        check(&chat("Be brief.", bergen), &chat("Be polite.", bergen), 90);
        check(&chat("", bergen), r#"{"model":"m"}"#, 0);
    }

    #[test]
    fn what_is_long_and_opaque_is_one_word() {
        let image = |fill: &str| chat("", &format!("data:{}", fill.repeat(200)));
        check(&image("a/b+"), &image("a/b+"), 100);
        check(&image("a/b+"), &image("a/c+"), 0);
    }

    #[test]
    fn what_is_no_score_is_told() {
        let request = post("{}");
        let told =
            |similarity: fn(&str, &str) -> f64| ask(&similarity, &request, &request).map(|score| score.to_string());
        assert_eq!(told(|_, _| 0.25), Ok("0.250".into()));
        assert_eq!(told(|_, _| 1.5), Err("returned 1.5".into()));
        assert_eq!(told(|_, _| f64::NAN), Err("returned NaN".into()));
        assert_eq!(told(|_, _| panic!("no idea")), Err("panicked".into()));
    }

    #[test]
    fn a_threshold_and_a_window_that_hold_nothing_are_mistakes() {
        let fuzziness = |threshold, window| Fuzziness { threshold, window, ..Fuzziness::default() }.mistake();
        assert_eq!(Fuzziness::default().mistake(), None);
        assert_eq!(fuzziness(1.0, 1), None);
        for threshold in [0.0, -1.0, 1.1, f64::NAN] {
            assert!(fuzziness(threshold, 8).is_some());
        }
        assert_eq!(fuzziness(0.6, 0).unwrap(), "the window of `fuzzy` is 0, which holds no recording");
    }
}
