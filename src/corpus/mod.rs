//! Corpora: rows in, judged rows out.

mod jsonl;
mod output;

pub use jsonl::{Fields, RowError, field_text, field_texts, parse_rows};
pub use output::RowOutput;
