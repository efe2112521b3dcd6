//! From flags to what the engine does: every value is checked here, before anything is read.

use anyhow::{Context, Result, bail, ensure};
use veridic::metrics::{Evaluator, KeyFactsFrom, MetricChoice};
use veridic::pipeline::evidence::Calibration;
use veridic::pipeline::{ClaimExtractor, CorefResolver, Level, OverClaims, Pooling, ScoreRule};
use veridic::{Profile, Scorer, Settings};
use veridic_models::store::{Job, Manifest};
use veridic_models::{FCoref, LoadOptions, ModelSource, NliModel, TextToText};

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::args::{
    ClaimsChoice, CorefChoice, DeviceChoice, ExtractChoice, KeyFactsChoice, LevelChoice, ModelArgs,
    OverClaimsChoice, ProfileArgs, RuleChoice,
};
use super::{bertscore, device, extraction, files, show};

/// The profile that has a resolver of its own, the rules.
const OWN_PROFILE: &str = "veridic";

/// Fewest tokens that `--max-tokens` accepts: room for a short claim and a piece of a premise.
const LEAST_MAX_TOKENS: usize = 32;

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The scorer that the flags describe.
pub(super) fn scorer(model: &ModelArgs, profile: &ProfileArgs) -> Result<Scorer> {
    set_threads(model.threads)?;
    let source = nli_source(&model.model)?;
    let settings = settings(&source, model, profile)?;
    let scorer = Scorer::new(load(&source, model)?, settings);
    let scorer = with_calibration(scorer, &source, model.quiet, profile)?;
    match &profile.cache {
        Some(folder) => with_store(scorer, folder),
        None => Ok(scorer),
    }
}

/// What judges rows by the metrics that the flags name.
pub(super) fn evaluator(model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    evaluator_by(&args.metric, model, args)
}

/// What judges rows by metrics of these names.
pub(super) fn evaluator_by(names: &[String], model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    let key_facts = match args.keyfacts {
        KeyFactsChoice::Row => KeyFactsFrom::Row,
        KeyFactsChoice::Reference => KeyFactsFrom::Reference,
        KeyFactsChoice::Document => KeyFactsFrom::Document,
    };
    let is_all = names.iter().any(|name| name == "all");
    let named = names.iter().filter(|name| *name != "all");
    let mut metrics = named.map(|name| name.parse()).collect::<Result<Vec<MetricChoice>, _>>()?;
    if is_all {
        metrics = MetricChoice::all();
    }
    bertscore::check(args, &metrics)?;
    let mut evaluator = Evaluator::new(scorer(model, args)?);
    match args.extract {
        None => {}
        Some(ExtractChoice::Off) => evaluator = evaluator.extracting(None),
        Some(ExtractChoice::By(method)) => {
            let (by, tokenizer) = ((method, args.budget), args.budget_tokenizer.as_deref());
            let extraction = extraction::of(by, tokenizer, &args.bertscore.encoder, model)?;
            evaluator = evaluator.extracting(Some(extraction));
        }
    }
    if metrics.is_empty() {
        return Ok(evaluator);
    }
    metrics.dedup();
    if let Some(bertscore) = bertscore::load(args, &metrics, (model.device.choice, model.quiet))? {
        evaluator = evaluator.with_bertscore(bertscore);
    }
    let evaluator = evaluator.with_metrics(metrics, key_facts);
    Ok(if is_all { evaluator.leniently() } else { evaluator })
}

/// The scorer with the calibration that is asked for; else the NLI model's own, where it is for these settings.
fn with_calibration(scorer: Scorer, source: &ModelSource, quiet: bool, args: &ProfileArgs) -> Result<Scorer> {
    match args.calibration.as_deref() {
        Some(file) if file.as_os_str() == "off" => Ok(scorer),
        Some(file) => {
            let name = files::name(file);
            let calibration = Calibration::parse(&files::read_text(file)?).with_context(|| name.clone())?;
            scorer.with_calibration(calibration).with_context(|| name)
        }
        None if !scorer.settings().profile.weighs_facts || changes_rules(args) => Ok(scorer),
        None => {
            let (scorer, differs) = scorer.with_calibration_of(source)?;
            if let (Some(differs), false) = (differs, quiet) {
                let id = source.id();
                show::note(&format!("note: evidence is not weighed: the calibration of {id} {differs}"));
            }
            Ok(scorer)
        }
    }
}

