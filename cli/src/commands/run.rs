//! `veridic run INPUT... -o OUTPUT`: judges a corpus, and exports its judgements where a collector is named.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use veridic::Error;
use veridic::corpus::JudgedRow;
use veridic::corpus::run::RunEnd;
use veridic_program::observer::RunObserver;
use veridic_program::run::{self, RunArgs};
use veridic_program::settings::Judging;
use veridic_program::{load, output};

use crate::telemetry::{Judged, Span, Telemetry};

/// The telemetry error kind of a row that was not judged.
const ROW_ERROR: &str = "row_not_judged";

pub(super) fn run(args: &RunArgs<Judging>, typed: &[OsString]) -> Result<ExitCode> {
    run::run(args, typed, || load::scorer(&args.settings), |_| Exported::begin())
}

/// Exports the judgements of a run and its span.
struct Exported {
    telemetry: Telemetry,
    /// `None` once the run has ended.
    span: Option<Span>,
}

impl Exported {
    fn begin() -> Self {
        let telemetry = Telemetry::from_environment(output::note);
        let span = Some(telemetry.run());
        Self { telemetry, span }
    }
}

impl RunObserver for Exported {
    fn judged(&self, id: Option<&str>, result: Result<&JudgedRow, &Error>) {
        let result = result.map_err(|_| ROW_ERROR).map(|row| row.judged.as_ref());
        if let (Some(span), Some(result)) = (&self.span, result.transpose()) {
            self.telemetry.judged(span, &Judged { id, result });
        }
    }

    fn end(&mut self, end: &Result<RunEnd>) {
        let Some(span) = self.span.take() else { return };
        match end {
            Ok(end) => span.counted(&[
                ("veridic.rows.judged", end.counts.judged),
                ("veridic.rows.known", end.counts.known),
                ("veridic.rows.failed", end.counts.failed),
            ]),
            Err(error) => span.failed(&error.to_string()),
        }
        self.telemetry.end();
    }
}
