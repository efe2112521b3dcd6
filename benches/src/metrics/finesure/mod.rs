//! FineSurE (Song et al., ACL 2024): faithfulness, completeness and conciseness (section 3.2, equations 1 and 2) over the
//! answers to its two tasks. With a language model, the answers are obtained as published (`by_model`), with a type of error
//! for each unfaithful sentence. Without one, faithfulness follows from the verdicts on each sentence's claims (on the
//! sentence itself, if no claim covers it), completeness and conciseness from an alignment of key facts with summary
//! sentences.
//!
//! TofuEval's completeness (Tang et al. 2024) is the same, with the row's key points.
//!
//! Key facts are judged as claims, with the summary as the document, so evidence is weighed in the same way.

mod alignment;
mod by_model;
mod central;
mod error_type;
mod key_facts;
mod sentences;

use serde::Serialize;

pub use self::key_facts::KeyFactsFrom;

use self::alignment::{Alignment, Edge, KeyFact, align};
use self::key_facts::NEEDING;
use self::sentences::Sentence;
use super::measures::Measures;
use super::row::{Row, Rows};
use crate::llm::{LanguageModel, Step};
use veridic::schedule::OnEvent;
use veridic::{Scorer, named};

/// The measured axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The share of sentences without an error.
    Faithfulness,
    /// The share of key facts in the summary.
    Completeness,
    /// The share of sentences with a key fact.
    Conciseness,
}

named!(Axis, "axis", {
    Faithfulness = "faithfulness",
    Completeness = "completeness",
    Conciseness = "conciseness",
});

/// Why a summary has no faithfulness.
const ALL_UNSURE: &str = "the verdict on each of its sentences is unsure";

/// The values behind the numbers.
#[derive(Debug, Default, Serialize)]
struct Facts<'r> {
    /// The summary's sentences.
    sentences: Vec<Sentence<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts: Option<Vec<KeyFact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts_from: Option<&'static str>,
    /// The sentences that have each key fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<Edge>>,
}

/// The steps of these axes that a language model can answer.
pub(super) fn steps(axes: &[Axis]) -> Vec<Step> {
    let mut steps = Vec::new();
    if judges(axes) {
        steps.push(Step::FineSureFacts);
    }
    if needs_key_facts(axes) {
        steps.extend([Step::FineSureKeyFacts, Step::FineSureAlignment]);
    }
    steps
}

fn judges(axes: &[Axis]) -> bool {
    axes.contains(&Axis::Faithfulness)
}

fn needs_key_facts(axes: &[Axis]) -> bool {
    axes.contains(&Axis::Completeness) || axes.contains(&Axis::Conciseness)
}

/// What the numbers are computed with.
pub(super) struct FineSure<'e> {
    pub(super) scorer: &'e Scorer,
    /// Answers both tasks, if there is one.
    pub(super) model: Option<&'e LanguageModel>,
    pub(super) key_facts_from: KeyFactsFrom,
    pub(super) axes: Vec<Axis>,
}

impl FineSure<'_> {
    /// Adds the numbers of the axes.
    pub(super) fn measure(&self, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
        // All requests that can be sent at once are sent before a row may fail.
        let asked = self.model.filter(|_| judges(&self.axes));
        let judgements = asked.map(|model| by_model::judge(model, rows, on_event));
        let key_facts = self.key_facts(rows, on_event);
        let alignments = match self.model {
            Some(model) => by_model::align(model, rows, key_facts, on_event),
            None => align(self.scorer, rows, key_facts, on_event),
        };
        let sentences = match judgements {
            Some(judgements) => sentences::answered(rows, judgements),
            None if judges(&self.axes) => sentences::judged(self.scorer, rows, on_event),
            None => rows.each(|row| Ok(sentences::of(row))),
        };
        rows.each_with(alignments.into_iter().zip(sentences), |row, (alignment, sentences)| {
            self.add(row, alignment, sentences);
            Ok(())
        });
    }

    /// Returns the key facts of each row, unless no axis needs them, or the row lacks them and may.
    fn key_facts(&self, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) -> Vec<Option<Vec<String>>> {
        match self.model {
            _ if !needs_key_facts(&self.axes) => rows.each(|_| Ok(None)),
            Some(model) => by_model::key_facts(model, self.key_facts_from, rows, on_event),
            None => rows.each(|row| {
                let key_facts = key_facts::of(row, self.key_facts_from, self.scorer);
                row.or_leave_out(&NEEDING, key_facts)
            }),
        }
    }

    fn add<'t>(&self, row: &mut Row<'t>, alignment: Option<Alignment>, sentences: Vec<Sentence<'t>>) {
        if judges(&self.axes) {
            match sentences::faithfulness(&sentences) {
                Some(share) => row.measures.add(Axis::Faithfulness.name(), share),
                None => row.measures.leave_out(Axis::Faithfulness.name(), ALL_UNSURE.to_owned()),
            }
        }
        let mut facts = Facts { sentences, ..Facts::default() };
        if let Some(alignment) = alignment {
            if self.axes.contains(&Axis::Completeness) {
                row.measures.add(Axis::Completeness.name(), alignment.completeness());
            }
            if self.axes.contains(&Axis::Conciseness) {
                let conciseness = alignment.conciseness(facts.sentences.len());
                row.measures.add(Axis::Conciseness.name(), conciseness);
            }
            facts.key_facts = Some(alignment.key_facts());
            facts.key_facts_from = Some(self.key_facts_from.name());
            facts.edges = Some(alignment.edges);
        }
        row.measures.add_facts("finesure", &facts);
    }
}

/// Adds the measures of a blank summary, as the paper counts it (appendix H): no error, and no key fact.
pub(super) fn measure_blank(axes: &[Axis], measures: &mut Measures) {
    for axis in axes {
        measures.add(axis.name(), if *axis == Axis::Faithfulness { 1.0 } else { 0.0 });
    }
    measures.add_facts("finesure", &Facts::default());
}

/// TofuEval's completeness: the share of the row's key points that are in the summary.
pub(super) fn key_points(scorer: &Scorer, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    #[derive(Serialize)]
    struct Facts {
        key_points: Vec<KeyFact>,
        edges: Vec<Edge>,
    }
    let points = rows.each(|row| {
        let points = key_facts::points(row);
        row.or_leave_out(&["key_points"], points)
    });
    let alignments = align(scorer, rows, points, on_event);
    rows.each_with(alignments, |row, alignment| {
        if let Some(alignment) = alignment {
            row.measures.add("key_points", alignment.completeness());
            let facts = Facts { key_points: alignment.key_facts(), edges: alignment.edges };
            row.measures.add_facts("key_points_facts", &facts);
        }
        Ok(())
    });
}
