//! `veridic-bench calibrate SCORES... --label FIELD -o RULES.toml`: the limit of support that fits labels, as a rules file.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use crate::calibrate::{CalibrationRows, Goal, OwnFields};
use anyhow::{Context, Result};
use veridic::corpus::read::Rows;
use veridic::corpus::run::Target;

use crate::program::args::CalibrateArgs;
use crate::program::left_out;
use veridic_program::args::Format;
use veridic_program::{files, output};

pub(super) fn run(args: &CalibrateArgs) -> Result<ExitCode> {
    let open =
        |path: &Path| -> Result<(String, Rows)> { Ok((files::short_name(path), files::score_rows(path)?)) };
    let rows = args.scores.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?;
    let target = Target::without_journal(&args.output)?;
    let own = OwnFields { label: &args.label, document: args.document.as_deref() };
    let rows = CalibrationRows::read(rows, own)?;
    left_out::note(rows.not_judged, rows.of_rows, "score");
    left_out::note(rows.without_label, rows.of_rows, "label");
    let names = || args.scores.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    let goal = args.precision.map_or(Goal::BalancedAccuracy, Goal::Precision);
    let fitted = rows.fit(goal, args.seed).with_context(names)?;
    target.write(|mut file| anyhow::Ok(file.write_all(fitted.file.as_bytes())?))?;
    match args.format {
        Format::Text => output::lines(&fitted.table())?,
        Format::Json => output::json(&fitted)?,
    }
    output::note(&format!("wrote {}: use it by --rules {}", args.output.display(), args.output.display()));
    Ok(ExitCode::SUCCESS)
}
