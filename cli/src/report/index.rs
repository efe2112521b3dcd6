//! The rows of a report's list, sorted by risk.

use serde::Serialize;

use super::data::Place;
use super::pairs::{JudgedPair, display_text};
use super::scored::FailedRow;
use veridic::result::{Reason, Verdict};

/// A row of the list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct IndexRow {
    /// Its number, from 1.
    pub(super) number: usize,
    id: Option<String>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    /// Why its verdict does not follow from the scores of its claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Reason>,
    /// The number of claims per verdict, best first.
    claims: [usize; Verdict::ALL.len()],
    /// The lowest score of its claims.
    lowest: f64,
    /// The number of claims with a wrong citation.
    #[serde(skip_serializing_if = "is_zero")]
    wrong_citations: usize,
    pub(super) label: Option<bool>,
    summary: String,
    /// Text that is searched besides id and summary: claims that do not quote the summary, and the fields.
    found: String,
    /// The place of the row's details.
    row: Place,
    document: Place,
    /// The index of the row's settings in the report.
    settings: usize,
}

impl IndexRow {
    /// Creates the list entry of a pair whose details and document are at these places.
    pub(super) fn new(
        number: usize,
        pair: &JudgedPair,
        row: Place,
        document: Place,
        settings: usize,
    ) -> Self {
        let scored = &pair.row;
        let mut claims = [0; Verdict::ALL.len()];
        for claim in scored.claims() {
            claims[claim.verdict as usize] += 1;
        }
        let texts = scored.claims().map(|claim| claim.text.as_str());
        let rephrased = texts.filter(|text| !pair.summary.contains(text));
        let fields = pair.fields.iter().map(|(_, value)| value.as_str());
        Self {
            number,
            id: scored.id.as_deref().map(display_text),
            score: scored.score,
            verdict: scored.verdict,
            reason: scored.reason,
            claims,
            lowest: scored.claims().map(|claim| claim.score).reduce(f64::min).unwrap_or(scored.score),
            wrong_citations: scored.claims().filter(|claim| claim.has_wrong_citation()).count(),
            label: pair.label,
            summary: pair.summary.clone(),
            found: rephrased.chain(fields).collect::<Vec<_>>().join("\n"),
            row,
            document,
            settings,
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
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
        Self { number, id: row.id.as_deref().map(display_text), reason: row.reason }
    }
}

/// Sorts by risk: worse verdicts first, then lower scores, then input order.
pub(super) fn sort_by_risk(rows: &mut [IndexRow]) {
    rows.sort_by(|a, b| {
        let verdicts = (b.verdict as usize).cmp(&(a.verdict as usize));
        verdicts.then(a.score.total_cmp(&b.score)).then(a.number.cmp(&b.number))
    });
}
