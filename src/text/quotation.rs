//! Quotes several spans of a text as one string.

use super::index::TextIndex;
use super::span::Span;

/// Stands for words between two quoted spans.
const LEFT_OUT: &str = " [...] ";

/// The text of spans that are in order, joined by the text between them, or by ` [...] ` if that has words.
pub fn quotation(text: &TextIndex<'_>, spans: &[Span]) -> String {
    let mut quoted = String::new();
    for (place, span) in spans.iter().enumerate() {
        if let Some(before) = place.checked_sub(1).map(|before| spans[before]) {
            let between = text.slice(Span { start: before.end, end: span.start });
            quoted += if between.contains(char::is_alphanumeric) { LEFT_OUT } else { between };
        }
        quoted += text.slice(*span);
    }
    quoted
}

/// The span from the start of the first span to the end of the last one; `None` without spans.
pub fn enclosing_span(spans: &[Span]) -> Option<Span> {
    Some(Span { start: spans.first()?.start, end: spans.last()?.end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_spans_are_left_out() {
        let text = TextIndex::new("Ä one.  Two. * * Three. Four.");
        let span = |start, end| Span { start, end };
        let (one, two, three, four) = (span(0, 6), span(8, 12), span(17, 23), span(24, 29));
        assert_eq!(quotation(&text, &[one, two]), "Ä one.  Two.");
        assert_eq!(quotation(&text, &[two, three]), "Two. * * Three.");
        assert_eq!(quotation(&text, &[one, three, four]), "Ä one. [...] Three. Four.");
        assert_eq!(quotation(&text, &[]), "");
        assert_eq!((enclosing_span(&[one, three]), enclosing_span(&[])), (Some(span(0, 23)), None));
    }
}
