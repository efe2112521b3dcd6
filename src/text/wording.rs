//! A text with everything of it that can be looked up exactly in another text: its words (see `words`) and its quantities
//! (see `quantities`).

use super::quantities::Quantities;
use super::words::{Word, words};

/// A text with its words and quantities.
#[derive(Debug, Clone)]
pub struct Wording<'t> {
    /// The text.
    pub text: &'t str,
    /// Its words.
    pub words: Vec<Word<'t>>,
    /// Its quantities.
    pub quantities: Quantities,
}

impl<'t> Wording<'t> {
    /// Reads the words and quantities of a text.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        Self { text, words: words(text), quantities: Quantities::of(text) }
    }
}
