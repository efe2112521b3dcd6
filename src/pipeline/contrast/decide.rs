//! What follows from the entailment of a claim and of its fillings by one premise. Pure; the limits are those of
//! [`Thresholds`].

use veridic_text::Change;

use crate::pipeline::profile::Thresholds;

/// A filling that the judge read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// What it changes.
    pub(super) change: Change,
    /// Its entailment by the premise.
    pub(super) entailment: f32,
}

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Decision {
    /// The highest entailment of a filling other than the denial, less that of the claim; 0 where none is higher.
    pub(super) gain: f32,
    /// The filling that the document states instead of the claim.
    pub(super) instead: Option<usize>,
    /// Whether the denial, or every other filling, is entailed as much as the claim.
    pub(super) is_insensitive: bool,
}

/// Decides about a claim that the premise entails with probability `own`; `is_supported`: whether it would be supported.
pub(super) fn decide(own: f32, is_supported: bool, answers: &[Answer]) -> Decision {
    let values = || answers.iter().enumerate().filter(|(_, answer)| answer.change != Change::Denial);
    // Of equals the first, which is the most promising.
    let best = values().rev().max_by(|(_, a), (_, b)| a.entailment.total_cmp(&b.entailment));
    let gain = best.map_or(0.0, |(_, best)| (best.entailment - own).max(0.0));
    let is_clear =
        |best: &Answer| gain >= Thresholds::INSTEAD_GAIN && best.entailment >= Thresholds::INSTEAD_ENTAILMENT;
    let instead = best.filter(|(_, best)| is_clear(best)).map(|(index, _)| index);
    let is_as_much = |answer: &Answer| answer.entailment >= own - Thresholds::INSENSITIVE_WITHIN;
    let denial = answers.iter().find(|answer| answer.change == Change::Denial);
    let by_values = best.is_some() && values().all(|(_, answer)| is_as_much(answer));
    let is_insensitive = is_supported && instead.is_none() && (denial.is_some_and(is_as_much) || by_values);
    Decision { gain, instead, is_insensitive }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(answers: &[(Change, f32)]) -> Vec<Answer> {
        answers
            .iter()
            .map(|(change, entailment)| Answer { change: *change, entailment: *entailment })
            .collect()
    }

    #[test]
    fn a_filling_that_is_entailed_clearly_more_stands_instead() {
        let found = decide(0.02, false, &answers(&[(Change::Quantity, 0.3), (Change::Quantity, 0.99)]));
        assert_eq!((found.instead, found.is_insensitive), (Some(1), false));
        assert!((found.gain - 0.97).abs() < 1e-6);
        // Of equals the first.
        let found = decide(0.02, false, &answers(&[(Change::Name, 0.99), (Change::Quantity, 0.99)]));
        assert_eq!(found.instead, Some(0));
    }

    #[test]
    fn a_small_gain_or_a_low_entailment_is_not_enough() {
        let gain = Thresholds::INSTEAD_GAIN - 0.01;
        let found = decide(0.99 - gain, false, &answers(&[(Change::Quantity, 0.99)]));
        assert_eq!(found.instead, None);
        let low = Thresholds::INSTEAD_ENTAILMENT - 0.01;
        assert_eq!(decide(0.0, false, &answers(&[(Change::Quantity, low)])).instead, None);
        assert_eq!(decide(0.0, false, &answers(&[(Change::Denial, 1.0)])).instead, None);
    }

    #[test]
    fn a_claim_is_insensitive_if_its_denial_or_every_filling_is_entailed_as_much() {
        let is_insensitive =
            |own, supported, list: &[(Change, f32)]| decide(own, supported, &answers(list)).is_insensitive;
        assert!(is_insensitive(0.9, true, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(0.9, false, &[(Change::Denial, 0.95)]));
        assert!(!is_insensitive(0.9, true, &[(Change::Denial, 0.1)]));
        assert!(is_insensitive(
            0.9,
            true,
            &[(Change::Name, 0.92), (Change::Name, 0.9), (Change::Denial, 0.1)]
        ));
        assert!(!is_insensitive(0.9, true, &[(Change::Name, 0.92), (Change::Name, 0.2)]));
        assert!(!is_insensitive(0.9, true, &[]));
    }
}
