//! Converts flags to evaluators, extractions and encoders.

use std::sync::Arc;

use anyhow::{Result, bail};
use veridic::pipeline::ClaimExtractor;
use veridic::plan::Builder;
use veridic::rules::ClaimsChoice;
use veridic::settings::Given;
use veridic::{Scorer, WriteClaims};
use veridic_models::store::did_you_mean;
use veridic_program::settings::{Audience, SettingArgs};
use veridic_program::{load, output};

use super::asking;
use super::encoder::BertScoreArgs;
use super::settings::{Measuring, Metrics};
use crate::extract::Extraction;
use crate::llm::{LanguageModel, Templates};
use crate::metrics::{Evaluator, KeyFactsFrom, MetricChoice};
use crate::plan::{EvaluatorBuilder, KeyFacts, read_answers};
use crate::similarity::bertscore::BertScore;

/// The scorer that the flags describe.
pub(super) fn scorer(args: &SettingArgs<Measuring>) -> Result<Scorer> {
    load::set_threads(args.threads)?;
    let builder = EvaluatorBuilder::new(load::builder(args)).language_model(asking::language_model(args)?);
    Ok(builder.build_scorer(&mut |note| output::note_unless(args.quiet, &note))?)
}

/// Whether metrics of these names all score a summary without text.
pub(super) fn scores_blank_summaries(names: &[String]) -> bool {
    let scores = |name: &String| name.parse().is_ok_and(|choice: MetricChoice| choice.scores_blank());
    !names.is_empty() && names.iter().all(scores)
}

/// Whether a metric of this name judges each sentence of a summary.
pub(crate) fn judges_sentences(name: &str) -> bool {
    name.parse().is_ok_and(|choice: MetricChoice| choice.judges_sentences())
}

/// Judges rows by the metrics that the flags name.
pub(super) fn evaluator(args: &SettingArgs<Measuring>) -> Result<Evaluator> {
    if let KeyFacts::File(file) = &args.metrics().key_facts {
        let meant = did_you_mean(&file.to_string_lossy(), KeyFactsFrom::ALL.map(KeyFactsFrom::name));
        bail!(
            "--key-facts {}{meant}: a file of key facts is for the one summary of `veridic-bench score`; rows bring their own in the field key_facts",
            file.display()
        );
    }
    evaluator_of_one(args)
}

/// Returns the same evaluator, with requests to a language model answered by `asked`.
pub(super) fn evaluator_asking(args: &SettingArgs<Measuring>, asked: LanguageModel) -> Result<Evaluator> {
    build(args, Some(asked))
}

/// Returns the evaluator of `score`'s single row, which may have key facts from a file.
pub(super) fn evaluator_of_one(args: &SettingArgs<Measuring>) -> Result<Evaluator> {
    build(args, asking::language_model(args)?)
}

fn build(args: &SettingArgs<Measuring>, asked: Option<LanguageModel>) -> Result<Evaluator> {
    load::set_threads(args.threads)?;
    let builder = EvaluatorBuilder::new(load::builder(args)).language_model(asked);
    Ok(builder.build(&mut |note| output::note_unless(args.quiet, &note))?)
}

/// The extraction, with the tokenizer and the encoder that the flags name.
pub(super) fn extraction<A: Audience>(
    extraction: Extraction,
    others: Given,
    args: &SettingArgs<A>,
) -> Result<Extraction> {
    let builder = EvaluatorBuilder::new(load::builder(args).settings(others));
    Ok(builder.extraction(extraction, &mut |note| output::note_unless(args.quiet, &note))?)
}

/// BERTScore as the flags describe it.
pub(super) fn bertscore(args: &BertScoreArgs, quiet: bool) -> Result<BertScore> {
    let builder = Builder::default().settings(args.given()?);
    Ok(EvaluatorBuilder::new(builder).bertscore(&mut |note| output::note_unless(quiet, &note))?)
}

/// The extractor that the flag describes, and the language model whose answers it has.
pub(super) fn claim_extractor(
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
    Ok((load::claim_extractor(choice, writer.as_ref(), quiet)?, model))
}
