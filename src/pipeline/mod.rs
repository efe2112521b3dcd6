//! The path of a (document, summary) pair to its verdict. `scorer.rs` is the path itself, in order; each other file decides
//! one thing.

mod align;
mod citations;
mod claim_events;
mod claims;
mod contrast;
mod coref;
mod corrected;
pub mod evidence;
mod in_flight;
mod input;
mod judge;
mod label_scores;
mod metric_inputs;
mod nli;
mod pair_language;
mod premise_order;
mod premises;
mod prepare;
mod presets;
mod profile;
mod provenance;
mod reading;
mod result;
mod rounds;
mod scorer;
mod screen;
mod settings;
mod setup;
mod sources;
mod stream;
mod unsupported_words;
mod verdict;

pub use citations::{Citation, CitationVerdict};
pub use claim_events::{ClaimEvent, OnClaimEvent};
pub use claims::{Claim, ClaimExtractor, ClaimRecord, Claims, ClaimsFrom, Summary};
pub use contrast::{Certainty, FillingKind, Instead};
pub use coref::{CorefResolver, Rewriting, Substitution};
pub use corrected::{Corrected, corrected};
pub(crate) use input::summary_sentences;
pub use input::{Pair, check_text};
pub use label_scores::{ClassifierInput, LabelScores};
pub use metric_inputs::{MetricInputs, SectionDefinition};
pub use nli::{NliPair, NliResult, tokenize_pair};
pub use profile::{
    Chunks, Level, OverClaims, Overflow, Pooling, Profile, ProfileName, ScoreRule, Thresholds, WindowRule,
};
pub(crate) use provenance::scope_of;
pub(crate) use reading::ReadPair;
pub(crate) use result::digest;
pub use result::{
    ClaimResult, CounterEvidence, Evidence, Extract, Ledger, Limits, ModelId, Models, PairResult,
    ProfileStamp, SCHEMA, Scale,
};
pub use scorer::Scorer;
pub use screen::{Screen, ScreenMethod, ScreenReader};
pub use settings::{DEFAULT_PAIRS_IN_FLIGHT, Settings};
pub use sources::{Source, SourceSpans, SourceText, Sources, SourcesError};
pub use stream::{JudgedSentence, ScoreStream};
pub use unsupported_words::UnsupportedWords;
pub use verdict::{Reason, Verdict};
