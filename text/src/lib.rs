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
mod normalized_text;
mod quantities;
mod quotation;
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

pub use clauses::{
    Clause, Lookup, PartOfSpeech, TaggedWord, clauses, clauses_in, is_only_marks, tagged_words,
};
pub use coreference::{Cluster, EntityMention, MentionKind, coreference_clusters};
pub use index::TextIndex;
pub use language::{Language, Languages, PairLanguages};
pub use names::{Name, Names, names};
pub use normalized_text::{NormalizedText, normalize_all};
pub use quantities::{
    Amount, AmountKind, Date, Modifier, Quantities, Quantity, RangeEnd, Time, Value, Written, quantities,
};
pub use quotation::{enclosing_span, quotation};
pub use sentences::sentences;
pub use span::{Span, SpanError};
pub use windows::{window_span, windows, windows_by_size};
pub use wording::{Vocabulary, Word, WordKind, Wording, has_negation, words};
