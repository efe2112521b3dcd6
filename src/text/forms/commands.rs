//! Commands and what they printed. A passage is a command with its output, or a part of a long output after its command:
//! an output never belongs to the next command.
//!
//! Refuses a text without at least one line that begins as a shell's prompt does, and one of output.

use std::ops::Range;

use super::lines::lines;
use super::passage::{Form, Passage, Reading};

/// Lines of output in a passage.
const MAX_LINES: usize = 10;

/// What shells write before a command. Others (`#`, `>`, `%`) are also marks of Markdown.
const PROMPTS: [&str; 3] = ["$ ", "❯ ", ">>> "];

/// Reads a session of commands; nothing for any other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines = lines(text);
    let prompt = PROMPTS.into_iter().find(|prompt| is_session(text, &lines, prompt))?;
    let mut reading = Reading::default();
    let (mut command, mut number, mut length) = (None, 0, 0);
    for line in lines.into_iter().filter(|line| !text[line.clone()].trim().is_empty()) {
        if let Some(given) = command_of(&text[line.clone()], prompt) {
            (command, number, length) = (Some(given), number + 1, 0);
            reading.passages.push(Passage {
                name: Some(given.to_owned()),
                ..Passage::whole(Form::Commands, number, line)
            });
            continue;
        }
        let Some(given) = command else { continue };
        length += 1;
        match reading.passages.last_mut() {
            Some(last) if length <= MAX_LINES => last.parts[0].place.end = line.end,
            _ => {
                length = 1;
                let label = format!("{prompt}{given}\n");
                reading.says(text, &label)?;
                reading.passages.push(Passage {
                    name: Some(given.to_owned()),
                    label,
                    ..Passage::whole(Form::Commands, number, line)
                });
            }
        }
    }
    Some(reading)
}

/// Whether lines are commands after this prompt with their outputs.
fn is_session(text: &str, lines: &[Range<usize>], prompt: &str) -> bool {
    let commands = lines.iter().filter(|line| command_of(&text[(*line).clone()], prompt).is_some()).count();
    let visible = lines.iter().filter(|line| !text[(*line).clone()].trim().is_empty()).count();
    commands > 0 && visible > commands
}

/// The command of a line that begins with a prompt: "$ ls", "anna@host:~/work$ ls", "[anna@host work]$ ls".
fn command_of<'t>(line: &'t str, prompt: &str) -> Option<&'t str> {
    if let Some(command) = line.strip_prefix(prompt) {
        return Some(command.trim());
    }
    let (before, command) = line.split_once(prompt)?;
    let is_plain = before.contains(':') && !before.contains(' ');
    let is_bracketed = before.starts_with('[') && before.ends_with(']');
    (before.contains('@') && (is_plain || is_bracketed)).then(|| command.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_belongs_to_its_command() {
        let text = "I ran the tests.\n\n$ cargo test\nok: 3\nfailed: 1\n\n$ git push\nrejected\n";
        let read = read(text).unwrap().read(text);
        assert_eq!(read, ["$ cargo test\nok: 3\nfailed: 1", "$ git push\nrejected"]);
        let long =
            format!("anna@host:~/w$ seq 12\n{}", (1..=12).map(|n| format!("{n}\n")).collect::<String>());
        let read = super::read(&long).unwrap().read(&long);
        assert_eq!(read.len(), 2);
        assert_eq!(read[1], "$ seq 12\n11\n12");
    }

    #[test]
    fn headings_quotes_and_prices_are_no_commands() {
        for text in ["# Title\ntext", "> quoted\ntext", "It cost $ 5.\nYes.", "$ 5 is what it cost."] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
