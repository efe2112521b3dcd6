//! TofuEval (Tang et al., NAACL 2024): topic-focused summaries of dialogues, each sentence labelled by linguists, in the
//! authors' files: `factual_consistency/{mediasum,meetingbank}_factual_eval_{dev,test}.csv` (a row a sentence),
//! `topic_category/*.json` and, from MediaSum and MeetingBank, the transcripts.
//!
//! Each row is a sentence to judge by itself. The last row of a summary also brings the summary: its sentences in order,
//! joined by spaces, consistent if all of them are. `Model-Extra`, which is not among the five systems of the paper, is
//! left out unless it is asked for. Rows that repeat a sentence are left out.
//!
//! [`TofuEval`] measures factual consistency, [`Quality`] relevance and completeness.

mod annotations;
mod from_sentences;
mod key_points;
mod names;
mod protocol;
mod published;
mod quality;
mod table;
mod topics;
mod transcripts;

pub use annotations::Annotations;
pub use key_points::KeyPoints;
pub use names::{Dataset, TopicKind};
pub use protocol::{
    Against, Cell, Difference, ErrorRate, ErrorType, Figures, LevelFigures, Scope, TunedThreshold,
};
pub use quality::{Dimension, Quality, QualityCell, QualityFigures};
pub use topics::Topics;
pub use transcripts::Transcripts;

use self::annotations::Sentence;
use super::benchmark::{Benchmark, Case, Column, Key, RowContent};
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::split::Split;
use super::text_level::TextLevel;
use veridic::corpus::read::{Origin, RawRow};
use veridic::pipeline::MetricInputs;

/// The benchmark.
#[derive(Debug, Clone)]
pub struct TofuEval {
    /// Which rows make a summary.
    pub annotations: Annotations,
    /// The documents of the summaries.
    pub transcripts: Transcripts,
    /// The kinds of topics.
    pub topics: Topics,
    /// Whether the sixth system is measured too.
    pub with_extra: bool,
    /// Which texts are judged; `None` is both.
    pub level: Option<TextLevel>,
    /// Which dev rows tune a threshold together.
    pub scope: Scope,
    /// A text is called consistent above it; with `None` the dev rows tune thresholds.
    pub threshold: Option<f64>,
    /// Other scores of the same texts to compare with.
    pub against: Option<Against>,
}

/// What the protocol needs of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The corpus of its transcript.
    pub(crate) dataset: Dataset,
    pub(crate) split: Split,
    pub(crate) topic: TopicKind,
    pub(crate) level: TextLevel,
    /// Whether people find no error in it.
    pub(crate) consistent: bool,
    /// The types of error that people name in a sentence.
    pub(crate) errors: Vec<String>,
    /// The number of the summary that it is or is of, and that summary's number of sentences.
    pub(crate) summary: (usize, usize),
}

impl Benchmark for TofuEval {
    type Keys = Keys;
    type Figures = Figures;

    fn key_fields(&self) -> &'static [&'static str] {
        &["doc_id", "topic", "model_name", "sent_idx"]
    }

    /// A summary has no number of a sentence.
    fn key(&self, keys: &Keys, row: &Key) -> Key {
        let mut key = row.clone();
        if let (TextLevel::Summary, Some(sentence)) = (keys.level, key.last_mut()) {
            *sentence = None;
        }
        key
    }

    fn read_row(&self, mut row: RawRow) -> Result<RowContent<Keys>, String> {
        let sentence = Sentence::read(&row.origin.file, &mut row.fields)?;
        let mut content = self.content(&row.origin, sentence)?;
        if let RowContent::Texts { texts, .. } = &mut content {
            texts.retain(|(_, keys)| keys.level.is_judged(self.level));
        }
        Ok(content)
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let Keys { dataset, split, topic, level, consistent, .. } = keys;
        format!("{dataset} {} {topic} {level} {consistent}", split.name())
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        let of_level = |level: &LevelFigures| {
            let whole = level.cells.iter().find(|cell| cell.dataset.is_none() && cell.topic.is_none());
            Column::of(level.level.name(), whole.and_then(|cell| cell.balanced_accuracy))
        };
        figures.levels.iter().map(of_level).collect()
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        table::beside(name, figures)
    }

    fn published(&self) -> &'static [PublishedTable] {
        &published::TABLES
    }
}

impl TofuEval {
    /// The sentence of a row, and the summary if the row is its last, both levels.
    fn content(&self, origin: &Origin, sentence: Sentence) -> Result<RowContent<Keys>, String> {
        if !self.with_extra && sentence.is_extra() {
            let reason = format!("{}, which the paper does not have", names::EXTRA);
            return Ok(RowContent::LeftOut(reason));
        }
        if self.annotations.repeats(origin) {
            return Ok(RowContent::LeftOut("a sentence that another row has".into()));
        }
        let topic = self.topics.kind(sentence.dataset, &sentence.topic)?;
        let document = self.transcripts.text(&sentence.document)?.to_owned();
        let summary = self.annotations.size(&sentence);
        let key = |level, consistent, errors| {
            let Sentence { dataset, split, .. } = sentence;
            Keys { dataset, split, topic, level, consistent, errors, summary }
        };
        let keys = key(TextLevel::Sentence, sentence.consistent, sentence.errors);
        let mut texts = vec![(sentence.text, keys)];
        if let Some(summary) = self.annotations.summary(origin) {
            texts.push((summary.text.clone(), key(TextLevel::Summary, summary.consistent, Vec::new())));
        }
        Ok(RowContent::Texts { document, texts, metric_inputs: MetricInputs::default() })
    }
}
