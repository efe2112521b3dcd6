//! REALSumm as published by FineSurE's authors (Song et al., ACL 2024): `realsumm-data.json` with doc_id, model, transcript,
//! reference, sentences, and raw_annotations, in which each annotator has key_fact_labels and sentence_labels (appendix I:
//! whether a sentence has any key fact). As in the authors' program, items with at most one label are not counted, and the
//! last of four annotators, `3`, does not count for sentences.

use veridic::corpus::{Fields, field_text, field_texts};

use super::key_facts::{KeyFactList, KeyFactLists};
use super::label::{Dimension, KeyFact};
use crate::protocol::votes::{self, ANNOTATIONS, Annotators};
use crate::protocol::{AnsweredKeyFact, Answers, GivenAnswers, fields, given_labels};

const KEY_FACT_LABELS: &str = "key_fact_labels";
const SENTENCE_LABELS: &str = "sentence_labels";
const ANSWERED_KEY_FACTS: &str = "pred_alignment_labels";
const ANSWERED_LINES: &str = "pred_sentence_line_numbers";

/// The annotator whose labels of sentences do not count.
const FOURTH: &str = "3";

pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(ANNOTATIONS).is_some()
}

pub(super) struct FineSurERow<'l> {
    pub(super) system: String,
    pub(super) list: &'l KeyFactList,
    pub(super) document: String,
    pub(super) reference: Option<String>,
    pub(super) sentences: Vec<String>,
    /// Each annotator's votes on each key fact.
    votes: Vec<Vec<bool>>,
    /// The share that people find; `None` if no item has enough labels.
    pub(super) share: Option<f64>,
}

impl<'l> FineSurERow<'l> {
    pub(super) fn read(
        fields: &mut Fields,
        lists: &'l KeyFactLists,
        dimension: Dimension,
    ) -> Result<Self, String> {
        fields::require(fields, &["doc_id", "model", "transcript", "sentences"])?;
        let (id, system) = (fields::name(fields, "doc_id")?, fields::name(fields, "model")?);
        let list = lists.of(&id)?;
        let annotators = Annotators::of(fields)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, sentences) = (field_text(fields, "transcript")?, field_texts(fields, "sentences")?);
        let votes = annotators.votes(KEY_FACT_LABELS, None)?;
        let share = match dimension {
            Dimension::Completeness => votes::share(&votes::majorities(&votes), true),
            Dimension::Conciseness => {
                let of_sentences =
                    annotators.without(FOURTH).votes(SENTENCE_LABELS, Some(sentences.len()))?;
                votes::share(&votes::majorities(&of_sentences), true)
            }
        };
        Ok(Self { system, list, document, reference, sentences, votes, share })
    }

    /// Whether the labels are of the key facts in the list.
    fn is_labelled(&self) -> bool {
        self.list.is_labelled(self.votes.len())
    }

    /// Returns the labelled key facts, without texts if the labels are of others than the list has.
    pub(super) fn key_facts(&self) -> Vec<KeyFact> {
        let texts = self.list.key_facts.iter().filter(|_| self.is_labelled()).cloned();
        let texts = texts.chain(std::iter::repeat(String::new()));
        let of_votes = |(votes, text): (&Vec<bool>, String)| KeyFact {
            text,
            label: votes::majority(votes),
            votes: votes.clone(),
        };
        self.votes.iter().zip(texts).map(of_votes).collect()
    }

    /// Reads the answers given in a row, in pred_alignment_labels and pred_sentence_line_numbers; `None` unless there is one
    /// for each key fact of the list. As in the authors' program, key facts without a human label do not count if the key
    /// facts are the labelled ones.
    pub(super) fn given(
        &self,
        fields: &Fields,
        dimension: Dimension,
    ) -> Result<Option<GivenAnswers>, String> {
        let answered = given_labels(fields, ANSWERED_KEY_FACTS)?;
        if answered.len() != self.list.key_facts.len() {
            return Ok(None);
        }
        let score = match dimension {
            Dimension::Completeness => {
                let is_counted =
                    |place: usize| !self.is_labelled() || votes::majority(&self.votes[place]).is_some();
                let numbered = answered.iter().enumerate();
                let counted = numbered.filter(|(place, _)| is_counted(*place)).map(|(_, found)| Some(*found));
                votes::share(&counted.collect::<Vec<_>>(), true)
            }
            Dimension::Conciseness => {
                let lines: Vec<usize> = fields::parsed(fields, ANSWERED_LINES, "a list of line numbers")?;
                let sentences = self.sentences.len();
                let with_key_fact = (1..=sentences).filter(|line| lines.contains(line)).count();
                (sentences > 0).then(|| with_key_fact as f64 / sentences as f64)
            }
        };
        let key_facts = self.list.key_facts.iter().zip(answered);
        let key_facts = key_facts.map(|(text, is_found)| AnsweredKeyFact { text: text.clone(), is_found });
        let answers = Answers { key_facts: Some(key_facts.collect()), ..Answers::default() };
        Ok(score.map(|score| GivenAnswers { score, answers }))
    }
}
