//! Rows of TofuEval's factual consistency files: the sentence and label of each and, over all rows, which rows form a
//! summary and which repeat a sentence. The corpus and the split of a row are its fields `dataset` and `split`, or in the
//! name of its file.

use std::collections::{BTreeSet, HashMap, HashSet};

use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic::corpus::{Fields, field_text};

use super::label::SummarySize;
use super::names;
use crate::protocol::{BenchError, Split, fields, read_fields};

/// The columns that a row must have; its explanation (`exp`) is not read.
const COLUMNS: [&str; 6] = ["doc_id", "topic", "model_name", "sent_idx", "summ_sent", "sent_label"];

/// The errors of a sentence, separated by commas; empty without errors.
const ERRORS: &str = "type";

/// A sentence of a summary, as in its row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    pub(super) dataset: &'static str,
    pub(super) split: Split,
    pub(super) document: String,
    pub(super) topic: String,
    system: String,
    /// Its place in the summary.
    index: f64,
    pub(super) text: String,
    pub(super) is_consistent: bool,
    pub(super) errors: Vec<String>,
}

/// A summary, joined from its sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Summary {
    /// Its sentences, joined by spaces.
    pub(super) text: String,
    /// Whether all sentences are consistent.
    pub(super) is_consistent: bool,
}

/// The summaries that the rows form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// Each summary by its last row.
    summaries: HashMap<Origin, Summary>,
    /// Rows that repeat a sentence of their summary.
    repeated: HashSet<Origin>,
    sizes: HashMap<SummaryName, SummarySize>,
    /// The transcripts that are needed.
    documents: BTreeSet<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SummaryName {
    document: String,
    topic: String,
    system: String,
}

impl Sentence {
    pub(super) fn read(file: &str, fields: &mut Fields) -> Result<Self, String> {
        fields::require(fields, &COLUMNS)?;
        let errors = fields::optional_text(fields, ERRORS)?.unwrap_or_default();
        let errors = errors.split(',').map(str::trim).filter(|error| !error.is_empty());
        Ok(Self {
            dataset: dataset(fields, file)?,
            split: split(fields, file)?,
            document: fields::name(fields, "doc_id")?,
            topic: fields::name(fields, "topic")?,
            system: names::system(&fields::name(fields, "model_name")?)?,
            index: fields::number(fields, "sent_idx")?,
            is_consistent: label(&fields::name(fields, "sent_label")?)?,
            errors: errors.map(str::to_owned).collect(),
            text: field_text(fields, "summ_sent")?.trim().to_owned(),
        })
    }

    pub(super) fn is_extra(&self) -> bool {
        self.system == names::EXTRA
    }

    fn of_summary(&self) -> SummaryName {
        let Self { document, topic, system, .. } = self.clone();
        SummaryName { document, topic, system }
    }
}

impl Annotations {
    /// Reads rows of the authors' files. Refuses the first row that is not an annotation, and files without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut annotations = Self::default();
        let mut sentences_of: HashMap<SummaryName, Vec<(Origin, Sentence)>> = HashMap::new();
        read_fields(rows, |origin, mut fields| {
            let sentence = Sentence::read(&origin.file, &mut fields)?;
            annotations.documents.insert((sentence.dataset, sentence.document.clone()));
            sentences_of.entry(sentence.of_summary()).or_default().push((origin.clone(), sentence));
            Ok(())
        })?;
        if sentences_of.is_empty() {
            return Err(BenchError::Data("holds no rows".into()));
        }
        let mut summaries: Vec<_> = sentences_of.into_iter().collect();
        summaries.sort_by(|a, b| a.0.cmp(&b.0));
        for (number, (name, sentences)) in summaries.into_iter().enumerate() {
            let sentences = annotations.add(sentences);
            annotations.sizes.insert(name, SummarySize { number, sentences });
        }
        Ok(annotations)
    }

    /// The summary whose last row this is.
    pub(super) fn summary(&self, origin: &Origin) -> Option<&Summary> {
        self.summaries.get(origin)
    }

    /// Returns the number and the size of a sentence's summary.
    pub(super) fn size(&self, sentence: &Sentence) -> SummarySize {
        self.sizes.get(&sentence.of_summary()).copied().unwrap_or_default()
    }

    /// Whether the row repeats an earlier row's sentence.
    pub(super) fn repeats(&self, origin: &Origin) -> bool {
        self.repeated.contains(origin)
    }

    pub(super) fn documents(&self) -> &BTreeSet<(&'static str, String)> {
        &self.documents
    }

    /// Adds the rows of one summary; returns its number of sentences.
    fn add(&mut self, sentences: Vec<(Origin, Sentence)>) -> usize {
        let mut kept: Vec<(Origin, Sentence)> = Vec::new();
        for (origin, sentence) in sentences {
            let is_same = |other: &Sentence| other.index == sentence.index && other.text == sentence.text;
            if kept.iter().any(|(_, other)| is_same(other)) {
                self.repeated.insert(origin);
            } else {
                kept.push((origin, sentence));
            }
        }
        let Some((last, _)) = kept.last().cloned() else { return 0 };
        kept.sort_by(|a, b| a.1.index.total_cmp(&b.1.index));
        let texts: Vec<&str> = kept.iter().map(|(_, sentence)| sentence.text.as_str()).collect();
        let is_consistent = kept.iter().all(|(_, sentence)| sentence.is_consistent);
        self.summaries.insert(last, Summary { text: texts.join(" "), is_consistent });
        kept.len()
    }
}

fn dataset(fields: &Fields, file: &str) -> Result<&'static str, String> {
    let expected = "mediasum or meetingbank";
    fields::required_choice(fields, "dataset", expected, names::dataset, names::dataset_of_file(file))
}

fn split(fields: &Fields, file: &str) -> Result<Split, String> {
    // From the end: the authors' files of both parts have the word `eval` in the middle.
    let of_file = names::words(file).rev().find_map(Split::named);
    fields::required_choice(fields, "split", "dev or test", Split::named, of_file)
}

fn label(name: &str) -> Result<bool, String> {
    match name.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("field `sent_label` must be yes (consistent) or no".into()),
    }
}
