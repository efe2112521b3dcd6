//! `veridic-bench llm-aggrefact`

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::args::{MeasureArgs, finite};
use super::options::Options;
use crate::benchmarks::llm_aggrefact::LlmAggreFact;

/// The rows that tune thresholds.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Tuning {
    /// The rows of the split dev
    Dev,
}

#[derive(Debug, Args)]
pub(crate) struct LlmAggreFactOptions {
    /// Tune each dataset's threshold on its rows of the split dev
    #[arg(long, value_name = "dev", conflicts_with = "decide_at", value_enum)]
    tune: Option<Tuning>,
    /// A claim counts as supported above X [default: 0.5]
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for LlmAggreFactOptions {
    type Benchmark = LlmAggreFact;

    fn open(&self, _: &MeasureArgs) -> Result<LlmAggreFact> {
        let given = self.decide_at.unwrap_or(LlmAggreFact::THRESHOLD);
        Ok(LlmAggreFact { threshold: if self.tune.is_some() { None } else { Some(given) } })
    }
}
