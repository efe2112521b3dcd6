//! From flags to what the engine does: every value is checked before anything is read, here or in the library's plan,
//! which Python shares.

pub(crate) mod bertscore;
pub(crate) mod extraction;

use anyhow::{Context, Result, bail, ensure};
use veridic::corpus::run::RowCounts;
use veridic::metrics::sumautoeval::{self, AlignmentRule};
use veridic::metrics::{Evaluator, KeyFactsFrom, Metric, MetricChoice};
use veridic::notes;
use veridic::pipeline::{ClaimExtractor, Level, OverClaims, ScoreRule};
pub(crate) use veridic::plan::nli_source;
use veridic::plan::{CalibrationChoice, ScorerPlan};
use veridic::{Scorer, Verdict};
use veridic_models::store::did_you_mean;
use veridic_models::{NliModel, Precision};

use std::num::NonZeroUsize;

use crate::args::{
    AlignmentChoice, ClaimsChoice, DeviceChoice, DtypeChoice, ExtractChoice, FailOnChoice, KeyFactsChoice,
    LevelChoice, ModelArgs, OverClaimsChoice, ProfileArgs, RuleChoice,
};
use crate::{files, show};

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The scorer that the flags describe.
pub(crate) fn scorer(model: &ModelArgs, profile: &ProfileArgs) -> Result<Scorer> {
    set_threads(model.threads)?;
    Ok(scorer_plan(model, profile)?.scorer(&mut |note| tell(&note, model.quiet))?)
}

/// The flags as the library reads them.
fn scorer_plan(model: &ModelArgs, args: &ProfileArgs) -> Result<ScorerPlan> {
    let calibration = match args.calibration.as_deref() {
        None => CalibrationChoice::Own,
        Some(file) if file.as_os_str() == "off" => CalibrationChoice::Off,
        Some(file) => CalibrationChoice::Text { file: files::name(file), text: files::read_text(file)? },
    };
    Ok(ScorerPlan {
        profile: args.profile.clone(),
        claims: args.claims.clone(),
        coref: args.coref.clone(),
        levels: args.levels.as_ref().map(|levels| levels.iter().copied().map(level).collect()),
        window: args.window,
        stride: args.stride,
        threshold: args.threshold,
        rule: args.rule.map(rule),
        over_claims: args.over_claims.map(over_claims),
        screen: args.screen,
        epsilon: args.epsilon,
        calibration,
        any_language: args.any_language,
        cache_bytes: args.cache_mb.saturating_mul(1 << 20),
        cache: args.cache.clone(),
        ..model_plan(model)
    })
}

/// Refuses `--fail-on` where nothing gets a verdict.
pub(crate) fn check_fail_on(fail_on: Option<FailOnChoice>, evaluator: &Evaluator) -> Result<()> {
    ensure!(
        fail_on.is_none() || evaluator.judges(),
        "--fail-on looks at verdicts, which the metric {} gives: add it",
        Metric::Fenice.name()
    );
    Ok(())
}

impl FailOnChoice {
    /// Whether this verdict is one that makes a command end with 1.
    pub(crate) fn names(self, verdict: Verdict) -> bool {
        match self {
            Self::Contradicted => verdict == Verdict::Contradicted,
            Self::Unsupported => verdict != Verdict::Supported,
        }
    }

    /// The rows with such a verdict.
    pub(crate) fn counted(self, counts: &RowCounts) -> u64 {
        match self {
            Self::Contradicted => counts.contradicted,
            Self::Unsupported => counts.contradicted + counts.unsupported,
        }
    }
}

fn model_plan(args: &ModelArgs) -> ScorerPlan {
    let precision = match args.dtype {
        DtypeChoice::Auto => None,
        DtypeChoice::F32 => Some(Precision::F32),
        DtypeChoice::Int8 => Some(Precision::Int8),
        DtypeChoice::F16 => Some(Precision::F16),
        DtypeChoice::Bf16 => Some(Precision::Bf16),
    };
    ScorerPlan {
        model: args.model.clone(),
        labels: args.labels.clone(),
        device: args.device.choice,
        precision,
        max_tokens: args.max_tokens,
        batch_tokens: args.batch_tokens,
        ..ScorerPlan::default()
    }
}

pub(crate) fn tell(note: &str, quiet: bool) {
    if !quiet {
        show::note(&format!("note: {note}"));
    }
}

fn level(choice: LevelChoice) -> Level {
    match choice {
        LevelChoice::Sentence => Level::Sentence,
        LevelChoice::Coref => Level::Coref,
        LevelChoice::Window => Level::Window,
        LevelChoice::Document => Level::Document,
    }
}

fn rule(choice: RuleChoice) -> ScoreRule {
    match choice {
        RuleChoice::E => ScoreRule::Entailment,
        RuleChoice::MinusContradiction => ScoreRule::EntailmentMinusContradiction,
        RuleChoice::MinusNeutral => ScoreRule::EntailmentMinusNeutral,
    }
}

fn over_claims(choice: OverClaimsChoice) -> OverClaims {
    match choice {
        OverClaimsChoice::Mean => OverClaims::Mean,
        OverClaimsChoice::Minimum => OverClaims::Minimum,
        OverClaimsChoice::SoftMinimum => OverClaims::SoftMinimum,
    }
}

