//! Loads what flags describe: scorers, models and extractors. The library checks values; only the number of threads is
//! checked here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use veridic::pipeline::ClaimExtractor;
use veridic::plan::Builder;
use veridic::rules::ClaimsChoice;
use veridic::{Scorer, WriteClaims};
use veridic_models::{ComputeDevice, NliModel};

use crate::output::note_unless;
use crate::settings::{Audience, SettingArgs};

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
    Ok(builder(args).build_noting(&mut |note| note_unless(args.quiet, &note))?)
}

/// Loads the NLI model that the flags describe, sets the number of threads, and also returns the pair limit in tokens.
pub fn nli_model<A: Audience>(args: &SettingArgs<A>) -> Result<(NliModel, usize)> {
    set_threads(args.threads)?;
    let builder = builder(args);
    let model = builder.nli_model(&mut |note| note_unless(args.quiet, &note))?;
    let max_tokens = builder.rules_for(&model)?.max_tokens;
    Ok((model, max_tokens))
}

/// Builds the extractor that the flag describes, on the processor; `writer` writes the claims if a language model is chosen.
///
/// # Errors
/// If a model cannot be loaded, or a language model's claims have no writer.
pub fn claim_extractor(
    choice: &ClaimsChoice,
    writer: Option<&Arc<dyn WriteClaims>>,
    quiet: bool,
) -> Result<ClaimExtractor> {
    Ok(choice.extractor(ComputeDevice::Cpu, writer, &mut |note| note_unless(quiet, &note))?)
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
