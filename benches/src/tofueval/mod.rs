//! TofuEval (Tang et al., NAACL 2024): topic-focused summaries of dialogues, each sentence labelled by linguists, in the
//! authors' files: `factual_consistency/{mediasum,meetingbank}_factual_eval_{dev,test}.csv` (one row per sentence),
//! `topic_category/*.json` and, from MediaSum and MeetingBank, the transcripts.
//!
//! Each row is a sentence to judge separately. The last row of a summary also adds the summary: its sentences in order,
//! joined by spaces, consistent if all of them are. `Model-Extra`, which is not among the five systems of the paper, is left
//! out unless requested. Rows that repeat a sentence are left out.
//!
//! [`TofuEval`] measures factual consistency, [`Quality`] relevance and completeness.

mod annotations;
mod key_points;
mod names;
mod protocol;
mod quality;
mod table;
mod topics;
mod transcripts;

pub use annotations::Annotations;
pub use key_points::KeyPoints;
pub use protocol::{Against, Scope};
pub use quality::{Dimension, Quality};
pub use topics::Topics;
pub use transcripts::Transcripts;

use self::annotations::Sentence;
use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::figures::Figures;
use super::published::{PublishedTable, published};
use super::read::BenchError;
use super::text_level::TextLevel;
use veridic::corpus::read::{Origin, RawRow};

/// The tables of factual consistency in the paper; two of its others are of [`Quality`].
const CONSISTENCY: usize = 10;

fn tables() -> &'static [PublishedTable] {
    published!("tofueval")
}

fn published() -> &'static [PublishedTable] {
    &tables()[..CONSISTENCY]
}

/// The benchmark.
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
    fn about(&self) -> About {
        About {
            key_fields: &["doc_id", "topic", "model_name", "sent_idx"],
            ends_with_sentence: true,
            published: published(),
            ..About::default()
        }
    }

    fn read_row(&self, mut row: RawRow) -> Result<RowContent, String> {
        let sentence = Sentence::read(&row.origin.file, &mut row.fields)?;
        Ok(self.content(&row.origin, sentence)?.at_level(self.level))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self)
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let of_level = |level: &Figures| {
            let whole = |cell: &&Figures| ["dataset", "topic"].iter().all(|of| cell[*of] == Figures::None);
            let whole = level["cells"].list().iter().find(whole).unwrap_or(&Figures::None);
            Column::of(level["level"].text(), &whole["balanced_accuracy"])
        };
        Shown {
            lines: table::lines(name, figures),
            beside: table::beside(name, figures),
            headline: figures["levels"].list().iter().map(of_level).collect(),
        }
    }
}

impl TofuEval {
    /// The sentence of a row, and the summary if the row is its last, both levels.
    fn content(&self, origin: &Origin, sentence: Sentence) -> Result<RowContent, String> {
        if !self.with_extra && sentence.is_extra() {
            let reason = format!("{}, which the paper does not have", names::EXTRA);
            return Ok(RowContent::LeftOut(reason));
        }
        if self.annotations.repeats(origin) {
            return Ok(RowContent::LeftOut("a sentence that another row has".into()));
        }
        let topic = self.topics.kind(sentence.dataset, &sentence.topic)?;
        let transcript = self.transcripts.as_ref().map(|transcripts| transcripts.text(&sentence.document));
        let document = transcript.transpose()?.unwrap_or_default().to_owned();
        let summary = self.annotations.size(&sentence);
        let label = |level: TextLevel, consistent, errors| Label {
            corpus: sentence.dataset.to_owned(),
            split: Some(sentence.split),
            kind: topic.to_owned(),
            level,
            consistent,
            errors,
            summary,
            stratum: format!("{} {} {topic} {level} {consistent}", sentence.dataset, sentence.split.name()),
            ..Label::default()
        };
        let of_sentence = label(TextLevel::Sentence, sentence.consistent, sentence.errors.clone());
        let mut texts = vec![(sentence.text.clone(), of_sentence)];
        if let Some(summary) = self.annotations.summary(origin) {
            texts.push((summary.text.clone(), label(TextLevel::Summary, summary.consistent, Vec::new())));
        }
        Ok(RowContent::texts(document, texts))
    }
}
