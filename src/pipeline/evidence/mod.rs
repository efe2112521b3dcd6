//! From what was found for a claim to the probability that the document supports it.
//!
//! A maximum over many premises picks false alarms, and a small NLI model overlooks changed names and numbers. So
//! what it says is weighed together with exact facts: `facts` looks them up, `weights` is the logistic model that
//! weighs them, a handful of coefficients fitted by `fit` on labelled rows, in one readable file a NLI model. `counter`
//! says whether a sentence is about a claim at all, without which it is no counter-evidence, `otherwise` whether it gives a
//! quantity of the claim otherwise.

mod counter;
mod facts;
mod fit;
mod otherwise;
mod weights;

pub(super) use counter::is_about;
pub(super) use facts::{Document, Looked};
pub use facts::{Fact, Facts, Unseen};
pub use fit::{FitRow, fit};
pub use otherwise::Otherwise;
pub(super) use otherwise::otherwise;
pub use weights::{
    Calibration, CalibrationError, Contribution, Curve, FittedFor, FittedOn, Support, Weights,
};
