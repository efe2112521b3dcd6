//! From flags to what the engine does: every value is checked here, before anything is read.

use anyhow::{Context, Result, bail, ensure};
use veridic::pipeline::{ClaimSource, Level, Pooling};
use veridic::{Profile, Scorer, Settings};
use veridic_models::{LoadOptions, ModelSource, NliModel, Precision};

use super::args::{ClaimsChoice, DtypeChoice, LevelChoice, ModelArgs, ProfileArgs};
use super::show;

/// Fewest tokens that `--max-tokens` accepts: room for a short claim and a piece of a premise.
const LEAST_MAX_TOKENS: usize = 32;

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The scorer that the flags describe.
pub(super) fn scorer(model: &ModelArgs, profile: &ProfileArgs) -> Result<Scorer> {
    let settings = settings(model, profile)?;
    Ok(Scorer::new(nli_model(model)?, settings))
}

/// The NLI model that the flags describe; sets the number of threads.
pub(super) fn nli_model(args: &ModelArgs) -> Result<NliModel> {
    set_threads(args)?;
    let source = ModelSource::find(&args.model)?;
    let precision = match args.dtype {
        DtypeChoice::F32 => Precision::F32,
        DtypeChoice::Int8 => Precision::Int8,
    };
    let options = LoadOptions { labels: args.labels.clone(), precision };
    let model = NliModel::load(&source, &options)?;
    check_max_tokens(args, model.token_limit())?;
    if let (ModelSource::Bundled(_), false) = (&source, args.quiet) {
        show::note(&format!(
            "note: judged by the bundled model `{}`, which is small and often wrong; --model DIR uses a larger one",
            args.model
        ));
    }
    Ok(model)
}

fn set_threads(args: &ModelArgs) -> Result<()> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = args.threads {
        ensure!(count.get() <= MOST_THREADS, "--threads {count}: at most {MOST_THREADS} are started");
        threads = threads.num_threads(count.get());
    }
    threads.build_global().context("cannot start the threads")
}

fn check_max_tokens(args: &ModelArgs, limit: usize) -> Result<()> {
    if let Some(tokens) = args.max_tokens {
        ensure!(
            tokens >= LEAST_MAX_TOKENS,
            "--max-tokens {tokens}: at least {LEAST_MAX_TOKENS} are needed for a claim and a premise"
        );
        ensure!(tokens <= limit, "--max-tokens {tokens}: the model {} takes at most {limit}", args.model);
    }
    Ok(())
}

fn settings(model: &ModelArgs, args: &ProfileArgs) -> Result<Settings> {
    let Some(mut profile) = Profile::named(&args.profile) else {
        bail!("--profile {}: known profiles are {}", args.profile, Profile::NAMES.join(", "));
    };
    if let Some(levels) = &args.levels {
        profile.levels = chosen_levels(levels);
    }
    if let Some(threshold) = args.threshold {
        ensure!((-1.0..=1.0).contains(&threshold), "--threshold {threshold}: scores are between -1 and 1");
        profile.pooling = Pooling::Cascade { threshold };
    }
    if let Some(epsilon) = args.epsilon {
        ensure!((0.0..=1.0).contains(&epsilon), "--epsilon {epsilon}: it must be between 0 and 1");
        profile.epsilon = epsilon;
    }
    profile.window = args.window.unwrap_or(profile.window);
    profile.stride = args.stride.unwrap_or(profile.stride);
    let claims = match args.claims {
        ClaimsChoice::Sentence => ClaimSource::Sentence,
    };
    Ok(Settings {
        profile,
        claims,
        max_tokens: model.max_tokens,
        max_batch_tokens: model.batch_tokens.map(std::num::NonZeroUsize::get),
    })
}

/// Without repetition, in the order in which ties are broken.
fn chosen_levels(choices: &[LevelChoice]) -> Vec<Level> {
    let mut levels: Vec<Level> = choices
        .iter()
        .map(|choice| match choice {
            LevelChoice::Sentence => Level::Sentence,
            LevelChoice::Window => Level::Window,
            LevelChoice::Document => Level::Document,
        })
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}
