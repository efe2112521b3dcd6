//! Reading ahead of the scorer: rows become chunks of what can be judged and what cannot, in order, with the
//! keys under which the journal knows them.

use std::sync::mpsc::SyncSender;

use sha2::{Digest, Sha256};

use super::RunPlan;
use super::line::{Line, Stamp};
use crate::corpus::journal::RowKey;
use crate::corpus::read::{BadRow, Lost, RawRow, Row, RowFault, Rows};
use crate::pipeline::Pair;

/// Most rows of a chunk. Like its bytes, this changes speed, memory and how much is lost with a run that is
/// killed, never a result.
const CHUNK_ROWS: usize = 256;

/// Bytes of text from which a chunk is full.
const CHUNK_BYTES: usize = 1 << 15;

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

impl Judgeable {
    pub(super) fn pair(&self) -> Pair<'_> {
        Pair { claims: self.row.claims.as_deref(), ..Pair::new(&self.row.document, &self.row.summary) }
    }

    pub(super) fn line(&self) -> Line<'_> {
        Line { number: self.number, id: self.row.id.as_deref(), input: &self.row.rest }
    }

    pub(super) fn fault(&self, reason: &str) -> RowFault {
        RowFault { origin: self.row.origin.clone(), reason: reason.to_owned(), lost: Lost::Row }
    }
}

impl Unreadable {
    pub(super) fn line(&self) -> Line<'_> {
        Line { number: self.number, id: self.bad.id.as_deref(), input: &self.bad.rest }
    }

    pub(super) fn fault(&self) -> RowFault {
        self.bad.fault.clone()
    }
}

/// Reads to the end, to a fault that costs more than a row, or until nobody listens.
pub(super) fn read(rows: Rows, plan: &RunPlan, stamp: &Stamp, to_scorer: &SyncSender<Ahead>) {
    let mut reader = Reader { plan, stamp, rows: 0, content: Sha256::new() };
    let (mut chunk, mut bytes) = (Vec::new(), 0);
    for row in rows {
        let fault = match row {
            Ok(row) => {
                bytes += reader.row(row).map_or(0, |(entry, bytes)| {
                    chunk.push(entry);
                    bytes
                });
                None
            }
            Err(fault) if fault.lost == Lost::Row => {
                chunk.extend(reader.unreadable(BadRow { fault, id: None, rest: Default::default() }));
                None
            }
            Err(fault) => Some(fault),
        };
        if (chunk.len() >= CHUNK_ROWS || bytes >= CHUNK_BYTES || fault.is_some()) && !chunk.is_empty() {
            bytes = 0;
            if to_scorer.send(Ahead::Chunk(std::mem::take(&mut chunk))).is_err() {
                return;
            }
        }
        if let Some(fault) = fault {
            let _ = to_scorer.send(Ahead::Fault(fault));
            return;
        }
    }
    if !chunk.is_empty() && to_scorer.send(Ahead::Chunk(chunk)).is_err() {
        return;
    }
    let _ = to_scorer.send(Ahead::End(reader.facts()));
}

struct Reader<'p> {
    plan: &'p RunPlan,
    stamp: &'p Stamp,
    rows: u64,
    content: Sha256,
}

impl Reader<'_> {
    /// The row as an entry, with the bytes of its texts, if it is of this shard.
    fn row(&mut self, row: RawRow) -> Option<(Entry, usize)> {
        let row = match self.plan.names.read(row) {
            Ok(row) => row,
            Err(bad) => return self.unreadable(*bad).map(|entry| (entry, 0)),
        };
        let pair = Pair::new(&row.document, &row.summary);
        if let Err(error) = pair.check() {
            let fault = RowFault { origin: row.origin, reason: error.to_string(), lost: Lost::Row };
            let bad = BadRow { fault, id: row.id, rest: row.rest };
            return self.unreadable(bad).map(|entry| (entry, 0));
        }
        let claims = row.claims.as_ref().map(|claims| claims.join("\0")).unwrap_or_default();
        let key = RowKey::of([
            self.stamp.settings(),
            row.document.as_bytes(),
            row.summary.as_bytes(),
            claims.as_bytes(),
        ]);
        let number = self.number(&key.to_bytes());
        let bytes = row.document.len() + row.summary.len();
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_text(&row.document));
        is_ours.then(|| (Entry::Row(Box::new(Judgeable { number: self.told(number), key, row })), bytes))
    }

    /// The row as an entry, if it is of this shard.
    fn unreadable(&mut self, bad: BadRow) -> Option<Entry> {
        let number = self.number(bad.fault.reason.as_bytes());
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_number(number));
        is_ours.then(|| Entry::Bad(Box::new(Unreadable { number: self.told(number), bad })))
    }

    /// Counts a row.
    fn number(&mut self, content: &[u8]) -> u64 {
        self.content.update(content);
        self.rows += 1;
        self.rows - 1
    }

    /// Rows of a shard tell their number, so that shards can be joined.
    fn told(&self, number: u64) -> Option<u64> {
        self.plan.shard.map(|_| number)
    }

    fn facts(self) -> InputFacts {
        let digest = self.content.finalize();
        InputFacts { rows: self.rows, sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect() }
    }
}
