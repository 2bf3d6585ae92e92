//! Where the sampling of a recording is not the call's.

use std::collections::BTreeSet;

use crate::call::Call;
use crate::canonical::{Aside, spelled};
use crate::report::Change;

/// Returns where the sampling of a recording is not the call's, if it is another, in the spelling of each.
pub(super) fn drift((recorded, ours): (&Call, &Aside), (incoming, theirs): (&Call, &Aside)) -> Option<Vec<Change>> {
    let value = |aside: &Aside, path: &str| {
        let mut found = aside.sampling().filter(|(known, _)| *known == path);
        found.next().map(|(_, value)| value.to_owned())
    };
    let paths: BTreeSet<_> = ours.sampling().chain(theirs.sampling()).map(|(path, _)| path).collect();
    let differ: Vec<_> = paths.into_iter().filter(|path| value(ours, path) != value(theirs, path)).collect();
    let one = |path: &str| Change {
        path: path.to_owned(),
        recorded: spelled(recorded, path).or_else(|| value(ours, path)),
        incoming: spelled(incoming, path).or_else(|| value(theirs, path)),
    };
    (!differ.is_empty()).then(|| differ.into_iter().map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::drift;
    use crate::call::Call;
    use crate::canonical::{Aside, Canonical};
    use crate::dialect::Dialect;
    use crate::matching::Matching;

    fn sampled(sampling: &str) -> (Call, Aside) {
        let body = format!(r#"{{"messages":[{{"role":"user","content":"Hi"}}]{sampling}}}"#);
        let call = Call::http("POST", "https://api.example.com/v1/chat/completions", Vec::new(), body.into_bytes());
        let aside = Canonical::in_dialect(&call, Some(Dialect::OpenAiChat), &Matching::default()).into_halves().1;
        (call, aside)
    }

    #[track_caller]
    fn check(recorded: &str, incoming: &str, expected: &[(&str, Option<&str>, Option<&str>)]) {
        let [(ours, recorded), (theirs, incoming)] = [recorded, incoming].map(sampled);
        let found = drift((&ours, &recorded), (&theirs, &incoming)).unwrap_or_default();
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.path.as_str(), found.recorded.as_deref(), found.incoming.as_deref()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sampling_that_differs_is_told_setting_by_setting() {
        check(
            r#","seed":1,"temperature":0,"top_p":1"#,
            r#","temperature":0.7,"top_p":1.0"#,
            &[("seed", Some("1"), None), ("temperature", Some("0"), Some("0.7"))],
        );
        check(r#","temperature":1"#, r#","temperature":1.0"#, &[]);
    }

    #[test]
    fn fan_out_calls_that_differ_in_sampling_do_not_swap() {
        let call = sampled(r#","temperature":1,"seed":2"#).1;
        let [none, half, all] = ["", r#","temperature":1"#, r#","temperature":1,"seed":2"#].map(|text| sampled(text).1);
        assert!(none.likeness(&call) < half.likeness(&call));
        assert!(half.likeness(&call) < all.likeness(&call));
    }
}
