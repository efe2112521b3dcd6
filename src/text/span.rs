//! Character ranges of a text.
//!
//! Offsets count Unicode scalar values of the text as given, the end excluded, so the same numbers slice the same text
//! in Python. A span that ends before it starts is refused when it is read; whether it lies inside a text is not checked.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The characters `start..end` of a text; `[start, end]` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "(usize, usize)", try_from = "(usize, usize)")]
pub struct Span {
    /// Offset of the first character.
    pub start: usize,
    /// Offset after the last character.
    pub end: usize,
}

/// The error for a pair of offsets whose end is before its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("span [{start}, {end}] ends before it starts")]
pub struct SpanError {
    start: usize,
    end: usize,
}

impl Span {
    /// The number of characters; zero if the end is before the start.
    pub fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span has no characters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of the span, without the part that lies beyond `text`. This scans from the start of `text`; for many spans
    /// of one text use [`TextIndex`](super::TextIndex).
    pub fn slice<'t>(&self, text: &'t str) -> &'t str {
        let from_start = &text[byte_of(text, self.start)..];
        &from_start[..byte_of(from_start, self.len())]
    }
}

impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

impl TryFrom<(usize, usize)> for Span {
    type Error = SpanError;

    fn try_from((start, end): (usize, usize)) -> Result<Self, SpanError> {
        if start > end {
            return Err(SpanError { start, end });
        }
        Ok(Span { start, end })
    }
}

/// The byte offset of a character of `text`, or the text's length.
pub(super) fn byte_of(text: &str, character: usize) -> usize {
    match text.char_indices().nth(character) {
        Some((byte, _)) => byte,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_a_pair() {
        let span = Span { start: 3, end: 7 };
        assert_eq!(serde_json::to_string(&span).unwrap(), "[3,7]");
        assert_eq!(serde_json::from_str::<Span>("[3,7]").unwrap(), span);
        let error = serde_json::from_str::<Span>("[7,3]").unwrap_err();
        assert!(error.to_string().contains("ends before it starts"));
        assert!(serde_json::from_str::<Span>("[7]").is_err());
        assert!(serde_json::from_str::<Span>("[-1,3]").is_err());
    }

    #[test]
    fn slices_count_characters() {
        let text = "Zoë’s 🦀 ran.";
        assert_eq!(Span { start: 0, end: 5 }.slice(text), "Zoë’s");
        assert_eq!(Span { start: 6, end: 7 }.slice(text), "🦀");
        assert_eq!(Span { start: 8, end: 99 }.slice(text), "ran.");
        assert_eq!(Span { start: 50, end: 99 }.slice(text), "");
        let (span, empty) = (Span { start: 2, end: 5 }, Span { start: 2, end: 2 });
        assert_eq!((span.len(), span.is_empty(), empty.is_empty()), (3, false, true));
    }
}
