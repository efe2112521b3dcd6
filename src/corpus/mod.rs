//! Corpora: readers of rows, runs that judge them, and writers of results.

mod citation_counts;
mod file_error;
mod formulas;
mod found;
mod journal;
mod jsonl;
mod judge;
pub mod rates;
pub mod read;
pub mod run;
mod text_json;
pub mod write;

pub use crate::input::Fields;
pub use file_error::FileError;
pub use journal::Journal;
pub use jsonl::{each_row, field_text, field_texts};
pub use judge::{JudgedRow, RowJudge};
pub use run::RunSummary;
pub use text_json::from_json;