/// What judges rows by the metrics that the flags name.
pub(crate) fn evaluator(model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    evaluator_by(&args.metric, model, args)
}

/// What judges rows by metrics of these names.
pub(crate) fn evaluator_by(names: &[String], model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    if let KeyFactsChoice::File(file) = &args.key_facts {
        let meant = did_you_mean(&file.to_string_lossy(), ["row", "reference", "document"]);
        bail!(
            "--key-facts {}{meant}: a file of key facts is for `veridic score`; rows bring their own in the field key_facts",
            file.display()
        );
    }
    evaluator_of(names, model, args)
}

/// What judges the one row of `score`, which may bring key facts from a file.
pub(crate) fn evaluator_of_one(model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    evaluator_of(&args.metric, model, args)
}

fn evaluator_of(names: &[String], model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    let key_facts = match &args.key_facts {
        // The one row of `score`, which brings them.
        KeyFactsChoice::Row | KeyFactsChoice::File(_) => KeyFactsFrom::Row,
        KeyFactsChoice::Reference => KeyFactsFrom::Reference,
        KeyFactsChoice::Document => KeyFactsFrom::Document,
    };
    let is_all = names.iter().any(|name| name == "all");
    let named = names.iter().filter(|name| *name != "all");
    let mut metrics = named.map(|name| name.parse()).collect::<Result<Vec<MetricChoice>, _>>()?;
    metrics.iter().try_for_each(sumautoeval::check_axes)?;
    if is_all {
        metrics.splice(..0, MetricChoice::all());
    }
    bertscore::check(args, &metrics)?;
    let is_relevance = |choice: &MetricChoice| choice.metric == Metric::Relevance;
    ensure!(
        args.topic.is_none() || metrics.iter().any(is_relevance),
        "--topic is given, and --metric relevance is not"
    );
    let mut evaluator = Evaluator::new(scorer(model, args)?);
    match args.extract {
        None => {}
        Some(ExtractChoice::Off) => evaluator = evaluator.extracting(None),
        Some(ExtractChoice::By(method)) => {
            let (by, tokenizer) =
                ((method, args.extract_rule, args.budget), args.budget_tokenizer.as_deref());
            let extraction = extraction::of(by, tokenizer, &args.bertscore.encoder, model)?;
            evaluator = evaluator.extracting(Some(extraction));
        }
    }
    if metrics.is_empty() {
        return Ok(evaluator);
    }
    if let Some(bertscore) = bertscore::load(args, &metrics, (model.device.choice, model.quiet))? {
        evaluator = evaluator.with_bertscore(bertscore);
    }
    let rule = match args.alignment_rule {
        AlignmentChoice::Any => AlignmentRule::Any,
        AlignmentChoice::All => AlignmentRule::All,
    };
    let evaluator = evaluator.with_metrics(metrics, key_facts);
    let evaluator = evaluator.with_topic(args.topic.clone()).with_alignment_rule(rule);
    Ok(if is_all { evaluator.leniently() } else { evaluator })
}

/// The same evaluator for rows that bring their claims, on the same models.
#[cfg(feature = "server")]
pub(crate) fn for_given_claims(
    evaluator: &Evaluator,
    model: &ModelArgs,
    args: &ProfileArgs,
) -> Result<Evaluator> {
    let scorer = scorer_plan(model, args)?.for_given_claims(evaluator.scorer())?;
    Ok(evaluator.clone().with_scorer(scorer))
}

/// Says what happened to the store of scores.
pub(crate) fn tell_notes(scorer: &Scorer) {
    #[cfg(feature = "cache")]
    for note in
        scorer.score_cache().into_iter().flat_map(veridic::schedule::score_cache::ScoreCache::take_notes)
    {
        show::note(&format!("note: {note}"));
    }
    #[cfg(not(feature = "cache"))]
    let _ = scorer;
}

/// Says how many rows of a run are in languages that the model was not made for.
pub(crate) fn tell_unread(scorer: &Scorer, counts: &RowCounts, quiet: bool) {
    if counts.unread > 0 {
        let (nli, listed) = (scorer.models().nli, scorer.stamp().languages);
        tell(&notes::unread_rows(&nli.id, &listed.unwrap_or_default(), counts.unread, counts.judged), quiet);
    }
}

/// The NLI model that the flags describe; sets the number of threads.
pub(crate) fn nli_model(args: &ModelArgs) -> Result<NliModel> {
    set_threads(args.threads)?;
    Ok(model_plan(args).nli_model(&mut |note| tell(&note, args.quiet))?)
}

/// The extractor that the flag describes.
pub(crate) fn claim_extractor(
    choice: &ClaimsChoice,
    on: DeviceChoice,
    quiet: bool,
) -> Result<ClaimExtractor> {
    Ok(choice.extractor(on, &mut |note| tell(&note, quiet))?)
}

/// Starts the threads that `--threads` asks for; once in a process.
pub(crate) fn set_threads(count: Option<NonZeroUsize>) -> Result<()> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = count {
        ensure!(count.get() <= MOST_THREADS, "--threads {count}: at most {MOST_THREADS} are started");
        threads = threads.num_threads(count.get());
    }
    threads.build_global().context("cannot start the threads")
}
