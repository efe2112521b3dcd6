//! Benchmarks of factuality scores, comparisons of score files, and calibration: the measuring half of
//! [Veridic](https://docs.rs/veridic).
//!
//! A benchmark reads its authors' files into [`Case`]s, texts to judge against documents. Their scores may come from
//! anywhere: reading and measuring run no model. With one score per case the benchmark applies its published protocol, and
//! its figures are shown as a table beside published ones, or serialized.
//!
//! ```no_run
//! use veridic::corpus::read::Source;
//! use veridic_bench::jsonl::Labelled;
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
//! | [`aggrefact`], [`llm_aggrefact`], [`summedits`], [`story_summeval`], [`tofueval`], [`jsonl`] | binary labels: balanced accuracy under a threshold |
//! | [`frank`], [`qags`], [`summeval`], [`realsumm`], [`longeval`] | human ratings: correlations |
//! | [`rose`] | claims against human-written claims: easiness |
//! | [`entities`] | answers about entities against human answers: kappa |
//! | [`paired`] | two score files on the same rows: differences with tests |
//! | [`calibrate`] | labelled scores to a limit of support, as a rules file, cross-validated |
//!
//! A benchmark reads rows, applies its protocol and shows the figures ([`Benchmark`]). Its documentation names the paper
//! that defines the data, the label and the figures; published tables are files in `published/`; the statistics and their
//! sources are in [`veridic_stats`].
//!
//! A row is called consistent if its score is **above** the threshold. Without rows of one label, balanced accuracy is the
//! recall of the other label, as in scikit-learn, with a warning. Intervals are the middle 95% of 1,000 bootstrap samples of
//! documents, drawn from a fixed seed, so that the same scores give the same figures.

pub mod aggrefact;
mod answers;
mod benchmark;
pub mod calibrate;
mod compare;
mod decide;
mod documents;
pub mod entities;
mod estimate;
pub mod extract;
mod fields;
mod figures;
pub mod frank;
pub mod jsonl;
pub mod labelled_scores;
mod layout;
pub mod llm;
pub mod llm_aggrefact;
pub mod longeval;
pub mod metrics;
mod missing;
pub mod paired;
pub mod plan;
mod program;
mod published;
pub mod qags;
mod rated;
mod read;
pub mod realsumm;
pub mod rose;
mod scores;
pub mod similarity;
mod split;
pub mod story_summeval;
mod stratified;
pub mod summedits;
pub mod summeval;
#[cfg(test)]
mod tests;
mod text_level;
pub mod tofueval;
mod votes;

pub use answers::{Answers, GivenAnswers};
pub use benchmark::{About, Benchmark, Case, Column, Given, Key, Label, RowContent, Shown};
pub use compare::{Compared, beside_comparison, compare, comparison_table};
pub use decide::Threshold;
pub use estimate::{Estimate, Interval};
pub use figures::Figures;
pub use metrics::Evaluator;
pub use program::main;
pub use published::{Beside, Deviation, PublishedRow, PublishedTable, RunSetUp, against_the_papers};
pub use read::{BenchError, Reading, read};
pub use scores::{MatchedBy, ScoreList};
pub use stratified::stratified_sample;
pub use text_level::TextLevel;
