//! Where the part of a claim that the document has otherwise is: in the claim, in the summary, in the document; and the same
//! in the texts as given.

use super::Instead;
use crate::pipeline::claims::Claim;
use veridic_text::{NormalizedText, Span, TextIndex};

/// Where a part of a claim is in the summary: where the claim itself stands there word for word, at that place in it; else
/// where the claim's parts of the summary have its text exactly once.
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

/// Moves what the document says instead into the texts as given. `claim`: the claim's text as given. Where that does not
/// hold the replaced part any more, there is nothing to replace in it.
pub(in crate::pipeline) fn relocate(
    instead: &mut Instead,
    (read, claim): (&str, &str),
    summary: &NormalizedText<'_>,
    document: &NormalizedText<'_>,
) {
    if read != claim {
        let index = TextIndex::new(claim);
        let nth = instead.span.start;
        // The same occurrence: normalisation replaces characters and keeps their order.
        let before = read.chars().take(nth).collect::<String>().matches(&instead.text).count();
        if let Some((byte, _)) = claim.match_indices(&instead.text).nth(before) {
            let start = index.character(byte);
            instead.span = Span { start, end: start + instead.text.chars().count() };
        }
    }
    if summary.replaced() > 0 {
        instead.summary_span = instead.summary_span.map(|span| summary.given_span(span));
    }
    if document.replaced() > 0 {
        let given = document.given_span(instead.document_span);
        // What exchanged names and a denial say is not a slice of the document.
        if instead.document == instead.document_span.slice(document.text()) {
            instead.document = given.slice(document.given().text()).to_owned();
        }
        instead.document_span = given;
    }
}
