//! Messages of the program as text for a snapshot: nothing in it depends on the machine.

use serde_json::{Value, json};

use super::{Output, Place, repository, tiny, with_tiny};

impl Place {
    /// What the program says to each of these command lines, all of which it must refuse. A word in quotation marks may be
    /// empty or have spaces. Commands that need a model and name none get the tiny one.
    pub fn refusals(&self, lines: &[impl AsRef<str>]) -> String {
        lines.iter().map(|line| self.refusal(line.as_ref())).collect()
    }

    fn refusal(&self, line: &str) -> String {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = match words[0] {
            _ if words.contains(&"--model") => self.run(words),
            "run" | "score" => self.run(with_tiny(&words)),
            "nli" | "rules" | "serve" => self.run([&words[..], &["--model", &tiny()]].concat()),
            _ => self.run(words),
        };
        format!("{}\n    {}\n", self.plain(line), self.told(output))
    }

    /// The message of a command that must refuse, or how it does something else.
    pub fn told(&self, output: Output) -> String {
        let Output { code, stdout, stderr } = output;
        if code != 2 || !stdout.is_empty() || stderr.contains("panicked") {
            return format!("NOT REFUSED: exit code {code}, stdout {stdout:?}, stderr {stderr:?}");
        }
        // The parser of arguments adds where to read on.
        let message = stderr.trim_end().trim_end_matches("For more information, try '--help'.").trim_end();
        let lines = message.lines().filter(|line| !line.starts_with("note: "));
        let lines: Vec<&str> = lines.map(|line| line.trim_start_matches("veridic: ")).collect();
        self.plain(&lines.join("\n    "))
    }

    /// A text without what changes for other reasons: the paths of this folder and of the repository, the numbers of the
    /// system's errors, and the names of all models.
    pub fn plain(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for folder in [self.path(""), repository("")] {
            let folder = folder.to_str().unwrap();
            text = text.replace(folder, "").replace(folder.trim_end_matches('/'), ".");
        }
        let text = without(&text, " (os error ", ")", "");
        without(&text, "known names are ", ";", "known names are ..;")
    }
}

/// Indented JSON with numbers of two digits, which do not depend on the processor, and without the name of its unit.
pub fn rounded(value: &Value) -> String {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) if number.is_f64() => {
                *value = json!((number.as_f64().unwrap() * 100.0).round() / 100.0);
            }
            Value::Array(values) => values.iter_mut().for_each(round),
            Value::Object(fields) => {
                fields.remove("unit");
                fields.values_mut().for_each(round);
            }
            _ => {}
        }
    }
    let mut value = value.clone();
    round(&mut value);
    serde_json::to_string_pretty(&value).unwrap()
}

/// The text with `instead` for every part from `start` to `end`.
fn without(text: &str, start: &str, end: &str, instead: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + instead + part.split_once(end).unwrap().1)
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in line.split('"').enumerate() {
        let is_quoted = index % 2 == 1;
        for (index, word) in part.split(if is_quoted { '"' } else { ' ' }).enumerate() {
            if index > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(word);
        }
    }
    words
}
