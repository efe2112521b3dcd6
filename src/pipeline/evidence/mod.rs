//! From what is found for a claim to the probability that the document supports it.
//!
//! A maximum over many premises picks false alarms, and a small NLI model overlooks changed names and numbers. So its
//! scores are weighed together with exact facts: `facts` looks them up, `weights` is the logistic model that weighs them,
//! `calibration` its file, and `fit` fits its few coefficients to labelled rows. `risk` is how likely a verdict is wrong.
//! Counter-evidence must be about the claim (`relevance`), and may be a quantity with another value
//! (`quantity_conflict`). Quantities themselves are read and compared in `veridic_text`'s `quantities`.

mod calibration;
mod facts;
mod fit;
mod quantity_conflict;
mod relevance;
mod risk;
mod weights;

pub use calibration::{Calibration, CalibrationError, FittedFor, FittedOn, Format};
pub(super) use facts::{DocumentIndex, FactTexts};
pub use facts::{Fact, FactValues, Facts, NotInDocument};
pub use fit::{FitRow, fit};
pub use quantity_conflict::QuantityConflict;
pub(super) use quantity_conflict::quantity_conflict;
pub(super) use relevance::is_about;
pub use risk::{Doubt, Doubts, Risk, RiskLimit};
pub use weights::{Contribution, Curve, Support, Weights};
