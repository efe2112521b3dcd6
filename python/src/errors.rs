//! Converts the library's errors to exceptions of `veridic.errors`, with settings as keyword arguments: `max_tokens=10`.

use pyo3::PyErr;
use veridic::Error;

mod imported {
    #![allow(missing_docs)]
    pyo3::import_exception!(veridic.errors, ModelError);
    pyo3::import_exception!(veridic.errors, SettingError);
    pyo3::import_exception!(veridic.errors, TextError);
    pyo3::import_exception!(veridic.errors, VeridicError);
}
pub(crate) use imported::{ModelError, SettingError, TextError, VeridicError};

/// Returns the name of the exception's class.
pub(crate) fn class(error: &Error) -> &'static str {
    match error {
        Error::Text { .. } | Error::ClaimTooLong { .. } => "TextError",
        Error::Model(veridic_models::ModelError::TooLong { .. }) => "TextError",
        Error::Model(_) | Error::SettingModel { .. } | Error::NotFinite { .. } => "ModelError",
        Error::Setting { .. } | Error::UnknownSetting { .. } | Error::RulesFile { .. } => "SettingError",
        Error::InFile { error, .. } => class(error),
        _ => "VeridicError",
    }
}

/// Returns the exception.
pub(crate) fn exception(error: &Error) -> PyErr {
    let message = message(error);
    match class(error) {
        "TextError" => TextError::new_err(message),
        "ModelError" => ModelError::new_err(message),
        "SettingError" => SettingError::new_err(message),
        _ => VeridicError::new_err(message),
    }
}

/// Returns the message, with a setting as Python's keyword argument.
pub(crate) fn message(error: &Error) -> String {
    error.message(|setting, value| format!("{setting}={value}"))
}
