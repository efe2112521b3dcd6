//! `veridic-bench summedits`

use anyhow::Result;
use clap::Args;

use super::args::{MeasureArgs, finite};
use super::options::Options;
use crate::benchmarks::summedits::SummEdits;

#[derive(Debug, Args)]
pub(crate) struct SummEditsOptions {
    /// A summary counts as consistent above X
    ///
    /// Instead of a threshold from the other half of the documents.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for SummEditsOptions {
    type Benchmark = SummEdits;

    fn open(&self, _: &MeasureArgs) -> Result<SummEdits> {
        Ok(SummEdits { threshold: self.decide_at })
    }
}
