//! What a person sees on a terminal. Colour only there, and not under NO_COLOR (anstream decides);
//! text from outside never reaches the terminal with its control characters.

mod fold;
mod judgement;
mod passage;
mod reasons;

use std::io::Write;

use anstyle::Style;
use anyhow::{Context, Result};
use veridic::metrics::Evaluation;
use veridic_models::Probabilities;
use veridic_text::NormalizedText;

use self::judgement::detail;

/// A note on stderr. One that cannot be shown is no reason to stop.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A line of data.
pub(super) fn line(text: &str) -> Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// A line for a person: on a terminal it goes on `indent` columns in where it is too long.
pub(super) fn wrapped(text: &str, indent: usize) -> Result<()> {
    line(&fold::folded(text, indent))
}

/// Lines of data, unchanged.
pub(super) fn lines(lines: &[String]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// A line of JSON, unchanged: what hides colours from files takes control characters out of texts too.
pub(super) fn json(value: &impl serde::Serialize) -> Result<()> {
    lines(&[serde_json::to_string(value).context("cannot write JSON")?])
}

/// Sentences of a summary, each with its claims; `line`: the row's, if there are rows.
pub(super) fn claims(line: Option<usize>, sentences: &[(String, Vec<&str>)]) -> Result<()> {
    let dim = Style::new().dimmed();
    if let Some(number) = line {
        self::line(&format!("{dim}line {number}{dim:#}"))?;
    }
    for (sentence, claims) in sentences {
        wrapped(&format!("{dim}{}{dim:#}", visible(sentence)), 0)?;
        claims.iter().try_for_each(|claim| wrapped(&format!("  - {}", visible(claim)), 4))?;
    }
    Ok(())
}

/// What metrics say of a pair; `explains`: also what decided each claim.
pub(super) fn evaluation(evaluation: &Evaluation, explains: bool) -> Result<()> {
    if let Some(judged) = &evaluation.judged {
        judgement::pair(judged, explains)?;
    }
    let measures = &evaluation.measures;
    if evaluation.judged.is_some() && !measures.numbers().is_empty() {
        line("")?;
    }
    for (name, number) in measures.numbers() {
        line(&format!("{name:<24} {number:.3}"))?;
    }
    measures.summary().lines().iter().try_for_each(|text| wrapped(text, 4))?;
    let left_out = measures.not_measured().iter();
    left_out
        .map(|(name, why)| format!("{name:<24} not measured: {why}"))
        .try_for_each(|told| wrapped(&told, 25))
}

/// The probabilities of one pair.
pub(super) fn probabilities(p: &Probabilities) -> Result<()> {
    let rows = [("entailment", p.entailment), ("neutral", p.neutral), ("contradiction", p.contradiction)];
    let best = rows.iter().map(|row| row.1).fold(0.0, f32::max);
    for (name, value) in rows {
        let style = if value == best { Style::new().bold() } else { Style::new() };
        line(&format!("{style}{name:<14} {value:.4}{style:#}"))?;
    }
    Ok(())
}

/// As it is read, on one line, so without control and direction characters.
pub(super) fn visible(text: &str) -> String {
    NormalizedText::of(text).text().split_whitespace().collect::<Vec<_>>().join(" ")
}
