//! The fields of each request. Refuses, by name, a field that is missing, unknown, duplicated or of another type.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::value::RawValue;
use veridic_models::Truncation;

use super::error::{ErrorCode, RequestError};
use veridic::corpus::read::document_of;
use veridic::corpus::{Fields, from_json};
use veridic::pipeline::{NliPair, Summary, check_text};
use veridic::{Pair, Sources};

/// The maximum length of `id`, in bytes of JSON.
const MAX_ID_BYTES: usize = 1024;

/// A pair to evaluate.
#[derive(Debug)]
pub(super) struct ScoreRequest {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) document: String,
    sources: Option<Sources>,
    citations: bool,
    pub(super) summary: String,
    pub(super) claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
    summary_sentences: Option<Vec<String>>,
}

/// A summary whose claims are extracted.
#[derive(Debug)]
pub(super) struct ClaimsRequest {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) summary: String,
    pub(super) claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
}

/// A raw pair for the NLI model.
#[derive(Debug)]
pub(super) struct NliRequest {
    pub(super) premise: String,
    pub(super) hypothesis: String,
    pub(super) truncation: Truncation,
}

impl ScoreRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        let (document, sources) = reader.document("document")?;
        let request = Self {
            id: reader.id()?,
            document,
            sources,
            summary: reader.text("summary")?,
            claims: reader.optional("claims", "a list of strings")?,
            citations: reader.optional("citations", "true or false")?.unwrap_or_default(),
            sentences: reader.optional("document_sentences", "a list of strings")?,
            summary_sentences: reader.optional("summary_sentences", "a list of strings")?,
        };
        reader.end("document, summary, id, claims, document_sentences, summary_sentences, citations")?;
        request.pair().check().map_err(|error| RequestError::of(&error))?;
        Ok(request)
    }

    pub(super) fn pair(&self) -> Pair<'_> {
        Pair {
            claims: self.claims.as_deref(),
            sentences: self.sentences.as_deref(),
            summary_sentences: self.summary_sentences.as_deref(),
            sources: self.sources.as_ref(),
            citations: self.citations,
            ..Pair::new(&self.document, &self.summary)
        }
    }
}

impl ClaimsRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        let request = Self {
            id: reader.id()?,
            summary: reader.text("summary")?,
            claims: reader.optional("claims", "a list of strings")?,
            sentences: reader.optional("summary_sentences", "a list of strings")?,
        };
        reader.end("summary, id, claims, summary_sentences")?;
        request.summary().check().map_err(|error| RequestError::of(&error))?;
        Ok(request)
    }

    pub(super) fn summary(&self) -> Summary<'_> {
        let (claims, sentences) = (self.claims.as_deref(), self.sentences.as_deref());
        Summary { claims, sentences, ..Summary::new(&self.summary) }
    }
}

impl NliRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        let (premise, hypothesis) = (reader.text("premise")?, reader.text("hypothesis")?);
        let truncation = match reader.optional::<String>("truncate", "a string")?.as_deref() {
            None => Truncation::Refuse,
            Some("longest_first") => Truncation::LongestFirst,
            Some("premise") => Truncation::Premise,
            Some(_) => {
                return Err(RequestError::invalid("truncate", "`truncate` is longest_first or premise"));
            }
        };
        reader.end("premise, hypothesis, truncate")?;
        let texts = check_text("premise", &premise).and_then(|()| check_text("hypothesis", &hypothesis));
        texts.map_err(|error| RequestError::of(&error))?;
        Ok(Self { premise, hypothesis, truncation })
    }

    pub(super) fn question(&self) -> NliPair<'_> {
        NliPair { premise: &self.premise, hypothesis: &self.hypothesis }
    }
}

/// Parses the fields of a JSON object.
pub(super) fn object(bytes: &[u8]) -> Result<Fields, RequestError> {
    serde_json::from_slice(bytes).map_err(|error| not_json(&error))
}

/// Returns the error of a body that is not the expected JSON.
fn not_json(error: &serde_json::Error) -> RequestError {
    match error.classify() {
        Category::Data => RequestError::new(ErrorCode::Invalid, error.to_string()),
        _ => RequestError::new(ErrorCode::NotJson, format!("the body is not valid JSON: {error}")),
    }
}

/// Splits a batch into the bytes of its rows: the elements of an array, or lines.
pub(super) fn rows(bytes: &[u8]) -> Result<Vec<&[u8]>, RequestError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rows: Vec<&[u8]> = if bytes.trim_ascii_start().starts_with(b"[") {
        let elements: Vec<&RawValue> = serde_json::from_slice(bytes).map_err(|error| not_json(&error))?;
        elements.into_iter().map(|element| element.get().as_bytes()).collect()
    } else {
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect()
    };
    if rows.is_empty() {
        return Err(RequestError::new(
            ErrorCode::Invalid,
            "the body has no rows: send an array of objects, or one object a line",
        ));
    }
    Ok(rows)
}

/// Takes fields out of an object one by one.
pub(super) struct Reader {
    fields: Fields,
}

impl Reader {
    pub(super) fn of(fields: Fields) -> Self {
        Self { fields }
    }

    pub(super) fn id(&mut self) -> Result<Option<Box<RawValue>>, RequestError> {
        let Some(id) = self.given("id") else { return Ok(None) };
        let is_plain = id.get().starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        if !is_plain || id.get().len() > MAX_ID_BYTES {
            let message = format!("`id` must be a string or a number of at most {MAX_ID_BYTES} bytes");
            return Err(RequestError::invalid("id", message));
        }
        Ok(Some(id))
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<String, RequestError> {
        let text = self.optional(name, "a string")?;
        text.ok_or_else(|| RequestError::invalid(name, format!("the field `{name}` is missing")))
    }

    /// Takes a text, or a list of sources joined into one.
    pub(super) fn document(&mut self, name: &'static str) -> Result<(String, Option<Sources>), RequestError> {
        let missing = || RequestError::invalid(name, format!("the field `{name}` is missing"));
        let value = self.given(name).ok_or_else(missing)?;
        document_of(value.get()).map_err(|reason| RequestError::invalid(name, format!("`{name}` {reason}")))
    }

    pub(super) fn optional<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
        what: &str,
    ) -> Result<Option<T>, RequestError> {
        let value = self.given(name).map(|value| from_json(value.get()));
        value.transpose().map_err(|_| RequestError::invalid(name, format!("`{name}` is not {what}")))
    }

    /// Takes a field that is present and not null.
    fn given(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.fields.take(name).filter(|value| value.get() != "null")
    }

    /// Refuses the remaining fields.
    pub(super) fn end(&self, known: &str) -> Result<(), RequestError> {
        match self.fields.names().first() {
            Some(name) => {
                let name: String = name.chars().take(80).collect();
                let message = format!("unknown field `{name}`: the fields are {known}");
                Err(RequestError::invalid(name, message))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_elements_or_lines() {
        assert_eq!(rows(b" [{\"a\":1}, 2]").unwrap(), [b"{\"a\":1}".as_slice(), b"2"]);
        assert_eq!(rows(b"\xef\xbb\xbf{\"a\":\n\r\n\xff\n").unwrap(), [b"{\"a\":".as_slice(), b"\xff"]);
        for bad in [b"".as_slice(), b"[]", b"\n \n", b"[1,", b"[\xff]"] {
            assert!(rows(bad).is_err(), "{bad:?}");
        }
    }
}
