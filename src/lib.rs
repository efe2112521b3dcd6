//! Veridic says, claim by claim, whether a summary (or any generated text) is supported by its source document, and
//! shows the evidence. It implements FENICE (Scirè, Ghonim, Navigli, ACL Findings 2024): claims are taken from the
//! summary, an NLI model reads each claim against sentences, windows and the whole document, the maximum over them is
//! the claim's score, and the summary's score is pooled from its claims' scores. Models run in this process.
//!
//! ```
//! # #[cfg(feature = "bundled")] {
//! let scorer = veridic::Scorer::builder("mini").build()?;
//! let result = scorer.score("The council met on Monday. It rejected the plan.", "The plan was rejected.")?;
//! for claim in &result.claims {
//!     println!("{:.2} {:?} {} <- {}", claim.score, claim.verdict, claim.text, claim.evidence.text);
//! }
//! # }
//! # Ok::<(), veridic::Error>(())
//! ```
//!
//! `mini` is a small model inside the library (feature `bundled`); `base`, the better default, is a folder beside the
//! program or in a checkout; every DeBERTa-v2/v3, BERT, RoBERTa or MPNet NLI classifier is loaded from its folder or
//! from the cache of the Hugging Face hub. [`plan::Builder`] takes the settings; [`rules`] has everything that a verdict
//! depends on.
//!
//! # Results
//! [`result::PairResult`] holds the claims with score, verdict, probabilities, evidence and counter-evidence. Spans are
//! offsets in Unicode characters into the texts as given. The result serializes to the JSON that the program prints.
//!
//! # Many pairs
//! [`Scorer::score_batch`] packs the pairs of many rows into common batches. [`corpus::run`] judges files of rows; another
//! crate can add to each row what it computes on the same engine ([`corpus::RowJudge`]).
//!
//! # Threads
//! A [`Scorer`] is `Send + Sync` and cheap to clone; clones share models and caches. It computes on rayon's global
//! thread pool, so that one call uses all cores, and concurrent calls share them.
//!
//! # The same bytes
//! A result depends on document, summary, models and settings alone, not on batches, order, threads or caches. On one
//! machine's CPU it is the same bit for bit; 8-bit arithmetic computes the same integers on every CPU.
//!
//! # Errors
//! [`Error`] says which text, file, model or setting is wrong and what to do. A pair that cannot be judged does not
//! affect its neighbours in a batch. Nothing is cut silently: [`result::Ledger`] counts what was split, cut or skipped.
//!
//! # Features
//! - `bundled`: the model `mini` inside the library, 23 MB; not for builds from crates.io, which has no weights.
//! - `files` (default): documents in PDF, Word, HTML, mail and RTF files ([`files`]).
//! - `hub` (default): fetching models over the network, when asked to.
//! - `parquet` (default): Parquet files of rows.
//!
//! # Where numbers come from
//! Formulas name their papers where they are computed. What was measured, with commands, is in docs/measurements of the
//! repository.

mod align;
mod claims;
pub mod corpus;
pub mod corrected;
mod decide;
mod engine;
mod error;
mod explained;
mod findings;
mod input;
mod models;
mod named;
pub mod notes;
/// The steps of a pair's path, for programs that show or change one.
pub mod pipeline {
    pub use crate::claims::{Claim, ClaimExtractor, Claims, Summary};
    pub use crate::engine::{ClassifierInput, LabelScores, NliPair, NliResult, tokenize_pair};
    pub use crate::input::{check_text, summary_sentences};
    pub use crate::premises::CorefResolver;
    pub use crate::scorer::{ClaimEvent, FoundPart, Normalized, OnClaimEvent, Settings};
}
pub mod plan;
mod premises;
pub mod result;
pub mod rules;
pub mod schedule;
mod scorer;
mod screen;
pub mod settings;
pub mod text;
mod unjudged;

pub use claims::WriteClaims;
pub use error::{Error, Result};
pub use input::{Pair, SourceText, Sources, SourcesError};
pub use models::{add_models_folder, find_model, shipped_models};
pub use scorer::{JudgedSentence, ScoreStream, Scorer};
pub use text::Span;
pub use veridic_files as files;
pub use veridic_models::{ModelSource, Probabilities};

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Scorer>();
};
