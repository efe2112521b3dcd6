//! `veridic bench NAME --data PATH`: one file a thing to measure. `measure` is the way that all scores of summaries
//! go, `ablation` the same for several settings at once, `rose` measures claims.

mod ablation;
mod measure;
mod rose;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::bench::aggrefact::AggreFact;
use veridic::bench::jsonl::Labelled;
use veridic::bench::llm_aggrefact::{LlmAggreFact, Tuning};
use veridic::bench::qags::Qags;
use veridic::bench::summedits::{SummEdits, Threshold};
use veridic::corpus::read::RowNames;

use super::args::{BenchArgs, BenchJsonlArgs, BenchName, QagsLevelChoice};

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
                (judges(QagsLevelChoice::Sentence), judges(QagsLevelChoice::Summary));
            measure::run(&Qags { sentences, summaries }, &args.measure)
        }
        BenchName::Summedits(args) => {
            let threshold = args.decide_at.map_or(Threshold::Halves, Threshold::Fixed);
            measure::run(&SummEdits { threshold }, &args.measure)
        }
        BenchName::Jsonl(args) => measure::run(&labelled(args)?, &args.measure),
        BenchName::Rose(args) => rose::run(args),
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
