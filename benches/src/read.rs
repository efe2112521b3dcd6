//! Reads rows into cases. One bad row is an error that names it, since a figure over part of a public file is a different
//! figure. Rows that the protocol leaves out are counted by reason, as are texts without words, which cannot be judged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::answers::Answers;
use super::benchmark::{About, Benchmark, Case, Given, Key, Label, RowContent};
use super::text_level::TextLevel;
use veridic::Pair;
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic_stats::Undefined;

/// Why texts without words are left out.
const UNJUDGEABLE: &str = "texts that cannot be judged";

/// Why texts whose scores could not be computed are left out.
const FAILED: &str = "texts that failed";

/// Why texts without a verdict are left out.
const UNSURE: &str = "texts with the verdict unsure";

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A row could not be read.
    #[error(transparent)]
    Unreadable(#[from] RowFault),
    /// A row does not have the fields and values that it needs.
    #[error("{origin}: {reason}")]
    Row {
        /// The place of the row.
        origin: Origin,
        /// The problem and the remedy.
        reason: String,
    },
    /// The protocol has no figures for these data.
    #[error("{0}")]
    Data(String),
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// The content of a benchmark's files.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The texts to judge, in the order of the data.
    pub cases: Vec<Case>,
    /// The number of rows in the data.
    pub rows: usize,
    /// The number of texts in the data, including those left out.
    pub texts: usize,
    /// Rows that the protocol leaves out, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// The reasons among these of rows whose given answers do not fit.
    unanswered: BTreeSet<String>,
    /// The fields of the keys of texts.
    pub key_fields: &'static [&'static str],
}

/// Reads all rows.
///
/// # Errors
/// The first row that differs from the authors' format; data without a text to judge.
pub fn read(
    benchmark: &dyn Benchmark,
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
) -> Result<Reading, BenchError> {
    let about = benchmark.about();
    let key_fields = about.key_fields;
    let mut reading = Reading {
        cases: Vec::new(),
        rows: 0,
        texts: 0,
        left_out: BTreeMap::new(),
        unanswered: BTreeSet::new(),
        key_fields,
    };
    for row in rows {
        let row = row?;
        let of_row = OfRow {
            origin: row.origin.clone(),
            id: row.fields.get("id").and_then(|value| id_text(value.get())),
            given: Given::of(&row.fields),
            key: key(&row.fields, key_fields),
        };
        match benchmark.read_row(row) {
            Ok(content) => reading.add(about, of_row, content),
            Err(reason) => return Err(BenchError::Row { origin: of_row.origin, reason }),
        }
    }
    if reading.cases.is_empty() {
        return Err(BenchError::Data(reading.without_cases()));
    }
    Ok(reading)
}

/// Reads the rows of a file that accompanies the data, such as annotations or documents.
pub(super) fn read_fields(
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
    mut add: impl FnMut(&Origin, Fields) -> Result<(), String>,
) -> Result<(), BenchError> {
    for row in rows {
        let RawRow { origin, fields } = row?;
        add(&origin, fields).map_err(|reason| BenchError::Row { origin, reason })?;
    }
    Ok(())
}

/// An id as text: a number, a string, or a number that is a string in a table.
pub(super) fn id_text(json: &str) -> Option<String> {
    match json {
        "null" => None,
        _ => Some(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())),
    }
}

/// The values of a row's key fields; `None` without such fields, and if the row lacks the first of them.
pub(super) fn key(fields: &Fields, names: &[&str]) -> Option<Key> {
    let value = |name: &&str| {
        let text = id_text(fields.get(name)?.get())?;
        // A whole number may also be written as a decimal one, as in columns with empty cells.
        let text = text.trim().strip_suffix(".0").unwrap_or(text.trim()).to_owned();
        Some(text).filter(|text| !text.is_empty())
    };
    let key: Key = names.iter().map(value).collect();
    key.first()?.is_some().then_some(key)
}

/// Refuses scores that are not one finite number per case.
pub(super) fn check_scores(cases: &[Case], scores: &[f64]) -> Result<(), BenchError> {
    if cases.len() != scores.len() {
        return Err(Undefined::Lengths { first: cases.len(), second: scores.len() }.into());
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(index) => Err(Undefined::NotFinite { index }.into()),
        None => Ok(()),
    }
}

