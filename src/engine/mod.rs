//! Runs the judge: an NLI model with a cache of its outcomes and, if several callers share it, their queue. It takes
//! pairs of token ids or of texts (`pairs`, `label_scores`), and knows neither claims nor rules.

mod batches;
mod identity;
mod label_scores;
mod pairs;

pub use self::batches::Engine;
pub(crate) use self::batches::not_finite;
pub use self::identity::ModelId;
pub(crate) use self::identity::{model_id, nli_id};
pub use self::label_scores::{ClassifierInput, LabelScores};
pub use self::pairs::{NliPair, NliResult, tokenize_pair};
