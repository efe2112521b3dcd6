//! The laboratory of [Veridic](https://docs.rs/veridic): benchmarks of factuality scores, the papers' metrics, comparisons of
//! score files, and calibration, as a program ([`main`]). As a library it has the metrics: [`plan`] makes an [`Evaluator`] from
//! settings.
//!
//! | module | what |
//! |---|---|
//! | `benchmarks` | AggreFact, LLM-AggreFact, SummEdits, Story-SummEval, TofuEval, labelled rows: balanced accuracy under a threshold; FRANK, QAGS, SummEval, REALSumm, LongEval: correlation with ratings; ROSE: easiness of claims |
//! | `protocol` | what their protocols are made of, up to the trait `Benchmark` and its readers |
//! | `entities` | answers about entities against human answers: kappa |
//! | `paired` | two score files on the same rows: differences with tests |
//! | `calibrate` | labelled scores to a limit of support, as a rules file, cross-validated |
//! | [`metrics`], [`llm`], [`similarity`], [`extract`] | the papers' evaluators, and what they are made of |
//! | `program` | the command line of all of these |
//!
//! A benchmark reads its authors' files into cases, texts to judge against documents. Their scores may come from anywhere:
//! reading and measuring run no model. With one score per case the benchmark applies its published protocol, and its figures
//! are shown as a table beside published ones, or serialized. Its documentation names the paper that defines the data, the
//! label and the figures; published tables are files in `published/`; the statistics and their sources are in
//! [`veridic_stats`].
//!
//! A row is called consistent if its score is **above** the threshold. Without rows of one label, balanced accuracy is the
//! recall of the other label, as in scikit-learn, with a warning. Intervals are the middle 95% of 1,000 bootstrap samples of
//! documents, drawn from a fixed seed, so that the same scores give the same figures.

mod benchmarks;
mod calibrate;
mod entities;
pub mod extract;
mod labelled_scores;
pub mod llm;
pub mod metrics;
mod paired;
pub mod plan;
mod program;
mod protocol;
pub mod similarity;
#[cfg(test)]
mod tests;

pub use metrics::Evaluator;
pub use program::main;
