//! REALSumm as published by FineSurE's authors (Song et al., ACL 2024): `realsumm-data.json` with doc_id, model, transcript,
//! reference, sentences, and raw_annotations, in which each annotator has key_fact_labels and sentence_labels (appendix I:
//! whether a sentence has any key fact). The key facts are in `human-keyfact-list.json`, or in the list that GPT-4 wrote:
//! doc_id, transcript, reference, key_facts. As in the authors' program, items with at most one label are not counted, and
//! the last of four annotators, `3`, does not count for sentences.

use std::collections::HashMap;

use super::{Dimension, RealSumm, inputs, label};
use crate::answers::{self, AnsweredKeyFact, Answers, GivenAnswers};
use crate::benchmark::{Item, Label, RowContent};
use crate::fields;
use crate::read::{BenchError, read_fields};
use crate::votes::{self, ANNOTATIONS, Annotators};
use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text, field_texts};
use veridic_models::store::quoting::quoted_name;

const DOCUMENT_ID: &str = "doc_id";
const DOCUMENT: &str = "transcript";
const SENTENCES: &str = "sentences";
const KEY_FACTS: &str = "key_facts";
const KEY_FACT_LABELS: &str = "key_fact_labels";
const SENTENCE_LABELS: &str = "sentence_labels";
/// The language model's reply, which people's list of key facts lacks.
const REPLY: &str = "llm_output";
const ANSWERED_KEY_FACTS: &str = "pred_alignment_labels";
const ANSWERED_LINES: &str = "pred_sentence_line_numbers";

/// The annotator whose labels of sentences do not count.
const FOURTH: &str = "3";

/// Documents with their key facts, by doc_id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyFactLists(HashMap<String, KeyFactList>);

/// A document and its key facts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyFactList {
    pub(super) document: String,
    pub(super) reference: Option<String>,
    pub(super) key_facts: Vec<String>,
    /// Whether people wrote them, so that the labels of `realsumm-data.json` are theirs.
    is_by_people: bool,
}

impl KeyFactList {
    /// Whether the labels of a row with `count` of them are of these key facts.
    fn is_labelled(&self, count: usize) -> bool {
        self.is_by_people && self.key_facts.len() == count
    }
}

impl KeyFactLists {
    /// Reads rows of a list of key facts.
    ///
    /// # Errors
    /// The first row that is not such a list, or repeats a document; files without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut lists = Self::default();
        read_fields(rows, |_, mut fields| lists.add(&mut fields))?;
        if lists.0.is_empty() {
            return Err(BenchError::Data("the lists of key facts hold no rows".into()));
        }
        Ok(lists)
    }

    /// The document of an id.
    pub(super) fn of(&self, document_id: &str) -> Result<&KeyFactList, String> {
        self.0.get(document_id).ok_or_else(|| match self.0.is_empty() {
            true => "needs the key facts of documents: give --key-fact-list human-keyfact-list.json".into(),
            false => format!("document {} is not in the list of key facts", quoted_name(document_id)),
        })
    }

    fn add(&mut self, fields: &mut Fields) -> Result<(), String> {
        fields::require(fields, &[DOCUMENT_ID, DOCUMENT, KEY_FACTS])?;
        let id = fields::name(fields, DOCUMENT_ID)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, key_facts) = (field_text(fields, DOCUMENT)?, field_texts(fields, KEY_FACTS)?);
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty"));
        }
        let is_by_people = fields.get(REPLY).is_none();
        match self.0.insert(id.clone(), KeyFactList { document, reference, key_facts, is_by_people }) {
            None => Ok(()),
            Some(_) => Err(format!("document {} has key facts twice", quoted_name(&id))),
        }
    }
}

/// Whether a row has FineSurE's format.
pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(ANNOTATIONS).is_some()
}

impl RealSumm {
    /// The text of such a row.
    pub(super) fn finesure_row(&self, fields: &mut Fields) -> Result<RowContent, String> {
        fields::require(fields, &[DOCUMENT_ID, "model", DOCUMENT, SENTENCES])?;
        let (id, model) = (fields::name(fields, DOCUMENT_ID)?, fields::name(fields, "model")?);
        let list = self.key_facts.of(&id)?;
        let annotators = Annotators::of(fields)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, sentences) = (field_text(fields, DOCUMENT)?, field_texts(fields, SENTENCES)?);
        let votes = annotators.votes(KEY_FACT_LABELS, None)?;
        let key_facts = votes::majorities(&votes);
        let rating = match self.dimension {
            Dimension::Completeness => votes::share(&key_facts, true),
            Dimension::Conciseness => {
                let of_sentences =
                    annotators.without(FOURTH).votes(SENTENCE_LABELS, Some(sentences.len()))?;
                votes::share(&votes::majorities(&of_sentences), true)
            }
        };
        let Some(rating) = rating else {
            return Ok(RowContent::LeftOut("summaries with fewer than two labels for each item".into()));
        };
        let (summary, count) = (sentences.join(" "), sentences.len());
        let sentences = Some(sentences).filter(|all| all.iter().all(|text| !text.trim().is_empty()));
        let given = match self.given_answers {
            true => given(self.dimension, fields, list, &key_facts, count)?,
            false => None,
        };
        if self.given_answers && given.is_none() {
            return Ok(RowContent::Unanswered("summaries whose answers do not fit their key facts".into()));
        }
        let is_labelled = list.is_labelled(votes.len());
        let texts = list.key_facts.iter().filter(|_| is_labelled).cloned();
        let texts = texts.chain(std::iter::repeat(String::new()));
        let item = |((label, votes), text)| Item { text, label, votes, ..Item::default() };
        let items = key_facts.into_iter().zip(votes).zip(texts).map(item).collect();
        let label = Label { sentences, given, ..label(model, rating, items) };
        let inputs = inputs(list.key_facts.clone(), reference.as_deref());
        Ok(RowContent::text(document, summary, label).with_inputs(inputs))
    }
}

/// Reads the answers given in a row, in pred_alignment_labels and pred_sentence_line_numbers; `None` unless there is one for
/// each of the `asked` key facts. As in the authors' program, key facts without a human label do not count if the key facts
/// are the labelled ones.
fn given(
    dimension: Dimension,
    fields: &Fields,
    list: &KeyFactList,
    labels: &[Option<bool>],
    sentences: usize,
) -> Result<Option<GivenAnswers>, String> {
    let asked = list.key_facts.len();
    let answered = answers::labels(fields, ANSWERED_KEY_FACTS)?;
    if answered.len() != asked {
        return Ok(None);
    }
    let score = match dimension {
        Dimension::Completeness => {
            let is_counted = |place: &usize| !list.is_labelled(labels.len()) || labels[*place].is_some();
            let counted = (0..asked).filter(is_counted).map(|place| Some(answered[place]));
            votes::share(&counted.collect::<Vec<_>>(), true)
        }
        Dimension::Conciseness => {
            let lines: Vec<usize> = fields::parsed(fields, ANSWERED_LINES, "a list of line numbers")?;
            let with_key_fact = (1..=sentences).filter(|line| lines.contains(line)).count();
            (sentences > 0).then(|| with_key_fact as f64 / sentences as f64)
        }
    };
    let key_facts = list.key_facts.iter().zip(answered);
    let key_facts = key_facts.map(|(text, is_found)| AnsweredKeyFact { text: text.clone(), is_found });
    let answers = Answers { key_facts: Some(key_facts.collect()), ..Answers::default() };
    Ok(score.map(|score| GivenAnswers { score, answers }))
}
