//! An added token, as the settings describe it: its text, or an object of flags.

use serde::Deserialize;
use serde_json::Value;
use tokenizers::AddedToken;
use veridic_store::quoting::{kind_of, without_values};

use crate::error::{Result, refuse};

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Token {
    pub(super) content: String,
    pub(super) single_word: bool,
    pub(super) lstrip: bool,
    pub(super) rstrip: bool,
    /// Whether it is matched in the normalized text; by default, special tokens are not.
    pub(super) normalized: Option<bool>,
    pub(super) special: bool,
    /// Described by an object of tokenizer_config.json, which `transformers` does not compare with added_tokens.json.
    #[serde(skip)]
    pub(super) is_object: bool,
}

impl Token {
    /// A string is a special token; an object is one if its flag or its file (`special`) says so.
    pub(super) fn parse(value: Value, file: &str, special: bool) -> Result<Self> {
        let unknown = |what: String| refuse(file, format!("has an unknown description of a token: {what}"));
        match value {
            Value::String(content) => Ok(Self::special(&content)),
            Value::Object(ref object) if object.contains_key("content") => {
                let token: Self = serde_json::from_value(value).map_err(|e| unknown(without_values(&e)))?;
                Ok(Self { special: token.special || special, is_object: !special, ..token })
            }
            other => Err(unknown(kind_of(&other.to_string()).into())),
        }
    }

    pub(super) fn special(content: &str) -> Self {
        Self { content: content.to_owned(), special: true, ..Self::default() }
    }

    /// The token for the library; a token with a purpose is special even without the flag.
    pub(super) fn added(&self, has_purpose: bool) -> AddedToken {
        let special = self.special || has_purpose;
        AddedToken::from(self.content.clone(), special)
            .single_word(self.single_word)
            .lstrip(self.lstrip)
            .rstrip(self.rstrip)
            .normalized(self.normalized.unwrap_or(!special))
    }
}