/// Whether flags change the profile's rules, for which the NLI model's own calibration was made.
fn changes_rules(args: &ProfileArgs) -> bool {
    args.rule.is_some()
        || args.over_claims.is_some()
        || args.threshold.is_some()
        || args.window.is_some()
        || args.stride.is_some()
}

#[cfg(feature = "cache")]
fn with_store(scorer: Scorer, folder: &Path) -> Result<Scorer> {
    let (store, moved) = veridic::schedule::store::ScoreStore::open(folder, &scorer.scope())?;
    if let Some(moved) = moved {
        show::note(&format!("note: {moved}"));
    }
    Ok(scorer.with_store(store))
}

#[cfg(not(feature = "cache"))]
fn with_store(_: Scorer, _: &Path) -> Result<Scorer> {
    bail!("--cache: this build keeps no scores; build it with the feature `cache`")
}

/// Says what happened to the store of scores.
pub(super) fn tell_notes(scorer: &Scorer) {
    #[cfg(feature = "cache")]
    for note in scorer.store().into_iter().flat_map(veridic::schedule::store::ScoreStore::take_notes) {
        show::note(&format!("note: {note}"));
    }
    #[cfg(not(feature = "cache"))]
    let _ = scorer;
}

/// The NLI model that the flags describe; sets the number of threads.
pub(super) fn nli_model(args: &ModelArgs) -> Result<NliModel> {
    set_threads(args.threads)?;
    load(&nli_source(&args.model)?, args)
}

/// Where an NLI model is; that of a bundle, if it is one.
pub(super) fn nli_source(name: &str) -> Result<ModelSource> {
    Ok(ModelSource::find(Manifest::get().member(name, Job::Nli))?)
}

fn load(source: &ModelSource, args: &ModelArgs) -> Result<NliModel> {
    let device = device::open(args.device.choice)?;
    let precision = device::precision(args.dtype, &device);
    let options = LoadOptions { labels: args.labels.clone(), precision, device };
    let model = NliModel::load(source, &options)?;
    check_max_tokens(args, model.token_limit())?;
    if let (ModelSource::Bundled(_), false) = (source, args.quiet) {
        show::note(&format!(
            "note: judged by the bundled model `{}`, which is small and often wrong; --model takes a larger one",
            args.model
        ));
    }
    Ok(model)
}

