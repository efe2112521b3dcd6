//! The error of a request to a language model that has no usable answer.

use veridic::Error;

/// A request to a language model has no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the request {request} {reason}")]
pub struct NoAnswer {
    /// The id and the step of the request.
    pub request: String,
    /// The problem.
    pub reason: String,
}

impl NoAnswer {
    /// Returns the missing answer that an error of the library is about.
    #[must_use]
    pub fn of(error: &Error) -> Option<&Self> {
        match error {
            Error::Caller { error, .. } => error.downcast_ref(),
            _ => None,
        }
    }
}

impl From<NoAnswer> for Error {
    /// A later run may find the answer.
    fn from(answer: NoAnswer) -> Self {
        Self::Caller { error: Box::new(answer), may_pass: true }
    }
}
