//! A batch: rows in, lines out, in their order. Rows are judged in small groups; a row that cannot be judged is a
//! line that says why.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::UnboundedSender;

use super::engine::{Judge, json};
use super::line::{Task, Ticket};
use super::refusal::Refusal;
use super::request::{self, ScoreRequest};
use veridic::pipeline::SCHEMA;

/// Most rows of a group, and bytes from which it is full.
const GROUP_ROWS: usize = 8;
const GROUP_BYTES: usize = 1 << 15;

/// A row that could not be judged.
#[derive(Serialize)]
struct ErrorRow<'r> {
    schema: u32,
    id: Option<&'r RawValue>,
    error: RowFault<'r>,
}

#[derive(Serialize)]
struct RowFault<'r> {
    /// Its place among the rows, from 1.
    row: usize,
    #[serde(flatten)]
    refusal: &'r Refusal,
}

/// A row that cannot be read.
struct BadRow {
    /// As far as that can be.
    id: Option<Box<RawValue>>,
    refusal: Refusal,
}

/// Groups of rows, handed on in their order.
struct Ordered {
    to_client: UnboundedSender<Bytes>,
    state: Mutex<Pending>,
}

#[derive(Default)]
struct Pending {
    next: usize,
    done: BTreeMap<usize, Bytes>,
}

impl Ordered {
    fn add(&self, group: usize, lines: String) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done.insert(group, lines.into());
        loop {
            let next = state.next;
            let Some(lines) = state.done.remove(&next) else { return };
            state.next += 1;
            // A client that is gone misses nothing.
            let _ = self.to_client.send(lines);
        }
    }
}

/// The tasks of a batch; `timeout` is each group's, from its turn on.
pub(super) fn tasks(
    bytes: &Bytes,
    timeout: Duration,
    to_client: UnboundedSender<Bytes>,
) -> Result<VecDeque<Task>, Refusal> {
    let ordered = Arc::new(Ordered { to_client, state: Mutex::default() });
    let mut tasks: VecDeque<Task> = VecDeque::new();
    let mut first = 0;
    for rows in groups(request::rows(bytes)?) {
        let rows: Vec<Bytes> = rows.into_iter().map(|row| bytes.slice_ref(row)).collect();
        let (ordered, number, begin) = (Arc::clone(&ordered), tasks.len(), first);
        first += rows.len();
        tasks.push_back(Box::new(move |judge, ticket| {
            ordered.add(number, lines(&rows, begin, judge, ticket, Instant::now() + timeout));
        }));
    }
    Ok(tasks)
}

fn groups(rows: Vec<&[u8]>) -> Vec<Vec<&[u8]>> {
    let mut groups: Vec<Vec<&[u8]>> = Vec::new();
    let mut bytes = 0;
    for row in rows {
        match groups.last_mut() {
            Some(group) if group.len() < GROUP_ROWS && bytes + row.len() <= GROUP_BYTES => group.push(row),
            _ => {
                groups.push(vec![row]);
                bytes = 0;
            }
        }
        bytes += row.len();
    }
    groups
}

/// The lines of rows, of which the first has the number `begin`.
fn lines(rows: &[Bytes], begin: usize, judge: &Judge, ticket: &Ticket, deadline: Instant) -> String {
    let (mut good, mut places) = (Vec::new(), Vec::new());
    for row in rows {
        places.push(read(row, judge.measures()).map(|row| {
            good.push(row);
            good.len() - 1
        }));
    }
    let answers = judge.score(&good, ticket, deadline);
    let mut lines = String::new();
    for (index, place) in places.into_iter().enumerate() {
        let failed = |id: Option<&RawValue>, refusal: &Refusal| {
            json(&ErrorRow { schema: SCHEMA, id, error: RowFault { row: begin + index + 1, refusal } })
        };
        let line = match &place {
            Ok(place) => {
                answers[*place].clone().or_else(|refusal| failed(good[*place].id.as_deref(), &refusal))
            }
            Err(bad) => failed(bad.id.as_deref(), &bad.refusal),
        };
        lines += &line.unwrap_or_default();
        lines.push('\n');
    }
    lines
}

/// A row, or what is wrong with it.
fn read(row: &[u8], measures: bool) -> Result<ScoreRequest, BadRow> {
    let fields = request::object(row).map_err(|refusal| BadRow { id: None, refusal })?;
    let id = fields.get("id").map(ToOwned::to_owned);
    ScoreRequest::read(fields, measures).map_err(|refusal| BadRow { id, refusal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_bounded_by_rows_and_by_bytes() {
        let row = vec![b'x'; GROUP_BYTES / 4];
        let long = vec![b'x'; GROUP_BYTES * 2];
        let sizes = |rows: Vec<&[u8]>| groups(rows).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(vec![b"x"; 20]), [8, 8, 4]);
        assert_eq!(sizes(vec![&row; 9]), [4, 4, 1]);
        assert_eq!(sizes(vec![&row, &long, &row, &row]), [1, 1, 2]);
    }

    #[test]
    fn groups_that_are_done_early_wait_for_those_before() {
        let (to_client, mut parts) = tokio::sync::mpsc::unbounded_channel();
        let ordered = Ordered { to_client, state: Mutex::default() };
        for group in [2, 0, 1, 3] {
            ordered.add(group, group.to_string());
        }
        let order: Vec<Bytes> = std::iter::from_fn(|| parts.try_recv().ok()).collect();
        assert_eq!(order, ["0", "1", "2", "3"]);
    }
}
