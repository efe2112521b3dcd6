//! Which texts of a summary are judged.

use super::named::named;

named! {
    /// Which texts of a summary are judged.
    pub enum TextLevel {
        /// Each sentence by itself.
        Sentence = "sentence",
        /// Each summary as a whole.
        Summary = "summary",
    }
}

impl TextLevel {
    /// Whether texts of this level are judged if `chosen` is set; without a choice both levels are.
    pub(super) fn is_judged(self, chosen: Option<Self>) -> bool {
        chosen.is_none_or(|chosen| chosen == self)
    }
}
