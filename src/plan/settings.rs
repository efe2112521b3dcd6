//! Settings are listed once: a list gives the struct, a setter each, and reading them from JSON, as Python's keyword
//! arguments arrive.

/// Lists the settings of a struct. Each is `text` (read from its name by `FromStr`) or `json` (a JSON value), and none
/// until it is set. The struct's other fields come after `beside`, with their types.
macro_rules! settings {
    (
        $(#[$about:meta])* $vis:vis struct $type:ident { $($(#[$beside_doc:meta])* beside $beside:ident: $beside_type:ty,)* }
        $($(#[$doc:meta])* $how:ident $setting:ident: $value:ty,)*
    ) => {
        $(#[$about])*
        $vis struct $type {
            $($(#[$beside_doc])* pub(crate) $beside: $beside_type,)*
            $(pub(crate) $setting: Option<$value>,)*
        }

        impl $type {
            /// The names of the settings.
            pub(super) const NAMES: &[&str] = &[$(stringify!($setting)),*];

            /// No setting is given.
            fn with($($beside: $beside_type),*) -> Self {
                Self { $($beside,)* $($setting: None,)* }
            }

            $($(#[$doc])*
            #[must_use]
            pub fn $setting(mut self, $setting: impl Into<Option<$value>>) -> Self {
                self.$setting = $setting.into();
                self
            })*

            /// Sets the setting of that name from JSON; `false` if there is none of that name.
            ///
            /// # Errors
            /// [`Error::Setting`]($crate::Error::Setting) for a value that the setting does not take.
            pub(super) fn set_json(&mut self, setting: &str, value: &serde_json::Value) -> $crate::Result<bool> {
                match setting {
                    $(stringify!($setting) => {
                        self.$setting = $crate::plan::settings::$how(stringify!($setting), value)?;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

pub(super) use settings;

use std::fmt::Display;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};

/// A value that is read from its text; null sets nothing.
pub(super) fn text<T: FromStr<Err: Display>>(setting: &'static str, value: &Value) -> Result<Option<T>> {
    match json::<String>(setting, value)? {
        None => Ok(None),
        Some(text) => {
            text.parse().map(Some).map_err(|error: T::Err| Error::setting(setting, &text, error.to_string()))
        }
    }
}

/// A JSON value; null sets nothing.
pub(super) fn json<T: DeserializeOwned>(setting: &'static str, value: &Value) -> Result<Option<T>> {
    Option::<T>::deserialize(value).map_err(|error| Error::setting(setting, value, error.to_string()))
}
