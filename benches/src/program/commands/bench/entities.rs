//! `veridic-bench entities`: compares answers about entities with human answers.

use std::process::ExitCode;

use crate::entities::{self, EntityAgreement};
use crate::{PublishedTable, RunSetUp, against_the_papers};
use anyhow::Result;
use serde::Serialize;
use veridic::corpus::read::Source;

use super::measure;
use crate::program::args::BenchEntitiesArgs;
use veridic_program::args::Format;
use veridic_program::{files, output};

/// The output of `--format json`.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    figures: &'r EntityAgreement,
    published: [&'r PublishedTable; 1],
}

pub(super) fn run(args: &BenchEntitiesArgs) -> Result<ExitCode> {
    let rows = entities::read(Source::find(&args.data, None)?.rows(), &args.labels);
    let figures = entities::agreement(&rows.map_err(|error| measure::named(error, &args.data))?);
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
