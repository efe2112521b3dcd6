//! Screening: the judge reads only the most promising premises of each claim. `rank` ranks them, and `reader` is the
//! small model that reads sentences first, if the method uses one. The kept premises depend on (document, claim, rules)
//! alone.

mod rank;
mod reader;

pub use self::rank::{Candidate, Chosen, Screening};
pub use self::reader::ScreenReader;
pub(crate) use self::reader::{Reading, ScreenClaim, ScreenRequest};
