//! What was cut short: a text of it may end with the beginning of a known value.

use super::Secrets;

impl Secrets {
    /// Says whether what is looked through from now on was cut short.
    pub(super) fn cut_short(&mut self, cut: bool) {
        self.cut = cut;
    }

    /// Returns the same ledger for what was cut short.
    pub(crate) fn of_what_is_cut(&self) -> Secrets {
        let mut cut = self.clone();
        cut.cut = true;
        cut
    }

    /// Returns whether what is looked through was cut short.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns whether any text may end with the beginning of a known value.
    pub(crate) fn may_begin(&self) -> bool {
        self.cut && !self.is_empty()
    }
}
