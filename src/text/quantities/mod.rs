//! Quantities of an English text: numbers, money, shares, measures, durations, ordinals, dates and times of day, as values
//! with units and the precision in which they are written.
//!
//! Decides which value a piece of text has, and whether another text implies it, with the rounding that is usual in prose.
//! An ambiguous piece ("5m", "03/05/2024", "1974", "pounds") keeps all its readings, with the same span. What is counted
//! is ignored ("21 people" and "21 houses" are 21), today's date is unknown ("last Friday"), and money is not converted.
//!
//! `reading` goes through the `tokens` with `labels`, `numerals` (digits and number words) -> `amounts` (units, ranges,
//! modifiers) with `pairs` and `elided`, `dates` and `times`, and `layout` for what layouts leave out; `agree` compares
//! values, `kinds` what is measured, and `lookup` finds the quantities of one text in another. `notation` writes the
//! quantities of a claim as the document does, with `bounds` that the document's values meet.
//! The word lists are the .tsv files.

mod agree;
mod amounts;
mod bounds;
mod dates;
mod elided;
mod kinds;
mod labels;
mod layout;
mod lists;
mod lookup;
mod notation;
mod numerals;
mod pairs;
mod quantity;
mod reading;
#[cfg(test)]
mod tests;
mod times;
mod tokens;

pub(crate) use self::agree::agree;
pub(crate) use self::lists::{is_part_of_text, is_unit};
pub use self::lookup::Quantities;
pub use self::notation::ReadClaim;
pub(crate) use self::notation::fitted;
pub use self::quantity::{AmountKind, Quantity, Value};
