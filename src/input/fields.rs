//! The fields of a row, a JSON object. They keep their original JSON, so that fields that pass through keep every digit.
//! Refuses a field that is given twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use veridic_models::store::quoting::quoted_name;

/// The fields of a row, in order.
#[derive(Debug, Clone, Default)]
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Returns a field's JSON.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    /// Removes and returns a field.
    pub fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let place = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(place).1)
    }

    /// Appends a field, whose name must be unique.
    pub(crate) fn push(&mut self, name: impl Into<String>, value: Box<RawValue>) {
        self.0.push((name.into(), value));
    }

    /// Iterates over the fields in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), &**value))
    }

    /// Returns the fields as a JSON object.
    pub(crate) fn json(&self) -> Box<RawValue> {
        to_raw_value(self).expect("fields are JSON already")
    }

    /// Keeps the fields for whose names `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|(name, _)| keep(name));
    }

    /// Returns the names of the fields, for errors.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(key, _)| key.as_str()).collect()
    }
}

impl PartialEq for Fields {
    /// Whether names and JSON are the same, in the same order.
    fn eq(&self, other: &Self) -> bool {
        let texts = |(name, value): (&str, &RawValue)| (name.to_owned(), value.get().to_owned());
        self.iter().map(texts).eq(other.iter().map(texts))
    }
}

impl Eq for Fields {}

impl FromIterator<(String, Box<RawValue>)> for Fields {
    /// The names must differ.
    fn from_iter<I: IntoIterator<Item = (String, Box<RawValue>)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if fields.get(&key).is_some() {
                        return Err(serde::de::Error::custom(format!(
                            "the field {} is given twice",
                            quoted_name(&key)
                        )));
                    }
                    fields.0.push((key, value));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
