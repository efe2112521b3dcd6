//! The documents of REALSumm with their key facts: FineSurE's `human-keyfact-list.json`, or the list that GPT-4 wrote:
//! doc_id, transcript, reference, key_facts.

use std::collections::HashMap;

use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text, field_texts};
use veridic_models::store::quoting::quoted_name;

use crate::protocol::{BenchError, fields, read_fields};

const DOCUMENT_ID: &str = "doc_id";
const DOCUMENT: &str = "transcript";
const KEY_FACTS: &str = "key_facts";
/// The language model's reply, which people's list of key facts lacks.
const REPLY: &str = "llm_output";

/// Documents with their key facts, by doc_id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyFactLists(HashMap<String, KeyFactList>);

/// A document and its key facts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyFactList {
    pub(super) document: String,
    pub(super) reference: Option<String>,
    pub(super) key_facts: Vec<String>,
    /// Whether people wrote them, so that the labels of `realsumm-data.json` are theirs.
    is_by_people: bool,
}

impl KeyFactList {
    /// Whether the labels of a row with `count` of them are of these key facts.
    pub(super) fn is_labelled(&self, count: usize) -> bool {
        self.is_by_people && self.key_facts.len() == count
    }
}

impl KeyFactLists {
    /// Reads rows of a list of key facts. Refuses the first row that is not such a list, or repeats a document; files
    /// without rows.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut lists = Self::default();
        read_fields(rows, |_, mut fields| lists.add(&mut fields))?;
        if lists.0.is_empty() {
            return Err(BenchError::Data("the lists of key facts hold no rows".into()));
        }
        Ok(lists)
    }

    pub(super) fn of(&self, document_id: &str) -> Result<&KeyFactList, String> {
        if self.0.is_empty() {
            return Err(
                "needs the key facts of documents: give --key-fact-list human-keyfact-list.json".into()
            );
        }
        let missing = || format!("document {} is not in the list of key facts", quoted_name(document_id));
        self.0.get(document_id).ok_or_else(missing)
    }

    fn add(&mut self, fields: &mut Fields) -> Result<(), String> {
        fields::require(fields, &[DOCUMENT_ID, DOCUMENT, KEY_FACTS])?;
        let id = fields::name(fields, DOCUMENT_ID)?;
        let reference = fields::optional_text(fields, "reference")?;
        let (document, key_facts) = (field_text(fields, DOCUMENT)?, field_texts(fields, KEY_FACTS)?);
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty"));
        }
        let is_by_people = fields.get(REPLY).is_none();
        match self.0.insert(id.clone(), KeyFactList { document, reference, key_facts, is_by_people }) {
            None => Ok(()),
            Some(_) => Err(format!("document {} has key facts twice", quoted_name(&id))),
        }
    }
}
