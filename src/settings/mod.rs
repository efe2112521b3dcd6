//! Settings by their keys: what each is called, what it takes and what it does stands once, in a table's row
//! (`rules/table.rs`, `plan/table.rs`). Flags, keyword arguments, rules files, help and the reference page are made of the
//! rows; a value is always read from its text.

mod given;
mod text;

pub use crate::named::UnknownName;

pub use self::given::{Given, GivenValue};
pub use self::text::{between, list, list_text, number, off_or, off_or_text, parsed, switch, switch_text};

/// A setting, as a person types it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its key: in `--set KEY=VALUE`, in a rules file, as a keyword argument.
    pub key: &'static str,
    /// The form of its value.
    pub value: &'static str,
    /// What it does: one line.
    pub about: &'static str,
    /// What its values mean; empty where one line says it all.
    pub more: &'static str,
    /// Which commands have a flag of its own for it.
    pub flag: Flag,
    /// What it is about.
    pub group: Group,
}

/// Which commands have a flag for a setting, beside `--set`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// All that judge.
    Judging,
    /// Those that measure: benchmarks, and requests to a language model.
    Measuring,
    /// None.
    None,
}

/// What a setting is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The rules: everything that a verdict depends on.
    Rules,
    /// The judge and how it runs.
    Model,
    /// Metrics beside the claims, and what they read.
    Metrics,
}

/// A setting of a value `T`: how its text changes the value, and its text.
#[derive(Debug)]
pub struct Row<T: 'static> {
    /// The setting.
    pub setting: Setting,
    /// Reads a text into the value; an error says what is expected.
    pub read: fn(&mut T, &str) -> Result<(), String>,
    /// The text of the value.
    pub show: fn(&T) -> String,
}

impl<T> Row<T> {
    /// Applies the given values of the settings of a table, in the table's order.
    ///
    /// # Errors
    /// A value that its key does not take.
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

/// The setting of a key.
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
