//! FRANK as published by FineSurE's authors (Song et al., ACL 2024), `frank-data.json`: rows with doc_id, model, split,
//! transcript, reference, sentences, and raw_annotations, in which each annotator has factuality_labels (1 is an error) and
//! factuality_types. The summary is its sentences joined by spaces, and its rating is the share of sentences in which most
//! annotators find no error. A sentence labelled by fewer than two annotators is not counted.

use serde_json::Value;
use veridic::corpus::{Fields, field_text, field_texts};

use super::annotations::{AnnotatedSentence, Annotation};
use super::error_type::{agreed, by_sentence};
use super::summary::Label;
use crate::protocol::votes::{self, ANNOTATIONS, Annotators};
use crate::protocol::{Answers, Case, GivenAnswers, Split, TextLevel, fields, given_labels};

const DOCUMENT: &str = "transcript";
const SENTENCES: &str = "sentences";
const LABELS: &str = "factuality_labels";
const TYPES: &str = "factuality_types";
const ANSWERED_LABELS: &str = "pred_faithfulness_labels";
const ANSWERED_TYPES: &str = "pred_faithfulness_error_type";

pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(ANNOTATIONS).is_some()
}

pub(super) struct FineSurERow {
    pub(super) id: String,
    pub(super) system: String,
    pub(super) split: Split,
    pub(super) document: String,
    pub(super) reference: Option<String>,
    pub(super) sentences: Vec<String>,
    /// Without factuality if no sentence has enough labels.
    pub(super) annotation: Annotation,
}

impl FineSurERow {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, String> {
        fields::require(fields, &["doc_id", "model", DOCUMENT, SENTENCES, "split"])?;
        let (id, system) = (fields::name(fields, "doc_id")?, fields::name(fields, "model")?);
        let split = Split::of_field(fields, "split", "valid or test")?;
        let annotators = Annotators::of(fields)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, sentences) = (field_text(fields, DOCUMENT)?, field_texts(fields, SENTENCES)?);
        if let Some(number) = sentences.iter().position(|text| text.trim().is_empty()) {
            return Err(format!("has no text in sentence {} of `{SENTENCES}`", number + 1));
        }
        let annotated = annotated(&annotators, &sentences)?;
        let labels: Vec<Option<bool>> = annotated.iter().map(|sentence| sentence.label).collect();
        let annotation = Annotation { factuality: votes::share(&labels, true), sentences: annotated };
        Ok(Self { id, system, split, document, reference, sentences, annotation })
    }
}

/// Reads the answers given in a row, in pred_faithfulness_labels (1 is an error) and pred_faithfulness_error_type; `None`
/// unless there is one per sentence. As in the authors' program the score is the share of sentences without error, among the
/// labelled ones.
pub(super) fn given(fields: &Fields, annotation: &Annotation) -> Result<Option<GivenAnswers>, String> {
    let errors = given_labels(fields, ANSWERED_LABELS)?;
    if errors.len() != annotation.sentences.len() {
        return Ok(None);
    }
    let types: Option<Vec<String>> = match fields.get(ANSWERED_TYPES) {
        Some(_) => Some(fields::parsed(fields, ANSWERED_TYPES, "a list of texts")?),
        None => None,
    };
    let types = types.filter(|types| types.len() == errors.len());
    let counted = errors.iter().zip(&annotation.sentences).filter(|(_, sentence)| sentence.label.is_some());
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
pub(super) fn with_sentences(cases: &[Case<Label>], scores: &[f64]) -> (Vec<Case<Label>>, Vec<f64>) {
    let (mut all, mut all_scores) = (Vec::with_capacity(cases.len()), Vec::with_capacity(cases.len()));
    for (case, score) in cases.iter().zip(scores) {
        let answered = case.answers.faithful.iter().flatten();
        let sentences = case.label.sentences.iter().flatten();
        for (number, (answer, sentence)) in answered.zip(sentences).enumerate() {
            let (Some(answer), Some(is_faithful)) = (*answer, sentence.label) else { continue };
            let Label { split, rating, .. } = &case.label;
            let errors = case.answers.errors.as_ref();
            all.push(Case {
                text: sentence.text.clone(),
                level: TextLevel::Sentence,
                is_consistent: is_faithful,
                label: Label::of_sentence(*split, &rating.system, is_faithful, sentence.error.clone()),
                answers: Answers {
                    faithful: Some(vec![Some(answer)]),
                    errors: errors.map(|errors| vec![errors[number].clone()]),
                    key_facts: None,
                },
                ..case.clone()
            });
            all_scores.push(f64::from(u8::from(answer)));
        }
        all.push(case.clone());
        all_scores.push(*score);
    }
    (all, all_scores)
}

/// Returns the sentences with the majority labels.
fn annotated(annotators: &Annotators, texts: &[String]) -> Result<Vec<AnnotatedSentence>, String> {
    let votes = annotators.votes(LABELS, Some(texts.len()))?;
    let types = if annotators.have(TYPES) { annotators.each(types)? } else { Vec::new() };
    let mut sentences = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        let label = votes::majority(&votes[number]).map(|is_error| !is_error);
        let named: Vec<Vec<String>> = types.iter().map(|own| own[number].clone()).collect();
        let error = agreed(&named).filter(|_| label == Some(false));
        sentences.push(AnnotatedSentence { text: text.clone(), label, error });
    }
    Ok(sentences)
}

/// Returns an annotator's types, by sentence.
fn types(name: &str, annotation: &Value) -> Result<Vec<Vec<String>>, String> {
    let labels = votes::labels(name, annotation, LABELS)?;
    let types: Vec<String> = serde_json::from_value(annotation[TYPES].clone())
        .map_err(|_| format!("annotator {name} has `{TYPES}` that are not a list of texts"))?;
    Ok(by_sentence(&labels, &types))
}
