//! Whether a sentence has another value for a quantity of a claim: the claim's quantity is nowhere in the document, and
//! the sentence is about the claim and has another quantity of the same kind ("cost 2.4 million euros", "cost 4.2 million
//! euros"). Values are compared by `veridic::text`'s `quantities`; a plain number must count the same thing, by the word
//! after it.

use std::ops::Range;

use serde::Serialize;

use super::relevance::is_about;
use crate::text::{Quantities, Quantity, Word, WordKind, Wording};

/// A quantity for which claim and document give different values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct QuantityConflict {
    /// The quantity's text in the claim.
    pub claim: String,
    /// The quantity's text in the document's sentence.
    pub document: String,
}

/// The first quantity of the claim for which the sentence has another value. The sentence must share at least `least`
/// words with the claim (see [`is_about`]), not counting quantities.
pub(super) fn quantity_conflict(
    claim: &Wording<'_>,
    sentence: &Wording<'_>,
    document: &Quantities,
    least: usize,
) -> Option<QuantityConflict> {
    if !is_about(&beside_quantities(claim), &beside_quantities(sentence), least) {
        return None;
    }
    claim.quantities.missing_from(document).find_map(|(own, readings)| {
        let is_other = |(span, others): &(Range<usize>, &[Quantity])| {
            let mut pairs = readings.iter().flat_map(|own| others.iter().map(move |other| (own, other)));
            let counts_same = || {
                let counted = counted(claim, &own);
                counted.is_some() && counted == self::counted(sentence, span)
            };
            let is_new = others[0].certain && !claim.quantities.contains(others);
            is_new && pairs.any(|(own, other)| own.is_same_kind(other, &counts_same))
        };
        let (span, _) = sentence.quantities.pieces().find(is_other)?;
        Some(QuantityConflict { claim: claim.text[own].to_owned(), document: sentence.text[span].to_owned() })
    })
}

/// The word right after a number: the thing that is counted.
fn counted<'w>(text: &'w Wording<'_>, span: &Range<usize>) -> Option<&'w str> {
    let next = text.words.iter().find(|word| word.start >= span.end)?;
    let is_adjacent = text.text[span.end..next.start].trim_matches([' ', '-']).is_empty();
    (is_adjacent && next.kind == WordKind::Content).then_some(next.form.as_str())
}

/// The words outside quantities.
fn beside_quantities<'t>(text: &Wording<'t>) -> Vec<Word<'t>> {
    let spans: Vec<Range<usize>> = text.quantities.pieces().map(|(span, _)| span).collect();
    let is_beside = |word: &&Word<'_>| !spans.iter().any(|span| span.contains(&word.start));
    text.words.iter().filter(is_beside).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(claim: &str, sentence: &str, document: &str) -> Option<(String, String)> {
        let document = Quantities::of(&format!("{sentence} {document}"));
        quantity_conflict(&Wording::of(claim), &Wording::of(sentence), &document, 3)
            .map(|found| (found.claim, found.document))
    }

    #[test]
    fn another_value_of_the_same_kind_conflicts() {
        for (claim, sentence, own, other) in [
            (
                "Repairs would cost 2.4 million euros.",
                "Repairs would cost 4.2 million euros and take eighteen months.",
                "2.4 million euros",
                "4.2 million euros",
            ),
            ("The pool opened in 1984.", "The pool opened in 1974.", "1984", "1974"),
            ("The mine collapse killed 40 miners.", "A mine collapse killed 50 miners.", "40", "50"),
            ("Sales of the firm rose by 9%.", "Sales of the firm rose by 12% in May.", "9%", "12%"),
            (
                "The supplier may raise prices by 5 percent.",
                "5. The supplier may raise prices by 3 percent.",
                "5 percent",
                "3 percent",
            ),
            ("The visitors won the match 3-0.", "The visitors won the match 2-1.", "3-0", "2-1"),
            (
                "He surrendered to police on Friday.",
                "He surrendered to police Thursday.",
                "Friday",
                "Thursday",
            ),
        ] {
            assert_eq!(given(claim, sentence, ""), Some((own.to_owned(), other.to_owned())), "{claim}");
        }
    }

    #[test]
    fn quantities_of_the_document_other_kinds_and_unrelated_sentences_do_not_conflict() {
        for (claim, sentence, document) in [
            // The document has it.
            (
                "Repairs would cost 2.4 million euros.",
                "Repairs would cost 4.2 million euros.",
                "It has 2.4 million euros.",
            ),
            // Another kind.
            ("Repairs would cost 2.4 million euros.", "Repairs would cost much and take 18 months.", ""),
            ("Repairs would cost 2.4 million euros.", "Repairs would cost 4.2 million dollars.", ""),
            // The numbers count different things, or nothing that is named.
            ("The mine collapse killed 40 miners.", "A mine collapse killed people in 50 towns.", ""),
            ("The mine collapse killed 40.", "A mine collapse killed its 50th.", ""),
            // About something else.
            ("Repairs would cost 2.4 million euros.", "The fund gave 4.2 million euros.", ""),
            // The claim has the other value too.
            ("It rose from 12% to 15% in May.", "It rose to 12% in May.", ""),
        ] {
            assert_eq!(given(claim, sentence, document), None, "{claim} {sentence}");
        }
    }
}
