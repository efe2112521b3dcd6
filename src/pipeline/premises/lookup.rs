//! What is looked up in a document for a claim that was aligned: facts, counter-evidence, quantities that are nowhere.

use std::ops::Range;

use super::{PremiseId, Premises};
use crate::pipeline::align::{Alignment, Scored};
use crate::pipeline::evidence::{
    DocumentIndex, FactTexts, Facts, QuantityConflict, is_about, quantity_conflict,
};
use crate::pipeline::profile::{Level, Thresholds};
use veridic_text::Wording;

impl Premises<'_> {
    /// The facts of an aligned claim.
    pub fn facts(&self, claim: &str, alignment: &Alignment) -> Facts {
        let premise = self.wording_of(alignment.best.premise);
        let sentence = alignment.best_of(&[Level::Sentence, Level::Coref]);
        let sentence = sentence.map_or_else(|| premise.clone(), |scored| self.wording_of(scored.premise));
        let (claim, document) = (Wording::of(claim), self.document_index());
        let texts = FactTexts { claim: &claim, premise: &premise, sentence: &sentence, document };
        Facts::of(alignment, &texts)
    }

    /// The sentence that contradicts the claim: where `by_quantity` is set, one with another value for a quantity of the
    /// claim; else, of the sentences about the claim, the one with the highest contradiction, if above the limit.
    pub fn counter(
        &self,
        claim: &str,
        alignment: &Alignment,
        thresholds: &Thresholds,
        by_quantity: bool,
    ) -> Option<(Scored, Option<QuantityConflict>)> {
        let claim = Wording::of(claim);
        let conflict = |scored: &Scored| {
            let document = self.document_index().quantities();
            let sentence = self.wording_of(scored.premise);
            let conflict = quantity_conflict(&claim, &sentence, document, thresholds.shared_words)?;
            Some((*scored, Some(conflict)))
        };
        let by_quantity = by_quantity.then(|| alignment.contradicting.iter().find_map(conflict)).flatten();
        let contradicts = |scored: &&Scored| scored.probabilities.contradiction > thresholds.contradicted;
        let is_about = |scored: &&Scored| {
            is_about(&claim.words, &self.wording_of(scored.premise).words, thresholds.shared_words)
        };
        let by_model = || alignment.contradicting.iter().take_while(contradicts).find(is_about);
        by_quantity.or_else(|| by_model().map(|scored| (*scored, None)))
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
        thresholds: &Thresholds,
    ) -> Vec<Scored> {
        if is_supported {
            return vec![alignment.best];
        }
        let claim = Wording::of(claim);
        let is_about = |scored: &&Scored| {
            is_about(&claim.words, &self.wording_of(scored.premise).words, thresholds.shared_words)
        };
        let against = alignment.contradicting.iter().find(is_about).copied();
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
