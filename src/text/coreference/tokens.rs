//! Cuts a document into the tokens that names need.
//!
//! Decides where a word begins and ends: "U.S.", "AT&T" and "Mr." are one token each, because a name must not break at
//! their marks; a possessive "'s" is a separate token. Decides which quotation a token is in and whether its capital
//! letter marks a name. Refuses sentences that are not slices of the text.

use std::ops::{Deref, Range};

use super::quotes;
use super::titles;
use super::words::is_function;
use crate::text::token::{self, TokenKind};

/// A word or a mark of the document; `lower` has no full stops and straight apostrophes.
#[derive(Debug)]
pub(super) struct Token<'t> {
    token: token::Token<'t>,
    /// The number of its quotation; 0 outside quotations.
    pub(super) quote: u32,
    /// Index of its sentence.
    pub(super) sentence: usize,
    /// Whether it opens a sentence or a quotation, where every word has a capital letter.
    pub(super) opens: bool,
}

impl<'t> Deref for Token<'t> {
    type Target = token::Token<'t>;

    fn deref(&self) -> &Self::Target {
        &self.token
    }
}

impl Token<'_> {
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

/// A text with more words than this per capital inside a sentence has lost its capitals; shorter texts than `MIN_WORDS`
/// may just have no names.
const WORDS_PER_CAPITAL: usize = 60;
const MIN_WORDS: usize = 60;

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
    pub(super) fn read(text: &'t str, sentences: &[Range<usize>]) -> Self {
        let mut document = Document { text, tokens: Vec::new(), sentences: Vec::new(), trusted: Vec::new() };
        let mut last = 0;
        for range in sentences {
            let first = document.tokens.len();
            if range.start >= last && text.get(range.clone()).is_some() {
                read_sentence(text, range.clone(), document.sentences.len(), &mut document.tokens);
                last = range.end;
            }
            let tokens = first..document.tokens.len();
            document.trusted.push(has_mixed_case(&document.tokens[tokens.clone()]));
            document.sentences.push(tokens);
        }
        quotes::number(text, &mut document.tokens);
        document.mark_openers();
        if document.is_caseless() {
            document.trusted.fill(false);
        }
        document
    }

    /// The lower-case forms of tokens, joined by single spaces.
    pub(super) fn lower(&self, range: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[range.clone()].iter().map(|token| token.lower.as_str()).collect();
        words.join(" ")
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
        let inner = || self.tokens.iter().filter(|token| token.is_word() && !token.opens);
        let capitals = inner().filter(|token| token.is_capitalised() && token.text.len() > 1).count();
        let words = inner().count();
        words >= MIN_WORDS && words > capitals * WORDS_PER_CAPITAL
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
    let has_small_content = words().any(|token| token.is_small() && !is_function(&token.lower));
    count < 2 || small * 10 >= count * 3 || (has_small_content && small * 6 >= count)
}

fn read_sentence<'t>(text: &'t str, range: Range<usize>, sentence: usize, tokens: &mut Vec<Token<'t>>) {
    let end = range.end;
    let mut start = range.start;
    while let Some(first) = text[start..end].chars().next() {
        let length = if first.is_alphanumeric() { word_length(&text[start..end]) } else { first.len_utf8() };
        if !first.is_whitespace() {
            push(&text[start..start + length], start, sentence, tokens);
        }
        start += length;
    }
}

/// Adds a word, without the clitic that may end it, and then the clitic.
fn push<'t>(piece: &'t str, start: usize, sentence: usize, tokens: &mut Vec<Token<'t>>) {
    let cut = clitic_start(piece).unwrap_or(piece.len());
    let mut add = |text: &'t str, start: usize, kind: TokenKind| {
        let token = token::Token { text, lower: lowered(text), start, kind };
        tokens.push(Token { token, quote: 0, sentence, opens: false });
    };
    let kind = match piece.chars().next() {
        Some(letter) if letter.is_numeric() => TokenKind::Number,
        Some(letter) if letter.is_alphabetic() => TokenKind::Word,
        _ => TokenKind::Mark,
    };
    add(&piece[..cut], start, kind);
    if cut < piece.len() {
        add(&piece[cut..], start + cut, TokenKind::Clitic);
    }
}

fn lowered(text: &str) -> String {
    let plain = text.chars().filter(|letter| *letter != '.' || text.len() == 1);
    plain.flat_map(char::to_lowercase).map(|letter| if letter == '’' { '\'' } else { letter }).collect()
}

/// Where "'s", "'ll" and their like start in a word.
fn clitic_start(word: &str) -> Option<usize> {
    let (at, mark) = word.char_indices().rev().find(|(_, letter)| is_apostrophe(*letter))?;
    let rest = &word[at + mark.len_utf8()..];
    let known = ["s", "ll", "d", "ve", "re", "m"].iter().any(|clitic| rest.eq_ignore_ascii_case(clitic));
    (known && at > 0).then_some(at)
}

/// Bytes of the word at the start of `rest`, with inner marks and the stop of an abbreviation.
fn word_length(rest: &str) -> usize {
    let mut length = 0;
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        let followed = letters.peek().is_some_and(|next| next.is_alphanumeric());
        let inner = length > 0 && followed && joins(letter, &rest[..length]);
        if !letter.is_alphanumeric() && !inner {
            break;
        }
        length += letter.len_utf8();
    }
    let (word, tail) = rest.split_at(length);
    let stops = tail.starts_with('.') && tail.len() > 1 && is_abbreviation(word);
    length + usize::from(stops)
}

/// Whether a mark inside a word belongs to it.
fn joins(mark: char, before: &str) -> bool {
    let one_letter = || before.chars().rev().take_while(|letter| letter.is_alphanumeric()).count() == 1;
    let digits = || before.ends_with(|letter: char| letter.is_numeric());
    match mark {
        '-' | '\'' | '’' => true,
        '.' => one_letter() || digits(),
        ',' => digits(),
        '&' => one_letter(),
        _ => false,
    }
}

/// Whether a full stop after the word belongs to it.
fn is_abbreviation(word: &str) -> bool {
    let initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase) && word != "I";
    let legal = ["Inc", "Ltd", "Co", "Corp", "Jr", "Sr", "St"].contains(&word);
    initial || legal || word.contains('.') || (word.len() <= 5 && titles::is_honorific(&word.to_lowercase()))
}

pub(super) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}
