//! Why a request is not answered: a status, a code for programs, a sentence for people, and the field that is
//! wrong, always as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use veridic_models::ModelError;

use super::stream::json_response;
use veridic::Error;

/// Seconds after which a client may try again when the queue is full.
const RETRY_AFTER: &str = "1";

/// A kind of refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Code {
    /// The body is no JSON.
    NotJson,
    Unauthorized,
    NotFound,
    MethodNotAllowed,
    /// The body does not arrive.
    BodyTimeout,
    TooLarge,
    UnsupportedMediaType,
    /// A field is missing, unknown, or not what it must be.
    Invalid,
    QueueFull,
    Internal,
    Stopping,
    /// The answer took too long.
    Deadline,
}

/// A request that is not answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub(super) struct Refusal {
    code: Code,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Self::NotJson => StatusCode::BAD_REQUEST,
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

impl Refusal {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None }
    }

    /// A field is wrong.
    pub(super) fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: Code::Invalid, message: message.into(), field: Some(field.into()) }
    }

    pub(super) fn code(&self) -> Code {
        self.code
    }

    /// The same of the field of one row of several.
    pub(super) fn of_row(self, number: usize) -> Self {
        Self { field: self.field.map(|field| format!("[{number}].{field}")), ..self }
    }

    /// Why a pair was not judged. What is wrong with the server is told without its insides.
    pub(super) fn of(error: &Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Text { role, .. } => match *role {
                "row" => Self::new(Code::Invalid, message),
                "list of document sentences" => Self::invalid("document_sentences", message),
                role => Self::invalid(role.replace(' ', "_"), message),
            },
            Error::ClaimTooLong { .. } => Self::invalid("summary", message),
            Error::Setting { .. } | Error::Model(ModelError::TooLong { .. }) => {
                Self::new(Code::Invalid, message)
            }
            Error::Stopped => Self::deadline(),
            // What is wrong with the models or the machine is for the log.
            _ => Self::internal(),
        }
    }

    pub(super) fn deadline() -> Self {
        let message =
            "the answer took longer than this server allows: send less, or ask for a longer --timeout";
        Self::new(Code::Deadline, message)
    }

    pub(super) fn internal() -> Self {
        Self::new(Code::Internal, "the server failed on this; its log says more")
    }
}

/// `{"error": ...}`
#[derive(Serialize)]
pub(super) struct ErrorBody<'r> {
    pub(super) error: &'r Refusal,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(&ErrorBody { error: &self });
        *response.status_mut() = self.code.status();
        let header = match self.code {
            Code::Unauthorized => Some((header::WWW_AUTHENTICATE, "Bearer")),
            Code::QueueFull | Code::Stopping => Some((header::RETRY_AFTER, RETRY_AFTER)),
            // What is left of the request is not read.
            Code::TooLarge | Code::BodyTimeout => Some((header::CONNECTION, "close")),
            _ => None,
        };
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
