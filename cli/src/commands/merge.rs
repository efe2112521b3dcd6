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
    let rows = Target::without_journal(&args.output)?
        .write(|file| merge(&args.shards, RowWriter::new(format, args.table.shape(), Box::new(file))))?;
    if !args.quiet {
        output::note(&format!("{rows} rows of {} shards in {}", args.shards.len(), args.output.display()));
    }
    Ok(ExitCode::SUCCESS)
}
