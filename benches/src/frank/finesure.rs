//! FRANK as published by FineSurE's authors (Song et al., ACL 2024), `frank-data.json`: rows with doc_id, model, split,
//! transcript, reference, sentences, and raw_annotations, in which each annotator has factuality_labels (1 is an error) and
//! factuality_types. The summary is its sentences joined by spaces, and its rating is the share of sentences in which most
//! annotators find no error. A sentence labelled by fewer than two annotators is not counted.

use serde_json::Value;

use super::annotations::Annotation;
use super::error_type::{agreed, by_sentence};
use super::{Frank, SPLIT, Summary};
use crate::answers::{self, Answers, GivenAnswers};
use crate::benchmark::{Case, Item, Label, RowContent};
use crate::fields;
use crate::split::Split;
use crate::text_level::TextLevel;
use crate::votes::{self, ANNOTATIONS, Annotators};
use veridic::corpus::{Fields, field_text, field_texts};

const DOCUMENT: &str = "transcript";
const SENTENCES: &str = "sentences";
const LABELS: &str = "factuality_labels";
const TYPES: &str = "factuality_types";
const ANSWERED_LABELS: &str = "pred_faithfulness_labels";
const ANSWERED_TYPES: &str = "pred_faithfulness_error_type";

/// Whether a row has this format.
pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(ANNOTATIONS).is_some()
}

impl Frank {
    /// Reads the texts of such a row.
    pub(super) fn finesure_row(&self, fields: &mut Fields) -> Result<RowContent, String> {
        fields::require(fields, &["doc_id", "model", DOCUMENT, SENTENCES, SPLIT])?;
        let (document_id, system) = (fields::name(fields, "doc_id")?, fields::name(fields, "model")?);
        let split = Split::of_field(fields, SPLIT, "valid or test")?;
        let annotators = Annotators::of(fields)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, texts) = (field_text(fields, DOCUMENT)?, field_texts(fields, SENTENCES)?);
        if let Some(number) = texts.iter().position(|text| text.trim().is_empty()) {
            return Err(format!("has no text in sentence {} of `{SENTENCES}`", number + 1));
        }
        let sentences = sentences(&annotators, &texts)?;
        let labels: Vec<Option<bool>> = sentences.iter().map(|sentence| sentence.label).collect();
        let Some(factuality) = votes::share(&labels, true) else {
            return Ok(RowContent::LeftOut("summaries with fewer than two labels for each sentence".into()));
        };
        let summary = Summary {
            id: &document_id,
            system,
            split,
            text: texts.join(" "),
            annotation: &Annotation { factuality: Some(factuality), sentences },
            sentences: Some(texts),
        };
        if self.given_answers && given(fields, &labels)?.is_none() {
            return Ok(RowContent::Unanswered("summaries whose answers do not fit their sentences".into()));
        }
        let texts = match self.by_summary || self.given_answers {
            true => {
                let given = if self.given_answers { given(fields, &labels)? } else { None };
                let label = Label { given, ..self.label(&summary, TextLevel::Summary, factuality) };
                vec![(summary.text, label)]
            }
            false => self.texts(&summary)?,
        };
        Ok(RowContent::texts(document, texts).with_reference(reference))
    }
}

/// Reads the answers given in a row, in pred_faithfulness_labels (1 is an error) and pred_faithfulness_error_type; `None`
/// unless there is one per sentence. As in the authors' program the score is the share of sentences without error, among the
/// labelled ones.
fn given(fields: &Fields, labels: &[Option<bool>]) -> Result<Option<GivenAnswers>, String> {
    let errors = answers::labels(fields, ANSWERED_LABELS)?;
    if errors.len() != labels.len() {
        return Ok(None);
    }
    let types: Option<Vec<String>> = match fields.get(ANSWERED_TYPES) {
        Some(_) => Some(fields::parsed(fields, ANSWERED_TYPES, "a list of texts")?),
        None => None,
    };
    let types = types.filter(|types| types.len() == errors.len());
    let counted = errors.iter().zip(labels).filter(|(_, label)| label.is_some());
    let score = votes::share(&counted.map(|(error, _)| Some(*error)).collect::<Vec<_>>(), false);
    let of_type = |(name, is_error): (String, &bool)| Some(name).filter(|_| *is_error);
    let answers = Answers {
        faithful: Some(errors.iter().map(|is_error| Some(!is_error)).collect()),
        errors: types.map(|types| types.into_iter().zip(&errors).map(of_type).collect()),
        key_facts: None,
    };
    Ok(score.map(|score| GivenAnswers { score, answers }))
}

/// Inserts before each summary its sentences as separate cases, if answers say which of them are wrong. They score 1 and 0;
/// a sentence without an answer, or without agreement among annotators, is left out.
pub(super) fn with_sentences(cases: &[Case], scores: &[f64]) -> (Vec<Case>, Vec<f64>) {
    let mut all = Vec::with_capacity(cases.len());
    for (case, score) in cases.iter().zip(scores) {
        let answered = case.answers.faithful.iter().flatten();
        for (number, (answer, sentence)) in answered.zip(&case.label.items).enumerate() {
            let (Some(answer), Some(is_faithful)) = (answer, sentence.label) else { continue };
            let label = Label {
                level: TextLevel::Sentence,
                rating: f64::from(u8::from(is_faithful)),
                consistent: is_faithful,
                errors: sentence.error.clone().into_iter().collect(),
                system: case.label.system.clone(),
                split: case.label.split,
                ..Label::default()
            };
            let answers = Answers {
                faithful: Some(vec![Some(*answer)]),
                errors: case.answers.errors.as_ref().map(|errors| vec![errors[number].clone()]),
                key_facts: None,
            };
            let of_sentence = Case { text: sentence.text.clone(), answers, label, ..case.clone() };
            all.push((of_sentence, f64::from(u8::from(*answer))));
        }
        all.push((case.clone(), *score));
    }
    all.into_iter().unzip()
}

/// Returns the sentences with the majority labels.
fn sentences(annotators: &Annotators, texts: &[String]) -> Result<Vec<Item>, String> {
    let votes = annotators.votes(LABELS, Some(texts.len()))?;
    let types: Vec<Vec<Vec<String>>> = match annotators.have(TYPES) {
        true => annotators.each(types)?,
        false => Vec::new(),
    };
    let sentence = |(number, text): (usize, &String)| {
        let label = votes::majority(&votes[number]).map(|is_error| !is_error);
        let named: Vec<Vec<String>> = types.iter().map(|own| own[number].clone()).collect();
        let error = agreed(&named).filter(|_| label == Some(false));
        Item { text: text.clone(), label, error, votes: Vec::new() }
    };
    Ok(texts.iter().enumerate().map(sentence).collect())
}

/// Returns an annotator's types, by sentence.
fn types(name: &str, annotation: &Value) -> Result<Vec<Vec<String>>, String> {
    let labels = votes::labels(name, annotation, LABELS)?;
    let types: Vec<String> = serde_json::from_value(annotation[TYPES].clone())
        .map_err(|_| format!("annotator {name} has `{TYPES}` that are not a list of texts"))?;
    Ok(by_sentence(&labels, &types))
}
