//! The benchmark of factual consistency: sentences and the summaries that they form.

use veridic::corpus::read::{Origin, RawRow};

use super::annotations::{Annotations, Sentence};
use super::label::Label;
use super::names::EXTRA;
use super::protocol::{self, Against};
use super::table;
use super::thresholds::{DecidedBy, Scope};
use super::topics::Topics;
use super::transcripts::Transcripts;
use crate::protocol::{About, BenchError, Benchmark, Case, Figures, RowContent, Shown, Text, TextLevel};

#[derive(Debug, Clone)]
pub struct TofuEval {
    /// The annotations, which determine which rows form a summary.
    pub annotations: Annotations,
    /// The documents of the summaries; `None` if their scores are given.
    pub transcripts: Option<Transcripts>,
    /// The kinds of topics.
    pub topics: Topics,
    /// Whether the sixth system is measured too.
    pub with_extra: bool,
    /// Which texts are judged; `None` is both.
    pub level: Option<TextLevel>,
    /// Which dev rows tune a threshold together.
    pub scope: Scope,
    /// A text is called consistent above this; with `None` the dev rows tune thresholds.
    pub threshold: Option<f64>,
    /// Other scores of the same texts to compare with.
    pub against: Option<Against>,
}

impl Benchmark for TofuEval {
    type Label = Label;

    fn about(&self) -> About {
        About {
            key_fields: &["doc_id", "topic", "model_name", "sent_idx"],
            ends_with_sentence: true,
            published: table::of_consistency(),
            ..About::default()
        }
    }

    fn read_row(&self, mut row: RawRow) -> Result<RowContent<Label>, String> {
        let sentence = Sentence::read(&row.origin.file, &mut row.fields)?;
        Ok(self.content(&row.origin, sentence)?.at_level(self.level))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let by = self.threshold.map_or(DecidedBy::Dev(self.scope), DecidedBy::Given);
        protocol::figures(cases, scores, by, self.against.as_ref())
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        Shown { lines: table::lines(name, figures), beside: table::beside(name, figures) }
    }
}

impl TofuEval {
    /// The sentence of a row, and the summary if the row is its last, both levels.
    pub(super) fn content(&self, origin: &Origin, sentence: Sentence) -> Result<RowContent<Label>, String> {
        if !self.with_extra && sentence.is_extra() {
            return Ok(RowContent::LeftOut(format!("{EXTRA}, which the paper does not have")));
        }
        if self.annotations.repeats(origin) {
            return Ok(RowContent::LeftOut("a sentence that another row has".into()));
        }
        let topic = self.topics.kind(sentence.dataset, &sentence.topic)?;
        let transcript = self.transcripts.as_ref().map(|transcripts| transcripts.text(&sentence.document));
        let document = transcript.transpose()?.unwrap_or_default().to_owned();
        let Sentence { dataset, split, .. } = sentence;
        let size = self.annotations.size(&sentence);
        let text = |level: TextLevel, text: String, is_consistent: bool, errors: Vec<String>| {
            let stratum = format!("{dataset} {} {topic} {level} {is_consistent}", split.name());
            let label = Label { dataset, topic, split, errors, summary: size };
            Text { level, ..Text::new(text, is_consistent, stratum, label) }
        };
        let whole = self.annotations.summary(origin);
        let whole =
            whole.map(|whole| text(TextLevel::Summary, whole.text.clone(), whole.is_consistent, Vec::new()));
        let of_row = text(TextLevel::Sentence, sentence.text, sentence.is_consistent, sentence.errors);
        Ok(RowContent::texts(document, std::iter::once(of_row).chain(whole).collect()))
    }
}
