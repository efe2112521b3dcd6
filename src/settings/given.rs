//! The settings that the user gave: keys, texts and origins.

use serde_json::Value;

use super::setting::Setting;
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
        if self.in_file { Error::InFile { file: self.by.clone(), error: Box::new(error) } } else { error }
    }
}

impl Given {
    /// Adds a value of a setting.
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
    use crate::settings::RULES_GROUP;

    const WINDOW: &Setting = &setting("window");
    const STRIDE: &Setting = &setting("stride");

    const fn setting(key: &'static str) -> Setting {
        Setting { key, value: "", about: "", more: "", has_flag: false, group: RULES_GROUP }
    }

    #[test]
    fn a_key_is_given_once() {
        let mut given = Given::default();
        given.add(WINDOW, "3", "--set window").unwrap();
        let twice = given.add(WINDOW, "4", "rules.toml").unwrap_err().to_string();
        assert_eq!(twice, "`window` 4: --set window gives it as 3, too: give it once");
    }

    #[test]
    fn json_values_have_the_texts_of_settings() {
        for (value, text) in [
            (serde_json::json!(true), Some("on")),
            (serde_json::json!(0.25), Some("0.25")),
            (serde_json::json!(["sentence", "window"]), Some("sentence;window")),
            (Value::Null, None),
        ] {
            let mut given = Given::default();
            given.add_json(WINDOW, &value, "rules").unwrap();
            assert_eq!(given.get("window").map(|given| given.text.as_str()), text, "{value}");
        }
        assert!(Given::default().add_json(WINDOW, &serde_json::json!({}), "rules").is_err());
    }

    #[test]
    fn the_upper_layer_wins() {
        let (mut upper, mut lower) = (Given::default(), Given::default());
        upper.add(WINDOW, "3", "--set").unwrap();
        lower.add(WINDOW, "4", "a.toml").unwrap();
        lower.add(STRIDE, "2", "a.toml").unwrap();
        let both = upper.over(&lower);
        assert_eq!(both.get("window").unwrap().text, "3");
        assert_eq!(both.get("stride").unwrap().by, "a.toml");
    }
}
