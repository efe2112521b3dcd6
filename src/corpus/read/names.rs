//! Which fields of a row are the document and the summary, and which others pass through. A name that
//! is given wins; else the first usual name that the row has, in the order of the lists below, whatever
//! the order of its fields and whatever it holds; the others pass through as they are. Contexts are
//! often lists of texts: they are joined by blank lines, and so is a document field that was named.
//! Refuses what is missing, of another type, or empty.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::jsonl::{Fields, field_text};
use super::RawRow;
use super::fault::{Lost, Origin, RowFault};
use super::python_list::python_list;
use crate::pipeline::SectionDefinition;

/// Usual names of the document, the first that a row has is taken.
pub const DOCUMENT_NAMES: [&str; 9] = [
    "document",
    "doc",
    "source",
    "article",
    "context",
    "contexts",
    "transcript",
    "premise",
    "retrieved_contexts",
];

/// Usual names of the summary, the first that a row has is taken.
pub const SUMMARY_NAMES: [&str; 8] =
    ["summary", "summ", "claim", "response", "answer", "hypothesis", "system_output", "actual_output"];

/// Names under which a list of texts is as usual as a text.
const LIST_NAMES: [&str; 3] = ["context", "contexts", "retrieved_contexts"];

/// The name of given claims.
const CLAIMS: &str = "claims";

/// The name of the document's sentences, where a row gives them.
const SENTENCES: &str = "document_sentences";

/// Names of the key facts, the first that a row has is taken.
const KEY_FACTS: [&str; 3] = ["key_facts", "keyfacts", "key_points"];

/// Names of a summary by people.
const REFERENCES: [&str; 2] = ["reference", "ground_truth"];

/// The name of what the summary should be about.
const TOPIC: &str = "topic";

/// The name of several summaries by people, a list.
const REFERENCE_LIST: &str = "references";

/// The name of what sections of the summary should hold: an object, a definition by header.
const SECTIONS: &str = "sections";

/// Names of what a row may bring beside the two texts.
pub const AID_NAMES: [&str; 10] = [
    CLAIMS,
    SENTENCES,
    KEY_FACTS[0],
    KEY_FACTS[1],
    KEY_FACTS[2],
    REFERENCES[0],
    REFERENCES[1],
    TOPIC,
    REFERENCE_LIST,
    SECTIONS,
];

/// What stands between the texts of a list.
const BETWEEN_TEXTS: &str = "\n\n";

/// How the fields of rows are called.
#[derive(Debug, Clone, Default)]
pub struct RowNames {
    document: Option<String>,
    summary: Option<String>,
    keep: Option<Vec<String>>,
    claims: bool,
    aids: bool,
}

/// One field cannot be both texts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{0}` cannot be both the document and the summary")]
pub struct SameName(String);

/// A row to judge.
#[derive(Debug, Clone)]
pub struct Row {
    /// Where it is.
    pub origin: Origin,
    /// The text that should support the summary.
    pub document: String,
    /// The text to judge.
    pub summary: String,
    /// The field `id`, as written.
    pub id: Option<Box<RawValue>>,
    /// The claims of the summary, if rows were asked for theirs.
    pub claims: Option<Vec<String>>,
    /// The document's sentences, if the row gives them in `document_sentences`.
    pub sentences: Option<Vec<String>>,
    /// What the summary should say, if rows were asked for it and this one has it.
    pub key_facts: Option<Vec<String>>,
    /// A summary by people, if rows were asked for it and this one has it.
    pub reference: Option<String>,
    /// What the summary should be about, if rows were asked for it and this one has it.
    pub topic: Option<String>,
    /// Several of them, if rows were asked for it and this one has them.
    pub references: Option<Vec<String>>,
    /// What sections of the summary should hold, if rows were asked for it and this one says so.
    pub sections: Option<Vec<SectionDefinition>>,
    /// What passes through.
    pub rest: Fields,
}

/// A row that lacks what it must have.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct BadRow {
    /// Where it is and what is wrong.
    pub fault: RowFault,
    /// The field `id`, as written.
    pub id: Option<Box<RawValue>>,
    /// What passes through.
    pub rest: Fields,
}

impl RowNames {
    /// Usual names, or the given ones.
    ///
    /// # Errors
    /// The same name for both.
    pub fn new(document: Option<String>, summary: Option<String>) -> Result<Self, SameName> {
        if let Some(name) = document.as_ref().filter(|_| document == summary) {
            return Err(SameName(name.clone()));
        }
        Ok(Self { document, summary, ..Self::default() })
    }

