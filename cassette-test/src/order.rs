//! In which order recordings are served: what `CASSETTE_ORDER` asks for, and what a test does.

use std::fmt;
use std::sync::Arc;

use cassette_core::policy::Order;
use cassette_core::report::{Refused, Report};
use cassette_core::similarity::{Fuzziness, Similarity};

use crate::mistyped::shown;

/// What is asked for; what it leaves open is settled elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Asked {
    pub(crate) order: Option<Order>,
    pub(crate) threshold: Option<f64>,
    pub(crate) window: Option<usize>,
    pub(crate) similarity: Option<Arc<dyn Similarity>>,
}

/// The order in force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serving {
    pub(crate) order: Order,
    pub(crate) fuzziness: Fuzziness,
}

/// Whether the tests run in CI, where nothing is served but what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Here,
    Ci,
}

/// What `CASSETTE_ORDER` may be.
const ORDERS: &str = "CASSETTE_ORDER is `any`, `strict`, `ordered` or `fuzzy`, this one also with a threshold and a window, \
                      `fuzzy:0.6:8`; unset, it is `any`";

impl Asked {
    /// Reads `CASSETTE_ORDER`; unset or empty, it asks for nothing.
    ///
    /// # Errors
    ///
    /// Fails for a value that names no order.
    pub(crate) fn of_variable(value: &str) -> Result<Asked, Report> {
        if value.is_empty() {
            return Ok(Asked::default());
        }
        let what = || format!("CASSETTE_ORDER is `{}`, which names no order", shown(value));
        let wrong = || Report::Refused(Refused::new(what(), ORDERS));
        let mut words = value.split(':');
        let order = words.next().and_then(Order::from_name).ok_or_else(wrong)?;
        let mut asked = Asked { order: Some(order), ..Asked::default() };
        if order == Order::Fuzzy {
            asked.threshold = words.next().map(|word| word.parse().map_err(|_| wrong())).transpose()?;
            asked.window = words.next().map(|word| word.parse().map_err(|_| wrong())).transpose()?;
        }
        if words.next().is_some() { Err(wrong()) } else { Ok(asked) }
    }

    /// Returns the order in force: what the test asks for over what the variable does.
    ///
    /// # Errors
    ///
    /// Fails in CI where either asks for an order that serves what is not of the request: nothing overrules that.
    pub(crate) fn settle(&self, variable: &Asked, place: Place) -> Result<Serving, Report> {
        if place == Place::Ci {
            refuse_to_explore(self, variable)?;
        }
        let default = Fuzziness::default();
        let fuzziness = Fuzziness {
            threshold: self.threshold.or(variable.threshold).unwrap_or(default.threshold),
            window: self.window.or(variable.window).unwrap_or(default.window),
            similarity: self.similarity.clone().unwrap_or(default.similarity),
        };
        Ok(Serving { order: self.order.or(variable.order).unwrap_or_default(), fuzziness })
    }
}

fn refuse_to_explore(test: &Asked, variable: &Asked) -> Result<(), Report> {
    let explores = |asked: &Asked| asked.order.filter(|order| !order.is_exact());
    let why = "`CI` is set, where a call is served its own recording or none";
    let (what, help) = match (explores(variable), explores(test)) {
        (Some(order), _) => (
            format!("{why}, and CASSETTE_ORDER is `{}`", order.as_str()),
            "unset CASSETTE_ORDER in CI; CASSETTE_ALLOW_CI=1 is for live calls alone".to_owned(),
        ),
        (None, Some(order)) => (
            format!("{why}, and the test says `.order(Order::{order:?})`"),
            format!(
                "take `.order(Order::{order:?})` away, and ask for it in one run on your own machine: \
                 CASSETTE_ORDER={} cargo test",
                order.as_str()
            ),
        ),
        (None, None) => return Ok(()),
    };
    Err(Report::Refused(Refused::new(what, help)))
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Asked { order, threshold, window, .. } = self;
        let mut asked = f.debug_struct("Asked");
        asked.field("order", order).field("threshold", threshold).field("window", window).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Order, Place};

    #[track_caller]
    fn check(value: &str, expected: Option<(Order, f64, usize)>) {
        let asked = Asked::of_variable(value).ok();
        let serving = asked.map(|asked| Asked::default().settle(&asked, Place::Here).unwrap());
        let settled = serving.map(|serving| (serving.order, serving.fuzziness.threshold, serving.fuzziness.window));
        assert_eq!(settled, expected, "{value}");
    }

    #[test]
    fn the_variable_names_an_order_and_nothing_else() {
        check("", Some((Order::Any, 0.6, 8)));
        check("strict", Some((Order::Strict, 0.6, 8)));
        check("ordered", Some((Order::Ordered, 0.6, 8)));
        check("fuzzy", Some((Order::Fuzzy, 0.6, 8)));
        check("fuzzy:0.85", Some((Order::Fuzzy, 0.85, 8)));
        check("fuzzy:0.5:20", Some((Order::Fuzzy, 0.5, 20)));
        for wrong in
            ["loose", "Fuzzy", "fuzzy:", "fuzzy:x", "fuzzy:0.5:-1", "fuzzy:0.5:8:1", "ordered:0.5", "any:", " any"]
        {
            check(wrong, None);
        }
    }

    #[test]
    fn the_test_goes_over_the_variable() {
        let asked = Asked { order: Some(Order::Fuzzy), threshold: Some(0.9), ..Asked::default() };
        let serving = asked.settle(&Asked::of_variable("fuzzy:0.5:20").unwrap(), Place::Here).unwrap();
        assert_eq!((serving.fuzziness.threshold, serving.fuzziness.window), (0.9, 20));
        let strict = Asked { order: Some(Order::Strict), ..Asked::default() };
        assert_eq!(strict.settle(&Asked::of_variable("ordered").unwrap(), Place::Here).unwrap().order, Order::Strict);
    }

    #[test]
    fn nobody_explores_in_ci() {
        let test = |order| Asked { order, ..Asked::default() };
        let told = |order, variable: &str| {
            let settled = test(order).settle(&Asked::of_variable(variable).unwrap(), Place::Ci);
            settled.map(|serving| serving.order).map_err(|report| report.to_string())
        };
        assert_eq!(told(None, "strict"), Ok(Order::Strict));
        assert_eq!(told(Some(Order::Any), "strict"), Ok(Order::Any));
        let refusals = [told(None, "ordered"), told(Some(Order::Strict), "fuzzy:0.9"), told(Some(Order::Fuzzy), "")];
        insta::assert_snapshot!(refusals.map(Result::unwrap_err).join("\n\n"));
    }
}
