//! Reads rows into cases. One bad row is an error that names it, since a figure over part of a public file is a different
//! figure. Rows that the protocol leaves out are counted by reason, as are texts without words, which cannot be judged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use veridic::Pair;
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};

use super::answers::Answers;
use super::benchmark::{About, Benchmark};
use super::case::{Case, Given, Key, RowContent, Text};
use super::error::BenchError;
use super::text_level::TextLevel;

/// Why texts without words are left out.
const UNJUDGEABLE: &str = "texts that cannot be judged";

/// Why texts whose scores could not be computed are left out.
const FAILED: &str = "texts that failed";

/// Why texts without a verdict are left out.
const UNSURE: &str = "texts with the verdict unsure";

/// The content of a benchmark's files.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<Label> {
    /// The texts to judge, in the order of the data.
    pub cases: Vec<Case<Label>>,
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

/// Reads all rows. Refuses the first row that differs from the authors' format; data without a text to judge.
pub fn read<B: Benchmark>(
    benchmark: &B,
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
) -> Result<Reading<B::Label>, BenchError> {
    let about = benchmark.about();
    let mut reading = Reading {
        cases: Vec::new(),
        rows: 0,
        texts: 0,
        left_out: BTreeMap::new(),
        unanswered: BTreeSet::new(),
        key_fields: about.key_fields,
    };
    for row in rows {
        let row = row?;
        let of_row = OfRow::of(&row, about);
        match benchmark.read_row(row) {
            Ok(content) => reading.add(of_row, content),
            Err(reason) => return Err(BenchError::Row { origin: of_row.origin, reason }),
        }
    }
    if reading.cases.is_empty() {
        return Err(BenchError::Data(reading.without_cases()));
    }
    Ok(reading)
}

/// Reads the rows of a file that accompanies the data, such as annotations or documents.
pub(crate) fn read_fields(
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

struct OfRow {
    origin: Origin,
    id: Option<String>,
    given: Given,
    key: Option<Key>,
    ends_with_sentence: bool,
}

impl OfRow {
    fn of(row: &RawRow, about: About) -> Self {
        Self {
            origin: row.origin.clone(),
            id: row.fields.get("id").and_then(|value| id_text(value.get())),
            given: Given::of(&row.fields),
            key: key(&row.fields, about.key_fields),
            ends_with_sentence: about.ends_with_sentence,
        }
    }

    fn key_at(&self, level: TextLevel) -> Option<Key> {
        let mut key = self.key.clone()?;
        if self.ends_with_sentence && level == TextLevel::Summary {
            *key.last_mut()? = None;
        }
        Some(key)
    }
}

impl<Label> Reading<Label> {
    fn add(&mut self, of_row: OfRow, content: RowContent<Label>) {
        match content {
            RowContent::Texts { document, texts, inputs } => {
                let (document, inputs) = (Arc::from(document), Arc::new(inputs.to_fields()));
                self.add_texts(of_row, &document, &inputs, texts);
            }
            RowContent::LeftOut(reason) => self.leave_out(reason),
            RowContent::Unanswered(reason) => {
                self.unanswered.insert(reason.clone());
                self.leave_out(reason);
            }
        }
        self.rows += 1;
    }

    fn leave_out(&mut self, reason: String) {
        self.texts += 1;
        *self.left_out.entry(reason).or_default() += 1;
    }

    fn add_texts(
        &mut self,
        mut of_row: OfRow,
        document: &Arc<str>,
        inputs: &Arc<Fields>,
        texts: Vec<Text<Label>>,
    ) {
        if texts.len() != 1 {
            of_row.given.claims = None;
            of_row.given.summary_sentences = None;
        }
        for text in texts {
            let mut given = of_row.given.clone();
            given.summary_sentences = text.sentences.or(given.summary_sentences);
            self.cases.push(Case {
                origin: of_row.origin.clone(),
                row: self.rows,
                number: self.texts,
                id: of_row.id.clone(),
                key: of_row.key_at(text.level),
                document: Arc::clone(document),
                text: text.text,
                level: text.level,
                inputs: Arc::clone(inputs),
                given: Arc::new(given),
                answers: Answers::default(),
                given_answers: text.given_answers,
                is_consistent: text.is_consistent,
                stratum: text.stratum,
                label: text.label,
            });
            self.texts += 1;
        }
    }

    /// Leaves out and counts the texts whose verdict is unsure, given by position.
    pub fn leave_out_unsure(&mut self, is_unsure: &[bool]) {
        let unsure = self.take_out(is_unsure);
        self.left_out.insert(UNSURE.into(), unsure);
    }

    /// Leaves out and counts the texts that failed, given by position.
    pub fn leave_out_failed(&mut self, has_failed: &[bool]) {
        let failed = self.take_out(has_failed);
        self.count_failed(failed);
    }

    /// Counts texts that failed.
    pub fn count_failed(&mut self, texts: usize) {
        if texts > 0 {
            *self.left_out.entry(FAILED.into()).or_default() += texts;
        }
    }

    /// Removes the cases at the positions that are true; returns their number.
    fn take_out(&mut self, is_out: &[bool]) -> usize {
        let mut places = is_out.iter();
        self.cases.retain(|_| places.next() != Some(&true));
        is_out.iter().filter(|is_out| **is_out).count()
    }

    /// Leaves out the texts that the engine cannot judge; returns the error of each. With `keep_blank`, texts without a
    /// letter or digit are kept.
    pub fn leave_out_unjudgeable(&mut self, keep_blank: bool) -> Vec<BenchError> {
        let mut refused = Vec::new();
        self.cases.retain(|case| {
            let pair = Pair::new(&case.document, &case.text);
            let checked = if keep_blank { pair.check_but_blank_summary() } else { pair.check() };
            if let Err(error) = &checked {
                refused.push(BenchError::Row { origin: case.origin.clone(), reason: error.to_string() });
            }
            checked.is_ok()
        });
        if !refused.is_empty() {
            self.left_out.insert(UNJUDGEABLE.into(), refused.len());
        }
        refused
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
    pub fn unanswered(&self) -> usize {
        self.unanswered.iter().map(|reason| self.left_out[reason]).sum()
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
