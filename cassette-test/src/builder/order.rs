//! By which rule recordings are served.

use std::sync::Arc;

use cassette_core::policy::Order;
use cassette_core::similarity::Similarity;

use super::Builder;

impl Builder {
    /// Serves by this rule, whatever `CASSETTE_ORDER` says.
    ///
    /// [`Order::Ordered`] and [`Order::Fuzzy`] are for exploring: they serve what is not of the request, and print what they
    /// served. With `CI` set they are refused, and nothing overrules that.
    pub fn order(mut self, order: Order) -> Builder {
        self.options.order.order = Some(order);
        self
    }

    /// Says what a recording must score for [`Order::Fuzzy`] to serve it: more than 0 and at most 1, 0.6 by default.
    pub fn threshold(mut self, threshold: f64) -> Builder {
        self.options.order.threshold = Some(threshold);
        self
    }

    /// Says among how many unused recordings [`Order::Fuzzy`] looks, from the first on: 8 by default.
    pub fn window(mut self, window: usize) -> Builder {
        self.options.order.window = Some(window);
        self
    }

    /// Lets this say how alike two requests are, for [`Order::Fuzzy`]; by default the words in them do
    /// ([`Lexical`](crate::Lexical)).
    ///
    /// ```no_run
    /// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
    /// use cassette_test::{Cassette, Order};
    ///
    /// let by_length = |recorded: &str, incoming: &str| {
    ///     let [shorter, longer] = [recorded.len().min(incoming.len()), recorded.len().max(incoming.len())];
    ///     if longer == 0 { 1.0 } else { shorter as f64 / longer as f64 }
    /// };
    /// let session = Cassette::builder("trains").order(Order::Fuzzy).threshold(0.8).similarity(by_length).open()?;
    /// # session.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn similarity(mut self, similarity: impl Similarity + 'static) -> Builder {
        self.options.order.similarity = Some(Arc::new(similarity));
        self
    }
}
