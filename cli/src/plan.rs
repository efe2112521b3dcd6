//! From flags to the library's settings. The library checks values; only what is about files, threads or the command line
//! itself is checked here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use veridic::corpus::run::{FailOn, FailWhen};
use veridic::pipeline::ClaimExtractor;
pub(crate) use veridic::plan::nli_source;
use veridic::rules::ClaimsChoice;
use veridic::{Builder, Evaluate, Scorer, WriteClaims};
use veridic_models::NliModel;

use crate::args::{Audience, SettingArgs};
use crate::show;

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The settings that the flags and the rules file have.
pub fn builder<A: Audience>(args: &SettingArgs<A>) -> Builder {
    Scorer::builder(&args.model).settings(args.given.clone()).rules(args.file.clone())
}

/// The scorer that the flags describe.
///
/// # Errors
/// A setting without a meaning, and the errors of models.
pub fn scorer<A: Audience>(args: &SettingArgs<A>) -> Result<Scorer> {
    set_threads(args.threads)?;
    Ok(builder(args).build_noting(&mut |note| show::note_unless(args.quiet, &note))?)
}

/// Refuses `--fail-on` where nothing gets a verdict or no citation is checked, and a `--fail-under` that no score can be.
pub fn check_fail_when(fail_when: &FailWhen, (citations, evaluator): (bool, &impl Evaluate)) -> Result<()> {
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

/// Refuses `--citations` where no claims are judged.
pub fn check_citations(citations: bool, evaluator: &impl Evaluate) -> Result<()> {
    ensure!(
        !citations || evaluator.judges(),
        "--citations checks claims, which the metric fenice judges: add it"
    );
    Ok(())
}

/// The NLI model that the flags describe, and the longest pair in tokens; sets the number of threads.
pub fn nli_model<A: Audience>(args: &SettingArgs<A>) -> Result<(NliModel, usize)> {
    set_threads(args.threads)?;
    let builder = builder(args);
    let model = builder.nli_model(&mut |note| show::note_unless(args.quiet, &note))?;
    let max_tokens = builder.rules_for(&model)?.max_tokens;
    Ok((model, max_tokens))
}

/// The extractor that the flag describes; `writer` writes claims where they are a language model's.
///
/// # Errors
/// A model that cannot be loaded, and claims of a language model without a writer.
pub fn claim_extractor(
    choice: &ClaimsChoice,
    writer: Option<&Arc<dyn WriteClaims>>,
    quiet: bool,
) -> Result<ClaimExtractor> {
    Ok(choice.extractor(writer, &mut |note| show::note_unless(quiet, &note))?)
}

/// Starts the threads that `--threads` asks for; once in a process.
pub fn set_threads(count: Option<NonZeroUsize>) -> Result<()> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = count {
        ensure!(count.get() <= MOST_THREADS, "--threads {count}: at most {MOST_THREADS} are started");
        threads = threads.num_threads(count.get());
    }
    threads.build_global().context("cannot start the threads")
}
