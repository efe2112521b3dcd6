//! `veridic hook`: judges a coding agent's last message against what its tools returned. Reads the JSON of a stop hook from
//! standard input. The exit code is 1 if a sentence is not supported.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use veridic::result::{PairResult, Verdict};
use veridic::{Pair, SourceText, Sources};
use veridic_program::output::line;
use veridic_program::{load, output};

use crate::args::HookArgs;

/// What a hook is given; other fields are ignored.
#[derive(Deserialize)]
struct Input {
    /// A file with a message a line.
    transcript_path: Option<String>,
    /// The messages themselves.
    messages: Option<Vec<Value>>,
    /// Whether the agent goes on because a hook stopped it before.
    #[serde(default)]
    stop_hook_active: bool,
}

/// What an agent did since its user last wrote.
#[derive(Debug, Default, PartialEq)]
struct Turn {
    /// What its tools returned, each after the command or the name of the tool.
    results: Vec<String>,
    /// The agent's last message.
    answer: String,
    /// The command or the name of each call, by its id.
    calls: HashMap<String, String>,
}

pub(super) fn run(args: &HookArgs) -> Result<ExitCode> {
    let input = io::read_to_string(io::stdin().lock()).context("standard input")?;
    let input: Input = serde_json::from_str(&input).context(
        "standard input: give the JSON object of a stop hook, with `transcript_path` or `messages`",
    )?;
    let turn = Turn::of(&messages(&input)?);
    if input.stop_hook_active || turn.answer.trim().is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    if turn.results.is_empty() {
        output::note_unless(
            args.settings.quiet,
            "no tool returned anything: nothing to judge the message by",
        );
        return Ok(ExitCode::SUCCESS);
    }
    let texts: Vec<SourceText> =
        (1..).zip(turn.results).map(|(number, text)| SourceText::numbered(number, text)).collect();
    let (document, sources) = Sources::join(&texts).context("the tools' results")?;
    let pair = Pair { sources: Some(&sources), ..Pair::new(&document, &turn.answer) };
    let result = load::scorer(&args.settings)?
        .score_batch(&[pair], &veridic::schedule::ignore_events)
        .swap_remove(0)?;
    let failed = print(&result)?;
    Ok(ExitCode::from(u8::from(failed)))
}

/// Prints the sentences that are not supported; whether there are any.
fn print(result: &PairResult) -> Result<bool> {
    let is_wrong = |verdict| matches!(verdict, Verdict::Unsupported | Verdict::Contradicted);
    let wrong: Vec<_> = result.claims.iter().filter(|claim| is_wrong(claim.verdict)).collect();
    for claim in &wrong {
        line(&format!(
            "{}: {}\n    {}",
            claim.verdict.name(),
            output::visible(&claim.text),
            output::visible(&claim.explanation)
        ))?;
    }
    Ok(!wrong.is_empty())
}

/// The messages of an input.
fn messages(input: &Input) -> Result<Vec<Value>> {
    match (&input.messages, &input.transcript_path) {
        (Some(messages), _) => Ok(messages.clone()),
        (None, Some(path)) => read_transcript(Path::new(path)),
        (None, None) => bail!("standard input: the object has neither `transcript_path` nor `messages`"),
    }
}

/// Reads a file with a message a line.
fn read_transcript(file: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {number}: is not JSON", file.display()))
    };
    lines.map(read).collect()
}

impl Turn {
    /// Finds the last turn of an agent. A message is one of the APIs of Anthropic (blocks) and OpenAI (`role: tool`), or holds
    /// one in its field `message`.
    fn of(messages: &[Value]) -> Self {
        let mut turn = Self::default();
        for entry in messages {
            let message = entry.get("message").unwrap_or(entry);
            let content = &message["content"];
            match message["role"].as_str() {
                Some("user") => turn.take_user(content),
                Some("assistant") => turn.take_agent(message, content),
                Some("tool") => turn.add_result(message["tool_call_id"].as_str(), &text(content)),
                _ => {}
            }
        }
        turn
    }

    /// Takes a user's message, which begins a turn unless it only brings results of tools.
    fn take_user(&mut self, content: &Value) {
        if !text(content).trim().is_empty() {
            let calls = std::mem::take(&mut self.calls);
            *self = Self { calls, ..Self::default() };
        }
        for block in content.as_array().into_iter().flatten().filter(|block| block["type"] == "tool_result") {
            self.add_result(block["tool_use_id"].as_str(), &text(&block["content"]));
        }
    }

    /// Takes an agent's message: its words, and its calls of tools.
    fn take_agent(&mut self, message: &Value, content: &Value) {
        let words = text(content);
        if !words.trim().is_empty() {
            self.answer = words;
        }
        for block in content.as_array().into_iter().flatten().filter(|block| block["type"] == "tool_use") {
            self.add_call(&block["id"], &block["name"], &block["input"]);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            let arguments = function["arguments"].as_str().unwrap_or("");
            self.add_call(
                &call["id"],
                &function["name"],
                &serde_json::from_str(arguments).unwrap_or_default(),
            );
        }
    }

    fn add_call(&mut self, id: &Value, name: &Value, input: &Value) {
        let command = input["command"].as_str().map(|command| format!("$ {command}"));
        let call = command.unwrap_or_else(|| name.as_str().unwrap_or("tool").to_owned());
        self.calls.insert(id.as_str().unwrap_or("").to_owned(), call);
    }

    fn add_result(&mut self, id: Option<&str>, result: &str) {
        if result.chars().any(char::is_alphanumeric) {
            let call =
                id.and_then(|id| self.calls.get(id)).map_or_else(String::new, |call| format!("{call}\n"));
            self.results.push(format!("{call}{result}"));
        }
    }
}

/// The words of a content: a string, or blocks of text.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_turn_has_the_results_since_the_user_wrote_and_the_last_message() {
        let of_blocks = json!([
            {"message": {"role": "user", "content": "Run it."}},
            {"message": {"role": "assistant", "content": [{"type": "tool_use", "id": "0", "name": "Bash", "input": {"command": "ls"}}]}},
            {"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "0", "content": "old"}]}},
            {"message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
            {"type": "summary"},
            {"message": {"role": "user", "content": [{"type": "text", "text": "Test it."}]}},
            {"message": {"role": "assistant", "content": [
                {"type": "text", "text": "I test."},
                {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "cargo test"}},
                {"type": "tool_use", "id": "2", "name": "Read", "input": {"path": "a.rs"}}]}},
            {"message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "3 failed"}]},
                {"type": "tool_result", "tool_use_id": "2", "content": "fn main"}]}},
            {"message": {"role": "assistant", "content": [{"type": "text", "text": "Three fail."}]}}
        ]);
        let of_calls = json!([
            {"role": "user", "content": "Test it."},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "1", "function": {"name": "shell", "arguments": "{\"command\": \"cargo test\"}"}},
                {"id": "2", "function": {"name": "Read", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "3 failed"},
            {"role": "tool", "tool_call_id": "2", "content": "fn main"},
            {"role": "assistant", "content": "Three fail."}
        ]);
        for messages in [of_blocks, of_calls] {
            let turn = Turn::of(messages.as_array().unwrap());
            assert_eq!(turn.results, ["$ cargo test\n3 failed", "Read\nfn main"]);
            assert_eq!(turn.answer, "Three fail.");
        }
    }
}
