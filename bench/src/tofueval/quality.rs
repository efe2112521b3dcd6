//! Relevance and completeness of TofuEval's summaries (section 3.4): means of scores over the summaries of each corpus,
//! dev and test, beside the means of people's ratings by system (table 6). People's ratings of single summaries are not
//! published. Relevance is of main topics only, as in the paper; completeness of topics with key points. Intervals are
//! bootstrapped over transcripts.

use serde::Serialize;

use super::annotations::Sentence;
use super::key_points::KeyPoints;
use super::names::{Dataset, TopicKind};
use super::{Keys, TofuEval, published};
use crate::benchmark::{Benchmark, Case, Column, Key, RowContent};
use crate::documents::by_document;
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, PublishedTable};
use crate::read::BenchError;
use crate::text_level::TextLevel;
use veridic::corpus::read::RawRow;
use veridic::named;
use veridic::pipeline::MetricInputs;

/// What scores are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Whether a summary keeps to its topic.
    Relevance,
    /// Whether it has what the transcript says about the topic.
    Completeness,
}

named!(Dimension, "dimension", { Relevance = "relevance", Completeness = "completeness" });

/// The benchmark.
#[derive(Debug, Clone)]
pub struct Quality {
    /// The summaries; the level, the scope and thresholds are not used.
    pub summaries: TofuEval,
    /// What scores are about.
    pub dimension: Dimension,
    /// The key points, for completeness.
    pub key_points: KeyPoints,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityFigures {
    /// What scores are about.
    pub dimension: Dimension,
    /// The corpora that have rows.
    pub datasets: Vec<QualityCell>,
}

/// The figure of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct QualityCell {
    /// The corpus.
    pub dataset: Dataset,
    /// Number of summaries.
    pub summaries: usize,
    /// The mean score.
    pub mean: Option<Estimate>,
}

impl Quality {
    fn published(&self) -> &'static PublishedTable {
        match self.dimension {
            Dimension::Relevance => &published::QUALITY[0],
            Dimension::Completeness => &published::QUALITY[1],
        }
    }

    fn beside(&self, name: &str, figures: &QualityFigures) -> Beside {
        let of = |dataset: Dataset| {
            let found = figures.datasets.iter().find(|cell| cell.dataset == dataset);
            layout::value(found.and_then(|cell| cell.mean))
        };
        self.published().beside([(name.to_owned(), Dataset::ALL.map(of))])
    }
}

impl Benchmark for Quality {
    type Keys = Keys;
    type Figures = QualityFigures;

    fn key_fields(&self) -> &'static [&'static str] {
        self.summaries.key_fields()
    }

    fn key(&self, keys: &Keys, row: &Key) -> Key {
        self.summaries.key(keys, row)
    }

    fn read_row(&self, mut row: RawRow) -> Result<RowContent<Keys>, String> {
        let sentence = Sentence::read(&row.origin.file, &mut row.fields)?;
        let (document, topic) = (sentence.document.clone(), sentence.topic.clone());
        let mut content = self.summaries.content(&row.origin, sentence)?;
        let RowContent::Texts { texts, metric_inputs, .. } = &mut content else { return Ok(content) };
        texts.retain(|(_, keys)| keys.level == TextLevel::Summary);
        let Some((_, keys)) = texts.first() else { return Ok(content) };
        let key_facts = match self.dimension {
            Dimension::Relevance if keys.topic == TopicKind::Marginal => {
                return Ok(RowContent::LeftOut(
                    "summaries of marginal topics, whose relevance is not rated".into(),
                ));
            }
            Dimension::Relevance => Vec::new(),
            Dimension::Completeness => match self.key_points.of(&document, &topic)? {
                [] => return Ok(RowContent::LeftOut("summaries of topics without key points".into())),
                points => points.to_vec(),
            },
        };
        *metric_inputs = MetricInputs { topic: Some(topic), key_facts, ..MetricInputs::default() };
        Ok(content)
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        self.summaries.stratum(keys)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<QualityFigures, BenchError> {
        let of = |dataset: Dataset| {
            let rows: Vec<usize> =
                (0..cases.len()).filter(|row| cases[*row].keys.dataset == dataset).collect();
            let mean =
                |rows: &[usize]| Some(rows.iter().map(|row| scores[*row]).sum::<f64>() / rows.len() as f64);
            let mean = Estimate::on_groups(&by_document(cases, &rows), mean);
            (!rows.is_empty()).then_some(QualityCell { dataset, summaries: rows.len(), mean })
        };
        let datasets: Vec<QualityCell> = Dataset::ALL.into_iter().filter_map(of).collect();
        Ok(QualityFigures { dimension: self.dimension, datasets })
    }

    fn table(&self, name: &str, figures: &QualityFigures) -> Vec<String> {
        let mut rows = vec![cells([name, "summaries", "mean"])];
        rows.extend(figures.datasets.iter().map(|cell| {
            vec![cell.dataset.to_string(), cell.summaries.to_string(), Estimate::shown(cell.mean)]
        }));
        let mut lines = vec![format!("TofuEval: mean {}, times 100", self.dimension)];
        lines.extend(layout::lines(&rows));
        lines.push(String::new());
        lines.extend(self.beside(name, figures).lines());
        lines
    }

    fn headline(&self, figures: &QualityFigures) -> Vec<Column> {
        figures.datasets.iter().map(|cell| Column::of(cell.dataset.name(), cell.mean)).collect()
    }

    fn usual_metric(&self) -> Option<&'static str> {
        Some(match self.dimension {
            Dimension::Relevance => "relevance",
            Dimension::Completeness => "key-points",
        })
    }

    fn beside_published(&self, name: &str, figures: &QualityFigures) -> Vec<Beside> {
        vec![self.beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        std::slice::from_ref(Self::published(self))
    }
}
