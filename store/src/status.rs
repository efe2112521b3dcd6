//! What an answer of 400 and above means. The hub says more than the status in `X-Error-Code`; without it, an
//! unknown repository and a private one look the same (401 to strangers).

use std::time::Duration;

use ureq::http::HeaderMap;

use crate::client::text;
use crate::error::{Location, StoreError};
use crate::retry::Failure;

const LONGEST_MESSAGE: usize = 200;

/// What was asked, and as whom.
pub(crate) struct Asked<'a> {
    pub(crate) location: &'a Location,
    /// Where the model is shown.
    pub(crate) page: String,
    pub(crate) with_token: bool,
}

pub(crate) fn failure(asked: &Asked<'_>, status: u16, headers: &HeaderMap) -> Failure {
    let retry_after =
        text(headers, "retry-after").and_then(|wait| wait.parse().ok()).map(Duration::from_secs);
    let is_transient = matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504);
    Failure { error: Box::new(error(asked, status, headers, retry_after)), is_transient, retry_after }
}

fn error(asked: &Asked<'_>, status: u16, headers: &HeaderMap, wait: Option<Duration>) -> StoreError {
    let location = asked.location.clone();
    let message = printable(text(headers, "x-error-message").unwrap_or_default());
    let code = text(headers, "x-error-code").unwrap_or_default();
    match (status, code) {
        (_, "RevisionNotFound") => StoreError::NoRevision { location },
        (_, "EntryNotFound") => StoreError::NoFile { location },
        (_, "RepoNotFound") => StoreError::NoRepository { location, status },
        (401, "") if asked.with_token || message.contains("Invalid credentials") => {
            StoreError::BadToken { location, status }
        }
        (401, "") => StoreError::NoRepository { location, status },
        (401 | 403, _) => {
            StoreError::Gated { location, status, page: asked.page.clone(), with_token: asked.with_token }
        }
        (404, _) if location.file.is_some() => StoreError::NoFile { location },
        (404, _) => StoreError::NoRepository { location, status },
        (429, _) => StoreError::TooManyRequests { location, wait_seconds: wait.map(|wait| wait.as_secs()) },
        _ => StoreError::Refused { location, status, message },
    }
}

/// Nothing that a terminal would act on.
fn printable(message: &str) -> String {
    message.chars().filter(|c| !c.is_control()).take(LONGEST_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub_id::Source;

    fn message(status: u16, code: &str, with_token: bool, file: Option<&str>) -> String {
        let location = Location::new(&Source::parse("a/b@v2").unwrap(), file);
        let mut headers = HeaderMap::new();
        if !code.is_empty() {
            headers.insert("x-error-code", code.parse().unwrap());
        }
        let asked = Asked { location: &location, page: "https://hub.co/a/b".to_owned(), with_token };
        failure(&asked, status, &headers).error.to_string()
    }

    #[test]
    fn every_refusal_names_the_place_and_the_next_step() {
        for (status, code, token, file, parts) in [
            (401, "GatedRepo", false, Some("x"), ["a/b@v2: x", "https://hub.co/a/b", "set HF_TOKEN"]),
            (403, "GatedRepo", true, Some("x"), ["a/b@v2: x", "HTTP 403", "account of your token"]),
            (401, "", true, None, ["a/b", "refuses the token", "HF_TOKEN"]),
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
    fn a_message_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\n"), "a[31mb");
    }
}
