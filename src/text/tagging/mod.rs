//! Parts of speech by lists, endings and neighbours.
//!
//! Decides one tag per token, left to right, with a short look ahead where a word may be a noun or a verb. Refuses
//! probabilities: a word that no rule decides is a noun (or, with a capital letter, a name).
//!
//! `tokens` -> `tagger`, which calls `by_itself` (over the `lexicon`), `compounds` and `context`; `context` leaves possible
//! verbs to `verb_context`, and both know what is `left` and look `ahead`. `completeness` asks whether pieces of a text can
//! be sentences; `tagged_words` is the view that other crates have.

mod ahead;
mod by_itself;
mod completeness;
mod compounds;
mod context;
mod left;
mod lexicon;
mod tagged_words;
mod tagger;
mod tokens;
mod verb_context;
mod word;

pub(crate) use completeness::can_be_two_sentences;
pub(crate) use lexicon::verb_forms::{Forms, verb_form};
pub use tagged_words::{Lookup, PartOfSpeech, TaggedWord, tagged_words};
pub(crate) use tagger::tag;
pub(crate) use tokens::{each_token, tokens};
pub(crate) use word::{Tag, Word};
