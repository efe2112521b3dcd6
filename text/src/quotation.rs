//! What is quoted of a text: some of its parts, in order, as one.

use super::index::TextIndex;
use super::span::Span;

/// What stands for words between two parts that are not quoted.
const LEFT_OUT: &str = " [...] ";

/// The parts `spans` of a text, which are in order; between two of them what the text has there, and ` [...] ` where
/// that has words.
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

/// From the first part's start to the last one's end.
pub fn enclosing_span(spans: &[Span]) -> Option<Span> {
    Some(Span { start: spans.first()?.start, end: spans.last()?.end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_are_not_quoted() {
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
