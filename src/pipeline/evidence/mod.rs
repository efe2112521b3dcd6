//! From what was found for a claim to the probability that the document supports it.
//!
//! A maximum over many premises picks false alarms, and a small NLI model overlooks changed names and numbers. So
//! what it says is weighed together with exact facts: `facts` looks them up, `weights` is the logistic model that
//! weighs them, a handful of coefficients fitted by `fit` on labelled rows, in one readable file a NLI model. `counter`
//! says whether a sentence is about a claim at all, without which it is no counter-evidence, `otherwise` whether it gives a
//! quantity of the claim otherwise.

mod calibration;
mod facts;
mod fit;
mod quantity_conflict;
mod relevance;

pub use calibration::{
    Calibration, CalibrationError, Contribution, Curve, FittedFor, FittedOn, Support, Weights,
};
pub(super) use facts::{Document, Looked};
pub use facts::{Fact, Facts, NotInDocument};
pub use fit::{FitRow, fit};
pub use quantity_conflict::QuantityConflict;
pub(super) use quantity_conflict::quantity_conflict;
pub(super) use relevance::is_about;
