//! Cuts one sentence into the tokens that a grammar needs.
//!
//! Decides where a word ends: clitics are separate tokens ("n't" stays with its verb), because a possessive links two
//! nouns; a hyphenated word and a number with its signs are one token, because they are one part of speech. Decides
//! which single quotes are quotation marks. Refuses parts of speech, which the tagger decides.

use std::ops::Range;

use super::lexicon::classes;
use crate::text::token::{self, Token, TokenKind, is_combining_mark};

const APOSTROPHES: [char; 2] = ['\'', '’'];

/// The tokens of `sentence`, in order.
pub(crate) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    each_token(sentence).collect()
}

/// The tokens one by one, for long texts.
pub(crate) fn each_token(sentence: &str) -> impl Iterator<Item = Token<'_>> {
    let mut open: Option<char> = None;
    let mut position = 0;
    std::iter::from_fn(move || {
        position += sentence[position..].find(|letter: char| !letter.is_whitespace())?;
        let (before, rest) = sentence.split_at(position);
        let (length, kind) = read(rest, rest.chars().next()?, before, &mut open);
        position += length;
        Some(token(sentence, position - length..position, kind))
    })
}

/// The length in bytes and the kind of the token at the start of `rest`, whose first character is `letter`. `open` is the
/// quotation mark that has not been closed yet.
fn read(rest: &str, letter: char, before: &str, open: &mut Option<char>) -> (usize, TokenKind) {
    let size = letter.len_utf8();
    if let Some(kind) = typed_quote(rest) {
        (2, kind)
    } else if let Some(opens) = opens_quote(letter, &rest[size..], before, *open) {
        *open = opens.then_some(letter);
        (size, if opens { TokenKind::OpenQuote } else { TokenKind::CloseQuote })
    } else if starts_word(rest) {
        let length = word_length(rest);
        (length, kind_of(&rest[..length]))
    } else if APOSTROPHES.contains(&letter) {
        (clitic_length(rest), TokenKind::Clitic)
    } else {
        (size, TokenKind::Mark)
    }
}

/// The quotation marks of plain text: "``" and "''".
fn typed_quote(rest: &str) -> Option<TokenKind> {
    let closes = rest.starts_with("''").then_some(TokenKind::CloseQuote);
    closes.or(rest.starts_with("``").then_some(TokenKind::OpenQuote))
}

fn token(sentence: &str, range: Range<usize>, kind: TokenKind) -> Token<'_> {
    let text = &sentence[range.clone()];
    let lower = token::lower(text);
    let lower = if lower.contains('’') { lower.replace('’', "'").into() } else { lower };
    Token { text, lower, start: range.start, kind }
}

/// Whether `letter` opens a quotation (`Some(true)`) or closes one; `None` if it is not a quotation mark. `before` is the
/// text before it: after a word without a possessive, an apostrophe may open a quotation ("as' a soap opera'").
fn opens_quote(letter: char, rest: &str, before: &str, open: Option<char>) -> Option<bool> {
    let last = before.split(|letter: char| !letter.is_alphanumeric()).next_back().unwrap_or("");
    let owns_nothing =
        classes::PREPOSITIONS.contains(last) || matches!(last, "a" | "an" | "the" | "to" | "is" | "was");
    let before = before.chars().next_back();
    match letter {
        '"' => Some(open != Some('"')),
        '“' | '‘' => Some(true),
        '”' => Some(false),
        '\'' | '’' => {
            let pending = matches!(open, Some('\'' | '‘'));
            let word_before = before.is_some_and(char::is_alphanumeric);
            let space_follows = rest.chars().next().is_none_or(char::is_whitespace);
            if pending && !rest.starts_with(char::is_alphanumeric) {
                return Some(false);
            }
            let apart = !word_before && !space_follows || word_before && space_follows && owns_nothing;
            let opens = letter == '\'' && apart && !pending && closes_later(rest);
            opens.then_some(true)
        }
        _ => None,
    }
}

/// Whether `rest` has a single quote that could close the quotation, not too far away.
fn closes_later(rest: &str) -> bool {
    let mut before = ' ';
    let mut letters = rest.chars().take(400).peekable();
    while let Some(letter) = letters.next() {
        let ends = letters.peek().is_none_or(|next| !next.is_alphanumeric());
        if letter == '\'' && ends && !before.is_whitespace() {
            return true;
        }
        before = letter;
    }
    false
}

fn starts_word(rest: &str) -> bool {
    let mut letters = rest.chars();
    match letters.next() {
        Some('$' | '£' | '€' | '#' | '@') => letters.next().is_some_and(char::is_alphanumeric),
        Some(letter) => letter.is_alphanumeric(),
        None => false,
    }
}

/// The length of the word at the start of `rest`, in bytes; at least one character.
fn word_length(rest: &str) -> usize {
    let mut before = ' ';
    for (length, letter) in rest.char_indices() {
        if length > 0 && !goes_on(&rest[..length], before, letter, &rest[length + letter.len_utf8()..]) {
            return length;
        }
        before = letter;
    }
    rest.len()
}

/// Whether `letter` belongs to the word `so_far`, whose last letter is `before`.
fn goes_on(so_far: &str, before: char, letter: char, rest: &str) -> bool {
    let next = rest.chars().next().unwrap_or(' ');
    match letter {
        '-' | '_' | '@' | '/' => next.is_alphanumeric(),
        '\'' | '’' => is_inner_apostrophe(before, next, rest),
        ',' => before.is_ascii_digit() && next.is_ascii_digit(),
        '.' => next.is_alphanumeric() || is_initials(so_far),
        '%' => before.is_ascii_digit(),
        _ => letter.is_alphanumeric() || is_combining_mark(letter),
    }
}

/// Whether an apostrophe is part of the word: in "n't" and in a name ("O'Malley"), but not in a clitic.
fn is_inner_apostrophe(before: char, next: char, rest: &str) -> bool {
    let word: usize = rest.chars().take_while(|letter| letter.is_alphanumeric()).map(char::len_utf8).sum();
    let tail = rest[..word].to_lowercase();
    (before.eq_ignore_ascii_case(&'n') && tail == "t") || (next.is_alphabetic() && tail.len() > 2)
}

/// Whether a full stop after the word belongs to it: "U.S", "J", "Mr".
fn is_initials(word: &str) -> bool {
    let single = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_uppercase);
    classes::TITLES.contains(word) || word.split('.').all(single)
}

fn clitic_length(rest: &str) -> usize {
    let mark = rest.chars().next().map_or(0, char::len_utf8);
    let letters: usize =
        rest[mark..].chars().take_while(|letter| letter.is_alphabetic()).map(char::len_utf8).sum();
    mark + letters
}

fn kind_of(word: &str) -> TokenKind {
    let digit =
        word.trim_start_matches(['$', '£', '€', '#']).starts_with(|letter: char| letter.is_ascii_digit());
    if digit { TokenKind::Number } else { TokenKind::Word }
}