/// The common properties of a row's texts.
struct OfRow {
    origin: Origin,
    id: Option<String>,
    given: Given,
    key: Option<Key>,
}

impl OfRow {
    /// The key of a text of the row.
    fn key_of(&self, about: About, label: &Label) -> Option<Key> {
        let mut key = self.key.clone()?;
        if about.ends_with_sentence && label.level == TextLevel::Summary {
            *key.last_mut()? = None;
        }
        Some(key)
    }
}

impl Reading {
    fn add(&mut self, about: About, mut of_row: OfRow, content: RowContent) {
        let row = self.rows;
        self.rows += 1;
        if let RowContent::Unanswered(reason) = &content {
            self.unanswered.insert(reason.clone());
        }
        let (document, texts, inputs) = match content {
            RowContent::Texts { document, texts, inputs } => (document, texts, inputs),
            RowContent::LeftOut(reason) | RowContent::Unanswered(reason) => {
                self.texts += 1;
                *self.left_out.entry(reason).or_default() += 1;
                return;
            }
        };
        if texts.len() != 1 {
            of_row.given.claims = None;
            of_row.given.summary_sentences = None;
        }
        let (document, inputs) = (Arc::<str>::from(document), Arc::new(inputs.to_fields()));
        let given = Arc::new(of_row.given.clone());
        for (text, label) in texts {
            let given = match label.sentences.clone() {
                Some(own) => Arc::new(Given { summary_sentences: Some(own), ..(*given).clone() }),
                None => Arc::clone(&given),
            };
            self.cases.push(Case {
                origin: of_row.origin.clone(),
                row,
                number: self.texts,
                id: of_row.id.clone(),
                key: of_row.key_of(about, &label),
                document: Arc::clone(&document),
                text,
                inputs: Arc::clone(&inputs),
                given,
                answers: Answers::default(),
                label,
            });
            self.texts += 1;
        }
    }
}

impl Reading {
    /// Leaves out and counts the texts whose verdict is unsure, given by position.
    pub fn leave_out_unsure(&mut self, is_unsure: &[bool]) {
        let mut unsure = is_unsure.iter();
        self.cases.retain(|_| unsure.next() != Some(&true));
        self.left_out.insert(UNSURE.into(), is_unsure.iter().filter(|unsure| **unsure).count());
    }

    /// The texts that the figures lack, by reason: those that the engine cannot judge, that failed, or whose given answers do
    /// not fit.
    pub fn lacking(&self) -> impl Iterator<Item = (&str, usize)> {
        let lacks =
            |reason: &str| [UNJUDGEABLE, FAILED].contains(&reason) || self.unanswered.contains(reason);
        let all = self.left_out.iter().map(|(reason, count)| (reason.as_str(), *count));
        all.filter(move |(reason, _)| lacks(reason))
    }

    /// The number of rows whose given answers do not fit.
    #[must_use]
    pub fn unanswered(&self) -> usize {
        self.unanswered.iter().map(|reason| self.left_out[reason]).sum()
    }

    /// Leaves out and counts the texts that failed, given by position.
    pub fn leave_out_failed(&mut self, has_failed: &[bool]) {
        let mut failed = has_failed.iter();
        self.cases.retain(|_| failed.next() != Some(&true));
        self.count_failed(has_failed.iter().filter(|failed| **failed).count());
    }

    /// Counts texts that failed.
    pub fn count_failed(&mut self, texts: usize) {
        if texts > 0 {
            *self.left_out.entry(FAILED.into()).or_default() += texts;
        }
    }

    /// Leaves out the texts that the engine cannot judge; returns the error of each. With `keep_blank`, texts without a
    /// letter or digit are kept.
    pub fn leave_out_unjudgeable(&mut self, keep_blank: bool) -> Vec<BenchError> {
        let mut refused = Vec::new();
        self.cases.retain(|case| {
            let pair = Pair::new(&case.document, &case.text);
            let error = if keep_blank { pair.check_but_blank_summary() } else { pair.check() }
                .map_err(|error| BenchError::Row { origin: case.origin.clone(), reason: error.to_string() })
                .err();
            let is_kept = error.is_none();
            refused.extend(error);
            is_kept
        });
        if !refused.is_empty() {
            self.left_out.insert(UNJUDGEABLE.into(), refused.len());
        }
        refused
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
