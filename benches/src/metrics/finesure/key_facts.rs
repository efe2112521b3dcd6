//! Key facts of a row: its own, or the claims of its reference or of the document's most central sentences.

use super::central::most_central;
use crate::metrics::row::{Row, has_words};
use veridic::pipeline::{ClaimExtractor, Summary};
use veridic::{Error, Result, Scorer, named};

/// The maximum number of key facts extracted from a text.
pub(super) const MAX_KEY_FACTS: usize = 16;

/// The number of document sentences whose claims are its key facts.
const CENTRAL_SENTENCES: usize = 5;

/// The axes that need key facts.
pub(super) const NEEDING: [&str; 2] = ["completeness", "conciseness"];

/// The source of key facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum KeyFactsFrom {
    /// The row's own key facts.
    #[default]
    Row,
    /// The claims of the row's reference summary.
    Reference,
    /// The claims of the document's most central sentences: an approximation.
    Document,
}

named!(KeyFactsFrom, "source of key facts", { Row = "row", Reference = "reference", Document = "document" });

/// The key facts of a row; at least one.
pub(super) fn of(row: &Row<'_>, from: KeyFactsFrom, scorer: &Scorer) -> Result<Vec<String>> {
    match from {
        KeyFactsFrom::Row => of_row(row),
        KeyFactsFrom::Reference => claims_of(&[reference(row)?], scorer),
        KeyFactsFrom::Document => {
            let sentences = row.document_units();
            claims_of(&most_central(&sentences, CENTRAL_SENTENCES), scorer)
        }
    }
}

/// The row's own key facts; at least one.
pub(super) fn of_row(row: &Row<'_>) -> Result<Vec<String>> {
    let facts: Vec<String> =
        row.texts.inputs.key_facts.iter().filter(|fact| has_words(fact)).cloned().collect();
    if facts.is_empty() {
        return Err(refusal(
            "has no key facts: give them in its field `key_facts`, or give --key-facts reference or document",
        ));
    }
    Ok(facts)
}

/// The row's reference.
pub(super) fn reference<'t>(row: &Row<'t>) -> Result<&'t str> {
    let reference = row.texts.inputs.reference.as_deref().filter(|text| has_words(text));
    reference.ok_or_else(|| refusal("has no `reference` to take key facts from"))
}

/// The row's key points, without the numbers that may precede them; at least one.
pub(super) fn points(row: &Row<'_>) -> Result<Vec<String>> {
    let points = row.texts.inputs.key_facts.iter().map(|point| without_number(point));
    let points: Vec<String> = points.filter(|point| has_words(point)).map(str::to_owned).collect();
    if points.is_empty() {
        return Err(refusal("has no key points: give them in the field `key_points`, a list of texts"));
    }
    Ok(points)
}

fn refusal(reason: &str) -> Error {
    Error::Text { role: "row", reason: reason.to_owned() }
}

/// Returns "A b." for "12. A b.", since TofuEval's key points are numbered.
fn without_number(point: &str) -> &str {
    let rest = point.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(". ") {
        Some(text) if rest.len() < point.trim_start().len() => text.trim(),
        _ => point.trim(),
    }
}

fn claims_of(texts: &[&str], scorer: &Scorer) -> Result<Vec<String>> {
    let extractor = match &scorer.settings().claims {
        // Given claims are those of the summary.
        ClaimExtractor::Given => &ClaimExtractor::Sentence,
        extractor => extractor,
    };
    let texts: Vec<Summary<'_>> = texts.iter().map(|text| Summary::new(text)).collect();
    let claims = extractor.extract(&texts)?.into_iter().flat_map(|claims| claims.claims);
    Ok(claims.map(|claim| claim.text).take(MAX_KEY_FACTS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_key_points_are_removed() {
        for (point, text) in [
            ("1. It rained.", "It rained."),
            (" 12.  It rained. ", "It rained."),
            ("1.5 million came.", "1.5 million came."),
            (". It rained.", ". It rained."),
            ("3.", "3."),
            ("2014 was wet.", "2014 was wet."),
        ] {
            assert_eq!(without_number(point), text, "{point}");
        }
    }
}
