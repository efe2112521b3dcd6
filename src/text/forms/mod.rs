//! Documents that are not prose: recognised by their content, and read as passages that a judge of prose can read.
//!
//! Each form has one reader. It returns the passages of a text with the edits that make them read as words: a row of a
//! table with its headers said again, a line of a log, a message with its sender. A reader decides by layout, never by
//! what the text is about, and refuses what it does not recognise: the text is then prose. Every visible character stays
//! in a passage, or in the prose around the passages, or is a mark of the layout.

mod commands;
mod data;
mod diff;
mod lines;

mod log;
mod mail;
mod passage;
mod records;
mod table;

pub use self::passage::{Form, Part, Passage, Reading};
