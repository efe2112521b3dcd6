//! Finds the summary's span of the part of a claim that the document states otherwise, and maps an [`Instead`] from the
//! normalised texts to the texts as given.

use super::instead::Instead;
use crate::claims::Claim;
use crate::text::{NormalizedText, Span, TextIndex};

/// The summary's span of a part of a claim. If a span of the claim contains the claim word for word, it is the part's
/// span there; else the single occurrence of the part's text in the claim's spans.
pub(super) fn summary_span(summary: &TextIndex<'_>, claim: &Claim, part: Span) -> Option<Span> {
    let place = |of: Span, byte: usize, text: &str| {
        let start = of.start + summary.slice(of)[..byte].chars().count();
        Span { start, end: start + text.chars().count() }
    };
    for of in &claim.spans {
        if let Some(byte) = summary.slice(*of).find(&claim.text) {
            let start = place(*of, byte, &claim.text).start;
            return Some(Span { start: start + part.start, end: start + part.end });
        }
    }
    let text = part.slice(&claim.text);
    let found = |of: &Span| {
        let found = summary.slice(*of).match_indices(text).map(|(byte, _)| place(*of, byte, text));
        found.collect::<Vec<_>>()
    };
    let mut places = claim.spans.iter().flat_map(found);
    places.next().filter(|_| places.next().is_none() && !text.is_empty())
}

/// The same in the texts as given; `claim` is the claim's text as given.
pub(crate) fn as_given(
    instead: Instead,
    claim: &str,
    summary: &NormalizedText<'_>,
    document: &NormalizedText<'_>,
) -> Instead {
    let span = NormalizedText::of(claim).given_span(instead.span);
    let moved = |span: Span, text: &NormalizedText<'_>| match text.replaced() {
        0 => span,
        _ => text.given_span(span),
    };
    let document_span = moved(instead.document_span, document);
    // The text of exchanged names or of a denial is not a slice of the document.
    let is_slice = instead.document == instead.document_span.slice(document.text());
    Instead {
        span,
        text: span.slice(claim).to_owned(),
        document: if document.replaced() > 0 && is_slice {
            document.given().slice(document_span).to_owned()
        } else {
            instead.document
        },
        document_span,
        summary_span: instead.summary_span.map(|span| moved(span, summary)),
        ..instead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::FillingKind;

    fn place(summary: &str, text: &str, spans: &[(usize, usize)], part: (usize, usize)) -> Option<String> {
        let spans = spans.iter().map(|&(start, end)| Span { start, end }).collect();
        let claim = Claim { text: text.to_owned(), spans, sentence: Span { start: 0, end: 0 } };
        let part = Span { start: part.0, end: part.1 };
        summary_span(&TextIndex::new(summary), &claim, part).map(|span| span.slice(summary).to_owned())
    }

    #[test]
    fn a_claim_that_the_summary_has_word_for_word_has_its_part_there() {
        let summary = "Çä. It cost 12 in 2012, 12.";
        let found = summary_span(
            &TextIndex::new(summary),
            &Claim {
                text: "It cost 12 in 2012, 12.".into(),
                spans: vec![Span { start: 4, end: 27 }],
                sentence: Span { start: 4, end: 27 },
            },
            Span { start: 20, end: 22 },
        );
        assert_eq!(found, Some(Span { start: 24, end: 26 }));
    }

    #[test]
    fn a_rewritten_claim_has_it_where_its_parts_have_its_text_once() {
        let summary = "The pool, which opened in 1984, closed in 2012.";
        let spans = [(0, 8), (16, 30)];
        assert_eq!(place(summary, "The pool opened in 1984.", &spans, (19, 23)).as_deref(), Some("1984"));
        // Not in its parts, or twice.
        assert_eq!(place(summary, "The pool opened in 2012.", &spans, (19, 23)), None);
        assert_eq!(place("12 of 12 left.", "Of 12, 12 left.", &[(0, 14)], (3, 5)), None);
        assert_eq!(place(summary, "The pool opened in 1984.", &[], (19, 23)), None);
    }

    #[test]
    fn places_move_to_the_texts_as_given() {
        let (summary, document) =
            ("It op\u{ad}ened in 19\u{200b}84.", "\u{feff}\u{feff}It opened in 19\u{ad}74.");
        let (read, given) = (NormalizedText::of(summary), NormalizedText::of(document));
        let span = |text: &str, part: &str| {
            let start = text[..text.find(part).unwrap()].chars().count();
            Span { start, end: start + part.chars().count() }
        };
        let instead = Instead {
            kind: FillingKind::Date,
            span: span(read.text(), "1984"),
            text: "1984".into(),
            document: "1974".into(),
            document_span: span(given.text(), "1974"),
            summary_span: Some(span(read.text(), "1984")),
            gain: 0.5,
            sources: Vec::new(),
        };
        let instead = as_given(instead, summary, &read, &given);
        assert_eq!((instead.text.as_str(), instead.span.slice(summary)), ("19\u{200b}84", "19\u{200b}84"));
        assert_eq!(instead.summary_span.unwrap().slice(summary), "19\u{200b}84");
        assert_eq!(instead.document_span.slice(document), instead.document);
        assert_eq!(instead.document, "19\u{ad}74");
    }
}
