//! From settings to a scorer or an evaluator: settings are read, models are loaded, rules are resolved. The command line and
//! Python share this: each only collects what it was given.

mod answers;
mod builder;
mod device;
mod encoder;
mod evaluator;
pub(crate) mod table;

pub use self::answers::{Asking, read_answers, templates};
pub use self::builder::{Builder, OnNote, nli_source};
pub use self::device::Dtype;
pub use self::table::{JudgeSettings, KeyFacts, MetricSettings, ModelSettings};
