//! Rules as a file (TOML): `version = 1`, then any settings by their keys, and under `[model]` the judge that they were
//! made for, if they are specific to one. `veridic rules` prints such a file, `--rules` reads it, and a model's folder
//! may contain one. Refuses other versions, unknown keys, repeated keys, and files made for another judge.

use serde::Deserialize;
use veridic_models::store::quoting::without_values;

use super::table::RULES;
use crate::error::{Error, Result};
use crate::settings::{Given, Setting, known};

/// The version of the format.
pub(super) const VERSION: i64 = 1;

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

impl RulesFile {
    /// Parses a file's text; `file` is its name, and `settings` are those that it may set.
    ///
    /// # Errors
    /// When it is not a rules file, or a key is unknown.
    pub fn parse(
        text: &str,
        file: &str,
        settings: impl Iterator<Item = &'static Setting> + Clone,
    ) -> Result<Self> {
        let refuse = |reason: String| Error::RulesFile { file: file.to_owned(), reason };
        let mut table: toml::Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text[..at.min(text.len())].matches('\n').count() + 1;
            refuse(format!("line {line}: {}", without_values(&error.message())))
        })?;
        check_version(table.remove("version")).map_err(refuse)?;
        let model = table.remove("model").map(toml::Value::try_into).transpose();
        let model = model.map_err(|error: toml::de::Error| {
            refuse(format!("[model]: {}", without_values(&error.message())))
        })?;
        let mut given = Given::default();
        for (key, value) in &table {
            known(settings.clone(), key)
                .and_then(|setting| given.add(setting, text_of(setting, value)?, file))
                .map_err(|error| Error::InFile { file: file.to_owned(), error: Box::new(error) })?;
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
    /// [`Error::RulesFile`] with the judge that it was made for.
    pub fn check(&self, sha256: &str, id: &str) -> Result<()> {
        let Some(made_for) = self.model.as_ref().filter(|made_for| made_for.sha256 != sha256) else {
            return Ok(());
        };
        let short = |digest: &str| digest.chars().take(12).collect::<String>();
        let reason = format!(
            "it was made for the model {} (SHA-256 {}), and the model is {id} ({})",
            made_for.id,
            short(&made_for.sha256),
            short(sha256)
        );
        Err(Error::RulesFile { file: self.file.clone(), reason })
    }
}

/// Refuses other versions; the error is the reason.
fn check_version(version: Option<toml::Value>) -> std::result::Result<(), String> {
    let found = match version {
        Some(toml::Value::Integer(VERSION)) => return Ok(()),
        None => "missing".to_owned(),
        Some(toml::Value::Integer(version)) => version.to_string(),
        Some(version) => format!("a {}", version.type_str()),
    };
    Err(format!(
        "its version is {found}, and this program reads {VERSION}: begin it with `version = {VERSION}`"
    ))
}

/// The text of a setting's value; an error for a type that no setting accepts.
fn text_of(setting: &Setting, value: &toml::Value) -> Result<String> {
    let text = match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => number.is_finite().then(|| number.to_string()),
        toml::Value::Boolean(true) => Some("on".to_owned()),
        toml::Value::Boolean(false) => Some("off".to_owned()),
        toml::Value::Array(values) => {
            let texts: Option<Vec<&str>> = values.iter().map(toml::Value::as_str).collect();
            texts.map(|texts| texts.join(";"))
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    };
    let expected = "give a text, a number, true, false or a list of texts";
    text.ok_or_else(|| Error::setting(setting.key, value.type_str(), expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::settings;

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
            let error = RulesFile::parse(text, "a.toml", settings()).unwrap_err().to_string();
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
        let file = RulesFile::parse(&text, "a.toml", settings()).unwrap();
        assert!(file.check(&"ab".repeat(32), "base").is_ok());
        let error = file.check(&"cd".repeat(32), "mini").unwrap_err().to_string();
        assert!(
            error.contains("a.toml") && error.contains("model base") && error.contains("mini"),
            "{error}"
        );
    }
}
