//! `veridic-bench score DOCUMENT SUMMARY`: one summary by the chosen metrics.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use veridic::Pair;
use veridic::schedule::ignore_events;
use veridic_program::args::Format;
use veridic_program::{files, output};

use crate::metrics::{Evaluation, Metric, MetricInputs, lines_of};
use crate::plan::KeyFacts;
use crate::program::args::ScoreArgs;
use crate::program::plan;
use crate::program::settings::Metrics;

pub(super) fn run(args: &ScoreArgs) -> Result<ExitCode> {
    let on_standard_input =
        [&args.document, &args.summary].into_iter().filter(|file| file.as_os_str() == "-");
    ensure!(
        on_standard_input.count() < 2,
        "only one of document and summary can be read from standard input"
    );
    let (document, summary) = (files::read_text(&args.document)?, files::read_text(&args.summary)?);
    let reference = args.reference.as_deref().map(files::read_text).transpose()?;
    let key_facts = match &args.settings.metrics().key_facts {
        KeyFacts::File(file) => files::read_lines(file)?,
        KeyFacts::From(_) => Vec::new(),
    };
    let inputs = MetricInputs { reference, key_facts, ..MetricInputs::default() };
    let fields = inputs.to_fields();
    let pair = Pair { inputs: Some(&fields), ..Pair::new(&document, &summary) };
    let evaluator = plan::evaluator_of_one(&args.settings)?;
    let result = evaluator.evaluate(&[pair], &ignore_events).swap_remove(0);
    evaluator.notes().iter().for_each(|note| output::note_unless(args.settings.quiet, note));
    let result =
        result.with_context(|| format!("{}, {}", files::name(&args.document), files::name(&args.summary)))?;
    match args.format {
        Format::Text => print(&result)?,
        Format::Json => output::json(&result)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the score of the claims, if they are judged, and the values of all metrics.
fn print(evaluation: &Evaluation) -> Result<()> {
    let measures = &evaluation.measures;
    if let Some(judged) = &evaluation.judged {
        output::line(&format!("{:<24} {:.3} ({})", Metric::Fenice, judged.score, judged.verdict))?;
    }
    for (name, number) in measures.numbers() {
        output::line(&format!("{name:<24} {number:.3}"))?;
    }
    lines_of(measures).iter().try_for_each(|text| output::wrapped(text, 4))?;
    let left_out = measures.not_measured().iter();
    left_out
        .map(|(name, why)| format!("{name:<24} not measured: {why}"))
        .try_for_each(|line| output::wrapped(&line, 25))
}
