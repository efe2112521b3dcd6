//! Bounds what the steps of a tokenizer.json make of a text, told from their settings before any of them runs: adding a
//! token already normalizes it. Refuses steps that can make a text much longer, and more steps than any published
//! tokenizer has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex_syntax::Parser;
use serde_json::Value;
use tokenizers::NormalizedString;

use crate::sentencepiece::charsmap::{self, MOST_TIMES};

/// Bytes that may be added to a text of any length, such as a space before it.
const MOST_ADDED: f64 = 64.0;
/// Published tokenizers have less than 20 steps.
const MOST_STEPS: usize = 64;

pub(super) const REMEDY: &str = "use the tokenizer.json that was published with the model";

/// Bounds of a text's length in bytes after some steps. Unicode's own forms, case and the removal of characters are not
/// counted: repeating them adds nothing, and what a step writes counts in its compatibility form.
struct Growth {
    times: f64,
    added: f64,
    steps: usize,
}

/// Checks a normalizer, pre-tokenizer or decoder, called `what` in errors.
pub(super) fn check_growth(step: &Value, what: &str) -> Result<(), String> {
    let mut growth = Growth { times: 1.0, added: 0.0, steps: 0 };
    if !step.is_null() {
        growth.follow(step).map_err(|why| format!("its {what} {why}; {REMEDY}"))?;
    }
    if growth.steps > MOST_STEPS {
        return Err(format!(
            "its {what} has {} steps, at most {MOST_STEPS} are read; {REMEDY}",
            growth.steps
        ));
    }
    if growth.times > MOST_TIMES || growth.added > MOST_ADDED {
        return Err(format!(
            "its {what} can make a text more than {MOST_TIMES} times as long, or add more than {MOST_ADDED} bytes; {REMEDY}"
        ));
    }
    Ok(())
}

impl Growth {
    /// Takes note of a step by its fields, since the library accepts steps without their type.
    fn follow(&mut self, step: &Value) -> Result<(), String> {
        let fields = step.as_object().ok_or("has a step that is not an object")?;
        self.steps += 1;
        for steps in ["normalizers", "pretokenizers", "decoders"] {
            for step in fields.get(steps).and_then(Value::as_array).into_iter().flatten() {
                self.follow(step)?;
            }
        }
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        let mut times = 1.0f64;
        if let (Some(pattern), Some(content)) = (fields.get("pattern"), text("content")) {
            times *= replaced(pattern, content)?;
        }
        if let Some(table) = fields.get("precompiled_charsmap") {
            let table = table
                .as_str()
                .and_then(|text| STANDARD.decode(text).ok())
                .ok_or("has a damaged table of replacements")?;
            times *= charsmap::growth(&table).map_err(|why| format!("cannot be used: {why}"))?;
        }
        // Metaspace's character, written for a space.
        if let Some(character) = text("replacement") {
            times *= character.len().max(1) as f64;
        }
        // Two spaces around a Chinese character of three bytes.
        if fields.get("handle_chinese_chars").is_some_and(|yes| *yes == Value::Bool(true)) {
            times *= 5.0 / 3.0;
        }
        // A character of at most two bytes for each byte; of decoders, a space between all characters.
        let parts_all = ["suffix", "word_delimiter_token"].iter().any(|name| text(name) == Some(""));
        if text("type") == Some("ByteLevel") || parts_all {
            times *= 2.0;
        }
        self.times *= times;
        self.added = self.added * times + text("prepend").map_or(0.0, written);
        Ok(())
    }
}

/// How many times as long as a match its replacement can be.
fn replaced(pattern: &Value, content: &str) -> Result<f64, String> {
    if content.is_empty() {
        return Ok(1.0);
    }
    let shortest = match (pattern["String"].as_str(), pattern["Regex"].as_str()) {
        (Some(text), None) => Some(text.len()),
        (None, Some(regex)) => match Parser::new().parse(regex) {
            Ok(parsed) => match parsed.properties().minimum_len() {
                Some(shortest) => Some(shortest),
                None => return Ok(1.0), // It never matches.
            },
            // With conditions on what is around the match, which `regex_syntax` does not know.
            Err(_) => None,
        },
        _ => return Err("replaces a pattern of an unknown form".into()),
    };
    match shortest {
        Some(0) => {
            Err("replaces a pattern that also matches nothing, and so writes between all characters".into())
        }
        Some(shortest) => Ok((written(content) / shortest as f64).max(1.0)),
        // It may match nothing: the replacement beside every byte.
        None => Ok(1.0 + written(content)),
    }
}

/// Bytes of a text that a step writes, or of its compatibility form.
fn written(text: &str) -> f64 {
    let form = NormalizedString::from(text).nfkd().lowercase().get().len();
    form.max(text.len()) as f64
}
