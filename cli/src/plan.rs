//! Converts flags to the library's settings. The library checks values; only files, threads and the command line itself are
//! checked here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use veridic::corpus::run::{FailOn, FailWhen};
use veridic::pipeline::ClaimExtractor;
use veridic::plan::Builder;
pub(crate) use veridic::plan::nli_source;
use veridic::rules::ClaimsChoice;
use veridic::{Evaluate, Scorer, WriteClaims};
use veridic_models::NliModel;

use crate::args::{Audience, SettingArgs};
use crate::show;

/// The largest value of `--threads`.
const MOST_THREADS: usize = 1024;

/// Builds the settings from the flags and the rules file.
pub fn builder<A: Audience>(args: &SettingArgs<A>) -> Builder {
    Scorer::builder(&args.model).settings(args.given.clone()).rules(args.file.clone())
}

/// Builds the scorer that the flags describe.
///
/// # Errors
/// If a setting is invalid or a model fails.
pub fn scorer<A: Audience>(args: &SettingArgs<A>) -> Result<Scorer> {
    set_threads(args.threads)?;
    Ok(builder(args).build_noting(&mut |note| show::note_unless(args.quiet, &note))?)
}

/// Refuses `--citations` and `--fail-on` if no claims are judged, `--fail-on wrong-citation` if no citation is checked, and a
/// `--fail-under` outside the score's range.
pub(crate) fn check_flags(fail_when: &FailWhen, citations: bool, evaluator: &impl Evaluate) -> Result<()> {
    ensure!(
        !citations || evaluator.judges(),
        "--citations checks claims, which the metric fenice judges: add it"
    );
    ensure!(
        citations || !fail_when.on.contains(&FailOn::WrongCitation),
        "--fail-on wrong-citation needs --citations: add it"
    );
    ensure!(
        fail_when.on.is_empty() || evaluator.judges(),
        "--fail-on looks at verdicts, which the metric fenice gives: add it"
    );
    let Some(least) = fail_when.score_under else { return Ok(()) };
    let are_probabilities =
        evaluator.judges() && evaluator.scorer().settings().rules.scores_are_probabilities();
    match are_probabilities {
        true => ensure!(
            (0.0..=1.0).contains(&least),
            "--fail-under {least}: scores are probabilities, between 0 and 1"
        ),
        false => ensure!((-1.0..=1.0).contains(&least), "--fail-under {least}: scores are between -1 and 1"),
    }
    Ok(())
}

/// Loads the NLI model that the flags describe, sets the number of threads, and also returns the pair limit in tokens.
pub fn nli_model<A: Audience>(args: &SettingArgs<A>) -> Result<(NliModel, usize)> {
    set_threads(args.threads)?;
    let builder = builder(args);
    let model = builder.nli_model(&mut |note| show::note_unless(args.quiet, &note))?;
    let max_tokens = builder.rules_for(&model)?.max_tokens;
    Ok((model, max_tokens))
}

/// Builds the extractor that the flag describes; `writer` writes the claims if a language model is chosen.
///
/// # Errors
/// If a model cannot be loaded, or a language model's claims have no writer.
pub fn claim_extractor(
    choice: &ClaimsChoice,
    writer: Option<&Arc<dyn WriteClaims>>,
    quiet: bool,
) -> Result<ClaimExtractor> {
    Ok(choice.extractor(writer, &mut |note| show::note_unless(quiet, &note))?)
}

/// Starts as many threads as `--threads` requests; call it once per process.
pub fn set_threads(count: Option<NonZeroUsize>) -> Result<()> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = count {
        ensure!(count.get() <= MOST_THREADS, "--threads {count}: at most {MOST_THREADS} are started");
        threads = threads.num_threads(count.get());
    }
    threads.build_global().context("cannot start the threads")
}
