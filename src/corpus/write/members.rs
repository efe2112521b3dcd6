//! JSON one level at a time: the members of an object or a list, each as written. Most bytes of a row are in values that
//! need not be parsed.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in their order, including repeated names.
pub(super) struct Members<'r>(pub(super) Vec<(Cow<'r, str>, &'r RawValue)>);

/// A JSON string.
#[derive(Deserialize)]
pub(super) struct JsonText<'r>(#[serde(borrow)] pub(super) Cow<'r, str>);

impl<'r> Members<'r> {
    /// The members of an object, or those of a list, named by their index.
    pub(super) fn of(value: &'r RawValue) -> Option<Self> {
        match value.get().as_bytes().first() {
            Some(b'{') => Self::of_object(value),
            Some(b'[') => {
                let list: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                let numbered = |(number, value): (usize, _)| (number.to_string().into(), value);
                Some(Self(list.into_iter().enumerate().map(numbered).collect()))
            }
            _ => None,
        }
    }

    /// The members of an object.
    pub(super) fn of_object(value: &'r RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok()
    }
}

impl<'r> Deserialize<'r> for Members<'r> {
    fn deserialize<D: Deserializer<'r>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'r> Visitor<'r> for Object {
            type Value = Members<'r>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'r>>(self, mut map: A) -> Result<Members<'r>, A::Error> {
                let mut members = Vec::new();
                while let Some((JsonText(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// The JSON of an object under construction.
#[derive(Default)]
pub(super) struct Object(String);

impl Object {
    /// Adds a member whose value is this JSON.
    pub(super) fn push(&mut self, name: &str, json: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0 += &serde_json::to_string(name).expect("a text has JSON");
        self.0.push(':');
        self.0 += json;
    }

    /// Its JSON; None without members.
    pub(super) fn json(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0 + "}")
    }
}
