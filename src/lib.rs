//! Veridic says, claim by claim, whether a summary (or any generated text) is supported by its source document, and
//! shows the evidence. It implements FENICE (Scirè, Ghonim, Navigli, ACL Findings 2024): claims are taken from the
//! summary, an NLI model reads each claim against sentences, windows and the whole document, the maximum over them is
//! the claim's score, and the summary's score is made of its claims' scores. Models run in this process.
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
//! `mini` is a small model inside the library (feature `bundled`); `base`, the better default, is a folder beside the program or in a
//! checkout; every DeBERTa-v2/v3, BERT, RoBERTa or MPNet NLI classifier is loaded from its folder or from the cache of
//! the Hugging Face hub. [`Builder`] takes the settings, [`rules`] is everything that a verdict depends on.
//!
//! # Results
//! [`PairResult`] holds the claims with score, [`Verdict`], probabilities, evidence and counter-evidence; its other
//! types are in [`result`]. Spans are offsets in Unicode characters into the texts as given. It serializes to the JSON
//! that the program prints.
//!
//! # Many pairs, other metrics
//! [`Scorer::score_batch`] packs the pairs of many rows into common batches. [`Builder::build_evaluator`] builds an [`Evaluator`],
//! which also measures FineSurE, SumAutoEval, SummaC, ROUGE and others on the same engine ([`metrics`]).
//!
//! # Threads
//! A [`Scorer`] is `Send + Sync` and cheap to clone; clones share models and caches. It computes on rayon's global
//! thread pool, so one call uses all cores: more callers than one share them.
//!
//! # The same bytes
//! A result depends on document, summary, models and settings alone: neither on batches, order, threads nor caches.
//! On one machine's CPU it is the same bit for bit; 8-bit arithmetic computes the same integers on every CPU.
//!
//! # Errors
//! [`Error`] says which text, file, model or setting is wrong and what to do. A pair that cannot be judged does not
//! affect its neighbours in a batch. Nothing is cut silently: [`result::Ledger`] counts what was split, cut or skipped.
//!
//! # Features
//! - `bundled`: the model `mini` inside the library, 23 MB; not for builds from crates.io, which has no weights.
//! - `cache` (default): scores kept on disk between runs (the setting `cache`).
//! - `hub` (default): fetching models over the network, when asked to.
//! - `parquet` (default): Parquet files of rows.
//! - `grammar`: spelling and grammar for two axes of SumAutoEval; 122 more crates.
//! - `cuda`: NVIDIA GPUs; `cuda-emulation` runs its kernels on the CPU, for tests.
//!
//! # Where numbers come from
//! Formulas name their papers where they are computed. What was measured, with commands, is in docs/measurements of the
//! repository.

#[doc(hidden)]
pub mod corpus;
mod error;
#[doc(hidden)]
pub mod extract;
#[doc(hidden)]
pub mod llm;
pub mod metrics;
mod models;
mod named;
#[doc(hidden)]
pub mod notes;
#[doc(hidden)]
pub mod pipeline;
#[doc(hidden)]
pub mod plan;
pub mod rules;
#[doc(hidden)]
pub mod schedule;
pub mod settings;
#[doc(hidden)]
pub mod similarity;

pub use error::{Error, Result};
pub use metrics::Evaluator;
pub use models::add_models_folder;
pub use pipeline::{
    JudgedSentence, Pair, PairResult, ScoreStream, Scorer, SourceText, Sources, SourcesError, Verdict,
};
pub use plan::{Builder, Device, Dtype};
pub use rules::{Level, OverClaims, ProfileName, Rules, ScoreRule, Screen, ScreenMethod};
pub use veridic_models::{ModelSource, Probabilities};
pub use veridic_text::Span;

/// The parts of a [`PairResult`].
pub mod result {
    pub use crate::pipeline::{
        Certainty, Citation, CitationVerdict, ClaimResult, ClaimsFrom, Corrected, CounterEvidence, Evidence,
        Extract, FillingKind, Instead, Ledger, Limits, ModelId, Models, PairResult, ProfileStamp,
        QuantityConflict, Reason, SCHEMA, Scale, Source, SourceSpans, Substitution, Support,
        UnsupportedWords, Verdict, corrected,
    };
    pub use crate::rules::{
        Cap, Caps, Chunks, ContrastLimits, Overflow, Pooling, Rewriting, Rules, Thresholds, WindowRule,
    };
}

/// What a caller hears of while work runs, and how it ends work early.
pub mod progress {
    pub use crate::pipeline::{ClaimEvent, OnClaimEvent};
    pub use crate::plan::OnNote;
    pub use crate::schedule::{Event, OnEvent, Stage, ignore_events};
}

/// What the other packages of Veridic use and callers do not need.
#[doc(hidden)]
pub mod internal {
    pub use crate::models::{find_model, shipped_models};
    pub use crate::named::UnknownName;
}

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Scorer>();
    is_send_and_sync::<Evaluator>();
};
