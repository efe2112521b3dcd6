//! `veridic-bench summeval`

use anyhow::Result;
use clap::Args;

use super::args::MeasureArgs;
use super::options::{Options, read_twice};
use crate::benchmarks::summeval::{Dimension, Selection, SummEval};

#[derive(Debug, Args)]
pub(crate) struct SummEvalOptions {
    /// The expert ratings to compare with
    #[arg(long, value_enum, value_name = "RATING", default_value_t = Dimension::Consistency)]
    dimension: Dimension,
    /// Measure one summary of each article, that of the most agreement
    ///
    /// The one whose experts differ least in the rating that is measured; of equal ones the first. SumAutoEval's authors
    /// choose such summaries.
    #[arg(long)]
    agreed: bool,
}

impl Options for SummEvalOptions {
    type Benchmark = SummEval;

    fn open(&self, measure: &MeasureArgs) -> Result<SummEval> {
        let mut benchmark = SummEval { dimension: self.dimension, selection: Selection::ALL };
        if self.agreed {
            benchmark.selection = read_twice(measure, |rows| Selection::agreed(&benchmark, rows))?;
        }
        Ok(benchmark)
    }
}
