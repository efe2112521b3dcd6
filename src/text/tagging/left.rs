//! What is known to the left of a word.
//!
//! Collects facts word by word, so that no rule searches back through the sentence. Refuses to decide a tag.

use super::ahead::{by_someone, is_plural_noun};
use super::lexicon::verb_forms::Forms;
use super::word::{Tag, Word};
use crate::text::token::TokenKind;

/// Facts about the words to the left, all of which have their final tags.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// The last tag, without adverbs and quotation marks.
    pub(super) before: Option<Tag>,
    /// No word so far, only quotation marks, brackets and breaks.
    pub(super) is_opening: bool,
    /// The clause has a finite verb so far.
    pub(super) has_finite: bool,
    /// This clause or an earlier one has a verb.
    pub(super) has_verb: bool,
    /// This clause or an earlier one has a verb that is not a participle.
    pub(super) has_plain_verb: bool,
    /// The last noun is plural.
    pub(super) is_plural: bool,
    /// "between" has no "and" yet.
    pub(super) between: bool,
    /// Capital letters carry no information: the text is a headline.
    pub(super) all_capitals: bool,
}

impl Left {
    /// Before the first word.
    pub(super) fn start(words: &[Word]) -> Self {
        Self { is_opening: true, all_capitals: mostly_capitals(words), ..Self::default() }
    }

    /// Updates the facts with the word at `place`.
    pub(super) fn note(&mut self, words: &[Word], place: usize) {
        let word = &words[place];
        let after_and = self.before == Some(Tag::Coordinator);
        self.is_opening &= matches!(word.tag, Tag::Quote | Tag::Bracket | Tag::Break);
        if !matches!(word.tag, Tag::Adverb | Tag::Not | Tag::Quote) {
            self.before = Some(word.tag);
        }
        if word.is(Tag::Noun) {
            self.is_plural = is_plural_noun(word.lower());
        }
        let auxiliary = matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal);
        self.between = word.lower() == "between" || self.between && !after_and;
        let participle = word.forms.has(Forms::PARTICIPLE.with(Forms::ING));
        self.has_verb |= auxiliary || word.is(Tag::Verb);
        self.has_plain_verb |= auxiliary || (word.is(Tag::Verb) && !participle);
        self.note_finite(word, by_someone(words, place + 1));
    }

    fn note_finite(&mut self, word: &Word, by_follows: bool) {
        match word.tag {
            Tag::Comma | Tag::Coordinator | Tag::Subordinator | Tag::That | Tag::Relative => {
                self.has_finite = false;
            }
            Tag::Break | Tag::Quote => self.has_finite = false,
            Tag::Be | Tag::Have | Tag::Modal | Tag::Do if !word.forms.has(Forms::ING) => {
                self.has_finite = true;
            }
            Tag::Verb if word.forms.has(Forms::THIRD.with(Forms::BASE).with(Forms::PAST)) => {
                self.has_finite |= !(by_follows && word.forms.has(Forms::PARTICIPLE));
            }
            _ => {}
        }
    }
}

/// Whether nearly all long words have a capital letter, as in a headline.
fn mostly_capitals(words: &[Word]) -> bool {
    let long = |word: &&Word| word.token.kind == TokenKind::Word && word.token.text.len() > 3;
    let (mut all, mut capital) = (0, 0);
    for word in words.iter().filter(long) {
        all += 1;
        capital += usize::from(word.is_capital());
    }
    all > 4 && capital * 10 > all * 9
}
