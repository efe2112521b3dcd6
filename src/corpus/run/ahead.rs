//! Reading ahead of the scorer: rows become chunks of what can be judged and what cannot, in order, with the
//! keys under which the journal knows them.

use std::sync::mpsc::SyncSender;

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::RunPlan;
use super::line::{Line, Stamp, json};
use super::pace::ENOUGH_BYTES;
use super::shard::hexadecimal;
use crate::corpus::journal::RowKey;
use crate::corpus::jsonl::Fields;
use crate::corpus::read::{BadRow, Lost, RawRow, Row, RowFault, Rows};
use crate::pipeline::{MetricInputs, Pair, SectionDefinition};

/// Most rows of a chunk. This changes speed and memory, never a result.
const CHUNK_ROWS: usize = 512;

/// What the reader hands over.
pub(super) enum Ahead {
    /// Rows in their order.
    Chunk(Vec<Entry>),
    /// Reading cannot go on.
    Fault(RowFault),
    /// All rows were handed over.
    End(InputFacts),
}

/// What is known when all was read.
#[derive(Debug)]
pub(super) struct InputFacts {
    /// Rows of the input, those of other shards too.
    pub(super) rows: u64,
    /// SHA-256 over what their content is, in hexadecimal.
    pub(super) sha256: String,
}

/// A row of the input.
pub(super) enum Entry {
    /// One that can be judged.
    Row(Box<Judgeable>),
    /// One that cannot.
    Bad(Box<Unreadable>),
}

/// A row that can be judged.
pub(super) struct Judgeable {
    number: Option<u64>,
    pub(super) key: RowKey,
    row: Row,
}

/// A row that cannot be judged.
pub(super) struct Unreadable {
    number: Option<u64>,
    bad: BadRow,
}

impl Entry {
    /// What its line takes from the row.
    pub(super) fn line(&self) -> Line<'_> {
        match self {
            Self::Row(entry) => {
                Line { number: entry.number, id: entry.row.id.as_deref(), input: &entry.row.rest }
            }
            Self::Bad(entry) => {
                Line { number: entry.number, id: entry.bad.id.as_deref(), input: &entry.bad.rest }
            }
        }
    }

    /// Of its texts.
    fn bytes(&self) -> usize {
        match self {
            Self::Row(entry) => entry.row.document.len() + entry.row.summary.len(),
            Self::Bad(_) => 0,
        }
    }

    /// The row as one that cannot be judged.
    pub(super) fn fault(&self, reason: &str) -> RowFault {
        let origin = match self {
            Self::Row(entry) => &entry.row.origin,
            Self::Bad(entry) => &entry.bad.fault.origin,
        };
        RowFault { origin: origin.clone(), reason: reason.to_owned(), lost: Lost::Row }
    }
}

impl Judgeable {
    pub(super) fn pair(&self) -> Pair<'_> {
        self.row.pair()
    }
}

impl Unreadable {
    pub(super) fn reason(&self) -> &str {
        &self.bad.fault.reason
    }
}

/// Reads to the end, to a fault that costs more than a row, or until nobody listens.
pub(super) fn read(rows: Rows, plan: &RunPlan, stamp: &Stamp, to_scorer: &SyncSender<Ahead>) {
    let mut reader = Reader { plan, stamp, rows: 0, content: Sha256::new() };
    let mut chunk = Chunk::default();
    let mut end = None;
    for row in rows {
        match row {
            Ok(row) => chunk.extend(reader.row(row)),
            Err(fault) if fault.lost == Lost::Row => {
                let bad = BadRow { fault, id: None, rest: Fields::default() };
                chunk.extend(reader.unreadable(bad));
            }
            Err(fault) => {
                end = Some(Ahead::Fault(fault));
                break;
            }
        }
        if chunk.is_full() && to_scorer.send(Ahead::Chunk(chunk.take())).is_err() {
            return;
        }
    }
    // If nobody listens any more, nobody misses what is left.
    let _ = to_scorer.send(Ahead::Chunk(chunk.take()));
    let _ = to_scorer.send(end.unwrap_or_else(|| Ahead::End(reader.facts())));
}

