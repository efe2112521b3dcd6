//! The affixes of a chunk: signs, quotation marks, currencies, icons, full stops after most characters, and measures after
//! a number. If several rules match, the prefix is the first match and the suffix the longest.

use super::classes::{is_currency, is_icon, is_lower, is_punctuation, is_quote, is_upper};
use super::measures;

/// The length in bytes of the prefix of `text`, or 0.
pub(super) fn prefix(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let rest = &text[first.len_utf8()..];
    match first {
        '.' if rest.starts_with('.') => text.len() - text.trim_start_matches('.').len(),
        '+' if rest.starts_with(|next: char| next.is_ascii_digit()) => 0,
        '+' | '%' | '=' => 1,
        'U' if rest.starts_with("S$") => 3,
        'A' | 'C' if rest.starts_with('$') => 2,
        '§' => '§'.len_utf8(),
        sign if is_sign(sign) || is_currency(sign) => sign.len_utf8(),
        _ => 0,
    }
}

/// The length in bytes of the suffix of `text`, or 0.
pub(super) fn suffix(text: &str) -> usize {
    let Some(last) = text.chars().next_back() else { return 0 };
    let before = &text[..text.len() - last.len_utf8()];
    let length = match last {
        '.' => full_stop(before),
        's' | 'S' if before.ends_with('\'') => "'s".len(),
        's' | 'S' if before.ends_with('’') => "’s".len(),
        '+' if before.ends_with(|digit: char| digit.is_ascii_digit()) => 1,
        '…' if before.ends_with('…') => "……".len(),
        sign if is_sign(sign) => sign.len_utf8(),
        _ => 0,
    };
    length.max(measures::after_number(text))
}

/// Signs that are affixes at both ends.
fn is_sign(c: char) -> bool {
    is_punctuation(c) || is_quote(c) || is_icon(c) || matches!(c, '–' | '—')
}

/// The length of the full stops after `before` that are a suffix: all of several; a single one except after a lone capital
/// ("J.") or most symbols.
fn full_stop(before: &str) -> usize {
    let stops = before.len() - before.trim_end_matches('.').len();
    if stops > 0 {
        return stops + 1;
    }
    let mut backward = before.chars().rev();
    let (last, second) = (backward.next(), backward.next());
    let ends_word = last.is_some_and(|c| {
        let listed = matches!(c, '%' | '²' | '+' | '-' | '|');
        listed || c.is_ascii_digit() || is_lower(c) || is_punctuation(c) || is_quote(c)
    });
    let ends_capitals = last.is_some_and(is_upper) && second.is_some_and(is_upper);
    let ends_degrees = second == Some('°') && matches!(last, Some('F' | 'C' | 'K'));
    usize::from(ends_word || ends_capitals || ends_degrees)
}
