//! Relevance and completeness of TofuEval's summaries (section 3.4): means of scores over the summaries of each corpus, dev
//! and test, beside the means of human ratings by system (table 6). Human ratings of single summaries are not published.
//! Relevance covers main topics only, as in the paper; completeness covers topics with key points. Intervals are
//! bootstrapped over transcripts.

use veridic::corpus::read::RawRow;
use veridic::named;

use super::annotations::Sentence;
use super::benchmark::TofuEval;
use super::key_points::KeyPoints;
use super::label::Label;
use super::names::{DATASETS, MAIN};
use super::table;
use crate::metrics::MetricInputs;
use crate::protocol::{
    About, BenchError, Benchmark, Case, Estimate, Figures, RowContent, Shown, TextLevel, by_document,
    figures, layout,
};

/// The scored quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Whether a summary keeps to its topic.
    Relevance,
    /// Whether it has what the transcript says about the topic.
    Completeness,
}

named!(Dimension, "dimension", { Relevance = "relevance", Completeness = "completeness" });

#[derive(Debug, Clone)]
pub struct Quality {
    /// The summaries; the level, the scope and thresholds are not used.
    pub summaries: TofuEval,
    pub dimension: Dimension,
    pub key_points: KeyPoints,
}

impl Benchmark for Quality {
    type Label = Label;

    fn about(&self) -> About {
        let place = self.dimension as usize;
        let usual_metric = Some(match self.dimension {
            Dimension::Relevance => "relevance",
            Dimension::Completeness => "key-points",
        });
        About { published: &table::of_quality()[place..=place], usual_metric, ..self.summaries.about() }
    }

    fn read_row(&self, mut row: RawRow) -> Result<RowContent<Label>, String> {
        let sentence = Sentence::read(&row.origin.file, &mut row.fields)?;
        let (document, topic) = (sentence.document.clone(), sentence.topic.clone());
        let content = self.summaries.content(&row.origin, sentence)?.at_level(Some(TextLevel::Summary));
        let RowContent::Texts { texts, .. } = &content else { return Ok(content) };
        let Some(text) = texts.first() else { return Ok(content) };
        let key_facts = match self.dimension {
            Dimension::Relevance if text.label.topic != MAIN => {
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
        Ok(content.with_inputs(MetricInputs { topic: Some(topic), key_facts, ..MetricInputs::default() }))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let mut datasets = Vec::new();
        for (dataset, _) in DATASETS {
            let rows: Vec<usize> =
                (0..cases.len()).filter(|row| cases[*row].label.dataset == dataset).collect();
            if rows.is_empty() {
                continue;
            }
            let mean =
                |rows: &[usize]| Some(rows.iter().map(|row| scores[*row]).sum::<f64>() / rows.len() as f64);
            let mean = Estimate::on_groups(&by_document(cases, &rows), mean);
            datasets.push(figures! { "dataset": dataset, "summaries": rows.len(), "mean": mean });
        }
        Ok(figures! { "dimension": self.dimension.name(), "datasets": datasets })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let datasets = &figures["datasets"];
        let header = [name, "summaries", "mean"];
        let rows = layout::rows(&header, datasets.list(), &["dataset", "summaries", "mean"]);
        let means = DATASETS.map(|(dataset, _)| datasets.find(&[("dataset", dataset)])["mean"].brief());
        let beside = self.about().published[0].beside([(name.to_owned(), means)]);
        Shown::table(format!("TofuEval: mean {}, times 100", self.dimension), &rows, beside, figures)
    }
}
