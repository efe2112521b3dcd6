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

    /// The premise beside which other fillings of a claim are read: the one that decides its score, unless a sentence about
    /// the claim rather contradicts it than entails it, and the deciding premise does not entail it either. What such a
    /// sentence says instead is what is asked.
    pub fn to_ask(&self, claim: &str, alignment: &Alignment, thresholds: &Thresholds) -> Scored {
        let claim = Wording::of(claim);
        let is_open = |scored: &Scored| {
            let own = scored.probabilities;
            own.entailment <= 1.0 - Thresholds::INSTEAD_GAIN && own.contradiction > own.entailment
        };
        let is_about = |scored: &&Scored| {
            is_about(&claim.words, &self.wording_of(scored.premise).words, thresholds.shared_words)
        };
        let is_undecided = alignment.best.probabilities.entailment <= 1.0 - Thresholds::INSTEAD_GAIN;
        let mut against = alignment.contradicting.iter().filter(|scored| is_undecided && is_open(scored));
        against.find(is_about).copied().unwrap_or(alignment.best)
    }

    /// The claim's quantities that are nowhere in the document, as byte ranges of the claim.
    pub fn quantities_nowhere(&self, claim: &str) -> Vec<Range<usize>> {
        let claim = Wording::of(claim);
        claim.quantities.missing_from(self.document_index().quantities()).map(|(place, _)| place).collect()
    }

    fn document_index(&self) -> &DocumentIndex {
        self.document_index.get_or_init(|| DocumentIndex::of(self.document.text()))
    }

    /// The wording of a premise as the model read it.
    fn wording_of(&self, id: PremiseId) -> Wording<'_> {
        let premise = self.get(id);
        let rewritten = premise.substitution.as_ref().map(|substitution| substitution.rewritten.as_str());
        Wording::of(rewritten.unwrap_or_else(|| self.document.slice(premise.evidence)))
    }
}
