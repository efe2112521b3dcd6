//! A request to a chat model, its id, and its line in a file.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::step::Step;

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// Instructions about the model's task.
    System,
    /// A question to the model.
    User,
    /// The model's answer, in an example.
    Assistant,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The author of the message.
    pub role: Role,
    /// Its text.
    pub content: String,
}

/// The id of a request: the first 128 bits of the SHA-256 of its template, its fields, its run number and, if not 0, its
/// temperature. Equal requests have equal ids, on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(u128);

impl fmt::Display for RequestId {
    /// 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl RequestId {
    /// Parses an id of 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .then(|| u128::from_str_radix(text, 16).ok().map(Self))?
    }

    /// Returns the id of a request from this template with these fields.
    pub(super) fn of(
        template: &str,
        step: Step,
        fields: &[(&str, &str)],
        run: u32,
        temperature: f32,
    ) -> Self {
        let mut digest = Sha256::new();
        let mut add = |text: &str| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        add(template);
        add(step.name());
        for (name, text) in fields {
            add(name);
            add(text);
        }
        digest.update(run.to_le_bytes());
        // As it is sent.
        let temperature = number(temperature);
        if temperature != 0.0 {
            digest.update(temperature.to_le_bytes());
        }
        let bytes = digest.finalize();
        Self(bytes[..16].iter().fold(0, |id, byte| id << 8 | u128::from(*byte)))
    }
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its id.
    pub id: RequestId,
    /// The step that it belongs to.
    pub step: Step,
    /// The run number, from 1: the same question may be asked several times.
    pub run: u32,
    /// The messages.
    pub messages: Vec<Message>,
    /// The digest of its template: the first 16 hexadecimal digits of its SHA-256.
    pub template: String,
    /// The sampling temperature.
    pub temperature: f32,
    /// The maximum number of tokens in the reply.
    pub max_tokens: u32,
    /// Whether the reply should be a JSON object.
    pub json: bool,
}

/// The layout of a request's line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestLayout {
    /// `id`, `step`, `run`, `template`, `messages`, `temperature`, `max_tokens`, `json`.
    Plain,
    /// A line of OpenAI's batch files, which vLLM also reads, for the model of this name.
    Batch(String),
}

impl Request {
    /// Returns the body of a chat completion.
    pub fn body(&self, model: &str) -> Value {
        let mut body = json!({
            "model": model,
            "messages": self.messages,
            "temperature": number(self.temperature),
            "max_tokens": self.max_tokens,
        });
        if self.json {
            body["response_format"] = json!({ "type": "json_object" });
        }
        body
    }

    /// Returns the request's line in a file, without its line end.
    pub fn line(&self, layout: &RequestLayout) -> String {
        let value = match layout {
            RequestLayout::Plain => json!({
                "id": self.id.to_string(),
                "step": self.step.name(),
                "run": self.run,
                "template": self.template,
                "messages": self.messages,
                "temperature": number(self.temperature),
                "max_tokens": self.max_tokens,
                "json": self.json,
            }),
            RequestLayout::Batch(model) => json!({
                "custom_id": self.id.to_string(),
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": self.body(model),
            }),
        };
        value.to_string()
    }
}

/// Returns 0.7 rather than 0.699999988079071.
fn number(value: f32) -> f64 {
    f64::from((value * 1000.0).round()) / 1000.0
}

/// Returns the first 16 hexadecimal digits of a text's SHA-256.
pub(super) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_everything_that_is_asked() {
        let id = |template: &str, step, fields: &[(&str, &str)], run| {
            RequestId::of(template, step, fields, run, 0.0)
        };
        let fields = [("document", "a"), ("summary", "b")];
        let first = id("t", Step::TofuEvalSummary, &fields, 1);
        assert_eq!(first, id("t", Step::TofuEvalSummary, &fields, 1));
        assert_eq!(RequestId::parse(&first.to_string()), Some(first));
        for other in [
            id("u", Step::TofuEvalSummary, &fields, 1),
            id("t", Step::RatingRelevance, &fields, 1),
            id("t", Step::TofuEvalSummary, &[("document", "ab"), ("summary", "")], 1),
            id("t", Step::TofuEvalSummary, &fields, 2),
        ] {
            assert_ne!(other, first);
        }
        for text in ["", "xyz", "00000000000000000000000000000000f", "-0000000000000000000000000000001"] {
            assert_eq!(RequestId::parse(text), None, "{text}");
        }
    }
}
