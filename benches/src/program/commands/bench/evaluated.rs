//! Evaluates texts in batches. A text that fails by itself, such as a claim that is too long, yields an error in its
//! position, and is then left out and named.

use std::fmt::Display;

use crate::metrics::Evaluation;
use anyhow::{Result, anyhow, ensure};
use veridic::Pair;
use veridic::result::Verdict;
use veridic_program::args::ProgressChoice;
use veridic_program::output;
use veridic_program::progress::{Progress, Whole};

use super::args::MeasureArgs;
use crate::Evaluator;
use crate::protocol::{Answers, BenchError, Case, Reading};

/// The number of texts evaluated together. It affects speed and memory, never a result.
pub(super) const BATCH_TEXTS: usize = 16;

/// The number of failed texts that are reported one by one.
const MOST_REPORTED: usize = 5;

pub(super) struct Judged {
    pub(super) score: f64,
    /// The verdict, if claims were judged.
    pub(super) verdict: Option<Verdict>,
    pub(super) answers: Answers,
}

impl Judged {
    fn of(evaluation: Evaluation) -> Self {
        let measures = &evaluation.measures;
        let is_asked = evaluation.profile.answers.is_some();
        Self {
            score: f64::from(evaluation.score),
            answers: measures
                .facts("finesure")
                .map(|facts| Answers::of_facts(facts, is_asked))
                .unwrap_or_default(),
            verdict: evaluation.judged.map(|judged| judged.verdict),
        }
    }
}

/// The result of a text, or why it failed.
pub(super) type Evaluated<T> = Result<T, BenchError>;

pub(super) fn score<Label>(
    evaluator: &Evaluator,
    cases: &[Case<Label>],
    args: &MeasureArgs,
) -> Result<Vec<Evaluated<f64>>> {
    let judged = evaluate_each(evaluator, cases, args)?;
    Ok(judged.into_iter().map(|judged| judged.map(|judged| judged.score)).collect())
}

/// Returns the result of a text, or why it failed.
///
/// # Errors
/// If the error does not concern only this text.
pub(super) fn of_text<T, Label>(case: &Case<Label>, result: veridic::Result<T>) -> Result<Evaluated<T>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.is_of_text() => {
            Ok(Err(BenchError::Row { origin: case.origin.clone(), reason: error.to_string() }))
        }
        Err(error) => Err(anyhow!(error).context(case.origin.to_string())),
    }
}

pub(super) fn evaluate_each<Label>(
    evaluator: &Evaluator,
    cases: &[Case<Label>],
    args: &MeasureArgs,
) -> Result<Vec<Evaluated<Judged>>> {
    let progress = Progress::new(Whole::Rows(cases.len()), ProgressChoice::Auto, args.settings.quiet);
    let mut judged = Vec::with_capacity(cases.len());
    for cases in cases.chunks(BATCH_TEXTS) {
        let pairs: Vec<Pair<'_>> = cases.iter().map(pair).collect();
        let results = evaluator.evaluate(&pairs, &|event| progress.event(event));
        for (case, result) in cases.iter().zip(results) {
            judged.push(of_text(case, result)?.map(Judged::of));
        }
        progress.rows_done(cases.len());
    }
    progress.finish();
    Ok(judged)
}

pub(super) fn pair<Label>(case: &Case<Label>) -> Pair<'_> {
    Pair {
        claims: case.given.claims.as_deref(),
        sentences: case.given.sentences.as_deref(),
        summary_sentences: case.given.summary_sentences.as_deref(),
        inputs: Some(&case.inputs),
        ..Pair::new(&case.document, &case.text)
    }
}

/// Reports the texts that failed in any of the lists and leaves them out of all. Returns the results of the others.
pub(super) fn leave_out_failed<T, Label>(
    reading: &mut Reading<Label>,
    lists: Vec<Vec<Evaluated<T>>>,
) -> Result<Vec<Vec<T>>> {
    let (mut has_failed, mut errors) = (Vec::with_capacity(reading.cases.len()), Vec::new());
    for case in 0..reading.cases.len() {
        let error = lists.iter().find_map(|list| list[case].as_ref().err());
        has_failed.push(error.is_some());
        errors.extend(error);
    }
    ensure!(errors.len() < has_failed.len(), "every text failed; the first: {}", errors[0]);
    report_left_out(&errors, "texts");
    reading.leave_out_failed(&has_failed);
    let judged = |list: Vec<Evaluated<T>>| {
        let list = list.into_iter().zip(&has_failed).filter(|(_, failed)| !**failed);
        list.filter_map(|(result, _)| result.ok()).collect()
    };
    Ok(lists.into_iter().map(judged).collect())
}

/// Prints the errors of rows or texts (`what`) that are left out, and the number of further ones.
pub(super) fn report_left_out<E: Display>(refused: &[E], what: &str) {
    for error in refused.iter().take(MOST_REPORTED) {
        output::note(&format!("veridic: left out: {error}"));
    }
    if refused.len() > MOST_REPORTED {
        output::note(&format!("veridic: left out: {} {what} more", refused.len() - MOST_REPORTED));
    }
}
