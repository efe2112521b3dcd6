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
    let (location, reason) = (request.location.clone(), reason(request, status, headers, retry_after));
    Failure { error: Box::new(StoreError::Refused { location, status, reason }), is_transient, retry_after }
}

fn reason(request: &Request<'_>, status: u16, headers: &HeaderMap, wait: Option<Duration>) -> String {
    let message = printable(header(headers, "x-error-message").unwrap_or_default());
    let no_file =
        "the hub has no such file (HTTP 404): the repository has changed; run the same command again";
    let no_repository = format!(
        "the hub has no such repository, or it is private (HTTP {status}): check the name, and set HF_TOKEN if the repository is private"
    );
    match (status, header(headers, "x-error-code").unwrap_or_default()) {
        (_, "RevisionNotFound") => {
            "the hub has no such revision (HTTP 404): for the newest, leave out `@` and what follows it"
                .into()
        }
        (_, "EntryNotFound") => no_file.into(),
        (_, "RepoNotFound") => no_repository,
        (401, "") if request.with_token || message.contains("Invalid credentials") => format!(
            "the hub rejected the token (HTTP {status}): set HF_TOKEN to a valid token, or remove it (it may also come from the file `token` in HF_HOME)"
        ),
        (401, "") => no_repository,
        (401 | 403, _) => format!("access is restricted (HTTP {status}): {}", gate_steps(request)),
        (404, _) if request.location.file.is_some() => no_file.into(),
        (404, _) => no_repository,
        (429, _) => {
            let wait = wait.map_or_else(String::new, |wait| format!(", wait {} s", wait.as_secs()));
            format!("too many requests (HTTP 429){wait}: try again later, or set HF_TOKEN for a higher limit")
        }
        _ => {
            let message = if message.is_empty() { message } else { format!(" ({message})") };
            format!("the hub answered HTTP {status}{message}: try again later")
        }
    }
}

fn gate_steps(Request { page, with_token, .. }: &Request<'_>) -> String {
    let token = if *with_token {
        " with the account of your token"
    } else {
        ", create a token in your account settings, set HF_TOKEN to it"
    };
    format!("open {page}, sign in and accept the terms{token}, then run the same command again")
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
