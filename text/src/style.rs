//! How a text is written, as far as splitting it depends on that.
//!
//! Decides two things from the text as a whole: whether it has lost its capital letters, and
//! whether its punctuation stands apart from its words ("rain , wind ."), as in tokenised
//! corpora; its commas tell. Refuses to guess from a scrap: too short a text counts as ordinary.

/// Letters below which a text without capitals says nothing about its style.
const FEWEST_LETTERS: usize = 40;
/// A text with fewer than one capital among this many letters is lower-cased.
const LETTERS_PER_CAPITAL: usize = 500;

/// The style of a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Capital letters do not mark the start of a sentence here.
    pub lower_cased: bool,
    /// Punctuation is set apart from words by spaces here.
    pub tokenised: bool,
}

impl Style {
    /// Reads the text once.
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
            lower_cased: letters >= FEWEST_LETTERS && capitals * LETTERS_PER_CAPITAL < letters,
            tokenised: apart > attached,
        }
    }
}
