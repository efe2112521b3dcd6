//! The texts that metrics need besides a document and its summary, read from the other fields of their row.

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use veridic::corpus::{Fields, from_json};
use veridic::text::NormalizedText;
use veridic::{Error, Pair, Result};

use crate::llm::literal::list_of_texts;

/// The names of the key facts; the first one present is used.
const KEY_FACTS: [&str; 3] = ["key_facts", "keyfacts", "key_points"];

/// The names of a reference summary; the first one present is used.
const REFERENCES: [&str; 2] = ["reference", "ground_truth"];

/// The field of the topic that the summary should be about.
const TOPIC: &str = "topic";

/// The field of several reference summaries, a list.
const REFERENCE_LIST: &str = "references";

/// The field with the content of the summary's sections: an object of definitions by header.
const SECTIONS: &str = "sections";

/// The fields of a row that metrics read besides its texts.
pub const METRIC_INPUTS: &[&str] = &[
    KEY_FACTS[0],
    KEY_FACTS[1],
    KEY_FACTS[2],
    REFERENCES[0],
    REFERENCES[1],
    TOPIC,
    REFERENCE_LIST,
    SECTIONS,
];

/// The inputs of metrics besides the two texts; empty if the row has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricInputs {
    /// The facts that a summary of the document should state.
    pub key_facts: Vec<String>,
    /// A reference summary written by a person.
    pub reference: Option<String>,
    /// Several reference summaries, for metrics that look for their common content.
    pub references: Vec<String>,
    /// The topic that the summary should be about.
    pub topic: Option<String>,
    /// The expected content of the summary's sections.
    pub sections: Vec<SectionDefinition>,
}

/// The expected content of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionDefinition {
    /// Its header.
    pub name: String,
    /// The content, in words.
    pub definition: String,
}

impl MetricInputs {
    /// Reads the inputs of a pair.
    ///
    /// # Errors
    /// If the key facts are no list of texts, or the reference is no text.
    pub(crate) fn of(pair: &Pair<'_>) -> Result<Self> {
        let Some(fields) = pair.inputs else { return Ok(Self::default()) };
        Self::read(fields).map_err(|reason| Error::Text { role: "field", reason })
    }

    fn read(fields: &Fields) -> std::result::Result<Self, String> {
        let first = |names: &[&'static str]| {
            names.iter().find_map(|name| {
                let value = fields.get(name).filter(|value| value.get() != "null")?;
                Some((*name, value))
            })
        };
        let key_facts = first(&KEY_FACTS).map(|(name, value)| {
            key_facts_of(value)
                .ok_or_else(|| format!("`{name}` is not a list of strings, or of objects with `text`"))
        });
        let reference = first(&REFERENCES).map(|(name, value)| {
            text_of(value).ok_or_else(|| format!("`{name}` is not a string, or is blank"))
        });
        // These names are common: a value of another type is other data, not an error.
        Ok(Self {
            key_facts: key_facts.transpose()?.unwrap_or_default(),
            reference: reference.transpose()?,
            topic: first(&[TOPIC]).and_then(|(_, value)| text_of(value)),
            references: first(&[REFERENCE_LIST])
                .and_then(|(_, value)| from_json(&list_json(value)?).ok())
                .unwrap_or_default(),
            sections: first(&[SECTIONS]).and_then(|(_, value)| definitions(value)).unwrap_or_default(),
        })
    }

    /// The inputs as fields of a row, without texts that are blank.
    pub(crate) fn to_fields(&self) -> Fields {
        let Self { key_facts, reference, references, topic, sections } = self;
        let reference = reference.as_ref().filter(|text| !text.trim().is_empty());
        let sections = (!sections.is_empty()).then(|| {
            let section = |section: &SectionDefinition| (section.name.clone(), raw(&section.definition));
            raw(sections.iter().map(section).collect::<Fields>())
        });
        let fields = [
            (KEY_FACTS[0], (!key_facts.is_empty()).then(|| raw(key_facts))),
            (REFERENCES[0], reference.map(raw)),
            (TOPIC, topic.as_ref().map(raw)),
            (REFERENCE_LIST, (!references.is_empty()).then(|| raw(references))),
            (SECTIONS, sections),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The inputs with normalized texts.
    pub(super) fn normalized(&self) -> Self {
        let one = |text: &String| NormalizedText::of(text).text().to_owned();
        let all = |texts: &[String]| texts.iter().map(one).collect();
        let section = |section: &SectionDefinition| SectionDefinition {
            name: one(&section.name),
            definition: one(&section.definition),
        };
        Self {
            key_facts: all(&self.key_facts),
            reference: self.reference.as_ref().map(one),
            references: all(&self.references),
            topic: self.topic.as_ref().map(one),
            sections: self.sections.iter().map(section).collect(),
        }
    }
}

fn raw<T: serde::Serialize>(value: T) -> Box<RawValue> {
    to_raw_value(&value).expect("texts are valid JSON")
}

fn text_of(value: &RawValue) -> Option<String> {
    from_json(value.get()).ok().filter(|text: &String| !text.trim().is_empty())
}

/// The JSON of a list; in a table, the content of the cell.
fn list_json(value: &RawValue) -> Option<String> {
    if value.get().starts_with('"') { text_of(value) } else { Some(value.get().to_owned()) }
}

/// Reads a list of texts, or of objects with a `text`; in a table also a list of texts as printed by Python.
pub(crate) fn key_facts_of(value: &RawValue) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum KeyFact {
        Text(String),
        Object { text: String },
    }
    let list = list_json(value)?;
    if let Ok(facts) = from_json::<Vec<KeyFact>>(&list) {
        return Some(
            facts.into_iter().map(|(KeyFact::Text(text) | KeyFact::Object { text })| text).collect(),
        );
    }
    list_of_texts(&list)
}

/// Reads an object of texts (in a table, as JSON), in order; `None` for any other value.
fn definitions(value: &RawValue) -> Option<Vec<SectionDefinition>> {
    let object =
        if value.get().starts_with('"') { from_json(value.get()).ok()? } else { value.get().to_owned() };
    let sections: Fields = serde_json::from_str(&object).ok()?;
    let section = |name: &str| {
        let definition = from_json(sections.get(name)?.get()).ok()?;
        Some(SectionDefinition { name: name.to_owned(), definition })
    };
    sections.names().into_iter().map(section).collect()
}
