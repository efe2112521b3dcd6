//! Benchmarks of factuality scores, comparisons of score files, and calibration: the measuring half of
//! [Veridic](https://docs.rs/veridic).
//!
//! A benchmark reads its authors' files into [`Case`]s, texts to judge against documents. Their scores may come from
//! anywhere: reading and measuring run no model. With one score per case the benchmark applies its published protocol, and
//! its figures are shown as a table beside published ones, or serialized.
//!
//! ```no_run
//! use veridic::corpus::read::Source;
//! use veridic_bench::benchmarks::jsonl::Labelled;
//! use veridic_bench::{Benchmark, ScoreList, read};
//!
//! let benchmark = Labelled::default(); // fields document, summary and label (1 = consistent)
//! let reading = read(&benchmark, Source::find(&["rows.jsonl"], None)?.rows())?;
//! let scores = ScoreList::of_numbers(&std::fs::read_to_string("scores.txt")?)?;
//! let (scores, _) = scores.assign(&reading)?;
//! let figures = benchmark.figures(&reading.cases, &scores)?;
//! println!("{}", benchmark.show("scores.txt", &figures).lines.join("\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`benchmarks`] | AggreFact, LLM-AggreFact, SummEdits, Story-SummEval, TofuEval, labelled rows: balanced accuracy under a threshold; FRANK, QAGS, SummEval, REALSumm, LongEval: correlation with ratings; ROSE: easiness of claims |
//! | [`protocol`] | what their protocols are made of, up to the trait [`Benchmark`] and its readers |
//! | [`entities`] | answers about entities against human answers: kappa |
//! | [`paired`] | two score files on the same rows: differences with tests |
//! | [`calibrate`] | labelled scores to a limit of support, as a rules file, cross-validated |
//! | [`metrics`], [`llm`], [`similarity`], [`extract`] | the papers' evaluators and what they are made of; [`plan`] makes one from settings |
//!
//! A benchmark reads rows, applies its protocol and shows the figures ([`Benchmark`]). Its documentation names the paper
//! that defines the data, the label and the figures; published tables are files in `published/`; the statistics and their
//! sources are in [`veridic_stats`].
//!
//! A row is called consistent if its score is **above** the threshold. Without rows of one label, balanced accuracy is the
//! recall of the other label, as in scikit-learn, with a warning. Intervals are the middle 95% of 1,000 bootstrap samples of
//! documents, drawn from a fixed seed, so that the same scores give the same figures.

pub mod benchmarks;
pub mod calibrate;
pub mod entities;
pub mod extract;
pub mod labelled_scores;
pub mod llm;
pub mod metrics;
pub mod paired;
pub mod plan;
mod program;
pub mod protocol;
pub mod similarity;
#[cfg(test)]
mod tests;

pub use metrics::Evaluator;
pub use program::main;
pub use protocol::{
    About, Answers, BenchError, Benchmark, Beside, Case, Deviation, Estimate, Figures, Given, GivenAnswers,
    Interval, Key, MatchedBy, PublishedRow, PublishedTable, Rating, Reading, RowContent, RunSetUp, ScoreList,
    Shown, Split, Text, TextLevel, against_the_papers, read, stratified_sample,
};
