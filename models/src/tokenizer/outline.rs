//! Reads of a tokenizer's files only what tells whether to build it: the settings of its steps, and the largest id of its
//! vocabulary. A tokenizer of 4 million tokens takes 15 seconds to build; to count them takes one. Refuses a vocabulary
//! larger than the model's embedding, or than any that is published.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::de::{Error as _, IgnoredAny};
use serde_json::Value;
use veridic_store::quoting::{short_id, without_values};

use super::growth::check_growth;
use super::templates::Processor;

/// Four times the largest vocabulary of a published encoder, mDeBERTa's. Also the limit of merges.
const LARGEST_VOCABULARY: usize = 1 << 20;
/// Published tokenizers have some thousand.
const MOST_ADDED_TOKENS: usize = 1 << 16;

/// The fields of tokenizer.json that are checked before the tokenizer is built.
#[derive(serde::Deserialize)]
struct Outline {
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    post_processor: Option<Processor>,
    #[serde(default)]
    decoder: Value,
    #[serde(default)]
    added_tokens: Vec<IgnoredAny>,
    model: Option<Model>,
}

#[derive(serde::Deserialize)]
struct Model {
    #[serde(default)]
    vocab: Vocabulary,
    merges: Option<Vec<IgnoredAny>>,
}

/// Checks a tokenizer.json. The error says what is wrong.
pub(super) fn check(json: &[u8], embedding_rows: usize) -> Result<(), String> {
    let outline: Outline =
        serde_json::from_slice(json).map_err(|e| format!("is not a tokenizer: {}", without_values(&e)))?;
    if let Some(model) = &outline.model {
        model.vocab.check(embedding_rows)?;
        check_count("merges", model.merges.as_ref().map_or(0, Vec::len), LARGEST_VOCABULARY)?;
    }
    let added = outline.added_tokens.len();
    if added > embedding_rows {
        return Err(format!(
            "has {added} added tokens, the model's embedding has {embedding_rows} rows: the tokenizer belongs to another model"
        ));
    }
    check_count("added tokens", added, MOST_ADDED_TOKENS)?;
    check_growth(&outline.normalizer, "normalizer")?;
    check_growth(&outline.pre_tokenizer, "pre-tokenizer")?;
    check_growth(&outline.decoder, "decoder")?;
    outline.post_processor.map_or(Ok(()), |processor| processor.check())
}

fn check_count(what: &str, count: usize, most: usize) -> Result<(), String> {
    if count <= most {
        return Ok(());
    }
    Err(format!("has {count} {what}, at most {most} are read: no published tokenizer has as many"))
}

/// The error on the token with the largest id, if the embedding has no row for it.
pub(super) fn check_largest(token: &str, id: u64, embedding_rows: usize) -> Result<(), String> {
    if id < embedding_rows as u64 {
        return Ok(());
    }
    Err(format!(
        "token `{}` has id {id}, the model's embedding has {embedding_rows} rows: the tokenizer belongs to another model",
        short_id(token)
    ))
}

/// The number of tokens, and the one with the largest id.
#[derive(Default)]
pub(super) struct Vocabulary {
    tokens: usize,
    largest: Option<(String, u64)>,
}

impl Vocabulary {
    /// Tokens with their places as ids, given by their number and the last.
    pub(super) fn in_order(tokens: usize, last: &str) -> Self {
        Self { tokens, largest: tokens.checked_sub(1).map(|id| (last.to_owned(), id as u64)) }
    }

    pub(super) fn check(&self, embedding_rows: usize) -> Result<(), String> {
        if let Some((token, id)) = &self.largest {
            check_largest(token, *id, embedding_rows)?;
        }
        check_count("tokens", self.tokens, LARGEST_VOCABULARY)
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Entries)
    }
}

/// An object of ids by token, or a list of tokens with their scores.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vocabulary;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a vocabulary")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Vocabulary, A::Error> {
        let mut vocabulary = Vocabulary::default();
        while let Some((token, id)) = entries.next_entry::<String, Value>()? {
            let id = id.as_u64().filter(|id| u32::try_from(*id).is_ok());
            let id = id.ok_or_else(|| A::Error::custom("a token has no id of 32 bits"))?;
            vocabulary.tokens += 1;
            if vocabulary.largest.as_ref().is_none_or(|(_, largest)| id >= *largest) {
                vocabulary.largest = Some((token, id));
            }
        }
        Ok(vocabulary)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vocabulary, A::Error> {
        let (mut tokens, mut last) = (0, Value::Null);
        while let Some(entry) = entries.next_element::<Value>()? {
            (tokens, last) = (tokens + 1, entry);
        }
        Ok(Vocabulary::in_order(tokens, last[0].as_str().unwrap_or_default()))
    }
}
