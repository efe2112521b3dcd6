//! A file of answers, matched with requests by id. Accepts the output of other tools unchanged: OpenAI's batch output, which
//! vLLM also writes, or an id with the text in one of the usual fields.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::{Value, json};
use veridic_models::store::quoting::without_values;

use super::chat_model::{ChatModel, Reply};
use super::request::{Request, RequestId, digest};
use veridic::schedule::OnEvent;

/// An invalid file of answers.
#[derive(Debug, thiserror::Error)]
pub enum AnswersError {
    /// It cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A line is not an answer.
    #[error("{file}, line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The problem and the remedy.
        reason: String,
    },
}

/// An answer as a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLine<'t> {
    /// The request.
    pub id: RequestId,
    /// The reply's text.
    pub text: &'t str,
    /// The model that gave it.
    pub model: &'t str,
}

impl AnswerLine<'_> {
    /// Returns the line, without its line end.
    pub fn line(&self) -> String {
        json!({ "id": self.id.to_string(), "answer": self.text, "model": self.model }).to_string()
    }
}

/// A known answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    reply: Reply,
    line: usize,
}

/// Answers by the ids of their requests.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    known: BTreeMap<RequestId, Known>,
    /// The models named in the lines.
    models: Vec<String>,
    digest: String,
}

impl Answers {
    /// Reads lines of JSON; `file` is named in errors. Empty lines are skipped.
    ///
    /// # Errors
    /// If a line is not an object with an id and a text, or a second answer to a request differs from the first.
    pub fn read(lines: impl BufRead, file: &str) -> Result<Self, AnswersError> {
        let mut answers = Self::default();
        for (number, line) in lines.split(b'\n').enumerate() {
            let line = line.map_err(|error| AnswersError::Unreadable { file: file.to_owned(), error })?;
            let refuse = |reason| AnswersError::Line { file: file.to_owned(), line: number + 1, reason };
            let line = std::str::from_utf8(&line).map_err(|_| refuse("is not UTF-8".to_owned()))?;
            let line = if number == 0 { line.trim_start_matches('\u{feff}') } else { line };
            if !line.trim().is_empty() {
                answers.add(line, number + 1).map_err(refuse)?;
            }
        }
        let all = answers.known.iter().map(|(id, known)| format!("{id} {:?}\n", known.reply));
        answers.digest = digest(&all.collect::<String>());
        Ok(answers)
    }

    fn add(&mut self, line: &str, number: usize) -> Result<(), String> {
        let value: Value =
            serde_json::from_str(line).map_err(|error| format!("is not JSON: {}", without_values(&error)))?;
        let id = id_of(&value)
            .ok_or("has no `id` of a request: copy `id` from the request's line to its answer's")?;
        let known = Known { reply: reply_of(&value)?, line: number };
        let model = [&value, &value["response"]["body"], &value["response"]];
        if let Some(model) = model.into_iter().find_map(|place| place.get("model")?.as_str())
            && !self.models.iter().any(|known| known == model)
        {
            self.models.push(model.to_owned());
        }
        let is_text = |reply: &Reply| matches!(reply, Reply::Text(_));
        match self.known.get(&id) {
            // A request that gave no text may have been sent again.
            Some(first) if is_text(&first.reply) => {
                if first.reply != known.reply && is_text(&known.reply) {
                    let first = first.line;
                    return Err(format!("answers {id} otherwise than line {first}: keep one of the two"));
                }
            }
            _ => _ = self.known.insert(id, known),
        }
        Ok(())
    }

    /// Returns the models that answered, as far as the lines name them.
    pub fn models(&self) -> &[String] {
        &self.models
    }

    /// Returns the reply to a request.
    pub fn get(&self, id: RequestId) -> Reply {
        self.known.get(&id).map_or(Reply::Missing, |known| known.reply.clone())
    }
}

impl ChatModel for Answers {
    fn stamp(&self) -> String {
        let models = self.models.iter().map(|model| format!(",model={model}"));
        format!("answers={}{}", self.digest, models.collect::<String>())
    }

    fn notes(&self) -> Vec<String> {
        let several = (self.models.len() > 1)
            .then(|| format!("the answers are those of several models: {}", self.models.join(", ")));
        several.into_iter().collect()
    }

    fn reply(&self, requests: &[Request], _: &OnEvent<'_>) -> Vec<Reply> {
        requests.iter().map(|request| self.get(request.id)).collect()
    }
}

