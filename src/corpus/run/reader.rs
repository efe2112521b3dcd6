//! Reads rows ahead, in a separate thread: rows become chunks, in order, with the keys of their results in the journal.

use std::sync::mpsc::SyncSender;

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::batch_size::BATCH_BYTES;
use super::line::{RowFields, RunFields, hexadecimal, json};
use super::plan::RunPlan;
use super::remarks::shown;
use crate::corpus::journal::RowKey;
use crate::corpus::read::{BadRow, Lost, Origin, RawRow, Row, RowFault, Rows};
use crate::input::Fields;

/// The maximum number of rows in a chunk. It affects speed and memory, never a result.
const CHUNK_ROWS: usize = 512;

/// A message from the reader.
pub(super) enum FromReader {
    /// Rows in order.
    Chunk(Vec<InputRow>),
    /// Reading cannot continue.
    Fault(RowFault),
    /// All rows were sent.
    End(InputFacts),
}

/// The facts about the input once all of it has been read.
#[derive(Debug)]
pub(super) struct InputFacts {
    /// The number of rows in the input, including those of other shards.
    pub(super) rows: u64,
    /// SHA-256 of their content, in hexadecimal.
    pub(super) sha256: String,
}

/// A row of the input.
pub(super) struct InputRow {
    /// The row's number in the input, from 0; only in a shard.
    number: Option<u64>,
    /// The row and the key of its result, if it can be judged.
    row: Result<(RowKey, Row), BadRow>,
}

impl InputRow {
    /// Returns the row and the key of its result, or why it cannot be judged.
    pub(super) fn valid(&self) -> Result<(RowKey, &Row), &str> {
        self.row.as_ref().map(|(key, row)| (*key, row)).map_err(|bad| bad.fault.reason.as_str())
    }

    /// Returns the fields that go into the row's line.
    pub(super) fn fields(&self) -> RowFields<'_> {
        let (id, input) = match &self.row {
            Ok((_, row)) => (row.id.as_deref(), &row.rest),
            Err(bad) => (bad.id.as_deref(), &bad.rest),
        };
        RowFields { number: self.number, id, input }
    }

    /// Returns the row's id, or its place if it has none.
    pub(super) fn name(&self) -> String {
        let id = self.fields().id.filter(|id| id.get() != "null");
        id.map_or_else(|| self.origin().to_string(), shown)
    }

    fn origin(&self) -> &Origin {
        self.row.as_ref().map_or_else(|bad| &bad.fault.origin, |(_, row)| &row.origin)
    }

    /// Returns the size of its texts.
    fn bytes(&self) -> usize {
        self.row.as_ref().map_or(0, |(_, row)| row.document.len() + row.summary.len())
    }

    /// Returns the fault of a row that has no field for one of the texts.
    pub(super) fn missing_field(&self) -> Option<RowFault> {
        let fault = &self.row.as_ref().err()?.fault;
        fault.argument.is_some().then(|| fault.clone())
    }

    /// Returns why it could not be judged, with its place.
    pub(super) fn fault(&self, reason: &str) -> RowFault {
        let argument = self.row.as_ref().err().and_then(|bad| bad.fault.argument);
        RowFault { origin: self.origin().clone(), reason: reason.to_owned(), argument, lost: Lost::Row }
    }
}

/// Reads to the end, to a fault that ends the file or the run, or until the receiver is gone.
pub(super) fn read(rows: Rows, plan: &RunPlan, fields: &RunFields, to_run: &SyncSender<FromReader>) {
    let mut reader = Reader { plan, fields, rows: 0, content: Sha256::new() };
    let mut chunk = Chunk::default();
    let mut end = None;
    for row in rows {
        match row {
            Ok(row) => chunk.extend(reader.row(row)),
            Err(fault) if fault.lost == Lost::Row => {
                let bad = BadRow { fault, id: None, rest: Fields::default() };
                chunk.extend(reader.bad(bad));
            }
            Err(fault) => {
                end = Some(FromReader::Fault(fault));
                break;
            }
        }
        if chunk.is_full() && to_run.send(FromReader::Chunk(chunk.take())).is_err() {
            return;
        }
    }
    // Without a receiver the run has already ended.
    let _ = to_run.send(FromReader::Chunk(chunk.take()));
    let _ = to_run.send(end.unwrap_or_else(|| FromReader::End(reader.facts())));
}