/// Starts the threads that `--threads` asks for; once in a process.
pub(super) fn set_threads(count: Option<NonZeroUsize>) -> Result<()> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = count {
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

fn settings(source: &ModelSource, model: &ModelArgs, args: &ProfileArgs) -> Result<Settings> {
    let mut profile = profile(source, args.profile.as_deref())?;
    let own_claims =
        if profile.name == Profile::CHECKER { ClaimsChoice::Sentence } else { ClaimsChoice::Clause };
    let own_resolver = if profile.name == OWN_PROFILE { CorefChoice::Rules } else { CorefChoice::Off };
    profile = match (&args.levels, &args.coref) {
        (Some(levels), _) => Profile { levels: chosen_levels(levels), ..profile },
        (None, None) => profile,
        (None, Some(CorefChoice::Off)) => profile.without_coref(),
        (None, Some(_)) => profile.with_coref(),
    };
    check_coref(&profile, args, &own_resolver)?;
    if let Some(threshold) = args.threshold {
        ensure!((-1.0..=1.0).contains(&threshold), "--threshold {threshold}: scores are between -1 and 1");
        profile.pooling = Pooling::Cascade { threshold };
    }
    if let Some(epsilon) = args.epsilon {
        ensure!((0.0..=1.0).contains(&epsilon), "--epsilon {epsilon}: it must be between 0 and 1");
        profile.epsilon = epsilon;
    }
    if let Some(rule) = args.rule {
        profile.rule = match rule {
            RuleChoice::E => ScoreRule::Entailment,
            RuleChoice::MinusContradiction => ScoreRule::EntailmentMinusContradiction,
            RuleChoice::MinusNeutral => ScoreRule::EntailmentMinusNeutral,
        };
    }
    if let Some(over_claims) = args.over_claims {
        profile.over_claims = match over_claims {
            OverClaimsChoice::Mean => OverClaims::Mean,
            OverClaimsChoice::Minimum => OverClaims::Minimum,
            OverClaimsChoice::SoftMinimum => OverClaims::SoftMinimum,
        };
    }
    profile.window = args.window.unwrap_or(profile.window);
    profile.stride = args.stride.unwrap_or(profile.stride);
    Ok(Settings {
        profile,
        claims: claim_extractor(
            args.claims.as_ref().unwrap_or(&own_claims),
            model.device.choice,
            model.quiet,
        )?,
        calibration: None,
        coref: coref_resolver(args.coref.as_ref().unwrap_or(&own_resolver), model.device.choice)?,
        max_tokens: model.max_tokens,
        max_batch_tokens: model.batch_tokens.map(NonZeroUsize::get),
        cache_bytes: args.cache_mb.saturating_mul(1 << 20),
    })
}

/// The profile of that name; without one, what is made for the model.
fn profile(source: &ModelSource, name: Option<&str>) -> Result<Profile> {
    let checker = source.entry().and_then(|entry| entry.checker.as_ref());
    match (name, checker) {
        (None | Some(Profile::CHECKER), Some(checker)) => Ok(Profile::checker(checker)),
        (Some(Profile::CHECKER), None) => {
            bail!("--profile {}: {} is no checker that has a name", Profile::CHECKER, source.id())
        }
        (None, None) => Ok(Profile::veridic()),
        (Some(name), _) => match Profile::named(name) {
            Some(profile) => Ok(profile),
            None => bail!(
                "--profile {name}: known profiles are {}, {}",
                Profile::NAMES.join(", "),
                Profile::CHECKER
            ),
        },
    }
}

/// The level `coref`, a resolver and the level `sentence` go together.
fn check_coref(profile: &Profile, args: &ProfileArgs, own_resolver: &CorefChoice) -> Result<()> {
    let resolver = args.coref.as_ref().unwrap_or(own_resolver);
    let has_coref = profile.has(Level::Coref);
    if has_coref && *resolver == CorefChoice::Off {
        match args.levels {
            Some(_) => bail!("--levels has coref: say how with --coref rules or --coref DIR"),
            None => bail!(
                "--profile {} rewrites sentences: say how with --coref rules or --coref DIR",
                profile.name
            ),
        }
    }
    if !has_coref && args.coref.as_ref().is_some_and(|choice| *choice != CorefChoice::Off) {
        bail!("--coref is given, and --levels leaves the level coref out");
    }
    ensure!(
        !has_coref || profile.has(Level::Sentence),
        "--levels has coref without sentence: the best sentence is what is rewritten"
    );
    Ok(())
}

/// The resolver that the flag describes.
fn coref_resolver(choice: &CorefChoice, on: DeviceChoice) -> Result<CorefResolver> {
    Ok(match choice {
        CorefChoice::Off => CorefResolver::Off,
        CorefChoice::Rules => CorefResolver::Rules,
        CorefChoice::Model(name) => {
            let told = || format!("--coref {name}");
            let source = ModelSource::find(Manifest::get().member(name, Job::Coref)).with_context(told)?;
            let model = FCoref::load_on(&source, &device::open(on)?).with_context(told)?;
            CorefResolver::Model(Arc::new(model))
        }
    })
}

/// The extractor that the flag describes.
pub(super) fn claim_extractor(
    choice: &ClaimsChoice,
    on: DeviceChoice,
    quiet: bool,
) -> Result<ClaimExtractor> {
    Ok(match choice {
        ClaimsChoice::Sentence => ClaimExtractor::Sentence,
        ClaimsChoice::Clause => ClaimExtractor::Clause,
        ClaimsChoice::Given => ClaimExtractor::Given,
        ClaimsChoice::T5(name) => {
            let told = || format!("--claims t5={name}");
            let source = ModelSource::find(Manifest::get().member(name, Job::Claims)).with_context(told)?;
            let model = TextToText::load(&source).with_context(told)?;
            if !quiet {
                device::tell_host(&format!("--claims t5={name}"), on);
            }
            let options = model.options();
            if options.length_is_default && !quiet {
                show::note(&format!(
                    "note: {name} sets no output length; at most {} tokens are generated for a group of sentences",
                    options.max_length - 1
                ));
            }
            ClaimExtractor::T5(Arc::new(model))
        }
    })
}

/// Without repetition, in the order in which ties are broken.
fn chosen_levels(choices: &[LevelChoice]) -> Vec<Level> {
    let mut levels: Vec<Level> = choices
        .iter()
        .map(|choice| match choice {
            LevelChoice::Sentence => Level::Sentence,
            LevelChoice::Coref => Level::Coref,
            LevelChoice::Window => Level::Window,
            LevelChoice::Document => Level::Document,
        })
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}
