//! Interprets a server's response: an answer, a refusal, or a request to retry.

use std::time::Duration;

use crate::llm::Reply;
use serde_json::Value;

/// The longest wait that a server may request.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// The number of characters of a server's message that are shown.
const SHOWN: usize = 200;

/// The cost of an answer in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
}

impl Usage {
    fn of(response: &Value) -> Self {
        let tokens = |name: &str| response["usage"][name].as_u64().unwrap_or_default();
        Self { prompt_tokens: tokens("prompt_tokens"), completion_tokens: tokens("completion_tokens") }
    }
}

/// The consequence of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    Answered(String, Usage),
    /// The server has no JSON mode: send the request without it.
    WithoutJson,
    /// The answer cannot be used, and why.
    Unreadable(String, Usage),
    /// It will not be answered, and why.
    Refused(String),
    /// It may be answered later: the reason, and the minimum wait that the server requests.
    Later(String, Duration),
    /// The work was ended before a response came.
    Stopped,
}

/// Interprets a response with this status; `json` tells whether JSON mode was requested.
pub(super) fn read(status: u16, body: &str, retry_after: Option<&str>, json: bool) -> Next {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    match status {
        200..=299 => match Reply::of_completion(&value) {
            Some(Reply::Text(text)) => Next::Answered(text, Usage::of(&value)),
            Some(Reply::Unreadable(reason)) => Next::Unreadable(reason, Usage::of(&value)),
            _ => Next::Refused(format!("the server's response is not a chat completion: {}", shown(body))),
        },
        // Servers word it in many ways; a request refused for another reason will be refused again.
        400 | 422 if json => Next::WithoutJson,
        408 | 409 | 425 | 429 | 500..=599 => {
            let wait = retry_after
                .and_then(|text| text.trim().parse().ok())
                .map_or(Duration::ZERO, Duration::from_secs);
            Next::Later(message(status, &value, body), wait.min(LONGEST_WAIT))
        }
        300..=399 => Next::Refused(format!(
            "the server answers {status}, a redirect: give the address that it redirects to"
        )),
        _ => Next::Refused(message(status, &value, body)),
    }
}

fn message(status: u16, value: &Value, body: &str) -> String {
    let said = value["error"]["message"].as_str().or(value["error"].as_str()).or(value["detail"].as_str());
    format!("the server answers {status}: {}", shown(said.unwrap_or(body)))
}

fn shown(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_read() {
        let answer = r#"{"choices":[{"message":{"content":"Yes"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#;
        let usage = Usage { prompt_tokens: 5, completion_tokens: 1 };
        assert_eq!(read(200, answer, None, true), Next::Answered("Yes".into(), usage));
        let no_json = r#"{"error":{"message":"response_format is not supported"}}"#;
        assert_eq!(read(400, no_json, None, true), Next::WithoutJson);
        assert!(
            matches!(read(400, no_json, None, false), Next::Refused(why) if why.contains("not supported"))
        );
        let busy = Next::Later("the server answers 429: slow down".into(), Duration::from_secs(7));
        assert_eq!(read(429, r#"{"error":"slow down"}"#, Some("7"), false), busy);
        assert!(matches!(read(503, "", Some("soon"), false), Next::Later(_, Duration::ZERO)));
        assert!(
            matches!(read(404, "no such page", None, false), Next::Refused(why) if why.ends_with("404: no such page"))
        );
        assert!(
            matches!(read(200, "<html>", None, false), Next::Refused(why) if why.contains("not a chat completion"))
        );
    }
}
