//! What a table says of all claims of a row in columns of its own: how many have each verdict, and the worst of them, that with
//! the lowest score. Claims that give no answer, and parts of the summary that state nothing, are not among them.

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::decide::Verdict;
use crate::input::Fields;

/// The field of a row for these columns.
pub(super) const SUM: &str = "sum";

#[derive(Serialize)]
struct Summed {
    claims: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Worst>,
}

#[derive(Default, Serialize)]
struct Counts {
    supported: usize,
    unsure: usize,
    unsupported: usize,
    contradicted: usize,
}

#[derive(Serialize)]
struct Worst {
    text: String,
    explanation: Option<String>,
}

#[derive(Deserialize)]
struct Claim {
    text: String,
    verdict: Option<Verdict>,
    score: Option<f64>,
    explanation: Option<String>,
}

/// Returns the sum of a row's claims; `None` if it has no list of claims.
pub(super) fn summed(row: &Fields) -> Option<Box<RawValue>> {
    let claims: Vec<Claim> = serde_json::from_str(row.get("claims")?.get()).ok()?;
    let mut counts = Counts::default();
    let mut worst: Option<(f64, Claim)> = None;
    for claim in claims {
        match claim.verdict {
            Some(Verdict::Supported) => counts.supported += 1,
            Some(Verdict::Unsure) => counts.unsure += 1,
            Some(Verdict::Unsupported) => counts.unsupported += 1,
            Some(Verdict::Contradicted) => counts.contradicted += 1,
            Some(Verdict::NoAnswer) | None => continue,
        }
        let Some(score) = claim.score else { continue };
        if worst.as_ref().is_none_or(|(lowest, _)| score < *lowest) {
            worst = Some((score, claim));
        }
    }
    let worst = worst.map(|(_, Claim { text, explanation, .. })| Worst { text, explanation });
    to_raw_value(&Summed { claims: counts, worst }).ok()
}