/// The id of the answered request. Batch output has its own `id` besides `custom_id`.
fn id_of(value: &Value) -> Option<RequestId> {
    let id = ["custom_id", "id"].into_iter().find_map(|name| value.get(name)?.as_str())?;
    RequestId::parse(id)
}

/// Returns the reply in a line: a text, or why there is none.
fn reply_of(value: &Value) -> Result<Reply, String> {
    let fields = ["answer", "text", "content", "output", "response", "completion"];
    if let Some(text) = fields.into_iter().find_map(|name| value.get(name)?.as_str()) {
        return Ok(Reply::Text(text.to_owned()));
    }
    let completions = [&value["response"]["body"], &value["response"], value];
    if let Some(reply) = completions.into_iter().find_map(Reply::of_completion) {
        return Ok(reply);
    }
    let errors = [&value["error"], &value["response"]["body"]["error"], &value["response"]["error"]];
    if errors.into_iter().any(|error| !error.is_null()) {
        return Ok(Reply::Failed("its line has an error".to_owned()));
    }
    if value.get("messages").is_some() || !value["body"].is_null() {
        return Err("is a request, not an answer: give the model's reply in the field `answer`".to_owned());
    }
    // Batch outputs have lines without a text, for example if a model was cut off while reasoning.
    Ok(Reply::Unreadable("its line has no text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn read(text: &str) -> Result<Answers, String> {
        Answers::read(text.as_bytes(), "a.jsonl").map_err(|error| error.to_string())
    }

    #[test]
    fn answers_of_several_tools_are_read() {
        let yes = Reply::Text("Yes".into());
        for line in [
            format!(r#"{{"id":"{ID}","answer":"Yes","model":"m"}}"#),
            format!(r#"{{"id":"{ID}","text":"Yes"}}"#),
            format!(
                r#"{{"id":"batch_req_1","custom_id":"{ID}","response":{{"status_code":200,"body":{{"model":"m","choices":[{{"message":{{"content":"Yes"}}}}]}}}},"error":null}}"#
            ),
            format!(r#"{{"custom_id":"{ID}","choices":[{{"text":"Yes"}}]}}"#),
        ] {
            let answers = read(&format!("\n{line}\n")).unwrap();
            assert_eq!(answers.get(RequestId::parse(ID).unwrap()), yes, "{line}");
        }
        let failed =
            read(&format!(r#"{{"custom_id":"{ID}","response":null,"error":{{"message":"too long"}}}}"#));
        assert_eq!(
            failed.unwrap().get(RequestId::parse(ID).unwrap()),
            Reply::Failed("its line has an error".into())
        );
    }

    #[test]
    fn files_are_utf_8_with_or_without_a_mark() {
        let line = format!("\u{feff}{{\"id\":\"{ID}\",\"answer\":\"Yes\"}}\r\n");
        assert_eq!(read(&line).unwrap().known.len(), 1);
        let latin = [line.as_bytes(), b"{\"answer\":\"\xe9\"}"].concat();
        let error = Answers::read(&latin[..], "a.jsonl").unwrap_err().to_string();
        assert_eq!(error, "a.jsonl, line 2: is not UTF-8");
    }

    #[test]
    fn a_failed_request_may_be_answered_later() {
        let failed = format!(r#"{{"id":"{ID}","error":"busy"}}"#);
        let answered = format!(r#"{{"id":"{ID}","answer":"Yes"}}"#);
        for lines in [[&failed, &answered, &answered], [&answered, &failed, &failed]] {
            let answers = read(&lines.map(String::as_str).join("\n")).unwrap();
            assert_eq!(answers.get(RequestId::parse(ID).unwrap()), Reply::Text("Yes".into()));
        }
    }

    #[test]
    fn lines_that_are_no_answers_are_refused() {
        let second = format!("{{\"id\":\"{ID}\",\"answer\":\"Yes\"}}\n{{\"id\":\"{ID}\",\"answer\":\"No\"}}");
        for (text, part) in [
            ("{", "a.jsonl, line 1: is not JSON"),
            (r#"{"id":"7","answer":"Yes"}"#, "no `id` of a request: copy"),
            (&format!(r#"{{"id":"{ID}","messages":[]}}"#), "is a request, not an answer"),
            (&second, "line 2: answers 0123456789abcdef0123456789abcdef otherwise than line 1"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
