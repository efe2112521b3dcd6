//! `veridic bench NAME --data PATH`: one file a thing to measure. `measure` is the way that all scores of summaries
//! go, `ablation` and `longeval` the same for several settings at once, `rose` measures claims; `tofueval` and
//! `story_summeval` find the documents first, which those benchmarks' authors do not ship.

mod ablation;
mod longeval;
mod measure;
mod rose;
mod story_summeval;
mod tofueval;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::corpus::read::{RowNames, Source};
use veridic_bench::Level;
use veridic_bench::aggrefact::AggreFact;
use veridic_bench::frank::{Annotations, Frank, MetricOutputs};
use veridic_bench::jsonl::Labelled;
use veridic_bench::llm_aggrefact::{LlmAggreFact, Tuning};
use veridic_bench::qags::Qags;
use veridic_bench::realsumm::RealSumm;
use veridic_bench::summedits::{SummEdits, Threshold};
use veridic_bench::summeval::{Dimension, SummEval};

use crate::args::{BenchArgs, BenchFrankArgs, BenchJsonlArgs, BenchName, DimensionChoice, TextLevelChoice};

/// The threshold of LLM-AggreFact's authors.
const LLM_AGGREFACT_THRESHOLD: f64 = 0.5;

pub(super) fn run(args: &BenchArgs) -> Result<ExitCode> {
    match &args.name {
        BenchName::Aggrefact(args) if args.ablation => ablation::run(&AggreFact, &args.measure),
        BenchName::Aggrefact(args) => measure::run(&AggreFact, &args.measure),
        BenchName::LlmAggrefact(args) => {
            let fixed = Tuning::Fixed(args.decide_at.unwrap_or(LLM_AGGREFACT_THRESHOLD));
            let tuning = if args.tune.is_some() { Tuning::Dev } else { fixed };
            measure::run(&LlmAggreFact { tuning }, &args.measure)
        }
        BenchName::Qags(args) => {
            let judges = |level| args.level.is_none_or(|chosen| chosen == level);
            let (sentences, summaries) =
                (judges(TextLevelChoice::Sentence), judges(TextLevelChoice::Summary));
            measure::run(&Qags { sentences, summaries }, &args.measure)
        }
        BenchName::Summedits(args) => {
            let threshold = args.decide_at.map_or(Threshold::Halves, Threshold::Fixed);
            measure::run(&SummEdits { threshold }, &args.measure)
        }
        BenchName::Realsumm(args) => measure::run(&RealSumm, &args.measure),
        BenchName::Frank(args) => measure::run(&frank(args)?, &args.measure),
        BenchName::Summeval(args) => {
            let dimension = match args.dimension {
                DimensionChoice::Coherence => Dimension::Coherence,
                DimensionChoice::Consistency => Dimension::Consistency,
                DimensionChoice::Fluency => Dimension::Fluency,
                DimensionChoice::Relevance => Dimension::Relevance,
            };
            measure::run(&SummEval { dimension }, &args.measure)
        }
        BenchName::Tofueval(args) => tofueval::run(args),
        BenchName::Longeval(args) => longeval::run(args),
        BenchName::StorySummeval(args) => story_summeval::run(args),
        BenchName::Jsonl(args) => measure::run(&labelled(args)?, &args.measure),
        BenchName::Rose(args) => rose::run(args),
    }
}

fn frank(args: &BenchFrankArgs) -> Result<Frank> {
    let annotations = Annotations::read(Source::find(&args.annotations, None)?.rows());
    let annotations = annotations.map_err(|error| measure::named(error, &args.annotations))?;
    let outputs = match args.metric_outputs.as_slice() {
        [] => MetricOutputs::default(),
        files => MetricOutputs::read(Source::find(files, None)?.rows())
            .map_err(|error| measure::named(error, files))?,
    };
    Ok(Frank { annotations, outputs, level: args.level.map(level), threshold: args.decide_at })
}

fn level(choice: TextLevelChoice) -> Level {
    match choice {
        TextLevelChoice::Sentence => Level::Sentence,
        TextLevelChoice::Summary => Level::Summary,
    }
}

fn labelled(args: &BenchJsonlArgs) -> Result<Labelled> {
    for (flag, field) in
        [("--label", Some(&args.label)), ("--split", args.split.as_ref()), ("--group", args.group.as_ref())]
    {
        ensure!(field.is_none_or(|field| !field.is_empty()), "{flag}: a field's name is needed");
    }
    Ok(Labelled {
        names: RowNames::new(args.document_field.clone(), args.summary_field.clone())?,
        label: args.label.clone(),
        split: args.split.clone(),
        group: args.group.clone(),
    })
}
