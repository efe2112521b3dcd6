//! Searches the document for an aligned claim: names and quantities that are nowhere, and sentences against the claim.

use std::ops::Range;

use super::nowhere::{NotInDocument, not_in_document};
use super::quantity_conflict::{QuantityConflict, quantity_conflict};
use super::relevance::is_about;
use crate::align::Alignment;
use crate::premises::{Premises, Scored};
use crate::rules::{Level, Rules};
use crate::text::{Span, Wording, words};

/// The results of the search for a claim.
pub(crate) struct LookupResult {
    /// Names and quantities that are nowhere in the document, if the rules look them up.
    pub not_in_document: Vec<NotInDocument>,
    /// The sentence about the claim with the highest contradiction.
    pub against: Option<Scored>,
    /// The sentence with the highest contradiction that gives another value for a quantity that is nowhere in the
    /// document.
    pub other_value: Option<(Scored, QuantityConflict)>,
}

/// Looks up an aligned claim.
pub fn look_up(premises: &Premises, claim: &str, alignment: &Alignment, rules: &Rules) -> LookupResult {
    let claim = Wording::of(claim);
    let least = rules.thresholds.shared_words;
    let mut not_in_document = Vec::new();
    if rules.caps.look_up() {
        not_in_document = self::not_in_document(&claim, premises.document_index());
        not_in_document.retain(|found| found.cap().is_none_or(|cap| rules.caps.of(cap).is_some()));
    }
    let conflict = |scored: &Scored| {
        let (sentence, document) =
            (premises.wording_of(scored.premise), premises.document_index().quantities());
        Some((*scored, quantity_conflict(&claim, &sentence, document, least)?))
    };
    let is_capped = not_in_document.iter().any(|found| found.cap().is_some());
    let other_value = is_capped.then(|| alignment.contradicting.iter().find_map(conflict)).flatten();
    LookupResult { not_in_document, against: against(premises, &claim, alignment, least), other_value }
}

/// The sentence about a claim that contradicts it most.
fn against(premises: &Premises, claim: &Wording<'_>, alignment: &Alignment, least: usize) -> Option<Scored> {
    let is_about =
        |scored: &&Scored| is_about(&claim.words, &premises.wording_of(scored.premise).words, least);
    alignment.contradicting.iter().find(is_about).copied()
}

/// The document's sentences about a claim.
pub fn sentences_about(premises: &Premises, claim: &str, rules: &Rules) -> Vec<Span> {
    let (claim, document) = (words(claim), premises.document().index());
    let least = rules.thresholds.shared_words;
    let is_about = |sentence: &&Span| is_about(&claim, &words(document.slice(**sentence)), least);
    premises.sentences().iter().filter(is_about).copied().collect()
}

/// The premises that fillings of a claim are paired with. For a claim that would be supported, this is the one that
/// decides its score. Otherwise there are two: the sentence about the claim that contradicts it most, because the
/// sentence that has another value is seldom the one that supports the claim best; and the best longer premise, because
/// a claim may join several sentences.
pub fn contrast_premises(
    premises: &Premises,
    claim: &str,
    alignment: &Alignment,
    is_supported: bool,
    rules: &Rules,
) -> Vec<Scored> {
    if is_supported {
        return vec![alignment.best];
    }
    let against = against(premises, &Wording::of(claim), alignment, rules.thresholds.shared_words);
    let longer = alignment.best_of(&[Level::Window, Level::Document]);
    against.into_iter().chain(longer).collect()
}

/// The claim's quantities that are nowhere in the document, as byte ranges of the claim.
pub fn quantities_nowhere(premises: &Premises, claim: &str) -> Vec<Range<usize>> {
    let claim = Wording::of(claim);
    claim.quantities.missing_from(premises.document_index().quantities()).map(|(place, _)| place).collect()
}
