//! Statistics of scores against binary labels. Pure: numbers in, numbers out; no model, no file.

mod random;
mod ranking;
mod threshold;

pub use random::SplitMix64;
pub use ranking::{average_precision, roc_auc};
pub use threshold::{balanced_accuracy, best_threshold};
