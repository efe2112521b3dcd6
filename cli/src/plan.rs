//! From flags to the library's settings. The library checks values; only what is about files, threads or the command line
//! itself is checked here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use veridic::Builder;
use veridic::Evaluate;
use veridic::corpus::run::{FailOn, FailWhen};
use veridic::pipeline::ClaimExtractor;
pub(crate) use veridic::plan::nli_source;
use veridic::rules::ClaimsChoice;
use veridic::settings::Given;
use veridic::{Scorer, WriteClaims};
use veridic_bench::Evaluator;
use veridic_bench::extract::{Extraction, Method, Rule};
use veridic_bench::llm::{LanguageModel, Templates};
use veridic_bench::metrics::{KeyFactsFrom, Metric, MetricChoice};
use veridic_bench::plan::{EvaluatorBuilder, KeyFacts, read_answers};
use veridic_bench::similarity::bertscore::BertScore;
use veridic_models::NliModel;
use veridic_models::store::did_you_mean;

use crate::args::{Audience, BertScoreArgs, SettingArgs};
use crate::{asking, show};

/// Most threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The settings that the flags and the rules file have.
pub(crate) fn builder<A: Audience>(args: &SettingArgs<A>) -> Builder {
    Scorer::builder(&args.model).settings(args.given.clone()).rules(args.file.clone())
}

/// The same with metrics, with requests to a language model answered by `asked`.
pub(crate) fn evaluator_builder<A: Audience>(
    args: &SettingArgs<A>,
    asked: Option<LanguageModel>,
) -> EvaluatorBuilder {
    EvaluatorBuilder::new(builder(args)).language_model(asked)
}

/// The scorer that the flags describe.
pub(crate) fn scorer<A: Audience>(args: &SettingArgs<A>) -> Result<Scorer> {
    set_threads(args.threads)?;
    let builder = evaluator_builder(args, asking::language_model(args)?);
    Ok(builder.build_scorer(&mut |note| show::note_unless(args.quiet, &note))?)
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

/// Judges rows by the metrics that the flags name.
pub(crate) fn evaluator<A: Audience>(args: &SettingArgs<A>) -> Result<Evaluator> {
    if let KeyFacts::File(file) = &args.metrics.key_facts {
        let meant = did_you_mean(&file.to_string_lossy(), KeyFactsFrom::ALL.map(KeyFactsFrom::name));
        bail!(
            "--set key_facts={}{meant}: a file of key facts is for `veridic score`; rows bring their own in the field key_facts",
            file.display()
        );
    }
    evaluator_of_one(args)
}

/// The same, with requests to a language model answered by `asked`.
pub(crate) fn evaluator_asking<A: Audience>(
    args: &SettingArgs<A>,
    asked: LanguageModel,
) -> Result<Evaluator> {
    build(args, Some(asked))
}

/// Judges the one row of `score`, which may bring key facts from a file.
pub(crate) fn evaluator_of_one<A: Audience>(args: &SettingArgs<A>) -> Result<Evaluator> {
    build(args, asking::language_model(args)?)
}

fn build<A: Audience>(args: &SettingArgs<A>, asked: Option<LanguageModel>) -> Result<Evaluator> {
    set_threads(args.threads)?;
    let builder = evaluator_builder(args, asked);
    Ok(builder.build(&mut |note| show::note_unless(args.quiet, &note))?)
}

/// Extracts by one method and budget after another, with the tokenizer and the encoder that the flags name.
pub(crate) fn extraction<A: Audience>(
    how: (Method, Rule, usize),
    others: Given,
    args: &SettingArgs<A>,
) -> Result<Extraction> {
    let builder = EvaluatorBuilder::new(builder(args).settings(others));
    Ok(builder.extraction(how, &mut |note| show::note_unless(args.quiet, &note))?)
}

/// BERTScore as the flags describe it.
pub(crate) fn bertscore(args: &BertScoreArgs, quiet: bool) -> Result<BertScore> {
    let builder = Builder::default().settings(args.given()?);
    Ok(EvaluatorBuilder::new(builder).bertscore(&mut |note| show::note_unless(quiet, &note))?)
}

/// Refuses `--fail-on` where nothing gets a verdict or no citation is checked, and a `--fail-under` that no score can be.
pub(crate) fn check_fail_when(
    fail_when: &FailWhen,
    (citations, evaluator): (bool, &Evaluator),
) -> Result<()> {
    ensure!(
        citations || !fail_when.on.contains(&FailOn::WrongCitation),
        "--fail-on wrong-citation needs --citations: add it"
    );
    ensure!(
        fail_when.on.is_empty() || evaluator.judges(),
        "--fail-on looks at verdicts, which the metric {} gives: add it",
        Metric::Fenice.name()
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
pub(crate) fn check_citations(citations: bool, evaluator: &Evaluator) -> Result<()> {
    ensure!(
        !citations || evaluator.judges(),
        "--citations checks claims, which the metric {} judges: add it",
        Metric::Fenice.name()
    );
    Ok(())
}

/// The NLI model that the flags describe, and the longest pair in tokens; sets the number of threads.
pub(crate) fn nli_model<A: Audience>(args: &SettingArgs<A>) -> Result<(NliModel, usize)> {
    set_threads(args.threads)?;
    let builder = builder(args);
    let model = builder.nli_model(&mut |note| show::note_unless(args.quiet, &note))?;
    let max_tokens = builder.rules_for(&model)?.max_tokens;
    Ok((model, max_tokens))
}

/// The extractor that the flag describes, and the language model whose answers it has.
pub(crate) fn claim_extractor(
    choice: &ClaimsChoice,
    quiet: bool,
) -> Result<(ClaimExtractor, Option<LanguageModel>)> {
    let model = match choice {
        ClaimsChoice::Answers(Some(file)) => {
            Some(LanguageModel::new(Arc::new(read_answers("claims", file)?), Templates::default()))
        }
        _ => None,
    };
    let writer = model.clone().map(|model| Arc::new(model) as Arc<dyn WriteClaims>);
    let extractor = choice.extractor(writer.as_ref(), &mut |note| show::note_unless(quiet, &note))?;
    Ok((extractor, model))
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
