//! `veridic-bench frank`: the authors' annotations, or FineSurE's file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::args::{MeasureArgs, finite};
use super::options::{Options, read_files};
use crate::benchmarks::frank::{Annotations, Frank, MetricOutputs};
use crate::program::plan;
use crate::program::settings::Metrics;
use crate::protocol::TextLevel;

#[derive(Debug, Args)]
pub(crate) struct FrankOptions {
    /// The human annotations of benchmark_data.json
    ///
    /// human_annotations.json and, for sentences, human_annotations_sentence.json too. FineSurE's frank-data.json has its annotations itself.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    annotations: Vec<PathBuf>,
    /// Scores of other metrics for the same summaries, to compare with
    ///
    /// The file baseline_factuality_metrics_outputs.json.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    metric_outputs: Vec<PathBuf>,
    /// Judge only this [default: both, where annotated]
    #[arg(long, value_enum)]
    level: Option<TextLevel>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_faithfulness_labels and pred_faithfulness_error_type, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric", "level"])]
    given_answers: bool,
    /// A sentence counts as faithful above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for FrankOptions {
    type Benchmark = Frank;

    fn open(&self, measure: &MeasureArgs) -> Result<Frank> {
        let names = &measure.settings.metrics().metric;
        let answers_sentences = names.len() == 1 && plan::judges_sentences(&names[0]);
        Ok(Frank {
            annotations: read_files(&self.annotations, Annotations::read)?,
            outputs: read_files(&self.metric_outputs, MetricOutputs::read)?,
            level: self.level,
            by_summary: answers_sentences && self.level.is_none() && measure.scores.is_none(),
            given_answers: self.given_answers,
            threshold: self.decide_at,
        })
    }
}
