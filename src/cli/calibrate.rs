//! `veridic calibrate SCORES... --label FIELD -o FILE`

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use veridic::bench::calibrate::{CalibrationRows, calibrate};
use veridic::corpus::read::Rows;
use veridic::corpus::run::Target;

use super::args::{CalibrateArgs, Format};
use super::{files, show};

pub(super) fn run(args: &CalibrateArgs) -> Result<ExitCode> {
    let open =
        |path: &Path| -> Result<(String, Rows)> { Ok((files::short_name(path), files::score_rows(path)?)) };
    let rows = args.scores.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?;
    let target = Target::without_journal(&args.output)?;
    let rows = CalibrationRows::read(rows, &args.label)?;
    let names = || args.scores.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    let calibrated = calibrate(&rows).with_context(names)?;
    if rows.not_judged > 0 {
        show::note(&format!("note: {} rows could not be judged and have no part", rows.not_judged));
    }
    write(&target, &calibrated.text)?;
    match args.format {
        Format::Text => show::lines(&calibrated.report.table())?,
        Format::Json => show::json(&calibrated.report)?,
    }
    show::note(&format!("wrote {}: use it with --calibration", args.output.display()));
    Ok(ExitCode::SUCCESS)
}

fn write(target: &Target, text: &str) -> Result<()> {
    use std::io::Write;
    let written = target
        .create()
        .map_err(anyhow::Error::from)
        .and_then(|mut file| Ok(file.write_all(text.as_bytes())?));
    written.inspect_err(|_| target.give_up())?;
    target.finish()?;
    Ok(())
}
