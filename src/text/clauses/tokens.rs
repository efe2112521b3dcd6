//! Words and marks of one sentence, with their places.
//!
//! Decides where a word ends: clitics ("'s", "n't" stays on) are tokens of their own, hyphened
//! words and numbers with their marks are one. Decides which single quotes are quotes. Refuses
//! meaning, which the tagger gives.

use std::ops::Range;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// Starts with a digit, or a currency sign and a digit.
    Number,
    /// "'s", "'d", "'ll" and a lone possessive apostrophe.
    Clitic,
    OpenQuote,
    CloseQuote,
    Mark(char),
}

/// One token: bytes `start..end` of the sentence's text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    /// Lower-cased text with a straight apostrophe.
    pub lower: String,
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

const APOSTROPHES: [char; 2] = ['\'', '’'];

/// The tokens of `sentence`, in order.
pub(super) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut found = Vec::with_capacity(sentence.len() / 5 + 1);
    let mut open: Option<char> = None;
    let mut position = 0;
    while let Some(letter) = sentence[position..].chars().next() {
        let size = letter.len_utf8();
        if letter.is_whitespace() {
            position += size;
            continue;
        }
        let after_space =
            sentence[..position].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let piece = if let Some(kind) = quote(letter, &sentence[position + size..], after_space, &mut open) {
            (position + size, kind)
        } else if starts_word(&sentence[position..]) {
            let end = position + word_length(&sentence[position..]);
            (end, kind_of(&sentence[position..end]))
        } else if APOSTROPHES.contains(&letter) {
            (position + clitic_length(&sentence[position..]), Kind::Clitic)
        } else {
            (position + size, Kind::Mark(letter))
        };
        found.push(token(sentence, position..piece.0, piece.1));
        position = piece.0;
    }
    found
}

fn token(sentence: &str, range: Range<usize>, kind: Kind) -> Token<'_> {
    let text = &sentence[range.clone()];
    let lower = text.to_lowercase().replace('’', "'");
    Token { text, lower, start: range.start, end: range.end, kind }
}

/// Whether `letter` is a quotation mark here, given what follows and what is open.
fn quote(letter: char, rest: &str, after_space: bool, open: &mut Option<char>) -> Option<Kind> {
    let next_is_word = rest.chars().next().is_some_and(|next| !next.is_whitespace());
    let closes = match letter {
        '"' => open.is_some_and(|mark| mark == '"'),
        '“' | '‘' => false,
        '”' => true,
        '\'' | '’' => {
            let word_follows = rest.starts_with(char::is_alphanumeric);
            let pending = open.is_some_and(|mark| mark == '\'' || mark == '‘');
            if pending && !word_follows {
                true
            } else if after_space && next_is_word && !pending && letter == '\'' && closes_later(rest) {
                false
            } else {
                return None;
            }
        }
        _ => return None,
    };
    *open = if closes { None } else { Some(letter) };
    Some(if closes { Kind::CloseQuote } else { Kind::OpenQuote })
}

/// Whether a single quote that could close stands in `rest`, not too far away.
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
    let mut length = 0;
    let mut before = ' ';
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        let inside = letter.is_alphanumeric()
            || length == 0
            || (matches!(letter, '-' | '_' | '@' | '/') && next.is_alphanumeric())
            || (APOSTROPHES.contains(&letter)
                && is_inner_apostrophe(before, next, &rest[length + letter.len_utf8()..]))
            || (letter == ',' && before.is_ascii_digit() && next.is_ascii_digit())
            || (letter == '.' && next.is_alphanumeric())
            || (letter == '.' && is_initials(&rest[..length]))
            || (letter == '%' && before.is_ascii_digit())
            || ('\u{300}'..='\u{36f}').contains(&letter);
        if !inside {
            break;
        }
        length += letter.len_utf8();
        before = letter;
    }
    length
}

/// "n't", and an apostrophe inside a name ("O'Malley"); clitics are cut off.
fn is_inner_apostrophe(before: char, next: char, rest: &str) -> bool {
    let word: usize = rest.chars().take_while(|letter| letter.is_alphanumeric()).map(char::len_utf8).sum();
    let tail = rest[..word].to_lowercase();
    (before.eq_ignore_ascii_case(&'n') && tail == "t") || (next.is_alphabetic() && tail.len() > 2)
}

/// "U.S", "J": a stop behind them belongs to the word.
fn is_initials(word: &str) -> bool {
    word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_uppercase))
        || matches!(
            word,
            "Mr" | "Mrs"
                | "Ms"
                | "Dr"
                | "St"
                | "Jr"
                | "Sr"
                | "Gov"
                | "Sen"
                | "Rep"
                | "Prof"
                | "Rev"
                | "Gen"
                | "No"
                | "vs"
        )
}

fn clitic_length(rest: &str) -> usize {
    let mark = rest.chars().next().map_or(0, char::len_utf8);
    let letters: usize =
        rest[mark..].chars().take_while(|letter| letter.is_alphabetic()).map(char::len_utf8).sum();
    mark + letters
}

fn kind_of(word: &str) -> Kind {
    let digit =
        word.trim_start_matches(['$', '£', '€', '#']).starts_with(|letter: char| letter.is_ascii_digit());
    if digit { Kind::Number } else { Kind::Word }
}
