//! TofuEval (Tang et al., NAACL 2024): topic-focused summaries of dialogues, each sentence labelled by linguists, in the
//! authors' files: `factual_consistency/{mediasum,meetingbank}_factual_eval_{dev,test}.csv` (a row a sentence),
//! `topic_category/*.json` and, from MediaSum and MeetingBank, the transcripts.
//!
//! Each row is a sentence to judge by itself; behind the last row of a summary comes the summary, its sentences in
//! order with a space between them, consistent if all of them are. `Model-Extra`, which is not among the five systems
//! of the paper, is left out unless it is asked for; so is a row that repeats a sentence, as some do.

mod annotations;
mod names;
mod protocol;
mod table;
mod topics;
mod transcripts;

pub use annotations::Annotations;
pub use names::{Dataset, TopicKind};
pub use protocol::{Against, Cell, Difference, ErrorType, Figures, LevelFigures, Scope, TunedThreshold};
pub use topics::Topics;
pub use transcripts::Transcripts;

use self::annotations::Sentence;
use super::benchmark::{Benchmark, Case, Column, Taken};
use super::level::Level;
use super::published::PublishedTable;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

/// The benchmark.
#[derive(Debug, Clone)]
pub struct TofuEval {
    /// Which rows make a summary.
    pub annotations: Annotations,
    /// What the summaries are of.
    pub transcripts: Transcripts,
    /// Which topics are main ones.
    pub topics: Topics,
    /// Whether the sixth system is measured, too.
    pub with_extra: bool,
    /// What is judged; none is both.
    pub level: Option<Level>,
    /// Which dev rows tune a threshold together.
    pub scope: Scope,
    /// A text is called consistent above it; none is thresholds that the dev rows tune.
    pub threshold: Option<f64>,
    /// Other scores of the same texts, which the scores are compared with.
    pub against: Option<Against>,
}

/// What the protocol has to know of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The corpus of its transcript.
    pub dataset: Dataset,
    /// Whether it tunes or measures.
    pub split: Split,
    /// Whether its topic is a main one of the dialogue.
    pub topic: TopicKind,
    /// What it is.
    pub level: Level,
    /// Whether people find no error in it.
    pub consistent: bool,
    /// The errors that people find in a sentence, if they name them.
    pub errors: Vec<String>,
}

impl TofuEval {
    fn judges(&self, level: Level) -> bool {
        self.level.is_none_or(|chosen| chosen == level)
    }
}

impl Benchmark for TofuEval {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, mut row: RawRow) -> Result<Taken<Keys>, String> {
        let sentence = Sentence::read(&mut row)?;
        if !self.with_extra && sentence.is_extra() {
            let reason = format!("{}, which the paper does not have", names::EXTRA);
            return Ok(Taken::LeftOut(reason));
        }
        if self.annotations.repeats(&row.origin) {
            return Ok(Taken::LeftOut("a sentence that another row has".into()));
        }
        let topic = self.topics.kind(sentence.dataset, &sentence.topic)?;
        let document = self.transcripts.text(&sentence.document)?.to_owned();
        let key = |level, consistent, errors| {
            let Sentence { dataset, split, .. } = sentence;
            Keys { dataset, split, topic, level, consistent, errors }
        };
        let mut texts = Vec::new();
        if self.judges(Level::Sentence) {
            let keys = key(Level::Sentence, sentence.consistent, sentence.errors);
            texts.push((sentence.text, keys));
        }
        if let Some(summary) = self.annotations.summary(&row.origin).filter(|_| self.judges(Level::Summary)) {
            texts.push((summary.text.clone(), key(Level::Summary, summary.consistent, Vec::new())));
        }
        Ok(Taken::Texts { document, texts, aids: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let Keys { dataset, split, topic, level, consistent, .. } = keys;
        format!("{} {} {} {} {consistent}", dataset.name(), split.name(), topic.name(), level.name())
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
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

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}
