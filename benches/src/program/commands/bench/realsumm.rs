//! `veridic-bench realsumm`: rows of its own, FineSurE's file, or the authors' tables.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::args::MeasureArgs;
use super::options::{Options, read_files, read_twice};
use crate::benchmarks::realsumm::{Dimension, KeyFactLists, Ratings, RealSumm};
use crate::program::settings::Metrics;

#[derive(Debug, Args)]
pub(crate) struct RealSummOptions {
    /// The human labels to compare with [default: completeness]
    ///
    /// conciseness if --metric finesure:conciseness is given; its labels are in FineSurE's realsumm-data.json.
    #[arg(long, value_enum, value_name = "SHARE")]
    dimension: Option<Dimension>,
    /// The documents with their key facts
    ///
    /// FineSurE's human-keyfact-list.json, or its list by GPT-4: for its realsumm-data.json and for REALSumm's own tables.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    key_fact_list: Vec<PathBuf>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_alignment_labels and pred_sentence_line_numbers, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric"])]
    given_answers: bool,
}

impl Options for RealSummOptions {
    type Benchmark = RealSumm;

    fn open(&self, measure: &MeasureArgs) -> Result<RealSumm> {
        let key_facts = read_files(&self.key_fact_list, KeyFactLists::read)?;
        // Only the authors' tables have several rows per summary, and the documents elsewhere.
        let has_list = !self.key_fact_list.is_empty();
        let ratings = if has_list { read_twice(measure, Ratings::read)? } else { Ratings::default() };
        let names = measure.settings.metrics().metric;
        let is_concise = names.iter().any(|name| name == RealSumm::CONCISENESS);
        let by_metric = if is_concise { Dimension::Conciseness } else { Dimension::Completeness };
        Ok(RealSumm {
            dimension: self.dimension.unwrap_or(by_metric),
            key_facts,
            ratings,
            given_answers: self.given_answers,
            as_published: measure.paper,
        })
    }
}
