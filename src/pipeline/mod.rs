//! The path of a (document, summary) pair to its verdict. Read `scorer.rs` first: it names every
//! station in order. The others decide one thing each.

mod aids;
mod align;
mod ask;
mod claims;
mod coref;
pub mod evidence;
mod input;
mod judge;
mod premises;
mod profile;
mod promise;
mod reading;
mod result;
mod scorer;
mod traveller;
mod verdict;
mod watch;
mod words;
mod written;

pub use aids::{Aids, SectionDefinition};
pub use ask::{Answer, Question, raw_pair};
pub use claims::{Claim, ClaimExtractor, Claims, ClaimsFrom, Summary, ToldClaim};
pub use coref::{CorefResolver, Rewriting, Substitution};
pub use input::{MAX_CHARACTERS, MAX_SUMMARY_CHARACTERS, Pair, check_text};
pub use profile::{
    Chunks, Level, OverClaims, Overflow, Pooling, Profile, ScoreRule, Screen, Thresholds, WindowRule,
};
pub(crate) use reading::ReadPair;
pub(crate) use result::digest;
pub use result::{
    ClaimResult, CounterEvidence, Evidence, Extract, Ledger, Limits, ModelId, Models, PairResult,
    ProfileStamp, SCHEMA, Scale,
};
pub use scorer::{Scorer, Settings, USUAL_PAIRS_TOGETHER};
pub use verdict::{Reason, Verdict, pool};
pub use watch::{ClaimNews, OnClaim};
pub use words::UnsupportedWords;
