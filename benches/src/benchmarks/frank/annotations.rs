//! Human annotations of FRANK's summaries. Rows of different files are told apart by their fields: Factuality annotates a
//! summary; summary_sentences and summary_sentences_annotations (for each sentence the errors that each annotator named, NoE
//! for no error) annotate its sentences. A file may contain both.

use std::collections::{BTreeMap, HashMap};

use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_models::store::quoting::{listed_names, quoted_name};

use super::error_type::{NO_ERROR, agreed};
use crate::protocol::{BenchError, fields, read_fields};

pub(super) const HASH: &str = "hash";
pub(super) const SYSTEM: &str = "model_name";

const FACTUALITY: &str = "Factuality";
const SENTENCES: &str = "summary_sentences";
const ERRORS: &str = "summary_sentences_annotations";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations(HashMap<(String, String), Annotation>);

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Annotation {
    /// The factuality of the whole summary, from 0 to 1.
    pub(super) factuality: Option<f64>,
    pub(super) sentences: Vec<AnnotatedSentence>,
}

/// A sentence of a summary with what annotators find in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedSentence {
    pub(crate) text: String,
    /// Whether most annotators find no error in it; `None` if too few annotated it.
    pub(crate) label: Option<bool>,
    /// The type of its error, if annotators agree on one.
    pub(crate) error: Option<String>,
}

impl Annotations {
    /// Reads rows of the authors' annotation files. Refuses the first row that is not an annotation or repeats one; files
    /// without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut annotations = Self::default();
        read_fields(rows, |_, fields| annotations.add(&fields))?;
        if annotations.0.is_empty() {
            return Err(BenchError::Data("the annotations hold no rows".into()));
        }
        Ok(annotations)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn of(&self, hash: &str, system: &str) -> Option<&Annotation> {
        self.0.get(&(hash.to_owned(), system.to_owned()))
    }

    fn add(&mut self, fields: &Fields) -> Result<(), String> {
        fields::require(fields, &[HASH, SYSTEM])?;
        let has = |name: &str| fields.get(name).is_some();
        if !has(FACTUALITY) && !has(ERRORS) {
            return Err(format!(
                "has neither `{FACTUALITY}` nor `{ERRORS}`: this is not a row of human_annotations.json or human_annotations_sentence.json (its fields: {})",
                listed_names(&fields.names())
            ));
        }
        let (hash, system) = (fields::name(fields, HASH)?, fields::name(fields, SYSTEM)?);
        let twice = format!("summary {} of {} is annotated twice", quoted_name(&hash), quoted_name(&system));
        let annotation = self.0.entry((hash, system)).or_default();
        if has(FACTUALITY) {
            let factuality = fields::share(fields, FACTUALITY)?;
            // Both files may have it, but with the same value.
            if annotation.factuality.replace(factuality).is_some_and(|before| before != factuality) {
                return Err(twice);
            }
        }
        if has(ERRORS) {
            if !annotation.sentences.is_empty() {
                return Err(twice);
            }
            annotation.sentences = sentences(fields)?;
        }
        Ok(())
    }
}

fn sentences(fields: &Fields) -> Result<Vec<AnnotatedSentence>, String> {
    let texts: Vec<String> = fields::parsed(fields, SENTENCES, "a list of texts")?;
    let what = "a list of objects, in each a list of errors by annotator";
    let errors: Vec<BTreeMap<String, Vec<String>>> = fields::parsed(fields, ERRORS, what)?;
    if texts.len() != errors.len() {
        let (texts, errors) = (texts.len(), errors.len());
        return Err(format!("has {texts} sentences but annotations of {errors}"));
    }
    let mut sentences = Vec::with_capacity(texts.len());
    for (text, errors) in texts.into_iter().zip(errors) {
        if errors.is_empty() {
            return Err(format!("sentence {} has no annotators", sentences.len() + 1));
        }
        let finds_none =
            |errors: &&Vec<String>| errors.iter().all(|error| error == NO_ERROR) && !errors.is_empty();
        let is_faithful = 2 * errors.values().filter(finds_none).count() > errors.len();
        let named: Vec<Vec<String>> = errors.into_values().collect();
        let error = agreed(&named).filter(|_| !is_faithful);
        sentences.push(AnnotatedSentence { text, label: Some(is_faithful), error });
    }
    Ok(sentences)
}
