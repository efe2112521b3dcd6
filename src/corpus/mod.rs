//! Corpora: rows in, judged rows out.

mod journal;
mod jsonl;
pub mod read;
pub mod run;
pub mod write;

pub use journal::{Journal, JournalError, RowKey};
pub use jsonl::{Fields, RowError, field_text, field_texts, parse_rows};
