//! Fits the limit of support to labelled scores of `veridic run`, by balanced accuracy or by a precision, and writes it as a
//! rules file. A row's score is that of its weakest claim, so a limit for rows is also one for claims.
//!
//! Rows that could not be judged, and rows without a label, are left out and counted. Refuses rows of more than one NLI
//! model or set of rules, since their scores mean different things, and too few rows.

mod fit;
mod limit;
mod rows;
mod rules_file;
mod scored_by;

pub use limit::Goal;
pub use rows::{CalibrationRows, OwnFields};
