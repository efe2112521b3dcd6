//! Converts character offsets to byte offsets and back.
//!
//! A table has one entry for every 128 characters, so a look-up scans at most that many; ASCII text needs no table.
//! Offsets beyond the text count as its end.

use std::borrow::Cow;

use super::span::{Span, byte_of};

/// Characters between two entries of the table.
const STEP: usize = 128;

/// A text with a table of byte offsets, for many conversions between characters and bytes.
#[derive(Clone, Debug)]
pub struct TextIndex<'t> {
    text: &'t str,
    /// Byte offset of character `i * STEP`; empty when every character is one byte.
    bytes: Cow<'t, [usize]>,
    characters: usize,
}

/// A text that is kept together with its table.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct IndexedText {
    text: String,
    bytes: Vec<usize>,
    characters: usize,
}

impl IndexedText {
    /// Builds the table.
    pub(crate) fn new(text: String) -> Self {
        let (bytes, characters) = table(&text);
        Self { text, bytes, characters }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text with its table, which is not built again.
    pub(crate) fn index(&self) -> TextIndex<'_> {
        TextIndex { text: &self.text, bytes: Cow::Borrowed(&self.bytes), characters: self.characters }
    }
}

/// The byte offset of every character `i * STEP`, none if every character is one byte; and the number of characters.
fn table(text: &str) -> (Vec<usize>, usize) {
    if text.is_ascii() {
        return (Vec::new(), text.len());
    }
    let mut bytes = Vec::with_capacity(text.len() / STEP + 1);
    let mut characters = 0;
    for (byte, _) in text.char_indices() {
        if characters % STEP == 0 {
            bytes.push(byte);
        }
        characters += 1;
    }
    (bytes, characters)
}

impl<'t> TextIndex<'t> {
    /// Builds the table in one pass over the text.
    pub fn new(text: &'t str) -> Self {
        let (bytes, characters) = table(text);
        Self { text, bytes: Cow::Owned(bytes), characters }
    }

    /// The indexed text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The number of characters of the text.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The byte offset of a character; the text's length if there is no such character.
    pub fn byte(&self, character: usize) -> usize {
        if character >= self.characters {
            return self.text.len();
        }
        match self.bytes.get(character / STEP) {
            Some(&start) => start + byte_of(&self.text[start..], character % STEP),
            None => character,
        }
    }

    /// The offset of the character that contains a byte; the number of characters for a byte beyond the text.
    pub fn character(&self, byte: usize) -> usize {
        if byte >= self.text.len() {
            return self.characters;
        }
        let entry = self.bytes.partition_point(|&start| start <= byte);
        if entry == 0 {
            return byte;
        }
        let start = self.bytes[entry - 1];
        let before = &self.text.as_bytes()[start..=byte];
        (entry - 1) * STEP + before.iter().filter(|&&unit| starts_character(unit)).count() - 1
    }

    /// The text of a span; empty if the span ends before it starts.
    pub fn slice(&self, span: Span) -> &'t str {
        let start = self.byte(span.start);
        let end = self.byte(span.end);
        self.text.get(start..end).unwrap_or("")
    }
}

/// Whether a byte of UTF-8 is the first of its character.
pub(super) fn starts_character(unit: u8) -> bool {
    unit & 0b1100_0000 != 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_agrees_with_scan(text: &str) {
        let index = TextIndex::new(text);
        assert_eq!(index.characters(), text.chars().count());
        for (character, (byte, letter)) in text.char_indices().enumerate() {
            assert_eq!(index.byte(character), byte);
            for inside in byte..byte + letter.len_utf8() {
                assert_eq!(index.character(inside), character);
            }
        }
        assert_eq!(index.byte(index.characters()), text.len());
        assert_eq!(index.byte(usize::MAX), text.len());
        assert_eq!(index.character(usize::MAX), index.characters());
    }

    #[test]
    fn lengths_around_a_table_step() {
        for length in [0, 1, 2, STEP - 1, STEP, STEP + 1, 2 * STEP, 3 * STEP + 5] {
            assert_agrees_with_scan(&"a".repeat(length));
            assert_agrees_with_scan(&"é".repeat(length));
            assert_agrees_with_scan(&"a🦀".repeat(length));
        }
    }

    #[test]
    fn reversed_spans_are_empty() {
        assert_eq!(TextIndex::new("abc").slice(Span { start: 2, end: 1 }), "");
        assert_eq!(TextIndex::new("aéc").slice(Span { start: 2, end: 1 }), "");
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC{0,400}", start in 0usize..450, length in 0usize..450) {
            assert_agrees_with_scan(&text);
            let span = Span { start, end: start + length };
            prop_assert_eq!(TextIndex::new(&text).slice(span), span.slice(&text));
        }
    }
}
