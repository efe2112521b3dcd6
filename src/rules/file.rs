//! Rules as a file (TOML): `version = 1`, then any settings by their keys, and under `[model]` the judge that they were
//! made for, if they are specific to one. `veridic rules` prints such a file, `veridic-bench calibrate` writes one, `--rules`
//! reads it, and a model's folder may contain one. Refuses other versions, unknown keys, repeated keys, and files made
//! for another judge.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;
use veridic_models::store::quoting::without_values;

use super::resolve::Resolved;
use super::table::RULES;
use crate::error::{Error, Result};
use crate::settings::{Given, find};

/// The version of the format.
const VERSION: i64 = 1;

/// A rules file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesFile {
    /// Its settings.
    pub given: Given,
    /// Its name in errors.
    file: String,
    /// The judge that it was made for.
    model: Option<MadeFor>,
}

/// The judge that a file was made for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct MadeFor {
    id: String,
    sha256: String,
}

/// A file is not a rules file, or was made for another judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesFileError {
    /// It is not valid TOML.
    #[error("line {line}: {reason}")]
    Line {
        /// The line.
        line: usize,
        /// The problem.
        reason: String,
    },
    /// It has no version or an unsupported one.
    #[error("its version is {0}, and this program reads {VERSION}: begin it with `version = {VERSION}`")]
    Version(String),
    /// It was made for another judge.
    #[error("it was made for the model {made_for} (SHA-256 {expected}), and the model is {used} ({found})")]
    Model {
        /// The judge that it was made for.
        made_for: String,
        /// The first digits of its digest.
        expected: String,
        /// The judge.
        used: String,
        /// The first digits of its digest.
        found: String,
    },
    /// `[model]` does not consist of `id` and `sha256`.
    #[error("[model]: {0}")]
    MadeFor(String),
}

impl RulesFile {
    /// Parses a file's text; `file` is its name.
    ///
    /// # Errors
    /// When it is not a rules file, or a key is unknown.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let refuse = |error| Error::RulesFile { file: file.to_owned(), error: Box::new(error) };
        let mut table: toml::Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text[..at.min(text.len())].matches('\n').count() + 1;
            refuse(RulesFileError::Line { line, reason: without_values(&error.message()) })
        })?;
        match table.remove("version") {
            Some(toml::Value::Integer(VERSION)) => {}
            version => {
                let found = match version {
                    None => "missing".to_owned(),
                    Some(toml::Value::Integer(version)) => version.to_string(),
                    Some(version) => format!("a {}", version.type_str()),
                };
                return Err(refuse(RulesFileError::Version(found)));
            }
        }
        let model = table.remove("model").map(toml::Value::try_into).transpose();
        let model = model.map_err(|error: toml::de::Error| {
            refuse(RulesFileError::MadeFor(without_values(&error.message())))
        })?;
        let mut given = Given::default();
        for (key, value) in &table {
            let set = match text_of(value) {
                Some(text) => given.set(key, text, file),
                None => given.set(key, value.type_str(), file).and_then(|()| {
                    let key = find(key).map_or("rules", |setting| setting.key);
                    let expected = "give a text, a number, true, false or a list of texts";
                    Err(Error::setting(key, value.type_str(), expected))
                }),
            };
            set.map_err(|error| Error::InFile { file: file.to_owned(), error: Box::new(error) })?;
        }
        Ok(Self { given: given.in_file(), file: file.to_owned(), model })
    }

    /// Refuses keys that a model's own rules file may not set: the profile, and keys outside the rules.
    ///
    /// # Errors
    /// [`Error::Setting`] with the first such key.
    pub(super) fn check_own(&self) -> Result<()> {
        let is_rule = |key: &str| key != "profile" && RULES.iter().any(|row| row.setting.key == key);
        match self.given.iter().find(|given| !is_rule(given.key)) {
            Some(given) => Err(given
                .refused("a model's own rules file may set neither the profile nor keys outside the rules")),
            None => Ok(()),
        }
    }

    /// Refuses a file that was made for another judge.
    ///
    /// # Errors
    /// [`RulesFileError::Model`] with the judge that it was made for.
    pub fn check(&self, sha256: &str, id: &str) -> Result<()> {
        let short = |digest: &str| digest.chars().take(12).collect::<String>();
        match &self.model {
            Some(made_for) if made_for.sha256 != sha256 => {
                let error = RulesFileError::Model {
                    made_for: made_for.id.clone(),
                    expected: short(&made_for.sha256),
                    used: id.to_owned(),
                    found: short(sha256),
                };
                Err(Error::RulesFile { file: self.file.clone(), error: Box::new(error) })
            }
            _ => Ok(()),
        }
    }
}

