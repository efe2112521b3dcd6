//! Verdicts and the summary's score: a claim's verdict by thresholds, a summary's by its worst claim, and the pooling of the
//! claims' scores.

use serde::{Deserialize, Serialize};

use super::profile::{OverClaims, Thresholds};
use crate::named;

/// The verdict on a claim or a summary, the better ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// The document supports it.
    Supported,
    /// The verdict would be too uncertain; only where a rate of abstention is set.
    Unsure,
    /// The document does not support it.
    Unsupported,
    /// The document contradicts it.
    Contradicted,
}

named!(Verdict, "verdict", {
    Supported = "supported",
    Unsure = "unsure",
    Unsupported = "unsupported",
    Contradicted = "contradicted",
});

/// Why a verdict does not follow from the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Reason {
    /// A text is certainly in a language that the card of the NLI model does not list.
    Language,
}

named!(Reason, "reason", { Language = "language" });

impl Verdict {
    /// The verdict on a claim; `is_contradicted`: whether a sentence of the document contradicts it.
    pub(super) fn of_claim(score: f32, is_contradicted: bool, thresholds: &Thresholds) -> Self {
        if score >= thresholds.supported {
            Self::Supported
        } else if is_contradicted {
            Self::Contradicted
        } else {
            Self::Unsupported
        }
    }

    /// The verdict on a summary: that of its worst claim.
    pub(super) fn of_summary(claims: impl Iterator<Item = Self>) -> Self {
        claims.max().unwrap_or(Self::Supported)
    }

    /// Whether it says that the document does not support it: unsupported or contradicted.
    #[must_use]
    pub fn is_adverse(self) -> bool {
        matches!(self, Self::Unsupported | Self::Contradicted)
    }
}

/// k of the soft minimum.
const SOFTNESS: f64 = 5.0;

/// The score of a summary from its claims' scores, computed in double precision.
pub(super) fn pool(rule: OverClaims, scores: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = scores.len() as f64;
    let scores = scores.map(f64::from);
    let score = match rule {
        OverClaims::Mean => scores.sum::<f64>() / count,
        OverClaims::Minimum => scores.fold(f64::INFINITY, f64::min),
        OverClaims::SoftMinimum => soft_minimum(scores, SOFTNESS),
    };
    score as f32
}

/// -ln(mean of exp(-k x)) / k: between the mean and the least value.
fn soft_minimum(values: impl ExactSizeIterator<Item = f64>, softness: f64) -> f64 {
    let count = values.len() as f64;
    -(values.map(|value| (-softness * value).exp()).sum::<f64>() / count).ln() / softness
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Contradicted, Supported, Unsupported, Unsure};

    #[test]
    fn a_summary_is_as_bad_as_its_worst_claim() {
        let of = |claims: &[Verdict]| Verdict::of_summary(claims.iter().copied());
        assert_eq!(of(&[Supported, Supported]), Supported);
        assert_eq!(of(&[Supported, Unsupported]), Unsupported);
        assert_eq!(of(&[Unsupported, Contradicted, Supported]), Contradicted);
        assert_eq!(of(&[Supported, Unsure]), Unsure);
        assert_eq!(of(&[Unsure, Unsupported]), Unsupported);
    }

    #[test]
    fn scores_are_pooled_by_each_rule() {
        let scores = [1.0f32, 0.0, -0.25];
        let of = |rule| pool(rule, scores.into_iter());
        assert_eq!((of(OverClaims::Mean), of(OverClaims::Minimum)), (0.25, -0.25));
        // -ln((e^-5 + 1 + e^1.25) / 3) / 5
        assert!((of(OverClaims::SoftMinimum) + 0.080_963).abs() < 1e-5, "{}", of(OverClaims::SoftMinimum));
        assert!((pool(OverClaims::SoftMinimum, [0.5f32, 0.5].into_iter()) - 0.5).abs() < 1e-6);
    }
}
