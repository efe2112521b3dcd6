//! What the list of a report knows of each row, and the order it stands in: by risk.

use serde::Serialize;

use super::data::Place;
use super::figures::Scores;
use super::pairs::{JudgedPair, shown};
use super::scored::FailedRow;
use veridic::pipeline::{Reason, Verdict};

/// A row of the list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct IndexRow {
    /// Its place among the rows, from 1.
    pub(super) number: usize,
    id: Option<String>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    /// Why its verdict is not what its claims' scores say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Reason>,
    #[serde(skip)]
    pub(super) scores: Scores,
    /// Claims that are supported, unsupported, contradicted.
    claims: [usize; 3],
    /// The lowest score of a claim.
    lowest: f64,
    pub(super) label: Option<bool>,
    summary: String,
    /// What a search finds beside id and summary: claims in other words, and the fields.
    found: String,
    /// Where the rest of the row is.
    row: Place,
    document: Place,
}

impl IndexRow {
    /// The entry of a pair whose parts are at these places.
    pub(super) fn new(number: usize, pair: &JudgedPair, row: Place, document: Place) -> Self {
        let mut claims = [0; 3];
        for claim in &pair.claims {
            claims[claim.verdict as usize] += 1;
        }
        let in_other_words =
            pair.claims.iter().map(|claim| claim.text.as_str()).filter(|text| !pair.summary.contains(text));
        let fields = pair.input.iter().map(|(_, value)| value.as_str());
        Self {
            number,
            id: pair.id.clone(),
            score: pair.score,
            verdict: pair.verdict,
            reason: pair.reason,
            scores: pair.scores,
            claims,
            lowest: pair.claims.iter().map(|claim| claim.score).fold(f64::INFINITY, f64::min),
            label: pair.label,
            summary: pair.summary.clone(),
            found: in_other_words.chain(fields).collect::<Vec<_>>().join("\n"),
            row,
            document,
        }
    }
}

/// A row that could not be judged.
#[derive(Debug, Serialize)]
pub(super) struct FailedIndexRow {
    number: usize,
    id: Option<String>,
    reason: String,
}

impl FailedIndexRow {
    pub(super) fn new(number: usize, row: FailedRow) -> Self {
        Self { number, id: row.id.as_deref().map(shown), reason: row.reason }
    }
}

/// Puts the rows that most deserve a look first: contradicted before unsupported before supported, the
/// lower score first, then as they came.
pub(super) fn sort_by_risk(rows: &mut [IndexRow]) {
    rows.sort_by(|a, b| {
        let verdicts = (b.verdict as usize).cmp(&(a.verdict as usize));
        verdicts.then(a.score.total_cmp(&b.score)).then(a.number.cmp(&b.number))
    });
}
