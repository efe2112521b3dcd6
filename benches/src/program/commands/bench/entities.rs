//! `veridic-bench entities`: compares answers about entities with human answers.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use veridic::corpus::read::Source;
use veridic_program::args::Format;
use veridic_program::{files, output};

use super::data::named;
use crate::entities::{self, EntityAgreement};
use crate::protocol::{PublishedTable, RunSetUp, against_the_papers};

#[derive(Debug, Args)]
pub(crate) struct BenchEntitiesArgs {
    /// The results of `veridic run`
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,
    /// Field of people's labels, which passed through the run
    #[arg(long, value_name = "FIELD", default_value = crate::entities::LABELS)]
    pub(crate) labels: String,
    /// Print the published table with this row below
    ///
    /// And what differs from the paper's set-up.
    #[arg(long)]
    pub(crate) paper: bool,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// The output of `--format json`.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    figures: &'r EntityAgreement,
    published: [&'r PublishedTable; 1],
}

pub(super) fn run(args: &BenchEntitiesArgs) -> Result<ExitCode> {
    let rows = entities::read(Source::find(&args.data, None)?.rows(), &args.labels);
    let figures = entities::agreement(&rows.map_err(|error| named(error, &args.data))?);
    let name = args.data.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    match args.format {
        Format::Text if args.paper => {
            let run = RunSetUp::given(format!("the answers of {name}"));
            output::lines(&against_the_papers(&[entities::beside(&name, &figures)], &run))?;
        }
        Format::Text => output::lines(&entities::table(&name, &figures))?,
        Format::Json => output::json(&Report { figures: &figures, published: [entities::published()] })?,
    }
    Ok(ExitCode::SUCCESS)
}
