//! Veridic says, claim by claim, whether a summary is supported by its source document, and shows
//! the evidence. It implements FENICE (Scirè, Ghonim, Navigli, ACL Findings 2024) on models that
//! run in this process.
//!
//! ```no_run
//! # fn main() -> veridic::Result<()> {
//! let scorer = veridic::Scorer::load("base", &Default::default(), veridic::Settings::default())?;
//! let result = scorer.score("The council met on Monday. It rejected the plan.", "The plan was rejected.")?;
//! println!("{} {:?}", result.score, result.verdict);
//! # Ok(())
//! # }
//! ```

pub mod corpus;
mod error;
pub mod extract;
pub mod metrics;
mod named;
pub mod notes;
pub mod pipeline;
pub mod plan;
pub mod schedule;
pub mod similarity;

pub use error::{Error, Result};

pub use pipeline::{Pair, PairResult, Profile, Scorer, Settings, Verdict};
pub use veridic_models::{LoadOptions, Precision, add_models_folder};

/// What the other packages of Veridic use and callers do not need.
#[doc(hidden)]
pub mod internal {
    pub use crate::named::UnknownName;
}