/// Rows that are handed over together.
#[derive(Default)]
struct Chunk {
    entries: Vec<Entry>,
    bytes: usize,
}

impl Chunk {
    fn extend(&mut self, entry: Option<Entry>) {
        self.bytes += entry.as_ref().map_or(0, Entry::bytes);
        self.entries.extend(entry);
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= CHUNK_ROWS || self.bytes >= ENOUGH_BYTES
    }

    fn take(&mut self) -> Vec<Entry> {
        std::mem::take(self).entries
    }
}

struct Reader<'p> {
    plan: &'p RunPlan,
    stamp: &'p Stamp,
    rows: u64,
    content: Sha256,
}

impl Reader<'_> {
    /// The row as an entry, if it is of this shard.
    fn row(&mut self, row: RawRow) -> Option<Entry> {
        let row = match self.plan.names.read(row) {
            Ok(row) => row,
            Err(bad) => return self.unreadable(*bad),
        };
        let pair = Pair::new(&row.document, &row.summary);
        if let Err(error) = pair.check() {
            let fault = RowFault { origin: row.origin, reason: error.to_string(), lost: Lost::Row };
            let bad = BadRow { fault, id: row.id, rest: row.rest };
            return self.unreadable(bad);
        }
        let joined = |list: Option<&Vec<String>>| list.map(|list| list.join("\0"));
        let some = |list: &Vec<String>| joined(Some(list).filter(|list| !list.is_empty()));
        let MetricInputs { key_facts, reference, references, topic, sections } = &row.aids;
        let claims = joined(row.claims.as_ref()).unwrap_or_default();
        let defined = |section: &SectionDefinition| format!("{}\0{}\0", section.name, section.definition);
        let sections = (!sections.is_empty()).then(|| sections.iter().map(defined).collect());
        let parts =
            [self.stamp.settings(), row.document.as_bytes(), row.summary.as_bytes(), claims.as_bytes()];
        // Only what a row has, each under its name.
        let aids = [
            ("sentences", joined(row.sentences.as_ref())),
            ("key facts", some(key_facts)),
            ("reference", reference.clone()),
            ("topic", topic.clone()),
            ("references", some(references)),
            ("sections", sections),
        ];
        let aids = aids.iter().filter_map(|(name, text)| Some([name.as_bytes(), text.as_ref()?.as_bytes()]));
        let key = RowKey::of(parts.into_iter().chain(aids.flatten()));
        let number = self.number(&key.to_bytes(), row.id.as_deref(), &row.rest);
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_text(&row.document));
        is_ours.then(|| Entry::Row(Box::new(Judgeable { number: self.told(number), key, row })))
    }

    /// The row as an entry, if it is of this shard.
    fn unreadable(&mut self, bad: BadRow) -> Option<Entry> {
        let number = self.number(bad.fault.reason.as_bytes(), bad.id.as_deref(), &bad.rest);
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_number(number));
        is_ours.then(|| Entry::Bad(Box::new(Unreadable { number: self.told(number), bad })))
    }

    /// Counts a row of this content, id and fields that pass through.
    fn number(&mut self, content: &[u8], id: Option<&RawValue>, rest: &Fields) -> u64 {
        // Only joining shards needs to know whether they are of one input.
        if self.plan.shard.is_some() {
            let rest = json(rest);
            for part in [content, id.map_or("", RawValue::get).as_bytes(), rest.as_bytes()] {
                self.content.update((part.len() as u64).to_le_bytes());
                self.content.update(part);
            }
        }
        self.rows += 1;
        self.rows - 1
    }

    /// Rows of a shard tell their number, so that shards can be joined.
    fn told(&self, number: u64) -> Option<u64> {
        self.plan.shard.map(|_| number)
    }

    fn facts(self) -> InputFacts {
        InputFacts { rows: self.rows, sha256: hexadecimal(self.content) }
    }
}
