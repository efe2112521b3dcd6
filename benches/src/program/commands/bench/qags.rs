//! `veridic-bench qags`

use anyhow::Result;
use clap::Args;

use super::args::MeasureArgs;
use super::options::Options;
use crate::benchmarks::qags::Qags;
use crate::protocol::TextLevel;

#[derive(Debug, Args)]
pub(crate) struct QagsOptions {
    /// Judge only this [default: both]
    #[arg(long, value_enum)]
    level: Option<TextLevel>,
}

impl Options for QagsOptions {
    type Benchmark = Qags;

    fn open(&self, _: &MeasureArgs) -> Result<Qags> {
        Ok(Qags { level: self.level })
    }
}
