//! The path of a (document, summary) pair to its verdict. `scorer.rs` is the path itself, in order; each other file decides
//! one thing.

mod align;
mod citations;
mod claim_events;
mod claims;
mod contrast;
mod coref;
mod corrected;
pub mod decide;
mod findings;
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
pub use coref::{CorefResolver, Substitution};
pub use findings::{ClaimFindings, NotInDocument, QuantityConflict};
pub use corrected::{Corrected, corrected};
pub(crate) use input::summary_sentences;
pub use input::{Pair, check_text};
pub use label_scores::{ClassifierInput, LabelScores};
pub use metric_inputs::{MetricInputs, SectionDefinition};
pub use nli::{NliPair, NliResult, tokenize_pair};
pub(crate) use provenance::scope_of;
pub(crate) use reading::ReadPair;
pub(crate) use result::digest;
pub use result::{
    ClaimResult, CounterEvidence, Evidence, Extract, Ledger, Limits, ModelId, Models, PairResult,
    ProfileStamp, SCHEMA, Scale, Support,
};
pub use scorer::Scorer;
pub use screen::ScreenReader;
pub use settings::{DEFAULT_PAIRS_IN_FLIGHT, Settings};
pub use sources::{Source, SourceSpans, SourceText, Sources, SourcesError};
pub use stream::{JudgedSentence, ScoreStream};
pub use unsupported_words::UnsupportedWords;
pub use verdict::{Reason, Verdict};
