//! The transcripts of TofuEval's summaries, which its authors do not publish. Rows have an id (`doc_id`, `meeting_id`,
//! `uid` or `id`) and a text (`source`, `transcript` or `document`), or, as in MediaSum's `news_dialogue.json`, the lists
//! `speaker` and `utt`, of which each pair becomes a line `SPEAKER: WORDS`. Only the transcripts that the annotations
//! need are kept, so that a corpus of gigabytes can be given as it is.

use std::collections::{BTreeSet, HashMap};

use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text, field_texts};
use veridic_models::store::quoting::{listed_names, quoted_name};

use super::annotations::Annotations;
use super::names::DATASETS;
use crate::protocol::{BenchError, Missing, fields, read_fields};

const IDS: [&str; 4] = ["doc_id", "meeting_id", "uid", "id"];
const TEXTS: [&str; 3] = ["source", "transcript", "document"];
const SPEAKERS: &str = "speaker";
const WORDS: &str = "utt";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcripts(HashMap<String, String>);

impl Transcripts {
    /// Reads the transcripts that the annotations need. Refuses a row that cannot be read or is not a transcript, two
    /// texts of one id, and ids without a text.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        annotations: &Annotations,
    ) -> Result<Self, BenchError> {
        let wanted: BTreeSet<&str> = annotations.documents().iter().map(|(_, id)| id.as_str()).collect();
        let mut transcripts = Self::default();
        read_fields(rows, |_, mut fields| transcripts.add(&mut fields, &wanted))?;
        let missing = DATASETS.map(|(corpus, source)| {
            let is_missing = |(of, id): &&(&str, String)| *of == corpus && !transcripts.0.contains_key(id);
            let ids = annotations.documents().iter().filter(is_missing).map(|(_, id)| id.as_str());
            Missing { corpus, source, ids: ids.collect() }
        });
        Missing::refuse(&missing, "transcripts")?;
        Ok(transcripts)
    }

    pub(super) fn text(&self, id: &str) -> Result<&str, String> {
        self.0
            .get(id)
            .map(String::as_str)
            .ok_or_else(|| format!("there is no transcript {}", quoted_name(id)))
    }

    fn add(&mut self, fields: &mut Fields, wanted: &BTreeSet<&str>) -> Result<(), String> {
        let Some(name) = IDS.into_iter().find(|name| fields.get(name).is_some()) else {
            let (ids, names) = (IDS.join("`, `"), listed_names(&fields.names()));
            return Err(format!(
                "is not a transcript: it has none of the fields `{ids}` (its fields: {names})"
            ));
        };
        let id = fields::name(fields, name)?;
        if !wanted.contains(id.as_str()) {
            return Ok(());
        }
        let text = text(fields)?;
        match self.0.insert(id.clone(), text) {
            Some(before) if before != self.0[&id] => {
                Err(format!("there are two transcripts {} that differ", quoted_name(&id)))
            }
            _ => Ok(()),
        }
    }
}

fn text(fields: &mut Fields) -> Result<String, String> {
    if let Some(name) = TEXTS.into_iter().find(|name| fields.get(name).is_some()) {
        return field_text(fields, name);
    }
    if fields.get(SPEAKERS).is_none() || fields.get(WORDS).is_none() {
        let (texts, names) = (TEXTS.join("`, `"), listed_names(&fields.names()));
        return Err(format!(
            "has no transcript: none of the fields `{texts}`, nor `{SPEAKERS}` and `{WORDS}` (its fields: {names})"
        ));
    }
    let (speakers, words) = (field_texts(fields, SPEAKERS)?, field_texts(fields, WORDS)?);
    if speakers.len() != words.len() {
        let (speakers, words) = (speakers.len(), words.len());
        return Err(format!("has {speakers} entries in `{SPEAKERS}` and {words} in `{WORDS}`"));
    }
    let lines = speakers.iter().zip(&words).map(|(speaker, words)| format!("{speaker}: {words}"));
    Ok(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
