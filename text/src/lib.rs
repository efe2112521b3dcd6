//! Text as the engine sees it: spans, sentences, windows.
//!
//! Decides where a text is cut and how a piece of it is named. Refuses everything that needs a
//! model, a tokenizer or a file: what is here is a pure function of the text given.

mod abbreviations;
mod clauses;
mod coreference;
mod index;
mod language;
mod lines;
mod names;
mod quantities;
mod quotation;
mod reading;
mod sentences;
mod span;
mod stops;
mod style;
#[cfg(test)]
mod tests;
mod token;
mod windows;
mod word_list;
mod wording;

pub use clauses::{Clause, Lookup, Part, Spoken, clauses, clauses_in, is_only_marks, parts};
pub use coreference::{Cluster, Mention, MentionKind, clusters as coreference};
pub use index::TextIndex;
pub use language::{Language, Languages, PairLanguages};
pub use names::{Name, Names, names};
pub use quantities::{
    Amount, Date, Kind, Modifier, Quantities, Quantity, RangeEnd, Time, Value, Written, quantities,
};
pub use quotation::{hull, quotation};
pub use reading::{Reading, read_all};
pub use sentences::sentences;
pub use span::{Span, SpanError};
pub use windows::{packed, window_span, windows};
pub use wording::{Vocabulary, Word, WordKind, Wording, denies, words};
