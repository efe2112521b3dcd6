//! Which texts of a summary are judged.

use clap::ValueEnum;
use serde::Serialize;
use veridic::named;

/// Which texts of a summary are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TextLevel {
    /// Each sentence by itself.
    Sentence,
    /// Each summary as a whole.
    #[default]
    Summary,
}

named!(TextLevel, "level", { Sentence = "sentence", Summary = "summary" });

impl TextLevel {
    /// Whether texts of this level are judged if `chosen` is set; without a choice both levels are.
    pub(crate) fn is_judged(self, chosen: Option<Self>) -> bool {
        chosen.is_none_or(|chosen| chosen == self)
    }
}
