//! What went wrong, as an exception of `veridic.errors`. Options are called as Python calls them: `max_tokens`, not
//! `--max-tokens`.

use pyo3::PyErr;
use veridic::Error;

mod imported {
    #![allow(missing_docs)]
    pyo3::import_exception!(veridic.errors, CacheError);
    pyo3::import_exception!(veridic.errors, ModelError);
    pyo3::import_exception!(veridic.errors, SettingError);
    pyo3::import_exception!(veridic.errors, TextError);
    pyo3::import_exception!(veridic.errors, VeridicError);
}
pub(crate) use imported::{CacheError, ModelError, SettingError, TextError, VeridicError};

/// The name of the exception's class.
pub(crate) fn class(error: &Error) -> &'static str {
    match error {
        Error::Text { .. } | Error::ClaimTooLong { .. } => "TextError",
        Error::Model(veridic_models::ModelError::TooLong { .. }) => "TextError",
        Error::Model(_) | Error::Option { .. } | Error::Calibration { .. } | Error::NotFinite { .. } => {
            "ModelError"
        }
        Error::Setting(_) => "SettingError",
        Error::Store(_) => "CacheError",
        Error::Stopped => "VeridicError",
    }
}

/// The exception.
pub(crate) fn exception(error: &Error) -> PyErr {
    let message = in_python(&error.to_string());
    match class(error) {
        "TextError" => TextError::new_err(message),
        "ModelError" => ModelError::new_err(message),
        "SettingError" => SettingError::new_err(message),
        "CacheError" => CacheError::new_err(message),
        _ => VeridicError::new_err(message),
    }
}

/// The message with `max_tokens` for `--max-tokens`.
pub(crate) fn in_python(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(place) = rest.find("--") {
        let (before, option) = (&rest[..place], &rest[place + 2..]);
        let end = option.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(option.len());
        let begins = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '-');
        let is_option = begins && option.starts_with(|c: char| c.is_ascii_lowercase());
        text.push_str(before);
        if is_option {
            text.push_str(&option[..end].replace('-', "_"));
        } else {
            text.push_str(&rest[place..place + 2 + end]);
        }
        rest = &option[end..];
    }
    text + rest
}
