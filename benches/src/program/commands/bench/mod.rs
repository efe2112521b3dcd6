//! `veridic-bench NAME --data PATH`: the table of benchmarks, one file each with its own flags. For all that score texts,
//! `data` reads, `evaluated` scores and `measure` prints; `ablation` and `longeval` do so for several settings at once;
//! `paper` says what differs from the papers.

mod ablation;
mod aggrefact;
mod args;
mod data;
mod entities;
mod evaluated;
mod frank;
mod jsonl;
mod llm_aggrefact;
mod longeval;
mod longeval_plots;
mod longeval_settings;
mod measure;
mod options;
mod paper;
mod prompts;
mod qags;
mod realsumm;
mod report;
mod rose;
mod story_summeval;
mod summedits;
mod summeval;
mod tofueval;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use self::options::{Command, Options};

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
    Aggrefact(aggrefact::AggreFactOptions),
    /// LLM-AggreFact (Tang et al. 2024): claims of eleven datasets, .parquet or .jsonl
    LlmAggrefact(llm_aggrefact::LlmAggreFactOptions),
    /// QAGS (Wang et al. 2020): annotators' votes on sentences
    ///
    /// The files mturk_cnndm.jsonl and mturk_xsum.jsonl.
    Qags(qags::QagsOptions),
    /// SummEdits (Laban et al. 2023): edited summaries, the files summedits_*.json
    Summedits(summedits::SummEditsOptions),
    /// FRANK (Pagnoni et al. 2021): factual errors in summaries
    ///
    /// The file benchmark_data.json with its annotations, or FineSurE's frank-data.json. With --metric finesure:faithfulness
    /// and a language model's answers the table has the types of errors too (FineSurE, table 2).
    Frank(frank::FrankOptions),
    /// REALSumm (Bhandari et al. 2020): key facts that annotators find in summaries
    ///
    /// Rows have the fields document, model, summary, keyfacts, human_completeness and reference; or FineSurE's
    /// realsumm-data.json, or the authors' tables SCU_rating_results_*_systems/*.csv, both with --key-fact-list. The metric
    /// is finesure:completeness, or finesure:conciseness by --dimension, unless --metric is given.
    Realsumm(realsumm::RealSummOptions),
    /// SummEval (Fabbri et al. 2021): expert ratings of summaries
    ///
    /// The file model_annotations.aligned.paired.jsonl.
    Summeval(summeval::SummEvalOptions),
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
    StorySummeval(story_summeval::StoryOptions),
    /// Any file of rows with a document, a summary and a label (1 = consistent)
    Jsonl(jsonl::LabelledOptions),
    ;
    /// Claims compared with human-written ones: ROSE's content units
    ///
    /// Rows have the fields summary and claims; the metric is FENICE's, equations 9 and 10: easiness, with ROUGE-1. A row
    /// that cannot be measured is reported and left out, and the exit code is 2 at the end.
    #[command(visible_alias = "easiness")]
    Rose(rose::BenchRoseArgs) => rose::run,
    /// SumAutoEval's answers about entities compared with people's
    ///
    /// Cohen's kappa, as in the paper's table 1. Rows are results of `run --metric sumautoeval:AXES` whose input had
    /// people's labels: a list of objects with axis, answer, and span or text.
    Entities(entities::BenchEntitiesArgs) => entities::run,
}