    /// The same, but the texts are in the given fields.
    ///
    /// # Errors
    /// The same name for both.
    pub fn naming(self, document: Option<String>, summary: Option<String>) -> Result<Self, SameName> {
        let Self { document, summary, .. } = Self::new(document, summary)?;
        Ok(Self { document, summary, ..self })
    }

    /// Only these fields pass through, not all; also document or summary, if they are named here.
    #[must_use]
    pub fn keep(self, names: Vec<String>) -> Self {
        Self { keep: Some(names), ..self }
    }

    /// Rows must have claims, a list of texts in the field `claims` (in a table, its JSON).
    #[must_use]
    pub fn with_claims(self) -> Self {
        Self { claims: true, ..self }
    }

    /// Rows may have key facts (`key_facts`: a list of texts, or of objects with `text`), a `reference`, several
    /// `references`, a `topic` and `sections` (an object of definitions by header), which also pass through.
    #[must_use]
    pub fn with_aids(self) -> Self {
        Self { aids: true, ..self }
    }

    /// The field that is the row's document, if it has one.
    #[must_use]
    pub fn document_of(&self, fields: &Fields) -> Option<&str> {
        choose(self.document.as_deref(), &DOCUMENT_NAMES, self.summary.as_deref(), fields)
    }

    /// The field that is the row's summary, if it has one.
    #[must_use]
    pub fn summary_of(&self, fields: &Fields) -> Option<&str> {
        choose(self.summary.as_deref(), &SUMMARY_NAMES, self.document.as_deref(), fields)
    }

    /// Takes a row apart.
    ///
    /// # Errors
    /// A row that lacks a text, or whose field is not what it must be.
    pub fn read(&self, row: RawRow) -> Result<Row, Box<BadRow>> {
        let RawRow { origin, mut fields } = row;
        let (texts, id) = (self.texts(&fields), fields.take("id"));
        match texts {
            Ok(texts) => {
                let Texts { document, summary, claims, sentences, .. } = texts;
                let Texts { key_facts, reference, references, sections, topic, names, .. } = texts;
                self.leave_out(&mut fields, &names);
                Ok(Row {
                    document,
                    summary,
                    id,
                    claims,
                    sentences,
                    key_facts,
                    reference,
                    topic,
                    references,
                    sections,
                    rest: fields,
                    origin,
                })
            }
            Err(reason) => {
                self.leave_out(&mut fields, &[]);
                Err(Box::new(BadRow { fault: RowFault::new(origin, reason, Lost::Row), id, rest: fields }))
            }
        }
    }

    fn texts(&self, fields: &Fields) -> Result<Texts, String> {
        let document_name =
            self.document_of(fields).ok_or_else(|| missing(self.document.as_deref(), "document", fields))?;
        let summary_name =
            self.summary_of(fields).ok_or_else(|| missing(self.summary.as_deref(), "summary", fields))?;
        let joins = self.document.is_some() || LIST_NAMES.contains(&document_name);
        let document = document(fields, document_name, joins)?;
        let summary = text(value(fields, summary_name)?, summary_name)?;
        let claims = self.claims.then(|| texts_of(fields, CLAIMS)).transpose()?;
        let has_sentences = has_value(fields, SENTENCES);
        let sentences = has_sentences.then(|| texts_of(fields, SENTENCES)).transpose()?;
        let aid = |names: &[&'static str]| {
            let name = names.iter().copied().find(|name| *name != document_name && has_value(fields, name));
            name.filter(|_| self.aids)
        };
        let key_facts = aid(&KEY_FACTS).map(|name| key_facts(fields, name)).transpose()?;
        let reference = aid(&REFERENCES).map(|name| text(value(fields, name)?, name)).transpose()?;
        // Under these common names a row may have other data.
        let topic = aid(&[TOPIC]).and_then(|name| text(value(fields, name).ok()?, name).ok());
        let references = aid(&[REFERENCE_LIST]).and_then(|name| texts_of(fields, name).ok());
        let sections = aid(&[SECTIONS]).and_then(|name| definitions(fields, name));
        let mut names = vec![document_name.to_owned(), summary_name.to_owned()];
        names.extend(self.claims.then(|| CLAIMS.to_owned()));
        names.extend(has_sentences.then(|| SENTENCES.to_owned()));
        Ok(Texts {
            document,
            summary,
            claims,
            sentences,
            key_facts,
            reference,
            references,
            sections,
            topic,
            names,
        })
    }

    /// Leaves what passes through: the named fields, or all but those that were `taken`.
    fn leave_out(&self, fields: &mut Fields, taken: &[String]) {
        fields.retain(|name| match &self.keep {
            Some(names) => names.iter().any(|kept| kept == name),
            None => !taken.iter().any(|taken| taken == name),
        });
    }
}

