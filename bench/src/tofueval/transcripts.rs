//! The transcripts that TofuEval's summaries are of, which its authors do not ship. Rows have an id (`doc_id`,
//! `meeting_id`, `uid` or `id`) and a text (`source`, `transcript` or `document`), or, as MediaSum's
//! `news_dialogue.json`, the lists `speaker` and `utt`, of which each pair becomes a line `SPEAKER: WORDS`. Only what
//! the annotations need is kept, so that a corpus of gigabytes can be given as it is.

use std::collections::{BTreeSet, HashMap};

use super::annotations::Annotations;
use super::names::Dataset;
use crate::fields;
use crate::read::BenchError;
use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text, field_texts};

const IDS: [&str; 4] = ["doc_id", "meeting_id", "uid", "id"];
const TEXTS: [&str; 3] = ["source", "transcript", "document"];
const SPEAKERS: &str = "speaker";
const WORDS: &str = "utt";

/// How many missing ids an error names.
const NAMED: usize = 5;

/// Texts by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcripts(HashMap<String, String>);

impl Transcripts {
    /// Reads those that the annotations need.
    ///
    /// # Errors
    /// A row that cannot be read or is no transcript, two texts of one id, and ids without a text.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        annotations: &Annotations,
    ) -> Result<Self, BenchError> {
        let wanted: BTreeSet<&str> = annotations.documents().iter().map(|(_, id)| id.as_str()).collect();
        let mut transcripts = Self::default();
        for row in rows {
            let RawRow { origin, mut fields } = row?;
            transcripts.add(&mut fields, &wanted).map_err(|reason| BenchError::Row { origin, reason })?;
        }
        transcripts.check(annotations)?;
        Ok(transcripts)
    }

    pub(super) fn text(&self, id: &str) -> Result<&str, String> {
        self.0
            .get(id)
            .map(String::as_str)
            .ok_or_else(|| format!("there is no transcript {}", fields::short(id)))
    }

    fn add(&mut self, fields: &mut Fields, wanted: &BTreeSet<&str>) -> Result<(), String> {
        let Some(name) = IDS.into_iter().find(|name| fields.get(name).is_some()) else {
            let (ids, names) = (IDS.join("`, `"), fields.names().join(", "));
            return Err(format!("is no transcript: it has none of the fields `{ids}` (its fields: {names})"));
        };
        let id = fields::name(fields, name)?;
        if !wanted.contains(id.as_str()) {
            return Ok(());
        }
        let text = text(fields)?;
        match self.0.insert(id.clone(), text) {
            Some(before) if before != self.0[&id] => {
                Err(format!("there are two transcripts {id} that differ"))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, annotations: &Annotations) -> Result<(), BenchError> {
        let told = |dataset: Dataset| {
            let ids =
                annotations.documents().iter().filter(|(of, id)| *of == dataset && !self.0.contains_key(id));
            let ids: Vec<&str> = ids.map(|(_, id)| id.as_str()).collect();
            let named = ids[..ids.len().min(NAMED)].join(", ");
            let more = match ids.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let (count, name, home) = (ids.len(), dataset.name(), dataset.home());
            (!ids.is_empty())
                .then(|| format!("{count} transcripts of {name} are not there ({named}{more}): get {home}, and give it by --transcripts"))
        };
        let missing: Vec<String> = Dataset::ALL.into_iter().filter_map(told).collect();
        if missing.is_empty() { Ok(()) } else { Err(BenchError::Data(missing.join("; "))) }
    }
}

fn text(fields: &mut Fields) -> Result<String, String> {
    if let Some(name) = TEXTS.into_iter().find(|name| fields.get(name).is_some()) {
        return field_text(fields, name);
    }
    if fields.get(SPEAKERS).is_none() || fields.get(WORDS).is_none() {
        let (texts, names) = (TEXTS.join("`, `"), fields.names().join(", "));
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
