//! `veridic-bench compare A B --label FIELD`

use std::path::Path;
use std::process::ExitCode;

use crate::labelled_scores::LabelledScores;
use crate::paired::{PairedOptions, compare_scores};
use crate::protocol::BenchError;
use anyhow::{Result, anyhow};
use veridic_stats::plots::{self, ScoredList};

use crate::program::args::CompareArgs;
use crate::program::left_out;
use crate::program::plot_files;
use veridic_program::args::Format;
use veridic_program::{files, output};

pub(super) fn run(args: &CompareArgs) -> Result<ExitCode> {
    let read = |path: &Path| -> Result<LabelledScores> {
        LabelledScores::read(files::score_rows(path)?, &args.label).map_err(|error| match error {
            BenchError::Unreadable(_) | BenchError::Row { .. } => error.into(),
            _ => anyhow!(error).context(files::name(path)),
        })
    };
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let options = PairedOptions { threshold: args.decide_at, seed: args.seed, different_rows: args.rows };
    let comparison = compare_scores(&first, &second, &options)?;
    left_out::note(comparison.without_label, comparison.of_rows, "label");
    let names = [files::name(&args.first), files::name(&args.second)];
    if let Some(folder) = &args.plots {
        let columns: [(Vec<f64>, Vec<bool>); 2] = [&first, &second].map(|scores| scores.judged().unzip());
        let lists: Vec<ScoredList<'_>> = names
            .iter()
            .zip(&columns)
            .map(|(name, (scores, labels))| ScoredList { name, scores, labels })
            .collect();
        plot_files::write(folder, &[("roc", plots::roc(&lists)?)], false)?;
    }
    match args.format {
        Format::Text => output::lines(&comparison.table(&names[0], &names[1]))?,
        Format::Json => output::json(&comparison)?,
    }
    Ok(ExitCode::SUCCESS)
}
