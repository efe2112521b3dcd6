//! Cuts a text into the tokens that quantities need: runs of digits, runs of letters and marks.
//!
//! Decides that "21st", "5m" and "twenty-one" are two or three tokens, because number and unit are read apart, and
//! "1,850.00" is one. Refuses clitics and abbreviations, which no quantity needs.

use std::ops::Deref;

use crate::text::token::{self, TokenKind, is_combining_mark};

/// A piece of the text.
#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    token: token::Token<'t>,
    /// Whether it directly follows the token before it.
    pub(super) glued: bool,
    /// Whether it is the first one of its line.
    pub(super) opens_line: bool,
}

impl<'t> Deref for Token<'t> {
    type Target = token::Token<'t>;

    fn deref(&self) -> &Self::Target {
        &self.token
    }
}

impl Token<'_> {
    pub(super) fn is_digits(&self) -> bool {
        self.kind == TokenKind::Number
    }

    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// A hyphen or a dash.
    pub(super) fn is_dash(&self) -> bool {
        matches!(self.text, "-" | "\u{2010}" | "\u{2011}" | "\u{2012}" | "–" | "—" | "\u{2212}")
    }

    pub(super) fn is_apostrophe(&self) -> bool {
        matches!(self.text, "'" | "’" | "‘")
    }

    /// The whole number that is written in plain digits.
    pub(super) fn whole(&self) -> Option<i32> {
        let plain = self.is_digits() && self.text.len() <= 8;
        plain.then(|| self.text.parse().ok()).flatten()
    }
}

/// The tokens of a text, in order, white space left out.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut start, mut last_end, mut opens_line) = (0, usize::MAX, true);
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let glued = start == last_end;
        let dotted =
            glued && matches!(&tokens[..], [.., number, mark] if number.is_digits() && mark.text == ".");
        let (kind, length) = kind_and_length(rest, first, glued, dotted);
        let piece = &rest[..length];
        opens_line |= first == '\n';
        if !first.is_whitespace() {
            let lower = token::lower(piece);
            tokens.push(Token { token: token::Token { text: piece, lower, start, kind }, glued, opens_line });
            (last_end, opens_line) = (start + length, false);
        }
        start += length;
    }
    tokens
}

/// The token at the start of `rest`; `dotted`: a number and a stop are before it, as in "03.05.2024".
fn kind_and_length(rest: &str, first: char, glued: bool, dotted: bool) -> (TokenKind, usize) {
    let second_is_digit = || rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || (first == '.' && !glued && second_is_digit()) {
        return (TokenKind::Number, if dotted { digits(rest) } else { number_length(rest) });
    }
    if first.is_alphabetic() {
        let in_word = |c: char| c.is_alphabetic() || is_combining_mark(c);
        return (TokenKind::Word, rest.find(|c: char| !in_word(c)).unwrap_or(rest.len()));
    }
    (TokenKind::Mark, first.len_utf8())
}

/// Bytes of the number at the start: digits in groups of three, and decimals, if no third part follows ("03.05.2024").
fn number_length(rest: &str) -> usize {
    let mut length = digits(rest);
    let leading = length;
    while (1..=3).contains(&leading) {
        let Some(gap) = group_mark(&rest[length..]) else { break };
        if digits(&rest[length + gap..]) != 3 {
            break;
        }
        length += gap + 3;
    }
    let decimals = rest[length..].strip_prefix('.').map_or(0, digits);
    let after = &rest[length + usize::from(decimals > 0) + decimals..];
    let third_part = after.strip_prefix('.').is_some_and(|after| digits(after) > 0);
    if decimals > 0 && (length == 0 || !third_part) { length + 1 + decimals } else { length }
}

fn digits(rest: &str) -> usize {
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

/// Bytes of the comma or narrow space between groups of digits.
fn group_mark(rest: &str) -> Option<usize> {
    let mark = rest.chars().next()?;
    matches!(mark, ',' | '\u{a0}' | '\u{2009}' | '\u{202f}').then(|| mark.len_utf8())
}
