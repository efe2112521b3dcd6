//! What decided a claim, in words: the model's probabilities on the evidence.

use anyhow::Result;
use veridic::pipeline::ClaimResult;

use super::detail;

/// Prints the reasons of a claim's score.
pub(super) fn reasons(claim: &ClaimResult) -> Result<()> {
    let p = &claim.probabilities;
    let percent = |share: f32| format!("{:.0}%", 100.0 * f64::from(share));
    detail(
        "the model on this evidence:",
        &format!(
            "supports it {}, is neutral {}, contradicts it {}",
            percent(p.entailment),
            percent(p.neutral),
            percent(p.contradiction)
        ),
    )
}
