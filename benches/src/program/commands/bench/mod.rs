//! `veridic-bench NAME --data PATH`: the table of benchmarks. `measure` reads, scores (`evaluated`) and prints for all
//! benchmarks of summaries; `ablation` and `longeval` do so for several settings at once; `paper` lists the differences from
//! the papers; `rose` measures claims, `entities` the answers of SumAutoEval.

pub(crate) mod ablation;
mod entities;
mod evaluated;
mod longeval;
mod longeval_plots;
pub(crate) mod measure;
mod paper;
mod prompts;
mod rose;
mod tofueval;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use veridic::corpus::read::{Rows, Source};

use crate::program::args::{BenchEntitiesArgs, BenchRoseArgs, MeasureArgs};
use crate::{BenchError, Benchmark};

pub(crate) use measure::named;

/// The options of a benchmark on the command line.
pub(crate) trait Options: Args {
    /// Reads the files that it needs besides the data.
    fn open(&self, measure: &MeasureArgs) -> Result<Box<dyn Benchmark>>;

    /// Measures, and prints the figures.
    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        measure::run(&*self.open(measure)?, measure)
    }
}

/// A benchmark's options, and what is measured.
#[derive(Debug, Args)]
pub(crate) struct Command<O: Args> {
    #[command(flatten)]
    options: O,
    #[command(flatten)]
    measure: MeasureArgs,
}

macro_rules! benchmarks {
    ($($(#[$about:meta])* $name:ident($options:ty),)+ ; $($(#[$attribute:meta])* $other:ident($arguments:ty) => $run:path,)+) => {
        /// The benchmarks.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Benchmarks {
            $($(#[$about])* $name(Box<Command<$options>>),)+
            $($(#[$attribute])* $other($arguments),)+
        }

        pub(super) fn run(benchmark: &Benchmarks) -> Result<ExitCode> {
            match benchmark {
                $(Benchmarks::$name(command) => command.options.run(&command.measure),)+
                $(Benchmarks::$other(arguments) => $run(arguments),)+
            }
        }
    };
}

benchmarks! {
    /// AggreFact (Tang et al. 2023): summaries of CNN/DM and XSum
    ///
    /// The file aggre_fact_final.csv.
    Aggrefact(crate::aggrefact::AggreFactOptions),
    /// LLM-AggreFact (Tang et al. 2024): claims of eleven datasets, .parquet or .jsonl
    LlmAggrefact(crate::llm_aggrefact::LlmAggreFact),
    /// QAGS (Wang et al. 2020): annotators' votes on sentences
    ///
    /// The files mturk_cnndm.jsonl and mturk_xsum.jsonl.
    Qags(crate::qags::Qags),
    /// SummEdits (Laban et al. 2023): edited summaries, the files summedits_*.json
    Summedits(crate::summedits::SummEdits),
    /// FRANK (Pagnoni et al. 2021): factual errors in summaries
    ///
    /// The file benchmark_data.json with its annotations, or FineSurE's frank-data.json. With --metric finesure:faithfulness
    /// and a language model's answers the table has the types of errors too (FineSurE, table 2).
    Frank(crate::frank::FrankOptions),
    /// REALSumm (Bhandari et al. 2020): key facts that annotators find in summaries
    ///
    /// Rows have the fields document, model, summary, keyfacts, human_completeness and reference; or FineSurE's
    /// realsumm-data.json, or the authors' tables SCU_rating_results_*_systems/*.csv, both with --key-fact-list. The metric
    /// is finesure:completeness, or finesure:conciseness by --dimension, unless --metric is given.
    Realsumm(crate::realsumm::RealSummOptions),
    /// SummEval (Fabbri et al. 2021): expert ratings of summaries
    ///
    /// The file model_annotations.aligned.paired.jsonl.
    Summeval(crate::summeval::SummEvalOptions),
    /// TofuEval (Tang et al. 2024): topic-focused summaries of dialogues
    ///
    /// The files *_factual_eval_{dev,test}.csv, with the transcripts of MediaSum and MeetingBank. --metric relevance and
    /// --metric key-points measure means over summaries instead of factual consistency.
    Tofueval(tofueval::TofuEvalOptions),
    /// Long documents (Wu et al. 2024): human ratings
    ///
    /// By method and budget of extraction. The files arxiv_, gov_, pubmed_ and squality_benchmark.json.
    Longeval(longeval::LongEvalOptions),
    /// FENICE's long stories (Scirè et al. 2024), the files val.jsonl and test.jsonl
    StorySummeval(crate::story_summeval::StoryOptions),
    /// Any file of rows with a document, a summary and a label (1 = consistent)
    Jsonl(crate::jsonl::LabelledOptions),
    ;
    /// Claims compared with human-written ones: ROSE's content units
    ///
    /// Rows have the fields summary and claims; the metric is FENICE's, equations 9 and 10: easiness, with ROUGE-1. A row
    /// that cannot be measured is reported and left out, and the exit code is 2 at the end.
    #[command(visible_alias = "easiness")]
    Rose(BenchRoseArgs) => rose::run,
    /// SumAutoEval's answers about entities compared with people's
    ///
    /// Cohen's kappa, as in the paper's table 1. Rows are results of `run --metric sumautoeval:AXES` whose input had
    /// people's labels: a list of objects with axis, answer, and span or text.
    Entities(BenchEntitiesArgs) => entities::run,
}

/// Reads files besides the data; returns the default without files.
pub(crate) fn read_files<T: Default>(
    files: &[PathBuf],
    read: impl FnOnce(Rows) -> Result<T, BenchError>,
) -> Result<T> {
    if files.is_empty() {
        return Ok(T::default());
    }
    read(Source::find(files, None)?.rows()).map_err(|error| named(error, files))
}

/// Collects information from all rows of the data, before each is read separately.
pub(crate) fn read_twice<T>(
    measure: &MeasureArgs,
    read: impl FnOnce(Rows) -> Result<T, BenchError>,
) -> Result<T> {
    read(measure::reread(measure)?).map_err(|error| named(error, &measure.data))
}
