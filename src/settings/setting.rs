//! A setting: its key, the form of its value, and what it does.

use crate::error::{Error, Result};

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

/// Returns the setting with this key among `settings`, all those of a program.
///
/// # Errors
/// If there is none; the error lists the keys.
pub fn known(settings: impl IntoIterator<Item = &'static Setting>, key: &str) -> Result<&'static Setting> {
    let mut keys = Vec::new();
    for setting in settings {
        if setting.key == key {
            return Ok(setting);
        }
        keys.push(setting.key);
    }
    Err(Error::UnknownSetting { name: key.to_owned(), known: keys })
}
