//! The facts of SumAutoEval in a result: entities and sentences with our answers.

use serde::Deserialize;

use super::{Answer, Axis};

/// The field `sumautoeval` of a result.
#[derive(Debug, Deserialize)]
pub(super) struct Facts {
    ground_truth: Option<Truth>,
    summary: Option<Summary>,
}

#[derive(Debug, Deserialize)]
struct Truth {
    entities: Vec<Entity>,
}

#[derive(Debug, Deserialize)]
struct Summary {
    entities: Option<Vec<Entity>>,
    sentences: Option<Vec<Sentence>>,
}

#[derive(Debug, Deserialize)]
struct Entity {
    text: String,
    spans: Vec<[usize; 2]>,
    completeness: Option<Votes>,
    correctness: Option<Votes>,
    alignment: Option<Aligned>,
}

#[derive(Debug, Deserialize)]
struct Votes {
    vote: Answer,
}

#[derive(Debug, Deserialize)]
struct Aligned {
    is_aligned: bool,
}

#[derive(Debug, Deserialize)]
struct Sentence {
    text: String,
    span: [usize; 2],
    issues: Vec<serde::de::IgnoredAny>,
}

/// An entity or a sentence, and our answer about it.
pub(super) struct Judged<'f> {
    pub(super) text: &'f str,
    pub(super) spans: Vec<[usize; 2]>,
    pub(super) answer: Answer,
}

impl Facts {
    /// What was judged on an axis; `None` if the axis was not measured.
    pub(super) fn judged(&self, axis: Axis) -> Option<Vec<Judged<'_>>> {
        match axis {
            Axis::Completeness => {
                self.ground_truth.as_ref()?.entities.iter().map(Entity::completeness).collect()
            }
            Axis::Correctness => self.summary_entities()?.iter().map(Entity::correctness).collect(),
            Axis::Alignment => self.summary_entities()?.iter().map(Entity::alignment).collect(),
            Axis::Readability => {
                let sentences = self.summary.as_ref()?.sentences.as_ref()?;
                Some(sentences.iter().map(Sentence::readability).collect())
            }
        }
    }

    fn summary_entities(&self) -> Option<&[Entity]> {
        self.summary.as_ref()?.entities.as_deref()
    }
}

impl Entity {
    fn completeness(&self) -> Option<Judged<'_>> {
        self.completeness.as_ref().map(|votes| self.judged(votes.vote))
    }

    fn correctness(&self) -> Option<Judged<'_>> {
        self.correctness.as_ref().map(|votes| self.judged(votes.vote))
    }

    fn alignment(&self) -> Option<Judged<'_>> {
        self.alignment.as_ref().map(|aligned| self.judged(Answer::of(aligned.is_aligned)))
    }

    fn judged(&self, answer: Answer) -> Judged<'_> {
        Judged { text: &self.text, spans: self.spans.clone(), answer }
    }
}

impl Sentence {
    fn readability(&self) -> Judged<'_> {
        Judged { text: &self.text, spans: vec![self.span], answer: Answer::of(self.issues.is_empty()) }
    }
}
