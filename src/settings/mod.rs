//! Settings by their keys: the key, values and description of each are defined once, in a table's row
//! (`rules/table.rs`, `plan/table.rs`). Flags, keyword arguments, rules files, help and the reference page are derived
//! from the rows; a value is always parsed from its text.

mod given;
mod text;

pub use crate::named::UnknownName;

pub use self::given::{Given, GivenValue};
pub(crate) use self::text::list_text;
pub use self::text::{between, list, number, off_or, off_or_text, parsed, switch, switch_text};

/// A setting, as the user types it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its key in `--set KEY=VALUE`, in rules files and in keyword arguments.
    pub key: &'static str,
    /// The form of its value.
    pub value: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The meaning of its values; empty if the description suffices.
    pub more: &'static str,
    /// Whether commands that judge have a flag for it, besides `--set`.
    pub has_flag: bool,
    /// The heading of its group: [`RULES_GROUP`], [`MODEL_GROUP`], or one of another crate.
    pub group: &'static str,
}

/// The group of everything that a verdict depends on.
pub const RULES_GROUP: &str = "Rules";

/// The group of the judge and its execution.
pub const MODEL_GROUP: &str = "Model";

/// A setting of a value of type `T`: its parser and formatter.
#[derive(Debug)]
pub struct Row<T: 'static> {
    /// The setting.
    pub setting: Setting,
    /// Parses a text into the value; the error says what is expected.
    pub read: fn(&mut T, &str) -> Result<(), String>,
    /// The text of the value.
    pub show: fn(&T) -> String,
}

impl<T> Row<T> {
    /// Applies the given values of the settings of a table, in the table's order.
    ///
    /// # Errors
    /// When a value is invalid for its key.
    pub fn apply(table: &'static [Self], all: &Given, value: &mut T) -> crate::Result<()> {
        for Row { setting, read, .. } in table {
            if let Some(given) = all.get(setting.key) {
                read(value, &given.text).map_err(|expected| all.located(given.refused(expected)))?;
            }
        }
        Ok(())
    }
}

/// All settings of the library, rules first.
pub fn all() -> impl Iterator<Item = &'static Setting> {
    let rules = crate::rules::RULES.iter().map(|row| &row.setting);
    rules.chain(crate::plan::table::settings())
}

/// Returns the setting with this key among `settings`, all those of a program.
///
/// # Errors
/// If there is none; the error lists the keys.
pub fn known(
    settings: impl IntoIterator<Item = &'static Setting>,
    key: &str,
) -> crate::Result<&'static Setting> {
    let mut keys = Vec::new();
    for setting in settings {
        if setting.key == key {
            return Ok(setting);
        }
        keys.push(setting.key);
    }
    Err(crate::Error::UnknownSetting { name: key.to_owned(), known: keys })
}

/// The setting with this key.
#[must_use]
pub fn find(key: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_page_has_every_key_with_its_value_and_line() {
        let page = include_str!("../../docs/reference/settings.md");
        for Setting { key, value, about, .. } in all() {
            let row = format!("| `{key}` | `{}` | {about} |", value.replace('|', "\\|"));
            assert!(page.contains(&row), "docs/reference/settings.md lacks this row:\n{row}");
        }
    }
}