/// Rows that are sent together.
#[derive(Default)]
struct Chunk {
    rows: Vec<InputRow>,
    bytes: usize,
}

impl Chunk {
    fn extend(&mut self, row: Option<InputRow>) {
        self.bytes += row.as_ref().map_or(0, InputRow::bytes);
        self.rows.extend(row);
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= CHUNK_ROWS || self.bytes >= BATCH_BYTES
    }

    fn take(&mut self) -> Vec<InputRow> {
        std::mem::take(self).rows
    }
}

struct Reader<'p> {
    plan: &'p RunPlan,
    fields: &'p RunFields,
    rows: u64,
    content: Sha256,
}

impl Reader<'_> {
    /// Returns the row, if it is in this shard.
    fn row(&mut self, row: RawRow) -> Option<InputRow> {
        let row = match self.plan.names.read(row) {
            Ok(row) => row,
            Err(bad) => return self.bad(*bad),
        };
        if let Err(error) = self.plan.names.check(&row) {
            let reason = error.to_string();
            let fault = RowFault { origin: row.origin, reason, argument: None, lost: Lost::Row };
            return self.bad(BadRow { fault, id: row.id, rest: row.rest });
        }
        let key = key(&row, self.fields);
        let number = self.number(&key.to_bytes(), row.id.as_deref(), &row.rest);
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_text(&row.document));
        is_ours.then(|| InputRow { number: self.in_shard(number), row: Ok((key, row)) })
    }

    /// Returns the row, if it is in this shard.
    fn bad(&mut self, bad: BadRow) -> Option<InputRow> {
        let number = self.number(bad.fault.reason.as_bytes(), bad.id.as_deref(), &bad.rest);
        let is_ours = self.plan.shard.is_none_or(|shard| shard.has_number(number));
        is_ours.then(|| InputRow { number: self.in_shard(number), row: Err(bad) })
    }

    /// Numbers a row with this content, id and fields that pass through.
    fn number(&mut self, content: &[u8], id: Option<&RawValue>, rest: &Fields) -> u64 {
        // The digest is compared only when merging: shards must be of one input.
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

    /// Returns the number if it is in the shard and needed in the output, for merging.
    fn in_shard(&self, number: u64) -> Option<u64> {
        self.plan.shard.map(|_| number)
    }

    fn facts(self) -> InputFacts {
        InputFacts { rows: self.rows, sha256: hexadecimal(self.content) }
    }
}

/// Returns the key of a row's result: a digest of the settings and of every text that determines it.
fn key(row: &Row, fields: &RunFields) -> RowKey {
    let joined = |list: Option<&Vec<String>>| list.map(|list| list.join("\0"));
    let claims = joined(row.claims.as_ref()).unwrap_or_default();
    let parts =
        [fields.settings_sha256(), row.document.as_bytes(), row.summary.as_bytes(), claims.as_bytes()];
    // Only the row's own inputs, each under its name, so that a new kind of input does not change the keys of rows without
    // it.
    let inputs = [
        ("sentences", joined(row.sentences.as_ref())),
        ("summary sentences", joined(row.summary_sentences.as_ref())),
        ("sources", row.sources.as_ref().map(|sources| json(&sources.list()))),
        ("citations", row.citations.then(String::new)),
    ];
    let inputs = inputs.iter().filter_map(|(name, text)| Some([name.as_bytes(), text.as_ref()?.as_bytes()]));
    let others = row.inputs.iter().map(|(name, value)| [name.as_bytes(), value.get().as_bytes()]);
    RowKey::of(parts.into_iter().chain(inputs.chain(others).flatten()))
}
