//! Human annotations of FRANK's summaries. Rows of different files are told apart by their fields: Factuality annotates a
//! summary; summary_sentences and summary_sentences_annotations (for each sentence the errors that each annotator named, NoE
//! for no error) annotate its sentences. A file may contain both.

use std::collections::{BTreeMap, HashMap};

use super::error_type::{NO_ERROR, agreed};
use super::{HASH, SYSTEM};
use crate::benchmark::Item;
use crate::fields;
use crate::read::{BenchError, read_fields};
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_models::store::quoting::{listed_names, quoted_name};

const FACTUALITY: &str = "Factuality";
const SENTENCES: &str = "summary_sentences";
const ERRORS: &str = "summary_sentences_annotations";

/// The annotations of summaries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations(HashMap<(String, String), Annotation>);

/// The annotation of one summary.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Annotation {
    /// The factuality of the whole summary, from 0 to 1.
    pub(super) factuality: Option<f64>,
    /// The annotations of its sentences.
    pub(super) sentences: Vec<Item>,
}

impl Annotations {
    /// Reads rows of the authors' annotation files.
    ///
    /// # Errors
    /// The first row that is not an annotation or repeats one; files without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut annotations = Self::default();
        read_fields(rows, |_, fields| annotations.add(&fields))?;
        if annotations.0.is_empty() {
            return Err(BenchError::Data("the annotations hold no rows".into()));
        }
        Ok(annotations)
    }

    /// Whether there are no annotations.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the annotation of a summary.
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

fn sentences(fields: &Fields) -> Result<Vec<Item>, String> {
    let texts: Vec<String> = fields::parsed(fields, SENTENCES, "a list of texts")?;
    let what = "a list of objects, in each a list of errors by annotator";
    let errors: Vec<BTreeMap<String, Vec<String>>> = fields::parsed(fields, ERRORS, what)?;
    if texts.len() != errors.len() {
        let (texts, errors) = (texts.len(), errors.len());
        return Err(format!("has {texts} sentences but annotations of {errors}"));
    }
    let judged = texts.into_iter().zip(errors).enumerate().map(|(number, (text, errors))| {
        if errors.is_empty() {
            return Err(format!("sentence {} has no annotators", number + 1));
        }
        let finds_none =
            |errors: &&Vec<String>| errors.iter().all(|error| error == NO_ERROR) && !errors.is_empty();
        let without = errors.values().filter(finds_none).count();
        let is_faithful = 2 * without > errors.len();
        let named: Vec<Vec<String>> = errors.into_values().collect();
        let error = agreed(&named).filter(|_| !is_faithful);
        Ok(Item { text, label: Some(is_faithful), error, votes: Vec::new() })
    });
    judged.collect()
}
