//! The report: judged rows as one HTML file that a browser opens offline. Decides the file's content and the order of the
//! rows; `assets/` decides how they look, and the server's page shares its view. Refuses rows whose spans do not fit their
//! texts. Text never becomes markup: rows are compressed data, and the content security policy allows only the file's own
//! scripts.

mod agreement;
mod data;
mod error;
mod index;
mod labels;
mod page;
mod pairs;
mod row;
mod scored;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use agreement::Agreement;
pub(crate) use error::ReportError;
#[cfg(feature = "server")]
pub(crate) use page::escaped;
#[cfg(feature = "server")]
pub(crate) use page::{VIEW_SCRIPT, VIEW_STYLE, policy};
pub(crate) use pairs::{JudgedPair, OwnFields, Pairs, ReportRow};
pub(crate) use write::{write, write_file};
