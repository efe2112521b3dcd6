//! What follows from the entailment of a claim and of its fillings by one premise. Pure; the limits are those of
//! [`Thresholds`].

use veridic_text::Change;

use crate::pipeline::profile::Thresholds;

/// A filling that the judge read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// What it changes.
    pub(super) change: Change,
    /// The entailment of the claim itself by the premise.
    pub(super) own: f32,
    /// The entailment of the filling by it.
    pub(super) entailment: f32,
}

impl Answer {
    /// The entailment of the filling less that of the claim.
    pub(super) fn gain(&self) -> f32 {
        self.entailment - self.own
    }
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

/// Decides about a claim; `is_supported`: whether it would be supported.
pub(super) fn decide(is_supported: bool, answers: &[Answer]) -> Decision {
    let values = || answers.iter().enumerate().filter(|(_, answer)| answer.change != Change::Denial);
    // Of equals the first, which is the most promising.
    let most = |values: &mut dyn Iterator<Item = (usize, &Answer)>| {
        values.map(|(index, answer)| (index, answer.gain())).reduce(|a, b| if b.1 > a.1 { b } else { a })
    };
    let gain = most(&mut values()).map_or(0.0, |(_, gain)| gain.max(0.0));
    let is_clear = |(_, answer): &(usize, &Answer)| {
        answer.gain() >= Thresholds::INSTEAD_GAIN && answer.entailment >= least(answer.change)
    };
    let instead = most(&mut values().filter(is_clear)).map(|(index, _)| index);
    let is_as_much = |answer: &Answer| answer.gain() >= -Thresholds::INSENSITIVE_WITHIN;
    let denial = answers.iter().find(|answer| answer.change == Change::Denial);
    let by_values = values().next().is_some() && values().all(|(_, answer)| is_as_much(answer));
    let is_insensitive = is_supported && instead.is_none() && (denial.is_some_and(is_as_much) || by_values);
    Decision { gain, instead, is_insensitive }
}

/// The least entailment of a filling that stands instead.
fn least(change: Change) -> f32 {
    match change {
        Change::Quantity | Change::Date => Thresholds::INSTEAD_ENTAILMENT,
        _ => Thresholds::INSTEAD_ENTAILMENT_OF_NAMES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`super::decide`] about a claim that one premise entails with probability `own`.
    fn decide(own: f32, is_supported: bool, answers: &[(Change, f32)]) -> Decision {
        let answer = |&(change, entailment): &(Change, f32)| Answer { change, own, entailment };
        super::decide(is_supported, &answers.iter().map(answer).collect::<Vec<_>>())
    }

    #[test]
    fn a_filling_that_is_entailed_clearly_more_stands_instead() {
        let found = decide(0.02, false, &[(Change::Quantity, 0.3), (Change::Quantity, 0.99)]);
        assert_eq!((found.instead, found.is_insensitive), (Some(1), false));
        assert!((found.gain - 0.97).abs() < 1e-6);
        // Of equals the first.
        let found = decide(0.02, false, &[(Change::Name, 0.99), (Change::Quantity, 0.99)]);
        assert_eq!(found.instead, Some(0));
    }

    #[test]
    fn a_small_gain_or_a_low_entailment_is_not_enough() {
        let gain = Thresholds::INSTEAD_GAIN - 0.01;
        let found = decide(0.99 - gain, false, &[(Change::Quantity, 0.99)]);
        assert_eq!(found.instead, None);
        for change in [Change::Quantity, Change::Date, Change::Name, Change::Roles] {
            let instead = |entailment| decide(0.0, false, &[(change, entailment)]).instead;
            assert_eq!((instead(least(change)), instead(least(change) - 0.01)), (Some(0), None));
        }
        // A name that is entailed most, but not enough, hides no quantity.
        let found = decide(0.0, false, &[(Change::Name, 0.85), (Change::Quantity, 0.8)]);
        assert_eq!(found.instead, Some(1));
        assert_eq!(decide(0.0, false, &[(Change::Denial, 1.0)]).instead, None);
    }

    #[test]
    fn a_claim_is_insensitive_if_its_denial_or_every_filling_is_entailed_as_much() {
        let is_insensitive =
            |own, supported, list: &[(Change, f32)]| decide(own, supported, list).is_insensitive;
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
