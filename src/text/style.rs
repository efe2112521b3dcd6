//! The style of a text, as far as sentence splitting depends on it.
//!
//! Decides from the whole text whether it has lost its capital letters, and whether punctuation is separated from words
//! ("rain , wind ."), as in tokenised corpora; commas decide. Short texts count as ordinary.

/// Fewer lower-case letters than this do not show the style of a text.
const MIN_LETTERS: usize = 40;
/// A text with fewer than one capital in this many lower-case letters is lower-cased.
const LETTERS_PER_CAPITAL: usize = 500;

/// The style of a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Capital letters do not mark the start of a sentence.
    pub lower_cased: bool,
    /// Punctuation is separated from words by spaces.
    pub tokenised: bool,
}

impl Style {
    /// The style of a text, in one pass.
    pub(super) fn of(text: &str) -> Self {
        let (mut letters, mut capitals) = (0usize, 0usize);
        let (mut apart, mut attached) = (0usize, 0usize);
        let (mut before_mark, mut mark) = (' ', ' ');
        for letter in text.chars() {
            letters += usize::from(letter.is_lowercase());
            capitals += usize::from(letter.is_uppercase());
            if letter.is_whitespace() && mark == ',' {
                apart += usize::from(before_mark.is_whitespace());
                attached += usize::from(!before_mark.is_whitespace());
            }
            (before_mark, mark) = (mark, letter);
        }
        Self {
            lower_cased: letters >= MIN_LETTERS && capitals * LETTERS_PER_CAPITAL < letters,
            tokenised: apart > attached,
        }
    }
}
