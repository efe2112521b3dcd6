//! `veridic-bench NAME --data PATH`. `measure` reads, scores (`evaluated`) and prints for all benchmarks of summaries; `ablation` and
//! `longeval` do so for several settings at once; `paper` says what differs from the papers; `rose` measures claims,
//! `entities` the answers of SumAutoEval; `tofueval` and `story_summeval` first read the documents, which the authors of
//! those benchmarks do not publish.

mod ablation;
mod entities;
mod evaluated;
mod longeval;
mod longeval_plots;
mod measure;
mod paper;
mod prompts;
mod rose;
mod story_summeval;
mod tofueval;

use std::process::ExitCode;

use crate::aggrefact::AggreFact;
use crate::frank::{Annotations, Frank, MetricOutputs};
use crate::jsonl::Labelled;
use crate::llm_aggrefact::{LlmAggreFact, Tuning};
use crate::qags::Qags;
use crate::realsumm::{Dimension, KeyFactLists, Ratings, RealSumm};
use crate::summedits::{SummEdits, Threshold};
use crate::summeval::{Selection, SummEval};
use anyhow::{Result, ensure};
use veridic::corpus::read::{RowNames, Source};

use crate::program::args::{BenchFrankArgs, BenchJsonlArgs, BenchName, BenchRealsummArgs, BenchSummevalArgs};
use crate::program::plan;
use crate::program::settings::Metrics;

/// The threshold of LLM-AggreFact's authors.
const LLM_AGGREFACT_THRESHOLD: f64 = 0.5;

pub(super) fn run(name: &BenchName) -> Result<ExitCode> {
    match name {
        BenchName::Aggrefact(args) if args.ablation => ablation::run(&AggreFact, &args.measure),
        BenchName::Aggrefact(args) => measure::run(&AggreFact, &args.measure),
        BenchName::LlmAggrefact(args) => {
            let fixed = Tuning::Fixed(args.decide_at.unwrap_or(LLM_AGGREFACT_THRESHOLD));
            let tuning = args.tune.unwrap_or(fixed);
            measure::run(&LlmAggreFact { tuning }, &args.measure)
        }
        BenchName::Qags(args) => measure::run(&Qags { level: args.level }, &args.measure),
        BenchName::Summedits(args) => {
            let threshold = args.decide_at.map_or(Threshold::Halves, Threshold::Fixed);
            measure::run(&SummEdits { threshold }, &args.measure)
        }
        BenchName::Realsumm(args) => measure::run(&realsumm(args)?, &args.measure),
        BenchName::Frank(args) => measure::run(&frank(args)?, &args.measure),
        BenchName::Summeval(args) => measure::run(&summeval(args)?, &args.measure),
        BenchName::Tofueval(args) => tofueval::run(args),
        BenchName::Longeval(args) => longeval::run(args),
        BenchName::StorySummeval(args) => story_summeval::run(args),
        BenchName::Jsonl(args) => measure::run(&labelled(args)?, &args.measure),
        BenchName::Rose(args) => rose::run(args),
        BenchName::Entities(args) => entities::run(args),
    }
}

fn frank(args: &BenchFrankArgs) -> Result<Frank> {
    let annotations = match args.annotations.as_slice() {
        [] => Annotations::default(),
        files => Annotations::read(Source::find(files, None)?.rows())
            .map_err(|error| measure::named(error, files))?,
    };
    let outputs = match args.metric_outputs.as_slice() {
        [] => MetricOutputs::default(),
        files => MetricOutputs::read(Source::find(files, None)?.rows())
            .map_err(|error| measure::named(error, files))?,
    };
    let names = &args.measure.settings.metrics().metric;
    let answers_sentences = names.len() == 1 && plan::judges_sentences(&names[0]);
    let by_summary = answers_sentences && args.level.is_none() && args.measure.scores.is_none();
    let (level, given_answers, threshold) = (args.level, args.given_answers, args.decide_at);
    Ok(Frank { annotations, outputs, level, by_summary, given_answers, threshold })
}

fn realsumm(args: &BenchRealsummArgs) -> Result<RealSumm> {
    let BenchRealsummArgs { dimension, key_fact_list, given_answers, measure: own } = args;
    let key_facts = match key_fact_list.as_slice() {
        [] => KeyFactLists::default(),
        files => KeyFactLists::read(Source::find(files, None)?.rows())
            .map_err(|error| measure::named(error, files))?,
    };
    // Only the authors' tables have several rows of a summary, and documents elsewhere.
    let ratings = match key_fact_list.is_empty() {
        true => Ratings::default(),
        false => Ratings::read(measure::reread(own)?).map_err(|error| measure::named(error, &own.data))?,
    };
    let is_asked = |axis: &str| own.settings.metrics().metric.iter().any(|name| name == axis);
    let by_metric =
        if is_asked("finesure:conciseness") { Dimension::Conciseness } else { Dimension::Completeness };
    let dimension = dimension.unwrap_or(by_metric);
    Ok(RealSumm { dimension, key_facts, ratings, given_answers: *given_answers })
}

fn summeval(args: &BenchSummevalArgs) -> Result<SummEval> {
    let mut benchmark = SummEval { dimension: args.dimension, selection: Selection::ALL };
    if args.agreed {
        let selection = Selection::agreed(&benchmark, measure::reread(&args.measure)?);
        benchmark.selection = selection.map_err(|error| measure::named(error, &args.measure.data))?;
    }
    Ok(benchmark)
}

fn labelled(args: &BenchJsonlArgs) -> Result<Labelled> {
    for (flag, field) in
        [("--label", Some(&args.label)), ("--split", args.split.as_ref()), ("--group", args.group.as_ref())]
    {
        ensure!(field.is_none_or(|field| !field.is_empty()), "{flag}: name a field");
    }
    Ok(Labelled {
        names: RowNames::new(args.document_field.clone(), args.summary_field.clone())?,
        label: args.label.clone(),
        split: args.split.clone(),
        group: args.group.clone(),
    })
}
