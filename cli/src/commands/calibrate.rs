//! `veridic calibrate SCORES... --label FIELD -o FILE`. Weights that are not better than the scores they replace are not
//! written, and the exit code is 1.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use veridic::corpus::read::Rows;
use veridic::corpus::run::Target;
use veridic_bench::calibrate::{CalibrationRows, Comparison, OwnFields, calibrate};

use crate::args::{CalibrateArgs, Format};
use crate::{files, show};

/// The exit code when the weights are not better.
const NOT_BETTER: u8 = 1;

pub(super) fn run(args: &CalibrateArgs) -> Result<ExitCode> {
    let open =
        |path: &Path| -> Result<(String, Rows)> { Ok((files::short_name(path), files::score_rows(path)?)) };
    let rows = args.scores.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?;
    let target = Target::without_journal(&args.output)?;
    let own = OwnFields { label: &args.label, document: args.document.as_deref() };
    let rows = CalibrationRows::read(rows, own)?;
    let names = || args.scores.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    let calibrated = calibrate(&rows).with_context(names)?;
    if rows.not_judged > 0 {
        show::note(&format!("note: {} rows could not be judged and are left out", rows.not_judged));
    }
    let is_written = calibrated.report.is_better() || args.even_if_worse;
    if is_written {
        write(&target, &calibrated.text)?;
    }
    match args.format {
        Format::Text => show::lines(&calibrated.report.table())?,
        Format::Json => show::json(&calibrated.report)?,
    }
    let output = args.output.display();
    if is_written {
        show::note(&format!("wrote {output}: use it with --calibration"));
        return Ok(ExitCode::SUCCESS);
    }
    let comparison = calibrated.report.comparison.iter().map(Comparison::description).collect::<String>();
    show::note(&format!("{output} was not written: {comparison}; --even-if-worse writes it anyway"));
    Ok(ExitCode::from(NOT_BETTER))
}

fn write(target: &Target, text: &str) -> Result<()> {
    use std::io::Write;
    let written = target
        .create()
        .map_err(anyhow::Error::from)
        .and_then(|mut file| Ok(file.write_all(text.as_bytes())?));
    let finished = written.and_then(|()| Ok(target.finish()?));
    finished.map(|_| ()).inspect_err(|_| target.give_up())
}
