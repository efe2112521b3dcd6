//! From scores to verdicts: thresholds for a claim, the mean and the worst case for a summary.

use serde::Serialize;

use super::align::Alignment;
use super::profile::Thresholds;

/// What is said of a claim or a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The document supports it.
    Supported,
    /// The document does not support it.
    Unsupported,
    /// The document says otherwise.
    Contradicted,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
        }
    }

    /// The verdict on a claim.
    pub(super) fn of_claim(alignment: &Alignment, thresholds: &Thresholds) -> Self {
        let contradicts =
            |scored: &super::align::Scored| scored.probabilities.contradiction > thresholds.contradicted;
        if alignment.best.score >= thresholds.supported {
            Self::Supported
        } else if alignment.most_contradicting.as_ref().is_some_and(contradicts) {
            Self::Contradicted
        } else {
            Self::Unsupported
        }
    }

    /// The verdict on a summary: contradicted if any claim is, supported if all are.
    pub(super) fn of_summary(claims: impl Iterator<Item = Self> + Clone) -> Self {
        if claims.clone().any(|claim| claim == Self::Contradicted) {
            Self::Contradicted
        } else if claims.clone().all(|claim| claim == Self::Supported) {
            Self::Supported
        } else {
            Self::Unsupported
        }
    }
}

/// The score of a summary: the mean over its claims (FENICE's equation 8), in double precision.
pub(super) fn mean(scores: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = scores.len() as f64;
    (scores.map(f64::from).sum::<f64>() / count) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Contradicted, Supported, Unsupported};

    #[test]
    fn a_summary_is_as_bad_as_its_worst_claim() {
        let of = |claims: &[Verdict]| Verdict::of_summary(claims.iter().copied());
        assert_eq!(of(&[Supported, Supported]), Supported);
        assert_eq!(of(&[Supported, Unsupported]), Unsupported);
        assert_eq!(of(&[Unsupported, Contradicted, Supported]), Contradicted);
    }

    #[test]
    fn the_mean_is_the_plain_one() {
        assert_eq!(mean([1.0f32, 0.0, -0.25].into_iter()), 0.25);
    }
}
