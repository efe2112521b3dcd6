//! Screening: of each claim only the most promising premises are read by the judge. `rank` ranks them, and `reader` is the
//! small model that reads sentences first, where the method has one. What is kept depends on (document, claim, rules) alone.

mod rank;
mod reader;

pub use self::rank::{Candidate, Chosen, Screening};
pub use self::reader::ScreenReader;
pub(crate) use self::reader::{Reading, ToRead};
