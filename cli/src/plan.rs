//! From flags to the library's settings, one to one. The library checks values; only what is about files, threads or the
//! command line itself is checked here.

use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use veridic::Scorer;
use veridic::extract::{Extraction, Method, Rule};
use veridic::llm::LanguageModel;
use veridic::metrics::{Evaluator, KeyFactsFrom, Metric, MetricChoice};
use veridic::pipeline::ClaimExtractor;
pub(crate) use veridic::plan::nli_source;
use veridic::plan::{Asking, CalibrationChoice, EvaluatorPlan, NamedText, ScorerBuilder};
use veridic::similarity::bertscore::BertScore;
use veridic_models::NliModel;
use veridic_models::store::did_you_mean;

use crate::args::{
    BertScoreArgs, ClaimsChoice, Device, EncoderArgs, ExtractChoice, FailOnChoice, KeyFactsChoice, ModelArgs,
    ProfileArgs,
};
use crate::{asking, files, show};

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The scorer that the flags describe.
pub(crate) fn scorer(model: &ModelArgs, profile: &ProfileArgs) -> Result<Scorer> {
    set_threads(model.threads)?;
    Ok(scorer_settings(&[], model, profile, None)?
        .build_noting(&mut |note| show::note_unless(model.quiet, &note))?)
}

fn model_settings(args: &ModelArgs) -> ScorerBuilder {
    Scorer::builder(&args.model)
        .labels(args.labels.clone())
        .align_head(args.align_head)
        .device(args.device.choice)
        .dtype(args.dtype)
        .max_tokens(args.max_tokens)
        .batch_tokens(args.batch_tokens)
}

/// The settings of a scorer; `asked` answers requests instead of what the flags describe.
fn scorer_settings(
    names: &[String],
    model: &ModelArgs,
    args: &ProfileArgs,
    asked: Option<LanguageModel>,
) -> Result<ScorerBuilder> {
    let asking = match asked {
        Some(model) => Some(model),
        None => asking::language_model(&args.asking, names, args.claims.as_ref())?,
    };
    let wording = asking::wording(&args.asking.wording, names, args.claims.as_ref())?;
    let calibration = match args.calibration.as_deref() {
        None => None,
        Some(file) if file.as_os_str() == "off" => Some(CalibrationChoice::Off),
        Some(file) => Some(CalibrationChoice::Text(named_text(file)?)),
    };
    Ok(model_settings(model)
        .profile(args.profile)
        .claims(args.claims.clone())
        .language_model(asking)
        .prompt_templates(wording)
        .coref(args.coref.clone())
        .levels(args.levels.clone())
        .window(args.window)
        .stride(args.stride)
        .threshold(args.threshold)
        .rule(args.rule)
        .over_claims(args.over_claims)
        .screen(args.screen)
        .escalate(args.escalate)
        .epsilon(args.epsilon)
        .contrast(args.contrast.map(|switch| switch.is_on()))
        .calibration(calibration)
        .abstain(args.abstain)
        .any_language(args.any_language)
        .token_classifier(args.token_classifier.clone())
        .cache_mb(args.cache_mb)
        .cache(args.cache.clone()))
}

fn evaluator_settings(
    names: &[String],
    model: &ModelArgs,
    args: &ProfileArgs,
    asked: Option<LanguageModel>,
) -> Result<EvaluatorPlan> {
    let key_facts = match &args.key_facts {
        KeyFactsChoice::From(from) => *from,
        // The one row of `score`, which brings them.
        KeyFactsChoice::File(_) => KeyFactsFrom::Row,
    };
    // Without an extract its other flags have their defaults only.
    let extracts = matches!(args.extract, Some(ExtractChoice::By(_)));
    Ok(encoder_settings(
        EvaluatorPlan::new(scorer_settings(names, model, args, asked)?),
        &args.bertscore.encoder,
    )
    .metric(names.to_vec())
    .key_facts(key_facts)
    .topic(args.topic.clone())
    .alignment_rule(args.alignment_rule)
    .extract(args.extract)
    .extract_rule(extracts.then_some(args.extract_rule))
    .budget(extracts.then_some(args.budget))
    .budget_tokenizer(args.budget_tokenizer.clone().filter(|_| extracts))
    .bertscore_idf(args.bertscore.bertscore_idf.as_deref().map(named_text).transpose()?)
    .summac_conv(args.summac.summac_conv.clone())
    .summac_labels(args.summac.summac_labels))
}

fn encoder_settings(plan: EvaluatorPlan, args: &EncoderArgs) -> EvaluatorPlan {
    plan.bertscore_model(args.bertscore_model.clone()).bertscore_layer(args.bertscore_layer)
}

