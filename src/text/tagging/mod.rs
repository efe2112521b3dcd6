//! Parts of speech by lists, endings and neighbours.
//!
//! Decides one tag per token, left to right, with a short look ahead where a word may be a noun or a verb. Refuses
//! probabilities: a word that no rule decides is a noun (or, with a capital letter, a name).
//!
//! `tokens` -> `by_itself` (over the `lexicon`) -> `compounds` -> `context`, which leaves possible verbs to
//! `verb_context`; both look ahead with `ahead`. `completeness` asks whether pieces of a text can be sentences;
//! `tagged_words` is the view that other crates have.

mod ahead;
mod by_itself;
mod completeness;
mod compounds;
mod context;
mod lexicon;
mod tagged_words;
mod tokens;
mod verb_context;

pub(crate) use completeness::can_be_two_sentences;
pub(crate) use lexicon::verb_forms::{Forms, verb_form};
pub use tagged_words::{Lookup, PartOfSpeech, TaggedWord, tagged_words};
pub(crate) use tokens::tokens;

use crate::text::token::Token;
use lexicon::classes;

/// The part of speech of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Noun,
    Name,
    Pronoun,
    Determiner,
    /// "his", "their".
    PossessiveDeterminer,
    /// The possessive marker: "'s".
    Possessive,
    Adjective,
    Number,
    Adverb,
    Not,
    Preposition,
    To,
    Coordinator,
    Subordinator,
    That,
    Relative,
    Modal,
    Be,
    Have,
    Do,
    Verb,
    Comma,
    Break,
    Quote,
    Bracket,
    Stop,
}

/// A token with its tag.
#[derive(Clone, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) token: Token<'t>,
    pub(crate) tag: Tag,
    /// The verb forms that it can be here, of `Be`, `Have` and `Do` too.
    pub(crate) forms: Forms,
    pub(crate) base: String,
}

impl Word<'_> {
    pub(crate) fn is(&self, tag: Tag) -> bool {
        self.tag == tag
    }

    pub(crate) fn lower(&self) -> &str {
        &self.token.lower
    }

    pub(crate) fn is_capital(&self) -> bool {
        self.token.text.starts_with(char::is_uppercase)
    }

    /// Decides that the word is not a verb.
    fn set(&mut self, tag: Tag) {
        self.tag = tag;
        self.forms = Forms::default();
    }
}

/// Tags every token.
pub(crate) fn tag(tokens: Vec<Token<'_>>) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = tokens.into_iter().map(by_itself::word).collect();
    compounds::hyphens(&mut words);
    single_dash(&mut words);
    name_particles(&mut words);
    context::settle(&mut words);
    words
}

/// Tags "van" and "de" between names as names.
fn name_particles(words: &mut [Word]) {
    for place in 1..words.len().saturating_sub(1) {
        let between = words[place - 1].is(Tag::Name) && words[place + 1].is_capital();
        if between && classes::NAME_PARTICLES.contains(words[place].lower()) {
            words[place].tag = Tag::Name;
        }
    }
}

/// Tags the only dash of a sentence as a comma.
fn single_dash(words: &mut [Word]) {
    let is_dash = |word: &Word| word.is(Tag::Break) && matches!(word.lower(), "-" | "–" | "—");
    let mut dashes = words.iter_mut().enumerate().filter(|(_, word)| is_dash(word));
    if let (Some((1.., dash)), None) = (dashes.next(), dashes.next()) {
        dash.tag = Tag::Comma;
    }
}
