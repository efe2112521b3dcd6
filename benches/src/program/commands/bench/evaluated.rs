//! Evaluates texts in batches. A text that fails by itself, such as a claim that is too long, yields an error in its
//! position, and is then left out and named.

use std::fmt::Display;

use crate::Evaluator;
use crate::{Answers, BenchError, Case, Reading};
use anyhow::{Result, anyhow, ensure};
use veridic::result::Verdict;
use veridic::{Evaluate, Evaluation, Pair};

use crate::program::args::MeasureArgs;
use veridic_cli::args::ProgressChoice;
use veridic_cli::progress::{Progress, Whole};
use veridic_cli::show;

/// The number of texts evaluated together. It affects speed and memory, never a result.
pub(super) const BATCH_TEXTS: usize = 16;

/// The number of failed texts that are reported one by one.
const MOST_REPORTED: usize = 5;

/// The result of a text.
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

/// Returns a score for each case, in order.
pub(super) fn score(
    evaluator: &Evaluator,
    cases: &[Case],
    args: &MeasureArgs,
) -> Result<Vec<Evaluated<f64>>> {
    let judged = evaluate_each(evaluator, cases, args)?;
    Ok(judged.into_iter().map(|judged| judged.map(|judged| judged.score)).collect())
}

/// Returns the result of a text, or why it failed.
///
/// # Errors
/// If the error does not concern only this text.
pub(super) fn of_text<T>(case: &Case, result: veridic::Result<T>) -> Result<Evaluated<T>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.is_of_text() => {
            Ok(Err(BenchError::Row { origin: case.origin.clone(), reason: error.to_string() }))
        }
        Err(error) => Err(anyhow!(error).context(case.origin.to_string())),
    }
}

/// Returns a judgement of each case, in order.
pub(super) fn evaluate_each(
    evaluator: &Evaluator,
    cases: &[Case],
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

/// Returns the texts of a case.
pub(super) fn pair(case: &Case) -> Pair<'_> {
    Pair {
        claims: case.given.claims.as_deref(),
        sentences: case.given.sentences.as_deref(),
        summary_sentences: case.given.summary_sentences.as_deref(),
        inputs: Some(&case.inputs),
        ..Pair::new(&case.document, &case.text)
    }
}

/// Reports the texts that failed in any of the lists and leaves them out of all. Returns the results of the others.
pub(super) fn leave_out_failed<T>(
    reading: &mut Reading,
    lists: Vec<Vec<Evaluated<T>>>,
) -> Result<Vec<Vec<T>>> {
    let mut errors: Vec<Option<BenchError>> = reading.cases.iter().map(|_| None).collect();
    let mut of_lists: Vec<Vec<Option<T>>> = Vec::with_capacity(lists.len());
    for list in lists {
        let of_case = |(result, error): (Evaluated<T>, &mut Option<BenchError>)| match result {
            Ok(value) => Some(value),
            Err(failed) => {
                error.get_or_insert(failed);
                None
            }
        };
        of_lists.push(list.into_iter().zip(&mut errors).map(of_case).collect());
    }
    let has_failed: Vec<bool> = errors.iter().map(Option::is_some).collect();
    let errors: Vec<BenchError> = errors.into_iter().flatten().collect();
    ensure!(errors.len() < has_failed.len(), "every text failed; the first: {}", errors[0]);
    report_left_out(&errors, "texts");
    reading.leave_out_failed(&has_failed);
    let kept = |list: Vec<Option<T>>| {
        let list = list.into_iter().zip(&has_failed).filter(|(_, failed)| !**failed);
        list.filter_map(|(value, _)| value).collect()
    };
    Ok(of_lists.into_iter().map(kept).collect())
}

/// Prints the errors of rows or texts (`what`) that are left out, and the number of further ones.
pub(super) fn report_left_out<E: Display>(refused: &[E], what: &str) {
    for error in refused.iter().take(MOST_REPORTED) {
        show::note(&format!("veridic: left out: {error}"));
    }
    if refused.len() > MOST_REPORTED {
        show::note(&format!("veridic: left out: {} {what} more", refused.len() - MOST_REPORTED));
    }
}