/// Judges rows by the metrics that the flags name.
pub(crate) fn evaluator(model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    evaluator_by(&args.metric, model, args)
}

/// Whether metrics of these names all score a summary without text.
pub(crate) fn scores_blank_summaries(names: &[String]) -> bool {
    let scores = |name: &String| name.parse().is_ok_and(|choice: MetricChoice| choice.scores_blank());
    !names.is_empty() && names.iter().all(scores)
}

/// Whether a metric of this name judges each sentence of a summary.
pub(crate) fn judges_sentences(name: &str) -> bool {
    name.parse().is_ok_and(|choice: MetricChoice| choice.judges_sentences())
}

/// Judges rows by metrics of these names.
pub(crate) fn evaluator_by(names: &[String], model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    if let KeyFactsChoice::File(file) = &args.key_facts {
        let meant = did_you_mean(&file.to_string_lossy(), KeyFactsFrom::ALL.map(KeyFactsFrom::name));
        bail!(
            "--key-facts {}{meant}: a file of key facts is for `veridic score`; rows bring their own in the field key_facts",
            file.display()
        );
    }
    evaluator_of(names, model, args, None)
}

/// The same, with requests to a language model answered by `asked`.
pub(crate) fn evaluator_asking(
    names: &[String],
    model: &ModelArgs,
    args: &ProfileArgs,
    asked: LanguageModel,
) -> Result<Evaluator> {
    evaluator_of(names, model, args, Some(asked))
}

/// Judges the one row of `score`, which may bring key facts from a file.
pub(crate) fn evaluator_of_one(model: &ModelArgs, args: &ProfileArgs) -> Result<Evaluator> {
    evaluator_of(&args.metric, model, args, None)
}

fn evaluator_of(
    names: &[String],
    model: &ModelArgs,
    args: &ProfileArgs,
    asked: Option<LanguageModel>,
) -> Result<Evaluator> {
    set_threads(model.threads)?;
    Ok(evaluator_settings(names, model, args, asked)?
        .build_noting(&mut |note| show::note_unless(model.quiet, &note))?)
}

/// The same evaluator for rows that bring their claims, on the same models.
#[cfg(feature = "server")]
pub(crate) fn for_given_claims(
    evaluator: &Evaluator,
    model: &ModelArgs,
    args: &ProfileArgs,
) -> Result<Evaluator> {
    let scorer = scorer_settings(&args.metric, model, args, None)?.for_given_claims(evaluator.scorer())?;
    Ok(evaluator.clone().with_scorer(scorer))
}

/// Extracts by one method and budget after another, with the tokenizer and the encoder that the flags name.
pub(crate) fn extraction(
    how: (Method, Rule, usize),
    budget_tokenizer: Option<&str>,
    encoder: &EncoderArgs,
    model: &ModelArgs,
) -> Result<Extraction> {
    let plan =
        EvaluatorPlan::new(model_settings(model)).budget_tokenizer(budget_tokenizer.map(str::to_owned));
    Ok(encoder_settings(plan, encoder).extraction(how, &mut |note| show::note_unless(model.quiet, &note))?)
}

/// BERTScore as the flags describe it.
pub(crate) fn bertscore(args: &BertScoreArgs, on: Device, quiet: bool) -> Result<BertScore> {
    let plan = EvaluatorPlan::new(ScorerBuilder::default().device(on));
    let plan = encoder_settings(plan, &args.encoder)
        .bertscore_idf(args.bertscore_idf.as_deref().map(named_text).transpose()?);
    Ok(plan.bertscore(&mut |note| show::note_unless(quiet, &note))?)
}

fn named_text(file: &Path) -> Result<NamedText> {
    Ok(NamedText { file: files::name(file), text: files::read_text(file)? })
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

/// Refuses `--citations` where no claims are judged.
pub(crate) fn check_citations(citations: bool, evaluator: &Evaluator) -> Result<()> {
    ensure!(
        !citations || evaluator.judges(),
        "--citations checks claims, which the metric {} judges: add it",
        Metric::Fenice.name()
    );
    Ok(())
}

/// The NLI model that the flags describe; sets the number of threads.
pub(crate) fn nli_model(args: &ModelArgs) -> Result<NliModel> {
    set_threads(args.threads)?;
    Ok(model_settings(args).nli_model(&mut |note| show::note_unless(args.quiet, &note))?)
}

/// The extractor that the flag describes.
pub(crate) fn claim_extractor(choice: &ClaimsChoice, on: Device, quiet: bool) -> Result<ClaimExtractor> {
    let asking = Asking::default();
    Ok(choice.extractor(on, &asking, &mut |note| show::note_unless(quiet, &note))?)
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
