//! What a request says. Every field is named here; one that is missing, unknown, given twice or of another type is
//! refused by its name.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::value::RawValue;
use veridic_models::Truncation;

use super::refusal::{Code, Refusal};
use veridic::corpus::{Fields, from_json};
use veridic::pipeline::{MetricInputs, NliPair, Pair, check_text};

/// Longest `id`, in bytes of its JSON.
const MOST_ID_BYTES: usize = 1024;

/// A pair to be judged.
#[derive(Debug)]
pub(super) struct ScoreRequest {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) document: String,
    pub(super) summary: String,
    pub(super) claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
    aids: MetricInputs,
}

/// A summary whose claims are wanted.
#[derive(Debug)]
pub(super) struct ClaimsRequest {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) summary: String,
    pub(super) claims: Option<Vec<String>>,
}

/// A raw pair.
#[derive(Debug)]
pub(super) struct NliRequest {
    pub(super) premise: String,
    pub(super) hypothesis: String,
    pub(super) truncation: Truncation,
}

impl ScoreRequest {
    /// `measures`: whether the server measures more than claims, so that key facts and references mean something.
    pub(super) fn read(fields: Fields, measures: bool) -> Result<Self, Refusal> {
        let mut reader = Reader { fields };
        let request = Self {
            id: reader.id()?,
            document: reader.text("document")?,
            summary: reader.text("summary")?,
            claims: reader.optional("claims", "a list of strings")?,
            sentences: reader.optional("document_sentences", "a list of strings")?,
            aids: MetricInputs {
                key_facts: reader.aid("key_facts", "a list of strings", measures)?.unwrap_or_default(),
                reference: reader.aid("reference", "a string", measures)?,
                references: reader.aid("references", "a list of strings", measures)?.unwrap_or_default(),
                topic: reader.aid("topic", "a string", measures)?,
                sections: Vec::new(),
            },
        };
        reader.end(
            "document, summary, id, claims, document_sentences, and key_facts, reference, references and topic where metrics want them",
        )?;
        request.pair().check().map_err(|error| Refusal::of(&error))?;
        Ok(request)
    }

    pub(super) fn pair(&self) -> Pair<'_> {
        Pair {
            claims: self.claims.as_deref(),
            sentences: self.sentences.as_deref(),
            metric_inputs: &self.aids,
            ..Pair::new(&self.document, &self.summary)
        }
    }
}

impl ClaimsRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, Refusal> {
        let mut reader = Reader { fields };
        let request = Self {
            id: reader.id()?,
            summary: reader.text("summary")?,
            claims: reader.optional("claims", "a list of strings")?,
        };
        reader.end("summary, id, claims")?;
        check_text("summary", &request.summary).map_err(|error| Refusal::of(&error))?;
        Ok(request)
    }
}

impl NliRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, Refusal> {
        let mut reader = Reader { fields };
        let (premise, hypothesis) = (reader.text("premise")?, reader.text("hypothesis")?);
        let truncation = match reader.optional::<String>("truncate", "a string")?.as_deref() {
            None => Truncation::Refuse,
            Some("longest_first") => Truncation::LongestFirst,
            Some("premise") => Truncation::Premise,
            Some(_) => return Err(Refusal::invalid("truncate", "`truncate` is longest_first or premise")),
        };
        reader.end("premise, hypothesis, truncate")?;
        let texts = check_text("premise", &premise).and_then(|()| check_text("hypothesis", &hypothesis));
        texts.map_err(|error| Refusal::of(&error))?;
        Ok(Self { premise, hypothesis, truncation })
    }

    pub(super) fn question(&self) -> NliPair<'_> {
        NliPair { premise: &self.premise, hypothesis: &self.hypothesis }
    }
}

/// The fields of a JSON object.
pub(super) fn object(bytes: &[u8]) -> Result<Fields, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| not_json(&error))
}

/// Why bytes are not the JSON that is wanted.
fn not_json(error: &serde_json::Error) -> Refusal {
    match error.classify() {
        Category::Data => Refusal::new(Code::Invalid, error.to_string()),
        _ => Refusal::new(Code::NotJson, format!("the body is not valid JSON: {error}")),
    }
}

