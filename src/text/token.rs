//! The token type that the tagger, coreference and quantities share.
//!
//! Each of them cuts texts in its own way, which its `tokens` file explains.

use std::borrow::Cow;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Starts with a letter.
    Word,
    /// Starts with a digit; for the tagger also with a currency sign before a digit.
    Number,
    /// "'s", "'ll" and a lone possessive apostrophe.
    Clitic,
    OpenQuote,
    CloseQuote,
    /// Any other character.
    Mark,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    /// The form for look-ups, in lower case.
    pub(crate) lower: Cow<'t, str>,
    /// Byte offset in the text.
    pub(crate) start: usize,
    pub(crate) kind: TokenKind,
}

impl Token<'_> {
    /// Byte offset after the token.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is(&self, lower: &str) -> bool {
        self.lower == lower
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }
}

/// A piece of a text in lower case, as most are.
pub(crate) fn lower(piece: &str) -> Cow<'_, str> {
    let is_lower = |c: char| !c.is_ascii_uppercase() && (c.is_ascii() || c.to_lowercase().eq([c]));
    if piece.chars().all(is_lower) { piece.into() } else { piece.to_lowercase().into() }
}

/// Whether a character is a combining diacritical mark, which belongs to the letter before it.
pub(crate) fn is_combining_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}
