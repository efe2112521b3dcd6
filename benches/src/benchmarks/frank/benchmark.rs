//! The benchmark: rows of both formats, figures and tables.

use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};

use super::annotations::{Annotations, HASH, SYSTEM};
use super::finesure::{self, FineSurERow};
use super::outputs::MetricOutputs;
use super::protocol::Protocol;
use super::summary::{Label, Summary, has_words};
use super::table;
use crate::protocol::{
    About, BenchError, Benchmark, Case, Figures, RowContent, Shown, Split, Text, TextLevel, fields,
};

/// The threshold between the answers yes and no, which are 1 and 0.
const YES_OR_NO: f64 = 0.5;

#[derive(Debug, Clone, Default)]
pub struct Frank {
    pub annotations: Annotations,
    pub outputs: MetricOutputs,
    /// The texts to judge; `None` is both, where annotated.
    pub level: Option<TextLevel>,
    /// Whether only summaries of FineSurE's files are judged, and the answers about each tell which of its sentences are
    /// wrong.
    pub by_summary: bool,
    /// Whether to measure the answers given in rows of FineSurE's files; implies `by_summary`.
    pub given_answers: bool,
    /// A sentence is called faithful above this; with `None` the validation split tunes a threshold.
    pub threshold: Option<f64>,
}

impl Benchmark for Frank {
    type Label = Label;

    fn about(&self) -> About {
        About { published: table::tables(), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        if finesure::is_row(&fields) { self.finesure_row(&mut fields) } else { self.own_row(&mut fields) }
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let others = self.outputs.names();
        if !self.by_summary && !self.given_answers {
            return Protocol { cases, scores, others, threshold: self.threshold }.figures();
        }
        let (cases, scores) = finesure::with_sentences(cases, scores);
        let is_answered = cases.iter().any(|case| case.answers.faithful.is_some());
        let threshold = self.threshold.or(is_answered.then_some(YES_OR_NO));
        Protocol { cases: &cases, scores: &scores, others, threshold }.figures()
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let beside = table::beside(name, figures);
        Shown { lines: table::lines(name, figures, &beside), beside }
    }
}

impl Frank {
    fn own_row(&self, fields: &mut Fields) -> Result<RowContent<Label>, String> {
        fields::require(fields, &[HASH, SYSTEM, "article", "summary", "split"])?;
        let (hash, system) = (fields::name(fields, HASH)?, fields::name(fields, SYSTEM)?);
        let split = Split::of_field(fields, "split", "valid or test")?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, text) = (field_text(fields, "article")?, field_text(fields, "summary")?);
        if self.annotations.is_empty() {
            return Err("has no annotations: give human_annotations.json in --annotations".into());
        }
        let Some(annotation) = self.annotations.of(&hash, &system) else {
            return Ok(RowContent::LeftOut("summaries that nobody annotated".into()));
        };
        if !has_words(&text) {
            return Ok(RowContent::LeftOut("summaries without a letter or digit".into()));
        }
        let other_scores = self.outputs.of(&hash, &system);
        let summary = Summary { system, split, text, annotation, sentences: None, other_scores };
        let texts = summary.texts(self.level)?;
        if texts.is_empty() {
            return Ok(RowContent::LeftOut("summaries whose sentences nobody annotated".into()));
        }
        Ok(RowContent::texts(document, texts).with_reference(reference))
    }

    fn finesure_row(&self, fields: &mut Fields) -> Result<RowContent<Label>, String> {
        let row = FineSurERow::read(fields)?;
        let Some(factuality) = row.annotation.factuality else {
            return Ok(RowContent::LeftOut("summaries with fewer than two labels for each sentence".into()));
        };
        let given = if self.given_answers { finesure::given(fields, &row.annotation)? } else { None };
        if self.given_answers && given.is_none() {
            return Ok(RowContent::Unanswered("summaries whose answers do not fit their sentences".into()));
        }
        let other_scores = self.outputs.of(&row.id, &row.system);
        let summary = Summary {
            system: row.system,
            split: row.split,
            text: row.sentences.join(" "),
            annotation: &row.annotation,
            sentences: Some(row.sentences),
            other_scores,
        };
        let texts = if self.by_summary || self.given_answers {
            vec![Text { given_answers: given, ..summary.whole(factuality) }]
        } else {
            summary.texts(self.level)?
        };
        Ok(RowContent::texts(row.document, texts).with_reference(row.reference))
    }
}
