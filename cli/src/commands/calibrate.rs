//! `veridic calibrate SCORES... --label FIELD -o FILE`. Weights that are not better than the scores they replace are not
//! written, and the exit code is 1. With `--extend` a calibration keeps its weights, and a risk is added.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use veridic::corpus::read::Rows;
use veridic::corpus::run::Target;
use veridic::pipeline::evidence::Calibration;
use veridic_bench::calibrate::{
    Abstention, CalibrationRows, ClaimScores, Comparison, Escalation, Extended, OwnFields, calibrate, extend,
};

use veridic_stats::plots::{self, Curve};

use crate::args::{CalibrateArgs, Format};
use crate::{files, plot_files, show};

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
    if rows.not_judged > 0 {
        show::note(&format!("note: {} rows could not be judged and are left out", rows.not_judged));
    }
    if let Some(file) = &args.extend {
        let extended = extended(args, file, &rows).with_context(names)?;
        write(&target, &extended.text)?;
        draw(args, Some(&extended.report.abstention))?;
        match args.format {
            Format::Text => show::lines(&extended.report.table())?,
            Format::Json => show::json(&extended.report)?,
        }
        return Ok(written(args));
    }
    let calibrated = calibrate(&rows).with_context(names)?;
    let is_written = calibrated.report.is_better() || args.even_if_worse;
    if is_written {
        write(&target, &calibrated.text)?;
    }
    draw(args, calibrated.report.abstention.as_ref())?;
    match args.format {
        Format::Text => show::lines(&calibrated.report.table())?,
        Format::Json => show::json(&calibrated.report)?,
    }
    if is_written {
        return Ok(written(args));
    }
    let output = args.output.display();
    let comparison = calibrated.report.comparison.iter().map(Comparison::description).collect::<String>();
    show::note(&format!("{output} was not written: {comparison}; --even-if-worse writes it anyway"));
    Ok(ExitCode::from(NOT_BETTER))
}

/// Draws risk and coverage, where the flags name a folder and there is a risk.
fn draw(args: &CalibrateArgs, abstention: Option<&Abstention>) -> Result<()> {
    let (Some(folder), Some(abstention)) = (&args.plots, abstention) else { return Ok(()) };
    let name = match args.scores.as_slice() {
        [one] => format!("{}: each row by a fit on others", files::name(one)),
        several => format!("{} files: each row by a fit on the other files", several.len()),
    };
    let curve = Curve { name: &name, points: &abstention.curve() };
    plot_files::write(folder, &[("risk_coverage", plots::risk_coverage(&curve, abstention.area)?)], false)
}

fn written(args: &CalibrateArgs) -> ExitCode {
    show::note(&format!("wrote {}: use it with --calibration", args.output.display()));
    ExitCode::SUCCESS
}

/// The calibration of this file with a risk and, where full scores are given, which claims are read in full.
fn extended(args: &CalibrateArgs, file: &Path, rows: &CalibrationRows) -> Result<Extended> {
    let calibration = Calibration::parse(&files::read_text(file)?).with_context(|| files::name(file))?;
    let claims = |paths: &[PathBuf]| -> Result<Vec<ClaimScores>> {
        paths.iter().map(|path| Ok(ClaimScores::read(files::score_rows(path)?)?)).collect()
    };
    let escalation = match args.full.as_slice() {
        [] => None,
        full => {
            let (screened, full) = (claims(&args.scores)?, claims(full)?);
            Some(Escalation::of(&screened, &full, calibration.thresholds.supported)?)
        }
    };
    Ok(extend(calibration, rows, escalation)?)
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
