//! A judgement in one line, for telemetry. Quotes texts only where the caller allows it.

use veridic::PairResult;
use veridic::Verdict;

/// How many claims are supported and which are not; with their texts and what is against them if `quotes`, else by number.
pub(crate) fn of_result(result: &PairResult, quotes: bool) -> String {
    let claims = (1..).zip(&result.claims);
    let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
    let mut sentences = vec![format!("{supported} of {} claims supported", result.claims.len())];
    for (number, claim) in claims.filter(|(_, claim)| claim.verdict != Verdict::Supported) {
        let verdict = claim.verdict.name();
        sentences.push(if quotes {
            format!("{verdict}: \"{}\" ({})", claim.text, claim.explanation)
        } else {
            format!("claim {number} is {verdict}, score {}", result.limits.shown(claim.score))
        });
    }
    sentences.join("; ")
}
