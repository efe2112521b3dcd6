//! A second question to the judge: if not this number, date, name or order of names, which one? A part of the claim is
//! replaced by fillings that the evidence offers, and the judge reads the changed claims against the same premise.
//!
//! `requests` selects the fillings (`crate::text`'s `fillings`) and has the judge read them, `decide` evaluates their
//! entailment, and `places` finds the replaced part in the texts.

mod decide;
mod instead;
mod places;
mod requests;

pub(crate) use instead::Contrast;
pub use instead::{Certainty, FillingKind, Instead};
pub(crate) use places::as_given;
pub(crate) use requests::{AnsweredClaim, ContrastRequest, SecondQuestion};
