//! Decides from the entailment of a claim and of its fillings whether the document states a filling instead, and
//! whether the judge is insensitive to the claim. Pure; the rules set the limits ([`ContrastLimits`]).

use crate::text::Change;
use veridic_models::Probabilities;

use crate::rules::{ContrastLimits, Level};

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
    /// or it entails the filling clearly more than the claim.
    fn is_stated(&self, is_supported: bool, limits: &ContrastLimits) -> bool {
        let is_more = self.gain() > limits.insensitive_within;
        if self.change == Change::Speaker
            || is_supported && matches!(self.change, Change::Quantity | Change::Date) && is_more
        {
            return is_more;
        }
        let least = match (self.change, self.level) {
            (Change::Denial | Change::Speaker, _) => return false,
            (Change::Name | Change::Roles, _) => limits.of_names,
            (_, Level::Sentence | Level::Coref) => limits.by_sentence,
            _ => limits.by_longer,
        };
        may_be_replaced(&self.own, limits) && self.entailment >= least
    }

    /// Whether the filling is entailed as much as the claim.
    fn is_as_much(&self, limits: &ContrastLimits) -> bool {
        self.gain() >= -limits.insensitive_within
    }
}

/// Whether a premise with these probabilities for a claim may state a filling instead.
pub(super) fn may_be_replaced(own: &Probabilities, limits: &ContrastLimits) -> bool {
    own.contradiction >= limits.contradiction
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
pub(super) fn decide(is_supported: bool, answers: &[Answer], limits: &ContrastLimits) -> Decision {
    let values = || answers.iter().filter(|answer| answer.change != Change::Denial);
    // Ties go to the first, which is the most promising.
    let stated = answers.iter().enumerate().filter(|(_, answer)| answer.is_stated(is_supported, limits));
    let most = stated.reduce(|a, b| if b.1.entailment > a.1.entailment { b } else { a });
    let instead = most.map(|(index, _)| index);
    let denial = answers.iter().find(|answer| answer.change == Change::Denial);
    let by_values = values().next().is_some() && values().all(|answer| answer.is_as_much(limits));
    let is_insensitive = is_supported
        && instead.is_none()
        && (denial.is_some_and(|answer| answer.is_as_much(limits)) || by_values);
    Decision { instead, is_insensitive }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`super::decide`] for a claim and a premise with these probabilities.
    fn decide(
        (entailment, contradiction): (f32, f32),
        level: Level,
        is_supported: bool,
        answers: &[(Change, f32)],
    ) -> Decision {
        let own = Probabilities { entailment, neutral: 1.0 - entailment - contradiction, contradiction };
        let answer = |&(change, entailment): &(Change, f32)| Answer { change, own, level, entailment };
        super::decide(
            is_supported,
            &answers.iter().map(answer).collect::<Vec<_>>(),
            &ContrastLimits::default(),
        )
    }

    /// The filling that is stated instead of a claim that a sentence contradicts.
    fn instead(answers: &[(Change, f32)]) -> Option<usize> {
        decide((0.02, 0.95), Level::Sentence, false, answers).instead
    }

    #[test]
    fn a_filling_that_a_premise_states_stands_instead_of_a_claim_that_it_contradicts() {
        let fillings = [(Change::Quantity, 0.3), (Change::Quantity, 0.99)];
        let found = decide((0.02, 0.95), Level::Sentence, false, &fillings);
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
    fn each_limit_is_one() {
        let limits = ContrastLimits::default();
        for (change, level, least) in [
            (Change::Quantity, Level::Sentence, limits.by_sentence),
            (Change::Date, Level::Coref, limits.by_sentence),
            (Change::Quantity, Level::Document, limits.by_longer),
            (Change::Name, Level::Sentence, limits.of_names),
            (Change::Roles, Level::Window, limits.of_names),
        ] {
            let instead = |contradiction: f32, entailment: f32| {
                decide((0.1, contradiction), level, false, &[(change, entailment)]).instead
            };
            let contradiction = limits.contradiction;
            assert_eq!(instead(contradiction, least), Some(0), "{change:?}");
            assert_eq!(instead(contradiction, least - 0.01), None, "{change:?}");
            assert_eq!(instead(contradiction - 0.01, least), None, "{change:?}");
        }
    }

    #[test]
    fn a_claim_is_insensitive_if_its_denial_or_every_filling_is_entailed_as_much() {
        let is_insensitive = |is_supported, list: &[(Change, f32)]| {
            decide((0.9, 0.05), Level::Document, is_supported, list).is_insensitive
        };
        assert!(is_insensitive(true, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(false, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(true, &[(Change::Denial, 0.1)]));
        assert!(is_insensitive(true, &[(Change::Roles, 0.92), (Change::Roles, 0.9), (Change::Denial, 0.1)]));
        assert!(!is_insensitive(true, &[(Change::Roles, 0.92), (Change::Roles, 0.2)]));
        assert!(!is_insensitive(true, &[]));
    }
}
