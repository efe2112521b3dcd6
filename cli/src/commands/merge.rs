//! `veridic merge SHARD... -o OUTPUT`

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::corpus::run::{Target, merge};
use veridic::corpus::write::RowWriter;

use crate::args::MergeArgs;
use veridic_program::{files, output};

pub(super) fn run(args: &MergeArgs) -> Result<ExitCode> {
    ensure!(args.output.as_os_str() != "-", "the output must be a file: `-` is not supported");
    let format = files::output_format(args.table.output_format, &args.output)?;
    let target = Target::without_journal(&args.output)?;
    let writer = RowWriter::new(format, args.table.shape(), Box::new(target.create()?));
    let rows = merge(&args.shards, writer).inspect_err(|_| target.give_up())?;
    target.finish()?;
    if !args.quiet {
        output::note(&format!("{rows} rows of {} shards in {}", args.shards.len(), args.output.display()));
    }
    Ok(ExitCode::SUCCESS)
}
