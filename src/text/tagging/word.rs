//! A token with its tag.

use super::lexicon::verb_forms::Forms;
use crate::text::token::Token;

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
    pub(super) fn set(&mut self, tag: Tag) {
        self.tag = tag;
        self.forms = Forms::default();
    }
}
