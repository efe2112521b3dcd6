//! Maps HTTP error statuses to errors. The hub's header `X-Error-Code` is more specific than the status; without it,
//! an unknown repository and a private one look the same (401 without a token).

use std::time::Duration;

use ureq::http::HeaderMap;

use crate::error::{Location, StoreError};
use crate::headers::header;
use crate::retry::Failure;

const MAX_MESSAGE_CHARS: usize = 200;

/// The request that failed.
pub(crate) struct Request<'a> {
    pub(crate) location: &'a Location,
    /// The model's page on the hub.
    pub(crate) page: String,
    pub(crate) with_token: bool,
}

pub(crate) fn failure(request: &Request<'_>, status: u16, headers: &HeaderMap) -> Failure {
    let retry_after =
        header(headers, "retry-after").and_then(|wait| wait.parse().ok()).map(Duration::from_secs);
    let is_transient = matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504);
    Failure { error: Box::new(error(request, status, headers, retry_after)), is_transient, retry_after }
}

fn error(request: &Request<'_>, status: u16, headers: &HeaderMap, wait: Option<Duration>) -> StoreError {
    let location = request.location.clone();
    let message = printable(header(headers, "x-error-message").unwrap_or_default());
    let code = header(headers, "x-error-code").unwrap_or_default();
    match (status, code) {
        (_, "RevisionNotFound") => StoreError::NoRevision { location },
        (_, "EntryNotFound") => StoreError::NoFile { location },
        (_, "RepoNotFound") => StoreError::NoRepository { location, status },
        (401, "") if request.with_token || message.contains("Invalid credentials") => {
            StoreError::BadToken { location, status }
        }
        (401, "") => StoreError::NoRepository { location, status },
        (401 | 403, _) => {
            StoreError::Gated { location, status, page: request.page.clone(), with_token: request.with_token }
        }
        (404, _) if location.file.is_some() => StoreError::NoFile { location },
        (404, _) => StoreError::NoRepository { location, status },
        (429, _) => StoreError::TooManyRequests { location, wait_seconds: wait.map(|wait| wait.as_secs()) },
        _ => StoreError::Refused { location, status, message },
    }
}

/// The message without control characters, which a terminal would interpret.
fn printable(message: &str) -> String {
    message.chars().filter(|c| !c.is_control()).take(MAX_MESSAGE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub_id::Source;

    fn message(status: u16, code: &str, with_token: bool, file: Option<&str>) -> String {
        let location = Source::parse("a/b@v2").unwrap().location(file);
        let mut headers = HeaderMap::new();
        if !code.is_empty() {
            headers.insert("x-error-code", code.parse().unwrap());
        }
        let request = Request { location: &location, page: "https://hub.co/a/b".to_owned(), with_token };
        failure(&request, status, &headers).error.to_string()
    }

    #[test]
    fn errors_name_the_file_and_the_next_step() {
        for (status, code, token, file, parts) in [
            (401, "GatedRepo", false, Some("x"), ["a/b@v2: x", "https://hub.co/a/b", "set HF_TOKEN"]),
            (403, "GatedRepo", true, Some("x"), ["a/b@v2: x", "HTTP 403", "account of your token"]),
            (401, "", true, None, ["a/b", "rejected the token", "HF_TOKEN"]),
            (401, "", false, None, ["a/b", "no such repository", "private"]),
            (401, "RepoNotFound", true, None, ["a/b", "no such repository", "check the name"]),
            (404, "RevisionNotFound", false, None, ["a/b@v2", "no such revision", "leave"]),
            (404, "EntryNotFound", false, Some("x"), ["a/b@v2: x", "no such file", "again"]),
            (404, "", false, None, ["a/b", "no such repository", "HTTP 404"]),
            (429, "", false, None, ["a/b", "HTTP 429", "later"]),
            (500, "", false, Some("x"), ["a/b@v2: x", "HTTP 500", "later"]),
        ] {
            let message = message(status, code, token, file);
            assert!(parts.iter().all(|part| message.contains(part)), "{status} {code}: {message}");
        }
    }

    #[test]
    fn control_characters_are_removed_from_messages() {
        assert_eq!(printable("a\u{1b}[31mb\n"), "a[31mb");
    }
}
