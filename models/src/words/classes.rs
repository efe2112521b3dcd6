//! The character classes of spaCy's rules. They are fixed lists, not Unicode's categories, and they overlap: '〈' is both a
//! letter and a quotation mark; 'é' is a letter, 'ἐ' is not.

use super::icons::ICONS;
use super::letters::{CASED, CASELESS};
use super::numerals::{COMBINING, ZEROS};

/// White space in Python: Unicode's, and the four information separators.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// A letter of one of the listed scripts.
pub(super) fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && (within(CASED, c) || within(CASELESS, c))
}

/// A lower-case letter, or one of a script without case.
pub(super) fn is_lower(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_lowercase();
    }
    // spaCy lists 'ʔ' and 'ʕ' with their block.
    within(CASELESS, c) || (c.is_lowercase() && within(CASED, c)) || matches!(c, 'ʔ' | 'ʕ')
}

/// An upper-case letter, or one of a script without case.
pub(super) fn is_upper(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_uppercase();
    }
    // spaCy lists the unassigned U+03A2, which lies between Α and Ω.
    within(CASELESS, c) || (c.is_uppercase() && within(CASED, c)) || c == '\u{3a2}'
}

/// Punctuation that is an affix at both ends.
pub(super) fn is_punctuation(c: char) -> bool {
    matches!(c, ',' | ':' | ';' | '!' | '?' | '_' | '#' | '*' | '&')
        || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>')
        || matches!(c, '…' | '¿' | '؟' | '¡' | '·' | '।' | '،' | '۔' | '؛' | '٪')
        || matches!(c, '。' | '？' | '！' | '，' | '、' | '；' | '：' | '～')
}

/// Quotation marks, as listed by spaCy.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '`' | ',' | '”' | '“' | '‘' | '’' | '‚' | '„' | '´' | '»' | '«')
        || matches!(c, '「' | '」' | '『' | '』' | '（' | '）' | '〔' | '〕' | '【' | '】' | '《' | '》')
        || matches!(c, '\u{3008}' | '\u{3009}' | '\u{2329}' | '\u{232a}' | '⟦' | '⟧')
}

/// Currencies of one character.
pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '£' | '€' | '¥' | '฿' | '﷼' | '\u{20a0}'..='\u{20bf}')
}

/// Emoji, dingbats and other symbols (Unicode's category So, as of Unicode 11).
pub(super) fn is_icon(c: char) -> bool {
    !c.is_ascii() && within(ICONS, c)
}

/// A decimal digit of any script: Python's `\d`.
pub(super) fn is_decimal(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    let next = ZEROS.partition_point(|&zero| zero <= c);
    next > 0 && u32::from(c) - u32::from(ZEROS[next - 1]) < 10
}

/// A letter, a numeral or the underscore: Python's `\w`, which unlike Rust's `is_alphanumeric` excludes combining marks and
/// circled letters.
pub(super) fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric() && !within(COMBINING, c))
}

/// Whether one of the sorted, inclusive ranges contains `c`.
fn within(ranges: &[(char, char)], c: char) -> bool {
    let first = ranges.partition_point(|&(_, last)| last < c);
    ranges.get(first).is_some_and(|&(start, _)| start <= c)
}
