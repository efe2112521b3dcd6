//! Numbers the quotations of a document.
//!
//! A quotation runs from its opening mark to its closing one, over several sentences if need be; an opening mark inside it
//! continues it, as at the paragraphs of a long quotation. A single mark opens a quotation only if another one closes it.

use super::tokens::{Token, is_apostrophe};

/// Whether a mark opens or closes, from the characters around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Opens,
    Closes,
    Either,
}

/// The kind of quotation mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Double,
    Single,
}

/// Sets the number of the quotation that each token is in, from 1; 0 outside quotations.
pub(super) fn number(text: &str, tokens: &mut [Token]) {
    let marks = marks(text, tokens);
    let mut open: Option<Family> = None;
    let (mut count, mut next) = (0, 0);
    for place in 0..tokens.len() {
        let at_mark = marks.get(next).filter(|(index, ..)| *index == place);
        let mut leaves = false;
        if let Some(&(_, family, side)) = at_mark {
            next += 1;
            match open {
                None if side != Side::Closes && closes_later(&marks[next..], family, text, tokens) => {
                    open = Some(family);
                    count += 1;
                }
                Some(other) if other == family && side != Side::Opens => {
                    leaves = family == Family::Double || ends_single(&marks, next - 1, text, tokens);
                }
                _ => {}
            }
        }
        tokens[place].quote = if open.is_some() { count } else { 0 };
        if leaves {
            open = None;
        }
    }
}

/// The quotation marks of the text, in order, by the index of their token.
fn marks(text: &str, tokens: &[Token]) -> Vec<(usize, Family, Side)> {
    let read = |(place, token): (usize, &Token)| {
        let mark = token.text.chars().next().filter(|mark| mark.len_utf8() == token.text.len())?;
        let (family, side) = match mark {
            '“' | '«' => (Family::Double, Side::Opens),
            '”' | '»' => (Family::Double, Side::Closes),
            '"' => (Family::Double, side(text, token)),
            '‘' | '`' => (Family::Single, Side::Opens),
            _ if is_apostrophe(mark) => (Family::Single, side(text, token)),
            _ => return None,
        };
        Some((place, family, side))
    };
    tokens.iter().enumerate().filter_map(read).collect()
}

/// The side of a straight mark, which is next to the word it belongs to.
fn side(text: &str, token: &Token) -> Side {
    let outer =
        |letter: Option<char>| letter.is_none_or(|letter| letter.is_whitespace() || "([–—".contains(letter));
    let before = outer(text[..token.start].chars().next_back());
    let after = outer(text[token.end()..].chars().next());
    match (before, after) {
        (true, false) => Side::Opens,
        (false, _) => Side::Closes,
        (true, true) => Side::Either,
    }
}

/// Whether an opening mark opens a quotation: double ones always, single ones if a later mark closes them.
fn closes_later(rest: &[(usize, Family, Side)], family: Family, text: &str, tokens: &[Token]) -> bool {
    family == Family::Double
        || rest.iter().take(8).any(|&(place, other, side)| {
            other == family && side != Side::Opens && !is_plural(text, &tokens[place])
        })
}

/// Whether a closing single mark ends the quotation instead of a plural possessive: "the players' coach".
fn ends_single(marks: &[(usize, Family, Side)], at: usize, text: &str, tokens: &[Token]) -> bool {
    let follows = marks[at + 1..].iter().find(|(_, family, _)| *family == Family::Single);
    !is_plural(text, &tokens[marks[at].0]) || follows.is_none_or(|(.., side)| *side == Side::Opens)
}

/// Whether the mark can be a plural possessive: between an "s" and a lower-case letter.
fn is_plural(text: &str, token: &Token) -> bool {
    let after = text[token.end()..].strip_prefix(' ');
    text[..token.start].ends_with(['s', 'S', 'z', 'x'])
        && after.is_some_and(|rest| rest.starts_with(char::is_lowercase))
}
