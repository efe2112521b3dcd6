//! Whether a sentence gives a quantity of a claim otherwise: the claim's is nowhere in the document, and the sentence is
//! about the same and has another of its sort ("cost 2.4 million euros", "cost 4.2 million euros"). Values are compared
//! as everywhere (`text/quantities`); a plain number must count the same thing, by the word behind it.

use std::ops::Range;

use serde::Serialize;

use super::relevance::is_about;
use veridic_text::{Date, Kind, Quantities, Quantity, Value, Word, WordKind, Wording};

/// What claim and document say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuantityConflict {
    /// The quantity of the claim, as it has it.
    pub claim: String,
    /// That of the sentence.
    pub document: String,
}

/// What the sentence gives otherwise, if anything. It is about the claim if it has `least` of its telling words, quantities
/// aside; of a claim with fewer, all.
pub(in crate::pipeline) fn quantity_conflict(
    claim: &Wording<'_>,
    sentence: &Wording<'_>,
    document: &Quantities,
    least: usize,
) -> Option<QuantityConflict> {
    if !is_about(&beside_quantities(claim), &beside_quantities(sentence), least) {
        return None;
    }
    claim.quantities.nowhere_in(document).find_map(|(own, readings)| {
        let is_other = |(span, others): &(Range<usize>, &[Quantity])| {
            let mut pairs = readings.iter().flat_map(|own| others.iter().map(move |other| (own, other)));
            let counts_same = || {
                let counted = counted(claim, &own);
                counted.is_some() && counted == self::counted(sentence, span)
            };
            let is_new = others[0].certain && !claim.quantities.say(others);
            is_new && pairs.any(|(own, other)| is_same_sort(own, other, &counts_same))
        };
        let (span, _) = sentence.quantities.pieces().find(is_other)?;
        Some(QuantityConflict { claim: claim.text[own].to_owned(), document: sentence.text[span].to_owned() })
    })
}

/// Whether two quantities answer the same question.
fn is_same_sort(own: &Quantity, other: &Quantity, counts_same: &dyn Fn() -> bool) -> bool {
    match (own.value, other.value) {
        (Value::Amount(own), Value::Amount(other)) => {
            own.kind == other.kind
                && match own.kind {
                    Kind::Number | Kind::Ordinal => counts_same(),
                    Kind::Money | Kind::Temperature => own.unit == other.unit,
                    _ => true,
                }
        }
        (Value::Date(own), Value::Date(other)) => told(&own) == told(&other),
        (Value::Time(_), Value::Time(_)) => true,
        _ => false,
    }
}

/// Which parts of a date are told.
fn told(date: &Date) -> [bool; 4] {
    [date.year.is_some(), date.month.is_some(), date.day.is_some(), date.weekday.is_some()]
}

/// The word right behind a number, which is what it counts.
fn counted<'w>(text: &'w Wording<'_>, span: &Range<usize>) -> Option<&'w str> {
    let behind = text.words.iter().find(|word| word.start >= span.end)?;
    let is_next = text.text[span.end..behind.start].trim_matches([' ', '-']).is_empty();
    (is_next && behind.kind == WordKind::Content).then_some(behind.form.as_str())
}

/// The words that are no part of a quantity.
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
    fn another_value_of_the_same_sort_is_found() {
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
    fn what_is_said_elsewhere_of_another_sort_or_not_about_it_is_nothing() {
        for (claim, sentence, document) in [
            // It is said.
            (
                "Repairs would cost 2.4 million euros.",
                "Repairs would cost 4.2 million euros.",
                "It has 2.4 million euros.",
            ),
            // Another sort.
            ("Repairs would cost 2.4 million euros.", "Repairs would cost much and take 18 months.", ""),
            ("Repairs would cost 2.4 million euros.", "Repairs would cost 4.2 million dollars.", ""),
            // Other things are counted, or none that is told.
            ("The mine collapse killed 40 miners.", "A mine collapse killed people in 50 towns.", ""),
            ("The mine collapse killed 40.", "A mine collapse killed its 50th.", ""),
            // About something else.
            ("Repairs would cost 2.4 million euros.", "The fund gave 4.2 million euros.", ""),
            // The other value is the claim's too.
            ("It rose from 12% to 15% in May.", "It rose to 12% in May.", ""),
        ] {
            assert_eq!(given(claim, sentence, document), None, "{claim} {sentence}");
        }
    }
}