/// All rules as a file, each with a line of explanation and its origin.
#[must_use]
pub fn rules_text(resolved: &Resolved, model: &str) -> String {
    let mut text = format!("# Rules {} of veridic for the model {model}\n", resolved.rules.digest());
    let _ = writeln!(text, "version = {VERSION}");
    for row in RULES {
        let key = row.setting.key;
        let value = value_text(&(row.show)(&resolved.rules));
        let _ = write!(text, "\n# {}\n{key} = {value}  # {}\n", row.setting.about, resolved.origin(key));
    }
    text
}

/// The text of a file's value; `None` for a type that no setting accepts.
fn text_of(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => number.is_finite().then(|| number.to_string()),
        toml::Value::Boolean(true) => Some("on".to_owned()),
        toml::Value::Boolean(false) => Some("off".to_owned()),
        toml::Value::Array(values) => {
            let texts = values.iter().map(|value| value.as_str().map(str::to_owned));
            Some(texts.collect::<Option<Vec<String>>>()?.join(";"))
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}

/// Formats a value as TOML.
pub(super) fn value_text(text: &str) -> String {
    match serde_json::from_str::<serde_json::Number>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => Value::from(text).to_string().replace('\u{7f}', "\\u007f"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::ModelFacts;

    #[test]
    fn printed_rules_are_read_back_to_the_same_rules() {
        let mut given = Given::default();
        for (key, value) in
            [("window", "3"), ("claims", "t5=a \"b\""), ("abstain", "0.25"), ("languages", "any")]
        {
            given.set(key, value, "--set").unwrap();
        }
        let resolved = Resolved::of(&ModelFacts::of_base(), &given).unwrap();
        let text = rules_text(&resolved, "base");
        assert!(
            text.contains("window = 3  # --set\n") && text.contains("stride = 1  # profile veridic\n"),
            "{text}"
        );
        let file = RulesFile::parse(&text, "rules.toml").unwrap();
        assert_eq!(Resolved::of(&ModelFacts::of_base(), &file.given).unwrap().rules, resolved.rules);
    }

    #[test]
    fn bad_files_are_refused_with_what_and_where() {
        for (text, parts) in [
            ("window = 3\n", &["a.toml", "version is missing", "`version = 1`"][..]),
            ("version = 2\n", &["a.toml", "version is 2"]),
            ("version = 1\nwindow = 3\nwindow = 4\n", &["a.toml", "line 3", "duplicate"]),
            ("version = 1\nwindow = \n", &["a.toml", "line 2"]),
            ("version = 1\nwindw = 3\n", &["a.toml", "`windw`", "did you mean `window`"]),
            ("version = 1\n[model]\nid = \"x\"\n", &["a.toml", "[model]", "sha256"]),
            ("version = 1\n[window]\na = 1\n", &["a.toml", "window", "a number"]),
            ("version = 1\nepsilon = nan\n", &["a.toml", "epsilon", "a number"]),
        ] {
            let error = RulesFile::parse(text, "a.toml").unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{text:?}: {error}");
            assert!(!error.contains('\n'), "{error:?}");
        }
    }

    #[test]
    fn a_file_for_another_judge_is_refused() {
        let text = format!(
            "version = 1\nsupported = 0.6\n[model]\nid = \"base\"\nsha256 = \"{}\"\n",
            "ab".repeat(32)
        );
        let file = RulesFile::parse(&text, "a.toml").unwrap();
        assert!(file.check(&"ab".repeat(32), "base").is_ok());
        let error = file.check(&"cd".repeat(32), "mini").unwrap_err().to_string();
        assert!(
            error.contains("a.toml") && error.contains("model base") && error.contains("mini"),
            "{error}"
        );
    }
}
