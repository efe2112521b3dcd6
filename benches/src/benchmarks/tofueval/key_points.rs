//! The human-written key points for each topic: the authors' `completeness/{mediasum,meetingbank}_completeness_final.csv`
//! (doc_id, annotation_id, topic, key_points), where key points are a list as printed by Python, or empty if the transcript
//! says nothing about the topic.

use std::collections::HashMap;

use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_models::store::quoting::quoted_name;

use crate::metrics::key_facts_of;
use crate::protocol::{BenchError, fields, read_fields};

const KEY_POINTS: &str = "key_points";

/// Key points by transcript and topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyPoints(HashMap<(String, String), Vec<String>>);

impl KeyPoints {
    /// Reads rows of the authors' files. Refuses a row that cannot be read or has no key points, and two different lists
    /// for one topic.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut read = Self::default();
        read_fields(rows, |_, fields| read.add(&fields))?;
        Ok(read)
    }

    /// The key points of a topic of a transcript, which may be none.
    pub(super) fn of(&self, document: &str, topic: &str) -> Result<&[String], String> {
        let key = (document.to_owned(), topic.to_owned());
        self.0.get(&key).map(Vec::as_slice).ok_or_else(|| {
            let (topic, document) = (quoted_name(topic), quoted_name(document));
            format!("topic {topic} of {document} is in no file of key points (*_completeness_final.csv)")
        })
    }

    fn add(&mut self, fields: &Fields) -> Result<(), String> {
        fields::require(fields, &["doc_id", "topic", KEY_POINTS])?;
        let key = (fields::name(fields, "doc_id")?, fields::name(fields, "topic")?);
        let list = fields.get(KEY_POINTS).filter(|_| !fields::is_blank(fields, KEY_POINTS));
        let points = list.map(|list| {
            key_facts_of(list).ok_or_else(|| {
                format!("field `{KEY_POINTS}` is not a list of strings, or of objects with `text`")
            })
        });
        let points = points.transpose()?.unwrap_or_default();
        match self.0.insert(key.clone(), points) {
            Some(before) if before != self.0[&key] => Err(format!(
                "there are two lists of key points for topic {} of {}",
                quoted_name(&key.1),
                quoted_name(&key.0)
            )),
            _ => Ok(()),
        }
    }
}
