//! Text analysis by rules: sentences, windows, parts of speech, coreference, quantities, names and
//! languages. The rules are for English, except those that detect languages.
//!
//! ```
//! use veridic::text::{TextIndex, sentences};
//!
//! let text = "Dr. Ray spoke at 9 a.m. in the U.S. Senate. Repairs cost 2,938,000 euros.";
//! let index = TextIndex::new(text);
//! let found: Vec<&str> = sentences(text).into_iter().map(|span| index.slice(span)).collect();
//! assert_eq!(found, ["Dr. Ray spoke at 9 a.m. in the U.S. Senate.", "Repairs cost 2,938,000 euros."]);
//! ```
//!
//! - `sentences`, `windows`: splitting a text; `forms`: tables, logs, mails, transcripts and others that are not prose.
//! - `statements`: what a text states; `coordination`: the statements that a sentence joins; `tagging`: parts of speech.
//! - `coreference`: mentions of one person or organisation.
//! - `words`, `quantities`, `names`: exact look-ups of one text's words, quantities and names in another text; `wording`:
//!   a text with its words and quantities.
//! - `fillings`: a claim with a quantity, a date or a name replaced by another of its evidence, or denied.
//! - `normalized_text`: a text without the characters that models cannot read; `language`: whether a text is in a
//!   language that a model knows.
//!
//! # Offsets
//! A [`Span`] counts Unicode characters; [`TextIndex`] converts them to bytes. A `Range<usize>` is a range of bytes where
//! its documentation says so.
//!
//! # Determinism
//! Every function is pure: the result depends on the text alone, and not on the machine, threads or earlier calls. There
//! are no models, tokenizers, files or network; word lists are compiled in. Time is linear in the length of the text.

mod abbreviations;
mod assertions;
mod coordination;
mod coreference;
mod fillings;
mod forms;
mod index;
mod language;
mod lines;
mod markdown;
mod markers;
mod names;
mod no_answer;
mod normalized_text;
mod poll;
mod quantities;
mod quotation;
mod sentences;
mod span;
mod statements;
mod stops;
mod style;
mod tagging;
#[cfg(test)]
mod tests;
mod token;
mod windows;
mod word_list;
mod wording;
mod words;

pub(crate) use coordination::coordinated;
pub(crate) use coreference::{EntityMention, MentionKind, coreference_clusters};
pub(crate) use fillings::{Change, Filling, Presence, fillings, speaker_fillings};
pub use forms::Form;
pub(crate) use forms::{Passage, passages};
pub(crate) use index::IndexedText;
pub use index::TextIndex;
pub(crate) use language::Languages;
pub use language::{Language, PairLanguages};
pub(crate) use lines::is_only_marks;
pub(crate) use markers::{Cited, Marker, markers};
pub(crate) use names::{Name, Names, names};
pub(crate) use no_answer::{Absence, NoAnswer};
pub use normalized_text::NormalizedText;
pub(crate) use normalized_text::{Edit, normalize_all};
pub(crate) use poll::{POLLED, Poll, go_on};
pub(crate) use quantities::{AmountKind, Quantities, Quantity, ReadClaim, Value};
pub use quotation::enclosing_span;
pub(crate) use quotation::quotation;
pub use sentences::sentences;
pub use span::Span;
pub(crate) use statements::{Statements, read_alone, statements};
pub use tagging::{Lookup, PartOfSpeech, TaggedWord, tagged_words};
pub use windows::window_span;
pub(crate) use windows::{windows, windows_by_size};
pub(crate) use wording::Wording;
pub use words::{Word, WordKind, has_negation, words};
