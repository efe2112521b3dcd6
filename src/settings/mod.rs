//! Settings by their keys: the key, values and description of each are defined once, in a table's row
//! (`rules/table.rs`, `plan/table.rs`). Flags, keyword arguments, rules files, help and the reference page are derived
//! from the rows; a value is always parsed from its text.

mod given;
mod row;
mod setting;
mod text;

pub use crate::named::UnknownName;

pub use self::given::{Given, GivenValue};
pub use self::row::Row;
pub use self::setting::{MODEL_GROUP, RULES_GROUP, Setting, known};
pub(crate) use self::text::list_text;
pub use self::text::{between, list, number, off_or, off_or_text, parsed, switch, switch_text};
