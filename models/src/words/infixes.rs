//! The infixes of a chunk without affixes: ellipses, icons, hyphens and dashes before a letter, full stops between
//! sentences without a space, and a few signs between letters or digits.

use std::ops::Range;

use super::classes::{is_icon, is_letter, is_lower, is_quote, is_upper};

/// The byte ranges of the infixes of `text`, in order.
pub(super) fn infixes(text: &str) -> impl Iterator<Item = Range<usize>> {
    let (mut at, mut before) = (0, None);
    std::iter::from_fn(move || {
        while let Some(first) = text[at..].chars().next() {
            let length = infix(before, &text[at..]);
            let found = at..at + length;
            at += if length > 0 { length } else { first.len_utf8() };
            // All characters of a longer infix are equal.
            before = Some(first);
            if length > 0 {
                return Some(found);
            }
        }
        None
    })
}

/// The length in bytes of the infix that starts `text` and follows the character `before`, or 0.
fn infix(before: Option<char>, text: &str) -> usize {
    let mut characters = text.chars();
    let (Some(sign), next) = (characters.next(), characters.next()) else { return 0 };
    if sign.is_ascii_alphanumeric() {
        return 0;
    }
    let behind = |test: fn(char) -> bool| before.is_some_and(test);
    let ahead = |test: fn(char) -> bool| next.is_some_and(test);
    let joins_numbers = || behind(is_digit) && ahead(|c| is_digit(c) || c == '-');
    match sign {
        '.' if next == Some('.') => text.len() - text.trim_start_matches('.').len(),
        '.' => usize::from(behind(ends_sentence) && ahead(starts_sentence)),
        ',' => usize::from(behind(is_letter) && ahead(is_letter)),
        '+' | '*' | '^' => usize::from(joins_numbers()),
        '-' if joins_numbers() => 1,
        '-' => dashes(before, text, '-', 3),
        '—' => dashes(before, text, '—', 2),
        '–' | '~' => dashes(before, text, sign, 1),
        ':' | '<' | '>' | '=' | '/' => usize::from(behind(is_letter_or_digit) && ahead(is_letter)),
        '…' => sign.len_utf8(),
        _ if is_icon(sign) => sign.len_utf8(),
        _ => 0,
    }
}

/// The length of a run of `dash`, at most `most` of them, between a letter or digit and a letter.
fn dashes(before: Option<char>, text: &str, dash: char, most: usize) -> usize {
    let run = text.chars().take(most).take_while(|&c| c == dash).count() * dash.len_utf8();
    let fits = before.is_some_and(is_letter_or_digit) && text[run..].starts_with(is_letter);
    if fits { run } else { 0 }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_letter_or_digit(c: char) -> bool {
    is_digit(c) || is_letter(c)
}

fn ends_sentence(c: char) -> bool {
    is_lower(c) || is_quote(c)
}

fn starts_sentence(c: char) -> bool {
    is_upper(c) || is_quote(c)
}