/// What a row says, and the fields that say it.
struct Texts {
    document: String,
    summary: String,
    claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
    key_facts: Option<Vec<String>>,
    reference: Option<String>,
    topic: Option<String>,
    references: Option<Vec<String>>,
    sections: Option<Vec<SectionDefinition>>,
    names: Vec<String>,
}

fn choose<'n>(
    given: Option<&'n str>,
    usual: &[&'static str],
    taken: Option<&str>,
    fields: &Fields,
) -> Option<&'n str> {
    let has = |name: &&str| fields.get(name).is_some();
    match given {
        Some(name) => Some(name).filter(has),
        None => usual.iter().copied().filter(|name| Some(*name) != taken).find(has),
    }
}

fn missing(given: Option<&str>, what: &str, fields: &Fields) -> String {
    let names = listed(&fields.names());
    match given {
        Some(name) => format!("has no field `{name}` (its fields: {names})"),
        None => format!("has no field for the {what} (its fields: {names}): name it with --{what}-field"),
    }
}

/// Names for an error that a person can read.
fn listed(names: &[&str]) -> String {
    const MOST_NAMES: usize = 12;
    const LONGEST_NAME: usize = 30;
    let short = |name: &&str| match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => (*name).to_owned(),
    };
    let listed: Vec<String> = names.iter().take(MOST_NAMES).map(short).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 if names.is_empty() => "none".into(),
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

fn document(fields: &Fields, name: &str, joins: bool) -> Result<String, String> {
    let value = value(fields, name)?;
    if !joins {
        return text(value, name);
    }
    if !value.starts_with('[') {
        return text(value, name).map_err(|reason| format!("{reason}, nor a list of strings"));
    }
    let texts: Vec<String> =
        serde_json::from_str(value).map_err(|_| format!("field `{name}` is not a list of strings"))?;
    with_words(texts.join(BETWEEN_TEXTS), name)
}

/// In a table, whose cells are strings, a list is the JSON of one.
fn texts_of(fields: &Fields, name: &str) -> Result<Vec<String>, String> {
    let value = value(fields, name)?;
    let list = if value.starts_with('"') { text(value, name)? } else { value.to_owned() };
    serde_json::from_str(&list).map_err(|_| format!("field `{name}` is not a list of strings"))
}

/// A list of texts, or of objects with a `text`; in a table also as Python writes a list of texts.
fn key_facts(fields: &Fields, name: &str) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum KeyFact {
        Text(String),
        Object { text: String },
    }
    let value = value(fields, name)?;
    let list = if value.starts_with('"') { text(value, name)? } else { value.to_owned() };
    if let Ok(facts) = serde_json::from_str::<Vec<KeyFact>>(&list) {
        return Ok(facts.into_iter().map(|(KeyFact::Text(text) | KeyFact::Object { text })| text).collect());
    }
    python_list(&list)
        .ok_or_else(|| format!("field `{name}` is not a list of strings, or of objects with `text`"))
}

/// An object of texts (in a table, its JSON), in its order; none of anything else.
fn definitions(fields: &Fields, name: &str) -> Option<Vec<SectionDefinition>> {
    let value = fields.get(name)?.get();
    let object = if value.starts_with('"') { serde_json::from_str(value).ok()? } else { value.to_owned() };
    let mut sections: Fields = serde_json::from_str(&object).ok()?;
    let names: Vec<String> = sections.names().into_iter().map(str::to_owned).collect();
    let section = |name: String| {
        let definition = field_text(&mut sections, &name).ok()?;
        Some(SectionDefinition { name, definition })
    };
    names.into_iter().map(section).collect()
}

fn has_value(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| value.get() != "null")
}

/// The JSON of a field that must be there.
fn value<'f>(fields: &'f Fields, name: &str) -> Result<&'f str, String> {
    let names = || format!("has no field `{name}` (its fields: {})", listed(&fields.names()));
    fields.get(name).map(RawValue::get).ok_or_else(names)
}

fn text(value: &str, name: &str) -> Result<String, String> {
    let what = match value.as_bytes().first() {
        Some(b'"') => "cannot be read as text",
        Some(b'n') => "is null, not a string",
        Some(b't' | b'f') => "is a boolean, not a string",
        Some(b'[') => "is a list, not a string",
        Some(b'{') => "is an object, not a string",
        _ => "is a number, not a string",
    };
    let text = serde_json::from_str(value).map_err(|_| format!("field `{name}` {what}"))?;
    with_words(text, name)
}

fn with_words(text: String, name: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err(format!("field `{name}` is empty")) } else { Ok(text) }
}
