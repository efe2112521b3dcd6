//! The text of a file that a client sends, such as one that is dropped on the page.

use serde::Serialize;
use veridic::files::{Kind, ReadAs, Text, read};

use super::error::{ErrorCode, RequestError};

/// The answer: the text, and what the file was read as.
#[derive(Debug, Serialize)]
pub(super) struct FileText {
    text: String,
    read_as: Kind,
}

impl FileText {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, RequestError> {
        let invalid = |message| RequestError::new(ErrorCode::Invalid, message);
        let Text { kind, text } = read(bytes, ReadAs::Auto).map_err(|error| invalid(error.of("the file")))?;
        if text.trim().is_empty() {
            return Err(invalid("the file is empty".to_owned()));
        }
        Ok(Self { text, read_as: kind })
    }
}
