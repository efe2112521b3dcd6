//! Labelled rows of one model and one set of rules.

use serde::Deserialize;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};

use super::scored_by::{ScoredBy, part};
use crate::labelled_scores::{Outcome, WithoutLabel, outcome, own_text};
use crate::protocol::{BenchError, grouped, read_fields};

/// The user's own fields.
#[derive(Debug, Clone, Copy)]
pub struct OwnFields<'f> {
    /// The label: 1 (consistent) or 0.
    pub label: &'f str,
    /// The field with the id of a row's document; without it, the digest that the run wrote is used.
    pub document: Option<&'f str>,
}

/// Labelled rows of one model and one set of rules.
#[derive(Debug, Clone)]
pub struct CalibrationRows {
    pub(super) files: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) scored_by: ScoredBy,
    pub of_rows: usize,
    pub not_judged: usize,
    pub without_label: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    document: Option<String>,
    pub(super) score: f64,
    pub(super) is_consistent: bool,
}

impl CalibrationRows {
    /// Reads files, given by name and rows. Refuses the first row that is not a labelled row of a run, or whose model or
    /// rules differ from the first row's.
    pub fn read<R: IntoIterator<Item = Result<RawRow, RowFault>>>(
        files: impl IntoIterator<Item = (String, R)>,
        own: OwnFields<'_>,
    ) -> Result<Self, BenchError> {
        let (mut names, mut rows, mut of_rows, mut not_judged) = (Vec::new(), Vec::new(), 0, 0);
        let (mut first, mut without) = (None, WithoutLabel::of(own.label));
        for (name, raw_rows) in files {
            names.push(name);
            read_fields(raw_rows, |_, fields| {
                of_rows += 1;
                let (score, is_consistent) = match outcome(&fields, own.label)? {
                    Outcome::Judged { score, label } => (score, label),
                    Outcome::NotJudged => {
                        not_judged += 1;
                        return Ok(());
                    }
                    Outcome::NoLabel => {
                        without.add(&fields);
                        return Ok(());
                    }
                };
                let scored_by = ScoredBy::of(&fields)?;
                first.get_or_insert_with(|| scored_by.clone()).check(&scored_by)?;
                rows.push(Row { document: document_of(&fields, own)?, score, is_consistent });
                Ok(())
            })?;
        }
        let scored_by = first
            .ok_or_else(|| BenchError::Data(format!("{}: {}", names.join(", "), without.reason(of_rows))))?;
        if let Some(pooled) = scored_by.pooled() {
            let reason = format!(
                "{}: scores are the {pooled} of their claims', and a limit is one of claims: score the rows with \
                 `over_claims=minimum`",
                names.join(", ")
            );
            return Err(BenchError::Data(reason));
        }
        Ok(Self { files: names, rows, scored_by, of_rows, not_judged, without_label: without.rows })
    }

    /// Returns the rows of each document, in order of first appearance; a row without a document counts as its own.
    pub(super) fn documents(&self) -> Vec<Vec<usize>> {
        let key = |(index, row): (usize, &Row)| match &row.document {
            Some(id) => (id.clone(), index),
            None => (format!("\0{index}"), index),
        };
        grouped(self.rows.iter().enumerate().map(key))
    }
}

fn document_of(fields: &Fields, own: OwnFields<'_>) -> Result<Option<String>, String> {
    #[derive(Deserialize)]
    struct Ledger {
        document_digest: Option<String>,
    }
    match own.document {
        Some(name) => own_text(fields, name).map(Some),
        None => Ok(part::<Ledger>(fields, "ledger")?.document_digest),
    }
}
