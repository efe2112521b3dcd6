//! `veridic-bench aggrefact`, whole or with each part of FENICE by itself.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::args::MeasureArgs;
use super::options::Options;
use super::{ablation, measure};
use crate::benchmarks::aggrefact::AggreFact;

#[derive(Debug, Args)]
pub(crate) struct AggreFactOptions {
    /// Measure each part of FENICE separately
    ///
    /// Sentences, then claims, then coreference, then all levels.
    #[arg(long)]
    ablation: bool,
}

impl Options for AggreFactOptions {
    type Benchmark = AggreFact;

    fn open(&self, _: &MeasureArgs) -> Result<AggreFact> {
        Ok(AggreFact)
    }

    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        if self.ablation { ablation::run(measure) } else { measure::run(&AggreFact, measure) }
    }
}
