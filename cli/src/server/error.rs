//! Why a request failed: an HTTP status, a code for programs, a message for people, and the invalid field; always as JSON.

use hyper::StatusCode;
use serde::Serialize;
use veridic::Error;
use veridic_models::ModelError;

/// The kind of an error; each maps to an HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    NotJson,
    /// The head of the request is wrong.
    BadRequest,
    /// The request is for another host.
    Misdirected,
    Unauthorized,
    NotFound,
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTimeout,
    /// The body is over its limit.
    TooLarge,
    UnsupportedMediaType,
    /// A field is missing, unknown, or has a wrong value.
    Invalid,
    /// The request queue or the memory for bodies is full.
    QueueFull,
    Internal,
    Stopping,
    /// The answer took too long.
    Deadline,
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An error of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub(super) struct RequestError {
    code: ErrorCode,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl ErrorCode {
    /// Returns its name in responses.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::BadRequest => "bad_request",
            Self::Misdirected => "misdirected",
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::BodyTimeout => "body_timeout",
            Self::TooLarge => "too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::Invalid => "invalid",
            Self::QueueFull => "queue_full",
            Self::Internal => "internal",
            Self::Stopping => "stopping",
            Self::Deadline => "deadline",
        }
    }

    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::NotJson | Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::Misdirected => StatusCode::MISDIRECTED_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Self::QueueFull => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            Self::Deadline => StatusCode::GATEWAY_TIMEOUT,
        }
    }
}

impl RequestError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None }
    }

    /// Creates the error of a field that is missing, unknown or invalid.
    pub(super) fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Invalid, message: message.into(), field: Some(field.into()) }
    }

    pub(super) fn code(&self) -> ErrorCode {
        self.code
    }

    /// Returns the same error, with its field prefixed by row `number`.
    pub(super) fn of_row(self, number: usize) -> Self {
        Self { field: self.field.map(|field| format!("[{number}].{field}")), ..self }
    }

    /// Returns the same error; if it concerns a field of the request, under `field`.
    pub(super) fn at(self, field: &str) -> Self {
        let field = (self.code == ErrorCode::Invalid).then(|| field.to_owned());
        Self { field: field.or(self.field), ..self }
    }

    /// Returns the same error with its field renamed to the request's name for it.
    pub(super) fn renamed(self, names: &[(&str, &str)]) -> Self {
        let found = names.iter().find(|(name, _)| self.field.as_deref() == Some(name));
        let field = found.map(|(_, name)| (*name).to_owned());
        Self { field: field.or(self.field), ..self }
    }

    /// Converts a library error to what the client sees: failures of models and machine are internal, without details.
    pub(super) fn of(error: &Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Text { role, .. } => match *role {
                "row" => Self::new(ErrorCode::Invalid, message),
                "list of document sentences" => Self::invalid("document_sentences", message),
                "list of summary sentences" => Self::invalid("summary_sentences", message),
                role => Self::invalid(role.replace(' ', "_"), message),
            },
            Error::ClaimTooLong { .. } => Self::invalid("summary", message),
            Error::Setting { .. } | Error::Model(ModelError::TooLong { .. }) => {
                Self::new(ErrorCode::Invalid, message)
            }
            Error::Stopped => Self::deadline(),
            _ => Self::internal(),
        }
    }

    pub(super) fn deadline() -> Self {
        let message = "the answer took longer than this server allows: send less, or have it started with a longer --timeout";
        Self::new(ErrorCode::Deadline, message)
    }

    pub(super) fn stopping() -> Self {
        Self::new(ErrorCode::Stopping, "this server is stopping: send the request again")
    }

    pub(super) fn internal() -> Self {
        Self::new(ErrorCode::Internal, "the server failed on this request; see its log")
    }
}

/// `{"error": ...}`
#[derive(Serialize)]
pub(super) struct ErrorBody<'e> {
    pub(super) error: &'e RequestError,
}
