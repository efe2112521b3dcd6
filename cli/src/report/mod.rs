//! The report: judged rows as one HTML file that a browser opens without a network. Decides what the file
//! holds and in which order rows stand; how they look is decided by `assets/`, whose view is the server's
//! page's too. Refuses rows whose spans do not fit their texts, and never shows text as markup: rows
//! travel as compressed data, and the file's content policy runs the scripts named in it and no other.

mod base64;
mod data;
mod error;
mod figures;
mod index;
mod labels;
mod page;
mod pairs;
mod row;
mod scored;
#[cfg(test)]
mod tests;
mod write;

#[cfg(feature = "server")]
pub(crate) use page::escaped;
pub use page::{VIEW_SCRIPT, VIEW_STYLE, policy};
pub use pairs::{JudgedPair, Pairs, ReportRow};
pub use write::{write, write_file};
