//! What answers requests, and its replies.

use serde_json::Value;
use veridic::schedule::OnEvent;

use super::request::Request;

/// Replies to requests.
pub trait ChatModel: Send + Sync {
    /// Returns what its replies depend on besides the requests, as text: the digest of a file, or a model's name.
    fn stamp(&self) -> String;

    /// Replies to each request, in order. If `on_event` ends the work, the remaining replies are [`Reply::Stopped`].
    fn reply(&self, requests: &[Request], on_event: &OnEvent<'_>) -> Vec<Reply>;

    /// Returns notes on the replies, such as their cost, one line each, for a person.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// Its text.
    Text(String),
    /// The reply has no text, or was cut off, and why. Its content is unknown.
    Unreadable(String),
    /// There is no reply.
    Missing,
    /// The model refused or could not be reached, and why.
    Failed(String),
    /// The work was ended before the reply.
    Stopped,
}

impl Reply {
    /// Returns the first choice of a chat completion or a completion in OpenAI's format; `None` for any other object.
    pub fn of_completion(body: &Value) -> Option<Self> {
        let choice = body.get("choices")?.get(0)?;
        let text = match (choice.get("message"), choice.get("text")) {
            (Some(message), _) => message.get("content").unwrap_or(&Value::Null),
            (None, text) => text?,
        };
        let text = match text {
            Value::String(text) => text.as_str(),
            Value::Null => "",
            _ => return None,
        };
        let refuses = choice["message"]["refusal"].as_str().is_some_and(|refusal| !refusal.trim().is_empty());
        let reason = if choice["finish_reason"] == "length" {
            "the answer was cut at its limit of tokens: allow more"
        } else if choice["finish_reason"] == "content_filter" {
            "the answer was filtered by the server"
        } else if refuses {
            "the model refuses"
        } else if text.trim().is_empty() {
            "the answer is empty"
        } else {
            return Some(Self::Text(text.to_owned()));
        };
        Some(Self::Unreadable(reason.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn completions_are_read() {
        let yes = Some(Reply::Text("Yes".to_owned()));
        let [empty, cut, refused, filtered] = [
            "the answer is empty",
            "the answer was cut at its limit of tokens: allow more",
            "the model refuses",
            "the answer was filtered by the server",
        ]
        .map(|why| Some(Reply::Unreadable(why.to_owned())));
        for (choice, reply) in [
            (json!({"message": {"content": "Yes"}, "finish_reason": "stop"}), &yes),
            (json!({"text": "Yes"}), &yes),
            (json!({"message": {"content": null}}), &empty),
            (json!({"message": {"content": " "}}), &empty),
            (json!({"message": {"content": "<think>"}, "finish_reason": "length"}), &cut),
            (json!({"message": {"content": null, "refusal": "I cannot."}}), &refused),
            (json!({"message": {"content": "Y"}, "finish_reason": "content_filter"}), &filtered),
            (json!({"message": {"content": [1]}}), &None),
            (json!({}), &None),
        ] {
            assert_eq!(&Reply::of_completion(&json!({ "choices": [choice] })), reply);
        }
        assert_eq!(Reply::of_completion(&json!({ "choices": [] })), None);
    }
}