/// The rows of a batch, as they are written: the elements of an array, or lines.
pub(super) fn rows(bytes: &[u8]) -> Result<Vec<&[u8]>, Refusal> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rows: Vec<&[u8]> = if bytes.trim_ascii_start().starts_with(b"[") {
        let elements: Vec<&RawValue> = serde_json::from_slice(bytes).map_err(|error| not_json(&error))?;
        elements.into_iter().map(|element| element.get().as_bytes()).collect()
    } else {
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect()
    };
    if rows.is_empty() {
        return Err(Refusal::new(
            Code::Invalid,
            "the body has no rows: send an array of objects, or one a line",
        ));
    }
    Ok(rows)
}

/// Takes fields out of an object, one after another.
struct Reader {
    fields: Fields,
}

impl Reader {
    fn id(&mut self) -> Result<Option<Box<RawValue>>, Refusal> {
        let Some(id) = self.given("id") else { return Ok(None) };
        let is_plain = id.get().starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        if !is_plain || id.get().len() > MOST_ID_BYTES {
            let message = format!("`id` is not a string or a number of at most {MOST_ID_BYTES} bytes");
            return Err(Refusal::invalid("id", message));
        }
        Ok(Some(id))
    }

    fn text(&mut self, name: &'static str) -> Result<String, Refusal> {
        let text = self.optional(name, "a string")?;
        text.ok_or_else(|| Refusal::invalid(name, format!("the field `{name}` is missing")))
    }

    /// A text that only some metrics read.
    fn aid<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
        what: &str,
        measures: bool,
    ) -> Result<Option<T>, Refusal> {
        let value = self.optional(name, what)?;
        if value.is_some() && !measures {
            let message =
                format!("no metric of this server reads `{name}`: `veridic serve --metric` asks for some");
            return Err(Refusal::invalid(name, message));
        }
        Ok(value)
    }

    fn optional<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
        what: &str,
    ) -> Result<Option<T>, Refusal> {
        let value = self.given(name).map(|value| from_json(value.get()));
        value.transpose().map_err(|_| Refusal::invalid(name, format!("`{name}` is not {what}")))
    }

    /// A field that is there and not null.
    fn given(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.fields.take(name).filter(|value| value.get() != "null")
    }

    /// Refuses what is left.
    fn end(&self, known: &str) -> Result<(), Refusal> {
        match self.fields.names().first() {
            Some(name) => {
                let name: String = name.chars().take(80).collect();
                let message = format!("there is no field `{name}`: known are {known}");
                Err(Refusal::invalid(name, message))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(json: &str, field: Option<&str>, part: &str) {
        let read = object(json.as_bytes()).and_then(|fields| ScoreRequest::read(fields, false));
        let told = serde_json::to_value(read.unwrap_err()).unwrap();
        assert_eq!(told.get("field").and_then(|field| field.as_str()), field, "{told}");
        assert!(told["message"].as_str().unwrap().contains(part), "{told}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        refused(r#"{"summary":"A b."}"#, Some("document"), "missing");
        refused(r#"{"document":null,"summary":"A b."}"#, Some("document"), "missing");
        refused(r#"{"document":["A"],"summary":"A b."}"#, Some("document"), "not a string");
        refused(r#"{"document":"A b.","summary":"..."}"#, Some("summary"), "no word");
        refused(r#"{"document":"\u0000\ud800","summary":"A"}"#, Some("document"), "no word");
        refused(r#"{"document":"A","summary":"A","model":"/etc"}"#, Some("model"), "no field `model`");
        refused(r#"{"document":"A","summary":"A","id":{}}"#, Some("id"), "string or a number");
        refused(r#"{"document":"A","summary":"A","claims":"A"}"#, Some("claims"), "list of strings");
        refused(r#"{"document":"A","summary":"A","reference":"A"}"#, Some("reference"), "--metric");
        refused(r#"{"document":"A","document":"B"}"#, None, "given twice");
        refused("[]", None, "object");
        refused("{", None, "not valid JSON");
    }

    #[test]
    fn rows_are_elements_or_lines() {
        assert_eq!(rows(b" [{\"a\":1}, 2]").unwrap(), [b"{\"a\":1}".as_slice(), b"2"]);
        assert_eq!(rows(b"\xef\xbb\xbf{\"a\":\n\r\n\xff\n").unwrap(), [b"{\"a\":".as_slice(), b"\xff"]);
        for bad in [b"".as_slice(), b"[]", b"\n \n", b"[1,", b"[\xff]"] {
            assert!(rows(bad).is_err(), "{bad:?}");
        }
    }
}
