//! What is looked up in a document for a claim that was aligned: names and quantities that are nowhere, sentences against it.

use std::ops::Range;

use super::{PremiseId, Premises};
use crate::pipeline::align::{Alignment, Scored};
use crate::pipeline::findings::{
    DocumentIndex, NotInDocument, QuantityConflict, is_about, not_in_document, quantity_conflict,
};
use crate::rules::{Level, Rules};
use veridic_text::Wording;

/// What was looked up for a claim.
pub struct LookedUp {
    /// Names and quantities that are nowhere in the document, where the rules look them up.
    pub not_in_document: Vec<NotInDocument>,
    /// Of the sentences about the claim, the one with the highest contradiction.
    pub against: Option<Scored>,
    /// The sentence with another value for a quantity that is nowhere in the document, the one with the highest contradiction.
    pub other_value: Option<(Scored, QuantityConflict)>,
}

impl Premises<'_> {
    /// Looks up an aligned claim.
    pub fn look_up(&self, claim: &str, alignment: &Alignment, rules: &Rules) -> LookedUp {
        let claim = Wording::of(claim);
        let least = rules.thresholds.shared_words;
        let not_in_document = match rules.caps.look_up() {
            true => not_in_document(&claim, self.document_index()),
            false => Vec::new(),
        };
        let conflict = |scored: &Scored| {
            let (sentence, document) = (self.wording_of(scored.premise), self.document_index().quantities());
            Some((*scored, quantity_conflict(&claim, &sentence, document, least)?))
        };
        let is_capped = not_in_document.iter().any(|found| found.cap().is_some());
        let other_value = is_capped.then(|| alignment.contradicting.iter().find_map(conflict)).flatten();
        LookedUp { not_in_document, against: self.against(&claim, alignment, least), other_value }
    }

    /// Of the sentences about a claim, the one that contradicts it most.
    fn against(&self, claim: &Wording<'_>, alignment: &Alignment, least: usize) -> Option<Scored> {
        let is_about =
            |scored: &&Scored| is_about(&claim.words, &self.wording_of(scored.premise).words, least);
        alignment.contradicting.iter().find(is_about).copied()
    }

    /// The premises beside which other fillings of a claim are read. Of a claim that would be supported it is the one that
    /// decides its score. Else there are two: the sentence about the claim that contradicts it most, because the sentence
    /// that has another value is seldom the one that supports the claim best; and the best longer premise, because a claim
    /// may join several sentences.
    pub fn to_ask(
        &self,
        claim: &str,
        alignment: &Alignment,
        is_supported: bool,
        rules: &Rules,
    ) -> Vec<Scored> {
        if is_supported {
            return vec![alignment.best];
        }
        let against = self.against(&Wording::of(claim), alignment, rules.thresholds.shared_words);
        let longer = alignment.best_of(&[Level::Window, Level::Document]);
        against.into_iter().chain(longer).collect()
    }

    /// The claim's quantities that are nowhere in the document, as byte ranges of the claim.
    pub fn quantities_nowhere(&self, claim: &str) -> Vec<Range<usize>> {
        let claim = Wording::of(claim);
        claim.quantities.missing_from(self.document_index().quantities()).map(|(place, _)| place).collect()
    }

    fn document_index(&self) -> &DocumentIndex {
        self.set.document_index.get_or_init(|| DocumentIndex::of(self.document.text()))
    }

    /// The wording of a premise as the model read it.
    fn wording_of(&self, id: PremiseId) -> Wording<'_> {
        let premise = self.get(id);
        let rewritten = premise.substitution.as_ref().map(|substitution| substitution.rewritten.as_str());
        Wording::of(rewritten.unwrap_or_else(|| self.document.slice(premise.evidence)))
    }
}
