//! SumAutoEval's facts in a result: entities and sentences with our answers.

use serde::Deserialize;
use veridic::named;

use crate::metrics::sumautoeval::Answer;

/// The labelled property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// Whether the summary has an entity of the reference.
    Completeness,
    /// Whether an entity of the summary is true.
    Correctness,
    /// Whether it is in the right section; "organization" in the paper's table.
    Alignment,
    /// Whether a sentence of the summary is well written.
    Readability,
}

named!(Axis, "axis", {
    Completeness = "completeness",
    Correctness = "correctness",
    Alignment = "alignment",
    Readability = "readability",
});

/// The field `sumautoeval` of a result.
#[derive(Debug, Deserialize)]
pub(super) struct Facts {
    ground_truth: Option<Part>,
    summary: Option<Part>,
}

#[derive(Debug, Deserialize)]
struct Part {
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
    /// Returns the judged items of an axis; `None` if the axis was not measured.
    pub(super) fn judged(&self, axis: Axis) -> Option<Vec<Judged<'_>>> {
        let part = if axis == Axis::Completeness { &self.ground_truth } else { &self.summary };
        let part = part.as_ref()?;
        if axis == Axis::Readability {
            return Some(part.sentences.as_ref()?.iter().map(Sentence::judged).collect());
        }
        part.entities.as_ref()?.iter().map(|entity| entity.judged(axis)).collect()
    }
}

impl Entity {
    fn judged(&self, axis: Axis) -> Option<Judged<'_>> {
        let answer = match axis {
            Axis::Completeness => self.completeness.as_ref()?.vote,
            Axis::Correctness => self.correctness.as_ref()?.vote,
            _ => Answer::of(self.alignment.as_ref()?.is_aligned),
        };
        Some(Judged { text: &self.text, spans: self.spans.clone(), answer })
    }
}

impl Sentence {
    fn judged(&self) -> Judged<'_> {
        Judged { text: &self.text, spans: vec![self.span], answer: Answer::of(self.issues.is_empty()) }
    }
}
