//! Determines which fields of a row are the document and the summary, and which others pass through. A configured name wins;
//! otherwise the first usual name that the row has, in the order of the lists below, regardless of field order and values. A
//! document may be a list of sources, as contexts often are; they are joined with blank lines. Refuses fields that are
//! missing, of another type, or empty.

use serde_json::value::RawValue;
use veridic_models::store::quoting::listed_names;

use super::fault::{Lost, Origin, RowFault};
use super::paths::Paths;
use super::raw_row::RawRow;
use super::values::{any_text_or_file, document, has_value, texts_of, value, with_words};
use crate::error::Error;
use crate::input::Fields;
use crate::input::{Pair, Sources};

/// The usual names of the document; the first one present is used.
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

/// The usual names of the summary; the first one present is used.
pub const SUMMARY_NAMES: [&str; 8] =
    ["summary", "summ", "claim", "response", "answer", "hypothesis", "system_output", "actual_output"];

/// The field of given claims.
const CLAIMS: &str = "claims";

/// The field of given sentences of the document.
const SENTENCES: &str = "document_sentences";

/// The field of given sentences of the summary.
pub const SUMMARY_SENTENCES: &str = "summary_sentences";

/// The fields in which a row may give claims and sentences.
pub const GIVEN_NAMES: [&str; 3] = [CLAIMS, SENTENCES, SUMMARY_SENTENCES];

/// The names of the fields to read, and which of them are required.
#[derive(Debug, Clone, Default)]
pub struct RowNames {
    document: Option<String>,
    summary: Option<String>,
    /// If set, only these fields pass through, instead of all but the texts; they may include the texts.
    pub keep: Option<Vec<String>>,
    /// Whether claims are required: a list of texts in the field `claims` (in a table, as JSON).
    pub claims: bool,
    /// Whether the citations in summaries are checked; documents must then be lists of sources.
    pub citations: bool,
    /// The names of other fields that an evaluator reads. They also pass through.
    pub inputs: &'static [&'static str],
    /// Whether texts may be blank.
    pub blank_texts: bool,
    /// Whether summaries may be blank.
    pub blank_summaries: bool,
}

/// The same field is set for both texts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{0}` cannot be both the document and the summary")]
pub struct SameName(String);

/// A row to judge.
#[derive(Debug, Clone)]
pub struct Row {
    /// The file and place of the row.
    pub origin: Origin,
    /// The text that should support the summary.
    pub document: String,
    /// The sources of the document, if it is a list.
    pub sources: Option<Sources>,
    /// The text to judge.
    pub summary: String,
    /// The field `id`, as written.
    pub id: Option<Box<RawValue>>,
    /// The claims of the summary, if claims are read.
    pub claims: Option<Vec<String>>,
    /// The document's sentences, if the row has `document_sentences`.
    pub sentences: Option<Vec<String>>,
    /// The summary's sentences, if the row has `summary_sentences`.
    pub summary_sentences: Option<Vec<String>>,
    /// Whether the summary's markers are citations of the sources.
    pub citations: bool,
    /// The other fields that an evaluator reads.
    pub inputs: Fields,
    /// The fields that pass through.
    pub rest: Fields,
}

/// A row without a required field, or with an invalid one.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct BadRow {
    /// The place and reason of the fault.
    pub fault: RowFault,
    /// The field `id`, as written.
    pub id: Option<Box<RawValue>>,
    /// The fields that pass through.
    pub rest: Fields,
}

impl Row {
    /// Returns the texts as a pair.
    #[must_use]
    pub fn pair(&self) -> Pair<'_> {
        Pair {
            claims: self.claims.as_deref(),
            sentences: self.sentences.as_deref(),
            summary_sentences: self.summary_sentences.as_deref(),
            inputs: Some(&self.inputs),
            sources: self.sources.as_ref(),
            citations: self.citations,
            ..Pair::new(&self.document, &self.summary)
        }
    }
}

impl RowNames {
    /// Uses the given names, and the usual names for those that are `None`.
    ///
    /// # Errors
    /// If both names are the same.
    pub fn new(document: Option<String>, summary: Option<String>) -> Result<Self, SameName> {
        if let Some(name) = document.as_ref().filter(|_| document == summary) {
            return Err(SameName(name.clone()));
        }
        Ok(Self { document, summary, ..Self::default() })
    }

    /// Sets the fields of the texts.
    ///
    /// # Errors
    /// If both names are the same.
    pub fn naming(self, document: Option<String>, summary: Option<String>) -> Result<Self, SameName> {
        let Self { document, summary, .. } = Self::new(document, summary)?;
        Ok(Self { document, summary, ..self })
    }

