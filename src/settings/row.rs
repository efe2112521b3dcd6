//! A row of a table of settings: how a setting's value is read and shown.

use super::given::Given;
use super::setting::Setting;

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
