//! The settings that the user gave: keys, texts and origins.

use serde_json::Value;

use super::Setting;
use crate::error::{Error, Result};

/// The given settings, without repetition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given(Vec<GivenValue>);

/// A given setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenValue {
    /// Its key.
    pub key: &'static str,
    /// Its value as text.
    pub text: String,
    /// Its origin: a flag, a file or an argument.
    pub by: String,
    /// Whether its origin is a file.
    in_file: bool,
}

impl GivenValue {
    /// Whether its list contains a value.
    fn lists(&self, value: &str) -> bool {
        self.text.split([',', ';']).any(|one| one.trim() == value)
    }

    fn is_on(&self) -> bool {
        self.text != "off"
    }

    /// The error for an invalid value.
    pub(crate) fn refused(&self, expected: impl Into<String>) -> Error {
        let error = Error::setting(self.key, &self.text, expected);
        match self.in_file {
            true => Error::InFile { file: self.by.clone(), error: Box::new(error) },
            false => error,
        }
    }
}

impl Given {
    /// Adds a setting.
    ///
    /// # Errors
    /// When the key is unknown or was given before.
    pub fn set(&mut self, key: &str, text: impl Into<String>, by: impl Into<String>) -> Result<()> {
        self.add(super::known(super::all(), key)?, text, by)
    }

    /// Adds a value of a setting, which may be defined in another crate.
    ///
    /// # Errors
    /// When the setting was given before.
    pub fn add(
        &mut self,
        setting: &'static Setting,
        text: impl Into<String>,
        by: impl Into<String>,
    ) -> Result<()> {
        let (text, by) = (text.into(), by.into());
        if let Some(first) = self.get(setting.key) {
            let expected = match (first.by == by, first.text == text) {
                (true, _) => format!("{by} gives it twice, first as {}: give it once", first.text),
                (false, _) => format!("{} gives it as {}, too: give it once", first.by, first.text),
            };
            return Err(Error::setting(setting.key, text, expected));
        }
        self.0.push(GivenValue { key: setting.key, text, by, in_file: false });
        Ok(())
    }

    /// Adds a setting as a JSON value; null sets nothing.
    ///
    /// # Errors
    /// As [`Given::set`], and when the value is an object.
    pub(crate) fn set_json(&mut self, key: &str, value: &Value, by: impl Into<String>) -> Result<()> {
        self.add_json(super::known(super::all(), key)?, value, by)
    }

    /// Adds a value of a setting as JSON; null sets nothing.
    ///
    /// # Errors
    /// As [`Given::add`], and when the value is an object.
    pub fn add_json(
        &mut self,
        setting: &'static Setting,
        value: &Value,
        by: impl Into<String>,
    ) -> Result<()> {
        match text_of(value) {
            Some(text) => self.add(setting, text, by),
            None if value.is_null() => Ok(()),
            None => {
                let expected = "give a text, a number, true, false or a list of texts";
                Err(Error::setting(setting.key, value, expected))
            }
        }
    }

    /// The value given for a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&GivenValue> {
        self.0.iter().find(|given| given.key == key)
    }

    /// All that was given, in order.
    pub fn iter(&self) -> impl Iterator<Item = &GivenValue> {
        self.0.iter()
    }

    /// The same settings, marked as given in a file, whose name is their origin.
    #[must_use]
    pub(crate) fn in_file(mut self) -> Self {
        self.0.iter_mut().for_each(|given| given.in_file = true);
        self
    }

    /// Adds the file that gives the setting to an error about it, if a file does.
    pub(crate) fn located(&self, error: Error) -> Error {
        let Error::Setting { setting, .. } = &error else { return error };
        match self.get(setting) {
            Some(given) if given.in_file => Error::InFile { file: given.by.clone(), error: Box::new(error) },
            _ => error,
        }
    }

    /// These settings, and those of `below` that are not among them. Of dependent settings, such as levels and
    /// coreference, those of `below` that contradict these settings are dropped too.
    #[must_use]
    pub fn over(mut self, below: &Self) -> Self {
        let gives_way = |other: &GivenValue| match (other.key, self.get("levels"), self.get("coref")) {
            ("levels", _, Some(coref)) => other.lists("coref") != coref.is_on(),
            ("coref", Some(levels), _) => levels.lists("coref") != other.is_on(),
            ("screen", Some(levels), _) => !levels.lists("sentence"),
            _ => false,
        };
        let others =
            below.0.iter().filter(|other| self.get(other.key).is_none() && !gives_way(other)).cloned();
        let others: Vec<GivenValue> = others.collect();
        self.0.extend(others);
        self
    }
}

/// The text of a JSON value; `None` for a type that no setting accepts.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some("on".to_owned()),
        Value::Bool(false) => Some("off".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => {
            let texts = values.iter().map(|value| value.as_str().map(str::to_owned));
            Some(texts.collect::<Option<Vec<String>>>()?.join(";"))
        }
        Value::Null | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_given_once_and_known() {
        let mut given = Given::default();
        given.set("window", "3", "--set window").unwrap();
        let twice = given.set("window", "4", "rules.toml").unwrap_err().to_string();
        assert_eq!(twice, "`window` 4: --set window gives it as 3, too: give it once");
        let unknown = given.set("windw", "4", "--set").unwrap_err().to_string();
        assert!(unknown.contains("`windw`") && unknown.contains("did you mean `window`"), "{unknown}");
    }

    #[test]
    fn json_values_have_the_texts_of_settings() {
        let mut given = Given::default();
        let values = serde_json::json!({"contrast": true, "epsilon": 0.25, "levels": ["sentence", "window"], "window": null});
        for (key, value) in values.as_object().unwrap() {
            given.set_json(key, value, "rules").unwrap();
        }
        let texts: Vec<&str> = given.iter().map(|given| given.text.as_str()).collect();
        assert_eq!(texts, ["on", "0.25", "sentence;window"]);
        assert!(given.set_json("stride", &serde_json::json!({}), "rules").is_err());
    }

    #[test]
    fn the_upper_layer_wins() {
        let (mut upper, mut lower) = (Given::default(), Given::default());
        upper.set("window", "3", "--set").unwrap();
        lower.set("window", "4", "a.toml").unwrap();
        lower.set("stride", "2", "a.toml").unwrap();
        let both = upper.over(&lower);
        assert_eq!(both.get("window").unwrap().text, "3");
        assert_eq!(both.get("stride").unwrap().by, "a.toml");
    }
}
