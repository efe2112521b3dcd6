//! Rows to cases. One bad row is an error that names it, since a figure over part of a public file is another
//! figure; rows that the protocol leaves out are counted by reason. Control characters, which public files have
//! and no model reads, become spaces, and it is said of how many texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::benchmark::{Benchmark, Case, Taken};
use crate::corpus::read::{Origin, RawRow, RowFault};
use crate::pipeline::Aids;
use crate::pipeline::check_text;
use crate::stats::Undefined;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A row could not be read.
    #[error(transparent)]
    Unreadable(#[from] RowFault),
    /// A row is not what the benchmark's authors write.
    #[error("{origin}: {reason}")]
    Row {
        /// Where it is.
        origin: Origin,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The data are no data for the protocol.
    #[error("{0}")]
    Data(String),
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<K> {
    /// The texts to judge, in the order of the data.
    pub cases: Vec<Case<K>>,
    /// Rows of the data.
    pub rows: usize,
    /// Texts of the data, with those that are left out.
    pub texts: usize,
    /// Rows that the protocol leaves out, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Documents and texts in which control characters became spaces.
    pub cleaned: usize,
}

/// Reads all rows.
///
/// # Errors
/// The first row that is not what the benchmark's authors write, and data without a text to judge.
pub fn read<B: Benchmark>(
    benchmark: &B,
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
) -> Result<Reading<B::Keys>, BenchError> {
    let mut reading = Reading { cases: Vec::new(), rows: 0, texts: 0, left_out: BTreeMap::new(), cleaned: 0 };
    for row in rows {
        let row = row?;
        let origin = row.origin.clone();
        let id = row.fields.get("id").and_then(|value| id_text(value.get()));
        match benchmark.take(row) {
            Ok(taken) => reading.add(&origin, id.as_deref(), taken),
            Err(reason) => return Err(BenchError::Row { origin, reason }),
        }
    }
    if reading.cases.is_empty() {
        return Err(BenchError::Data(reading.without_cases()));
    }
    Ok(reading)
}

/// An id as text, be it a number, a string, or a number that became a string in a table.
pub(super) fn id_text(json: &str) -> Option<String> {
    match json {
        "null" => None,
        _ => Some(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())),
    }
}

/// Refuses texts that the engine cannot judge, naming their row.
///
/// # Errors
/// The first of them.
pub fn check_texts<K>(cases: &[Case<K>]) -> Result<(), BenchError> {
    for case in cases {
        check_text("document", &case.document)
            .and_then(|()| check_text("summary", &case.text))
            .map_err(|error| BenchError::Row { origin: case.origin.clone(), reason: error.to_string() })?;
    }
    Ok(())
}

/// Refuses scores that are not one finite number a case.
pub(super) fn check_scores<K>(cases: &[Case<K>], scores: &[f64]) -> Result<(), BenchError> {
    if cases.len() != scores.len() {
        return Err(Undefined::Lengths { first: cases.len(), second: scores.len() }.into());
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(index) => Err(Undefined::NotFinite { index }.into()),
        None => Ok(()),
    }
}

impl<K> Reading<K> {
    fn add(&mut self, origin: &Origin, id: Option<&str>, taken: Taken<K>) {
        let row = self.rows;
        self.rows += 1;
        let (document, texts, aids) = match taken {
            Taken::Texts { document, texts, aids } => (document, texts, aids),
            Taken::LeftOut(reason) => {
                self.texts += 1;
                *self.left_out.entry(reason).or_default() += 1;
                return;
            }
        };
        let document: Arc<str> = self.cleaned(document).into();
        let aids = Arc::new(Aids {
            key_facts: aids.key_facts.into_iter().map(|fact| self.cleaned(fact)).collect(),
            reference: aids.reference.map(|reference| self.cleaned(reference)),
            references: aids.references.into_iter().map(|reference| self.cleaned(reference)).collect(),
            ..Aids::default()
        });
        for (text, keys) in texts {
            let case = Case {
                origin: origin.clone(),
                row,
                number: self.texts,
                id: id.map(str::to_owned),
                document: Arc::clone(&document),
                text: self.cleaned(text),
                aids: Arc::clone(&aids),
                keys,
            };
            self.cases.push(case);
            self.texts += 1;
        }
    }

    /// The text without control characters but tabs, line ends and their like.
    fn cleaned(&mut self, text: String) -> String {
        let is_space = |c: char| matches!(c, '\t'..='\r' | '\u{85}');
        let is_noise = |c: char| c.is_control() && !is_space(c);
        if !text.contains(is_noise) {
            return text;
        }
        self.cleaned += 1;
        text.replace(is_noise, " ")
    }

    fn without_cases(&self) -> String {
        if self.rows == 0 {
            return "holds no rows".into();
        }
        let reasons: Vec<String> =
            self.left_out.iter().map(|(reason, rows)| format!("{reason} ({rows})")).collect();
        format!("holds no row that the protocol uses, out of {}: {}", self.rows, reasons.join(", "))
    }
}
