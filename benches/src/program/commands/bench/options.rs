//! A benchmark on the command line: its options, the files that these name, and running it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use veridic::corpus::read::{Rows, Source};

use super::args::MeasureArgs;
use super::data::named;
use super::measure;
use crate::protocol::{BenchError, Benchmark};

/// The options of a benchmark on the command line.
pub(super) trait Options: Args {
    /// The benchmark that they describe.
    type Benchmark: Benchmark;

    /// Reads the files that it needs besides the data.
    fn open(&self, measure: &MeasureArgs) -> Result<Self::Benchmark>;

    /// Measures, and prints the figures.
    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        measure::run(&self.open(measure)?, measure)
    }
}

/// A benchmark's options, and what is measured.
#[derive(Debug, Args)]
pub(crate) struct Command<O: Args> {
    #[command(flatten)]
    pub(super) options: O,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

/// Reads files besides the data; returns the default without files.
pub(super) fn read_files<T: Default>(
    files: &[PathBuf],
    read: impl FnOnce(Rows) -> Result<T, BenchError>,
) -> Result<T> {
    if files.is_empty() {
        return Ok(T::default());
    }
    read(Source::find(files, None)?.rows()).map_err(|error| named(error, files))
}

/// Collects information from all rows of the data, before each is read separately.
pub(super) fn read_twice<T>(
    measure: &MeasureArgs,
    read: impl FnOnce(Rows) -> Result<T, BenchError>,
) -> Result<T> {
    ensure!(
        measure.data.iter().all(|path| path.as_os_str() != "-"),
        "--data -: these rows are read twice, which is not possible from standard input: give files"
    );
    let rows = Source::find(&measure.data, measure.input_format)?.rows();
    read(rows).map_err(|error| named(error, &measure.data))
}
