//! Decides from the entailment of a claim and of its fillings whether the document states a filling instead, and
//! whether the judge is insensitive to the claim. Pure.

use crate::text::Change;
use veridic_models::Probabilities;

use crate::rules::Level;

// The limits, probabilities of the judge. With them the document was found to say something else on 24 of 2,181 labelled
// rows, all of them inconsistent, and of 187 reworded sentences on 1 (docs/measurements/accuracy.md).
/// The minimum contradiction of the claim by the premise.
const CONTRADICTION: f32 = 0.65;
/// The minimum entailment of the claim with another quantity or date, by one sentence.
const BY_SENTENCE: f32 = 0.7;
/// The same by a longer premise, which may state this of something else.
const BY_LONGER: f32 = 0.8;
/// The minimum entailment of the claim with another name, or with two names exchanged. It is higher because a statement
/// about one name is often nearly entailed for another.
const OF_NAMES: f32 = 0.9;
/// A changed claim is entailed as much as the claim if its entailment is at most this much lower.
const INSENSITIVE_WITHIN: f32 = 0.05;

/// A filling that the judge read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// The kind of change.
    pub(super) change: Change,
    /// The probabilities of the premise with the claim itself.
    pub(super) own: Probabilities,
    /// The level of the premise.
    pub(super) level: Level,
    /// The entailment of the filling by the premise.
    pub(super) entailment: f32,
}

impl Answer {
    /// The entailment of the filling minus that of the claim.
    pub(super) fn gain(&self) -> f32 {
        self.entailment - self.own.entailment
    }

    /// Whether the premise states this filling instead of the claim: it contradicts the claim and entails the filling,
    /// so it cannot support the claim. Another speaker only has to be entailed clearly more: who says something is
    /// seldom contradicted.
    fn is_stated(&self) -> bool {
        let least = match (self.change, self.level) {
            (Change::Speaker, _) => return self.gain() > INSENSITIVE_WITHIN,
            (Change::Denial, _) => return false,
            (Change::Name | Change::Roles, _) => OF_NAMES,
            (_, Level::Sentence | Level::Coref) => BY_SENTENCE,
            _ => BY_LONGER,
        };
        may_be_replaced(&self.own) && self.entailment >= least
    }

    /// Whether the filling is entailed as much as the claim.
    fn is_as_much(&self) -> bool {
        self.gain() >= -INSENSITIVE_WITHIN
    }
}

/// Whether a premise with these probabilities for a claim may state a filling instead.
pub(super) fn may_be_replaced(own: &Probabilities) -> bool {
    own.contradiction >= CONTRADICTION
}

/// The outcome for a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Decision {
    /// The filling that the document states instead of the claim.
    pub(super) instead: Option<usize>,
    /// Whether the denial, or every other filling, is entailed as much as the claim.
    pub(super) is_insensitive: bool,
}

/// Decides about a claim; `is_supported`: whether it would be supported.
pub(super) fn decide(is_supported: bool, answers: &[Answer]) -> Decision {
    let values = || answers.iter().filter(|answer| answer.change != Change::Denial);
    // Ties go to the first, which is the most promising.
    let stated = answers.iter().enumerate().filter(|(_, answer)| answer.is_stated());
    let most = stated.reduce(|a, b| if b.1.entailment > a.1.entailment { b } else { a });
    let instead = most.map(|(index, _)| index);
    let denial = answers.iter().find(|answer| answer.change == Change::Denial);
    let by_values = values().next().is_some() && values().all(Answer::is_as_much);
    let is_insensitive =
        is_supported && instead.is_none() && (denial.is_some_and(Answer::is_as_much) || by_values);
    Decision { instead, is_insensitive }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`super::decide`] for a claim and a premise with these probabilities.
    fn decide(
        entailment: f32,
        contradiction: f32,
        level: Level,
        is_supported: bool,
        answers: &[(Change, f32)],
    ) -> Decision {
        let own = Probabilities { entailment, neutral: 1.0 - entailment - contradiction, contradiction };
        let answer = |&(change, entailment): &(Change, f32)| Answer { change, own, level, entailment };
        super::decide(is_supported, &answers.iter().map(answer).collect::<Vec<_>>())
    }

    /// The filling that is stated instead of a claim that a sentence contradicts.
    fn instead(answers: &[(Change, f32)]) -> Option<usize> {
        decide(0.02, 0.95, Level::Sentence, false, answers).instead
    }

    #[test]
    fn a_filling_that_a_premise_states_stands_instead_of_a_claim_that_it_contradicts() {
        let fillings = [(Change::Quantity, 0.3), (Change::Quantity, 0.99)];
        let found = decide(0.02, 0.95, Level::Sentence, false, &fillings);
        assert_eq!((found.instead, found.is_insensitive), (Some(1), false));
        let own = Probabilities { entailment: 0.02, neutral: 0.03, contradiction: 0.95 };
        let stated = Answer { change: Change::Quantity, own, level: Level::Sentence, entailment: 0.99 };
        assert!((stated.gain() - 0.97).abs() < 1e-6);
        // Ties go to the first.
        assert_eq!(instead(&[(Change::Name, 0.99), (Change::Quantity, 0.99)]), Some(0));
        // A name that is entailed most, but not enough, hides no quantity.
        assert_eq!(instead(&[(Change::Name, 0.85), (Change::Quantity, 0.8)]), Some(1));
        assert_eq!(instead(&[(Change::Denial, 1.0)]), None);
    }

    #[test]
    fn a_supported_claim_keeps_its_own_value() {
        for change in [Change::Quantity, Change::Date, Change::Name, Change::Roles] {
            let found = decide(0.6, 0.35, Level::Sentence, true, &[(change, 0.99)]);
            assert_eq!(found.instead, None, "{change:?}");
        }
        assert_eq!(decide(0.6, 0.35, Level::Sentence, true, &[(Change::Speaker, 0.99)]).instead, Some(0));
    }

    #[test]
    fn each_limit_is_one() {
        for (change, level, least) in [
            (Change::Quantity, Level::Sentence, BY_SENTENCE),
            (Change::Date, Level::Coref, BY_SENTENCE),
            (Change::Quantity, Level::Document, BY_LONGER),
            (Change::Name, Level::Sentence, OF_NAMES),
            (Change::Roles, Level::Window, OF_NAMES),
        ] {
            let instead = |contradiction: f32, entailment: f32| {
                decide(0.1, contradiction, level, false, &[(change, entailment)]).instead
            };
            assert_eq!(instead(CONTRADICTION, least), Some(0), "{change:?}");
            assert_eq!(instead(CONTRADICTION, least - 0.01), None, "{change:?}");
            assert_eq!(instead(CONTRADICTION - 0.01, least), None, "{change:?}");
        }
    }

    #[test]
    fn a_claim_is_insensitive_if_its_denial_or_every_filling_is_entailed_as_much() {
        let is_insensitive = |is_supported, list: &[(Change, f32)]| {
            decide(0.9, 0.05, Level::Document, is_supported, list).is_insensitive
        };
        assert!(is_insensitive(true, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(false, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(true, &[(Change::Denial, 0.1)]));
        assert!(is_insensitive(true, &[(Change::Roles, 0.92), (Change::Roles, 0.9), (Change::Denial, 0.1)]));
        assert!(!is_insensitive(true, &[(Change::Roles, 0.92), (Change::Roles, 0.2)]));
        assert!(!is_insensitive(true, &[]));
    }
}
