//! Builds an evaluator from settings: the metrics, their models, and the language model that answers their steps.

mod answers;
mod encoder;
mod evaluator;
mod table;

pub use self::answers::read_answers;
pub(crate) use self::answers::steps;
pub use self::evaluator::EvaluatorBuilder;
pub use self::table::{JudgeSettings, KeyFacts, MetricSettings, all, find, known};
