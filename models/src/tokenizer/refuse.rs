//! The error of a file that cannot be used for a tokenizer.

use crate::error::ModelError;

pub(super) fn refuse(file: &str, reason: String) -> ModelError {
    ModelError::Tokenizer { file: file.to_owned(), reason }
}
