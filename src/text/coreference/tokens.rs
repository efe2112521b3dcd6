//! The tokens of a document, with what names and pronouns need to know of each.
//!
//! Decides which quotation a token is in, and whether its capital letter marks a name. Words are cut as for the tagger.
//! Refuses the text outside the sentences.

use std::ops::{Deref, Range};

use super::lists::is_function_word;
use crate::text::tagging;
use crate::text::token::{self, TokenKind};
use crate::text::{POLLED, Poll};

/// A word or a mark of the document; `lower` has no full stops.
#[derive(Debug)]
pub(super) struct Token<'t> {
    token: token::Token<'t>,
    /// Index of its sentence.
    pub(super) sentence: usize,
    /// The number of its quotation; 0 outside quotations.
    pub(super) quote: u32,
    /// Whether it opens a sentence or a quotation, where every word has a capital letter.
    pub(super) opens: bool,
}

impl<'t> Deref for Token<'t> {
    type Target = token::Token<'t>;

    fn deref(&self) -> &Self::Target {
        &self.token
    }
}

impl<'t> Token<'t> {
    fn new(mut token: token::Token<'t>, sentence: usize) -> Self {
        if token.is_word() && token.lower.contains('.') {
            token.lower = token.lower.replace('.', "").into();
        }
        Token { token, sentence, quote: 0, opens: false }
    }

    /// Whether it starts with a capital letter, as "Brown" and "al-Assad" do.
    pub(super) fn is_capitalised(&self) -> bool {
        let part = self.text.split_once('-').filter(|(prefix, _)| prefix.len() <= 3);
        self.is_word()
            && (self.text.starts_with(char::is_uppercase)
                || part.is_some_and(|(_, rest)| rest.starts_with(char::is_uppercase)))
    }

    /// Whether it starts with a lower-case letter.
    pub(super) fn is_small(&self) -> bool {
        self.is_word() && !self.is_capitalised()
    }

    /// Whether it has two or more letters, all capitals: "WHO", "U.S.".
    pub(super) fn is_all_capitals(&self) -> bool {
        let letters = self.text.chars().filter(|letter| letter.is_alphabetic());
        self.is_word() && letters.clone().count() >= 2 && letters.clone().all(char::is_uppercase)
    }
}

/// A text with more words than this, and more per capital inside a sentence, has lost its capitals.
const WORDS_PER_CAPITAL: usize = 60;

/// The tokens of a document, sentence by sentence.
pub(super) struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token<'t>>,
    /// The tokens of each sentence.
    pub(super) sentences: Vec<Range<usize>>,
    /// Whether capital letters mark names in the sentence.
    pub(super) trusted: Vec<bool>,
}

impl<'t> Document<'t> {
    /// # Errors
    /// That of `poll`.
    pub(super) fn read<E>(text: &'t str, sentences: &[Range<usize>], poll: &Poll<'_, E>) -> Result<Self, E> {
        let mut document = Document { text, tokens: Vec::new(), sentences: Vec::new(), trusted: Vec::new() };
        let mut tokens = tagging::each_token(text).peekable();
        for (sentence, range) in sentences.iter().enumerate() {
            if sentence % POLLED == 0 {
                poll()?;
            }
            let first = document.tokens.len();
            while tokens.next_if(|token| token.start < range.start).is_some() {}
            while let Some(mut token) = tokens.next_if(|token| token.end() <= range.end) {
                // "Zentrix Ltd.": the stop that ends the sentence is not part of its last word.
                if token.is_word() && token.end() == range.end {
                    token.text = token.text.trim_end_matches('.');
                }
                document.tokens.push(Token::new(token, sentence));
            }
            let tokens = first..document.tokens.len();
            document.trusted.push(has_mixed_case(&document.tokens[tokens.clone()]));
            document.sentences.push(tokens);
        }
        document.number_quotations();
        document.mark_openers();
        if document.is_caseless() {
            document.trusted.fill(false);
        }
        poll()?;
        Ok(document)
    }

    /// The lower-case forms of tokens, joined by single spaces.
    pub(super) fn lower(&self, range: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[range.clone()].iter().map(|token| token.lower.as_ref()).collect();
        words.join(" ")
    }

    /// The byte range of tokens.
    pub(super) fn span(&self, range: &Range<usize>) -> Range<usize> {
        self.tokens[range.start].start..self.tokens[range.end - 1].end()
    }

    /// The token at a place, if it is in the same sentence as another place.
    pub(super) fn near(&self, place: usize, other: usize) -> Option<&Token<'t>> {
        let token = self.tokens.get(place)?;
        (self.tokens.get(other)?.sentence == token.sentence).then_some(token)
    }

    /// The token before a place in its sentence.
    pub(super) fn before(&self, place: usize) -> Option<&Token<'t>> {
        self.near(place.checked_sub(1)?, place)
    }

    /// The token after a place in its sentence.
    pub(super) fn after(&self, place: usize) -> Option<&Token<'t>> {
        self.near(place + 1, place)
    }

    /// Whether the text is in lower case, except perhaps the first letter of each sentence.
    fn is_caseless(&self) -> bool {
        let inner = self.tokens.iter().filter(|token| token.is_word() && !token.opens && !token.is("i"));
        let (small, capitals): (Vec<&Token>, Vec<&Token>) = inner.partition(|token| token.is_small());
        small.len() > WORDS_PER_CAPITAL * capitals.len().max(1)
    }

    /// Numbers the quotations. A quotation runs from its opening mark to its closing one, over several sentences if need be;
    /// an opening mark inside it continues it, as at the paragraphs of a long quotation.
    fn number_quotations(&mut self) {
        let (mut is_open, mut count) = (false, 0);
        for token in &mut self.tokens {
            let opens = match token.kind {
                TokenKind::OpenQuote | TokenKind::CloseQuote if token.is("\"") => {
                    !is_open || self.text[token.end()..].starts_with(char::is_alphanumeric)
                }
                kind => kind == TokenKind::OpenQuote,
            };
            count += u32::from(opens && !is_open);
            is_open |= opens;
            token.quote = if is_open { count } else { 0 };
            is_open &= opens || !matches!(token.kind, TokenKind::OpenQuote | TokenKind::CloseQuote);
        }
    }

    fn mark_openers(&mut self) {
        let (mut awaits, mut sentence, mut quote) = (true, usize::MAX, 0);
        for token in &mut self.tokens {
            awaits |=
                token.sentence != sentence || (token.quote != quote && token.quote != 0) || token.is(":");
            (sentence, quote) = (token.sentence, token.quote);
            if matches!(token.kind, TokenKind::Word | TokenKind::Number) {
                token.opens = std::mem::take(&mut awaits);
            }
        }
    }
}

/// Whether enough words after the first are in lower case for a capital letter to mark a name: in a headline only words
/// like "of" and "the" are.
fn has_mixed_case(tokens: &[Token]) -> bool {
    let words = || tokens.iter().filter(|token| token.is_word()).skip(1);
    let (count, small) = (words().count(), words().filter(|token| token.is_small()).count());
    let has_small_content = words().any(|token| token.is_small() && !is_function_word(&token.lower));
    count < 2 || small * 10 >= count * 3 || (has_small_content && small * 6 >= count)
}
