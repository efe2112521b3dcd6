//! The fields of each request. Refuses, by name, a field that is missing, duplicated or of another type. A row is read as
//! `run` reads it: its texts have one of the usual names, and its other fields are returned; refused is only what looks like
//! a misspelt field of ours. Other requests refuse every other field.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::value::RawValue;
use veridic_models::Truncation;
use veridic_models::store::quoting::listed_names;
use veridic_models::store::slip_of;

use super::error::{ErrorCode, RequestError};
use veridic::corpus::read::{DOCUMENT_NAMES, RowNames, SUMMARY_NAMES, document_of};
use veridic::corpus::{Fields, from_json};
use veridic::pipeline::{NliPair, Summary, check_text};
use veridic::{Pair, Sources};

/// The maximum length of `id`, in bytes of JSON.
const MAX_ID_BYTES: usize = 1024;

/// The fields of a row, beside its texts and its id, that say how to judge it.
const OWN_NAMES: [&str; 4] = ["claims", "document_sentences", "summary_sentences", "citations"];

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
    /// The other fields, if there are any.
    pub(super) input: Option<Fields>,
    document_name: String,
    summary_name: String,
}

/// A summary whose claims are extracted.
#[derive(Debug)]
pub(super) struct ClaimsRequest {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) summary: String,
    pub(super) claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
    /// The other fields, if there are any.
    pub(super) input: Option<Fields>,
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
        let (document_name, summary_name) = (reader.document_name()?, reader.summary_name()?);
        let (document, sources) = reader.document(&document_name)?;
        let request = Self {
            id: reader.id()?,
            document,
            sources,
            summary: reader.text(&summary_name)?,
            claims: reader.optional("claims", "a list of strings")?,
            citations: reader.optional("citations", "true or false")?.unwrap_or_default(),
            sentences: reader.optional("document_sentences", "a list of strings")?,
            summary_sentences: reader.optional("summary_sentences", "a list of strings")?,
            input: reader.others()?,
            document_name,
            summary_name,
        };
        request.pair().check().map_err(|error| request.named(RequestError::of(&error)))?;
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

    /// Returns an error with the request's names of its fields.
    pub(super) fn named(&self, error: RequestError) -> RequestError {
        error.renamed(&[("document", &self.document_name), ("summary", &self.summary_name)])
    }
}

impl ClaimsRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        let summary_name = reader.summary_name()?;
        reader.leave_out_document();
        let request = Self {
            id: reader.id()?,
            summary: reader.text(&summary_name)?,
            claims: reader.optional("claims", "a list of strings")?,
            sentences: reader.optional("summary_sentences", "a list of strings")?,
            input: reader.others()?,
        };
        let names = [("summary", summary_name.as_str())];
        request.summary().check().map_err(|error| RequestError::of(&error).renamed(&names))?;
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
    serde_json::from_slice(bytes).map_err(|error| not_json(bytes, &error))
}

/// Returns the error of a body that is not the expected JSON.
fn not_json(bytes: &[u8], error: &serde_json::Error) -> RequestError {
    let is_json = || serde_json::from_slice::<&RawValue>(bytes).is_ok();
    match error.classify() {
        // `[[[[` is neither an object nor JSON.
        Category::Data if is_json() => RequestError::new(ErrorCode::Invalid, error.to_string()),
        _ => RequestError::new(ErrorCode::NotJson, format!("the body is not valid JSON: {error}")),
    }
}

/// Splits a batch into the bytes of its rows: the elements of an array, or lines.
pub(super) fn rows(bytes: &[u8]) -> Result<Vec<&[u8]>, RequestError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rows: Vec<&[u8]> = if bytes.trim_ascii_start().starts_with(b"[") {
        let elements: Vec<&RawValue> =
            serde_json::from_slice(bytes).map_err(|error| not_json(bytes, &error))?;
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

    /// Returns the name of the document's field: the first of the usual names that the request has.
    pub(super) fn document_name(&self) -> Result<String, RequestError> {
        let name = RowNames::default().document_of(&self.fields).map(str::to_owned);
        name.ok_or_else(|| self.no_text("document", &DOCUMENT_NAMES))
    }

    /// Returns the name of the summary's field: the first of the usual names that the request has.
    pub(super) fn summary_name(&self) -> Result<String, RequestError> {
        let name = RowNames::default().summary_of(&self.fields).map(str::to_owned);
        name.ok_or_else(|| self.no_text("summary", &SUMMARY_NAMES))
    }

    fn no_text(&self, what: &str, usual: &[&str]) -> RequestError {
        let (names, usual) = (listed_names(&self.fields.names()), usual.join(", "));
        let message =
            format!("no field is the {what} (the request's fields: {names}): its usual names are {usual}");
        RequestError::invalid(what, message)
    }

    /// Removes the fields that say something of a document, which need not be read.
    fn leave_out_document(&mut self) {
        let document = RowNames::default().document_of(&self.fields).map(str::to_owned);
        self.fields.retain(|name| {
            !["document_sentences", "citations"].contains(&name) && Some(name) != document.as_deref()
        });
    }

    pub(super) fn text(&mut self, name: &str) -> Result<String, RequestError> {
        let value = self.fields.take(name).ok_or_else(|| missing(name))?;
        from_json(value.get()).map_err(|_| RequestError::invalid(name, format!("`{name}` is not a string")))
    }

    /// Takes a text, or a list of sources joined into one.
    pub(super) fn document(&mut self, name: &str) -> Result<(String, Option<Sources>), RequestError> {
        let value = self.fields.take(name).ok_or_else(|| missing(name))?;
        document_of(value.get()).map_err(|reason| RequestError::invalid(name, format!("`{name}` {reason}")))
    }

    pub(super) fn optional<T: DeserializeOwned>(
        &mut self,
        name: &str,
        what: &str,
    ) -> Result<Option<T>, RequestError> {
        let value = self.given(name).map(|value| from_json(value.get()));
        value.transpose().map_err(|_| RequestError::invalid(name, format!("`{name}` is not {what}")))
    }

    /// Takes a field that is present and not null.
    fn given(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.fields.take(name).filter(|value| value.get() != "null")
    }

    /// Returns the remaining fields of a row, if there are any. Refuses a field of ours that is not read, and one that looks
    /// like a misspelt one.
    pub(super) fn others(self) -> Result<Option<Fields>, RequestError> {
        for name in self.fields.names() {
            let Some(own) = slip_of(name, OWN_NAMES) else { continue };
            let what = if name == own {
                "is not read at this address: leave it out".to_owned()
            } else {
                format!("looks like a misspelt `{own}`: correct it, or give the field another name")
            };
            return Err(RequestError::invalid(name, format!("`{name}` {what}")));
        }
        Ok(Some(self.fields).filter(|fields| !fields.names().is_empty()))
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

fn missing(name: &str) -> RequestError {
    RequestError::invalid(name, format!("the field `{name}` is missing"))
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