    /// Refuses a row that cannot be judged.
    ///
    /// # Errors
    /// As [`Pair::check`], and for blank summaries where they are not accepted.
    pub fn check(&self, row: &Row) -> Result<(), Error> {
        if self.blank_texts || self.blank_summaries {
            row.pair().check_but_blank_summary()
        } else {
            row.pair().check()
        }
    }

    /// Returns the name of the row's document field, if it has one.
    #[must_use]
    pub fn document_of(&self, fields: &Fields) -> Option<&str> {
        choose(self.document.as_deref(), &DOCUMENT_NAMES, self.summary.as_deref(), fields)
    }

    /// Returns the name of the row's summary field, if it has one.
    #[must_use]
    pub fn summary_of(&self, fields: &Fields) -> Option<&str> {
        choose(self.summary.as_deref(), &SUMMARY_NAMES, self.document.as_deref(), fields)
    }

    /// Reads the texts of a row.
    ///
    /// # Errors
    /// If a required field is missing or a field is invalid.
    pub fn read(&self, row: RawRow) -> Result<Row, Box<BadRow>> {
        let RawRow { origin, mut fields } = row;
        let texts = self.texts(&fields, &origin);
        let id = fields.take("id");
        match texts {
            Ok((row, taken)) => {
                self.leave_out(&mut fields, &taken);
                Ok(Row { id, rest: fields, ..row })
            }
            Err(BadTexts { reason, argument }) => {
                self.leave_out(&mut fields, &[]);
                let fault = RowFault { origin, reason, argument, lost: Lost::Row };
                Err(Box::new(BadRow { fault, id, rest: fields }))
            }
        }
    }

    /// Reads the texts of a row, still without its other fields; also returns the names of the fields that they come from.
    fn texts(&self, fields: &Fields, origin: &Origin) -> Result<(Row, Vec<String>), BadTexts> {
        let document_name = self
            .document_of(fields)
            .ok_or_else(|| missing(self.document.as_deref(), "document", "document_field", fields))?;
        let summary_name = self
            .summary_of(fields)
            .ok_or_else(|| missing(self.summary.as_deref(), "summary", "summary_field", fields))?;
        let paths = Paths::of(origin);
        let (mut document, sources) = document(fields, document_name, self.blank_texts, paths)?;
        let mut summary = any_text_or_file(value(fields, summary_name)?, summary_name, paths)?;
        let has_no_sources = sources.as_ref().is_some_and(|sources| sources.list().is_empty());
        if !self.blank_texts && !has_no_sources {
            document = with_words(document, document_name)?;
        }
        if !self.blank_texts && !self.blank_summaries {
            summary = with_words(summary, summary_name)?;
        }
        let mut taken = vec![document_name.to_owned(), summary_name.to_owned()];
        let mut list = |name: &str, is_read: bool| {
            taken.extend(is_read.then(|| name.to_owned()));
            is_read.then(|| texts_of(fields, name)).transpose()
        };
        let row = Row {
            origin: origin.clone(),
            document,
            sources,
            summary,
            id: None,
            claims: list(CLAIMS, self.claims)?,
            sentences: list(SENTENCES, has_value(fields, SENTENCES))?,
            summary_sentences: list(SUMMARY_SENTENCES, has_value(fields, SUMMARY_SENTENCES))?,
            citations: self.citations,
            inputs: self.inputs_of(fields, document_name),
            rest: Fields::default(),
        };
        Ok((row, taken))
    }

    fn inputs_of(&self, fields: &Fields, document_name: &str) -> Fields {
        let names = self.inputs.iter().filter(|name| **name != document_name);
        names.filter_map(|name| Some(((*name).to_owned(), fields.get(name)?.to_owned()))).collect()
    }

    /// Removes the fields that do not pass through: all but those to keep or, if none are named, those `taken`.
    fn leave_out(&self, fields: &mut Fields, taken: &[String]) {
        fields.retain(|name| match &self.keep {
            Some(names) => names.iter().any(|kept| kept == name),
            None => !taken.iter().any(|taken| taken == name),
        });
    }
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

/// Why the texts of a row cannot be read.
struct BadTexts {
    reason: String,
    /// The argument that the reason names.
    argument: Option<&'static str>,
}

impl From<String> for BadTexts {
    fn from(reason: String) -> Self {
        Self { reason, argument: None }
    }
}

/// A row lacks its document or summary, `what`, whose field the run's `argument` names.
fn missing(given: Option<&str>, what: &str, argument: &'static str, fields: &Fields) -> BadTexts {
    let names = listed_names(&fields.names());
    let reason = match given {
        Some(name) => format!("has no field `{name}` (its fields: {names})"),
        None => format!("has no field for the {what} (its fields: {names}): name it in `{argument}`"),
    };
    BadTexts { reason, argument: Some(argument) }
}
