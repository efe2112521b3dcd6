//! Rows of TofuEval's factual consistency files: what each says, and, of all of them together, which rows make a
//! summary and which repeat one. Which corpus and which part a row is of, its fields `dataset` and `split` or the name
//! of its file tell.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::names::{self, Dataset};
use crate::fields;
use crate::read::BenchError;
use crate::split::Split;
use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic::corpus::{Fields, field_text};

/// The columns that a row must have; its explanation (`exp`) is not read.
const COLUMNS: [&str; 6] = ["doc_id", "topic", "model_name", "sent_idx", "summ_sent", "sent_label"];

/// The errors of a sentence, with commas between them; empty where there is none.
const ERRORS: &str = "type";

/// A sentence of a summary, as its row has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    pub(super) dataset: Dataset,
    pub(super) split: Split,
    /// The id of its transcript.
    pub(super) document: String,
    pub(super) topic: String,
    system: String,
    /// Its place in the summary.
    index: f64,
    pub(super) text: String,
    pub(super) consistent: bool,
    pub(super) errors: Vec<String>,
}

/// A summary, put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Summary {
    /// Its sentences with a space between them.
    pub(super) text: String,
    /// Whether all of them are.
    pub(super) consistent: bool,
}

/// What the rows are together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// Each summary by its last row.
    summaries: HashMap<Origin, Summary>,
    /// Rows that repeat a sentence of their summary.
    repeated: HashSet<Origin>,
    /// The transcripts that are needed.
    documents: BTreeSet<(Dataset, String)>,
}

impl Sentence {
    pub(super) fn read(row: &mut RawRow) -> Result<Self, String> {
        let file = &row.origin.file;
        let fields = &mut row.fields;
        fields::require(fields, &COLUMNS)?;
        let errors = match fields.get(ERRORS).map(|value| value.get()) {
            None | Some("null") => String::new(),
            Some(_) => field_text(fields, ERRORS)?,
        };
        let errors = errors.split(',').map(str::trim).filter(|error| !error.is_empty());
        Ok(Self {
            dataset: dataset(fields, file)?,
            split: split(fields, file)?,
            document: fields::name(fields, "doc_id")?,
            topic: fields::name(fields, "topic")?,
            system: names::system(&fields::name(fields, "model_name")?)?,
            index: fields::number(fields, "sent_idx")?,
            consistent: label(&fields::name(fields, "sent_label")?)?,
            errors: errors.map(str::to_owned).collect(),
            text: field_text(fields, "summ_sent")?.trim().to_owned(),
        })
    }

    pub(super) fn is_extra(&self) -> bool {
        self.system == names::EXTRA
    }
}

impl Annotations {
    /// Reads rows of the authors' files.
    ///
    /// # Errors
    /// The first row that is none, and files without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut annotations = Self::default();
        let mut sentences_of: HashMap<(String, String, String), Vec<(Origin, Sentence)>> = HashMap::new();
        for row in rows {
            let mut row = row?;
            let sentence = Sentence::read(&mut row)
                .map_err(|reason| BenchError::Row { origin: row.origin.clone(), reason })?;
            annotations.documents.insert((sentence.dataset, sentence.document.clone()));
            let Sentence { document, topic, system, .. } = sentence.clone();
            sentences_of.entry((document, topic, system)).or_default().push((row.origin, sentence));
        }
        if sentences_of.is_empty() {
            return Err(BenchError::Data("holds no rows".into()));
        }
        sentences_of.into_values().for_each(|sentences| annotations.add(sentences));
        Ok(annotations)
    }

    /// The summary whose last row this is.
    pub(super) fn summary(&self, origin: &Origin) -> Option<&Summary> {
        self.summaries.get(origin)
    }

    /// Whether the row has a sentence that a row before it has.
    pub(super) fn repeats(&self, origin: &Origin) -> bool {
        self.repeated.contains(origin)
    }

    pub(super) fn documents(&self) -> &BTreeSet<(Dataset, String)> {
        &self.documents
    }

    /// Adds the rows of one summary.
    fn add(&mut self, sentences: Vec<(Origin, Sentence)>) {
        let mut kept: Vec<(Origin, Sentence)> = Vec::new();
        for (origin, sentence) in sentences {
            let is_same = |other: &&(Origin, Sentence)| {
                other.1.index == sentence.index && other.1.text == sentence.text
            };
            if kept.iter().any(|other| is_same(&other)) {
                self.repeated.insert(origin);
            } else {
                kept.push((origin, sentence));
            }
        }
        let Some((last, _)) = kept.last().cloned() else { return };
        kept.sort_by(|a, b| a.1.index.total_cmp(&b.1.index));
        let texts: Vec<&str> = kept.iter().map(|(_, sentence)| sentence.text.as_str()).collect();
        let consistent = kept.iter().all(|(_, sentence)| sentence.consistent);
        self.summaries.insert(last, Summary { text: texts.join(" "), consistent });
    }
}

fn dataset(fields: &Fields, file: &str) -> Result<Dataset, String> {
    let Some(_) = fields.get("dataset") else {
        return Dataset::of_file(file).ok_or_else(|| {
            "is of mediasum or of meetingbank, but neither a field `dataset` nor the file's name tells which".into()
        });
    };
    let name = fields::name(fields, "dataset")?;
    Dataset::named(&name).ok_or_else(|| {
        format!("field `dataset` is {}: it must be mediasum or meetingbank", fields::short(&name))
    })
}

fn split(fields: &Fields, file: &str) -> Result<Split, String> {
    let Some(_) = fields.get("split") else {
        // From the end: the authors' files of both parts have the word `eval` in the middle.
        return names::words(file).rev().find_map(Split::named).ok_or_else(|| {
            "is of dev or of test, but neither a field `split` nor the end of the file's name tells which"
                .into()
        });
    };
    let name = fields::name(fields, "split")?;
    let unknown = || format!("field `split` is {}: it must be dev or test", fields::short(&name));
    Split::named(&name).ok_or_else(unknown)
}

fn label(name: &str) -> Result<bool, String> {
    match name.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("field `sent_label` is {}: it must be yes (consistent) or no", fields::short(name))),
    }
}
