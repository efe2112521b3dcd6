//! A batch of rows: one output line per row, in order. Rows are evaluated in small groups; a row that cannot be evaluated
//! yields an error line.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::UnboundedSender;

use super::engine::{Engine, json};
use super::error::RequestError;
use super::queue::Task;
use super::request::{self, ScoreRequest};
use super::request_state::RequestState;
use veridic::corpus::Fields;
use veridic::result::SCHEMA;

/// The maximum number of rows in a group, and of bytes.
const GROUP_ROWS: usize = 8;
const GROUP_BYTES: usize = 1 << 15;

/// The line of a row that could not be evaluated.
#[derive(Serialize)]
struct ErrorRow<'r> {
    schema: u32,
    id: Option<&'r RawValue>,
    error: RowErrorBody<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'r Fields>,
}

#[derive(Serialize)]
struct RowErrorBody<'r> {
    /// The row's number, from 1.
    row: usize,
    #[serde(flatten)]
    error: &'r RequestError,
}

/// A row that cannot be read.
struct BadRow {
    /// The id, if it can be read.
    id: Option<Box<RawValue>>,
    error: RequestError,
    /// The fields beside the id, if they can be read.
    input: Option<Fields>,
}

/// Sends the lines of groups in order.
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
            // Fails when the client has left.
            let _ = self.to_client.send(lines);
        }
    }
}

/// Returns the tasks of a batch; `timeout` counts from the start of each group.
pub(super) fn tasks(
    bytes: &Bytes,
    timeout: Duration,
    to_client: UnboundedSender<Bytes>,
) -> Result<VecDeque<Task>, RequestError> {
    let ordered = Arc::new(Ordered { to_client, state: Mutex::default() });
    let mut tasks: VecDeque<Task> = VecDeque::new();
    let mut first = 0;
    for rows in groups(request::rows(bytes)?) {
        let rows: Vec<Bytes> = rows.into_iter().map(|row| bytes.slice_ref(row)).collect();
        let (ordered, number, start) = (Arc::clone(&ordered), tasks.len(), first);
        first += rows.len();
        let bytes = rows.iter().map(Bytes::len).sum();
        let work = move |engine: &Engine, state: &RequestState| {
            ordered.add(number, lines(&rows, start, engine, state, Instant::now() + timeout));
        };
        tasks.push_back(Task { bytes, work: Box::new(work) });
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

/// Evaluates rows and returns their lines; `start` is the index of the first one in the batch.
fn lines(rows: &[Bytes], start: usize, engine: &Engine, state: &RequestState, deadline: Instant) -> String {
    let (mut good, mut places) = (Vec::new(), Vec::new());
    for row in rows {
        places.push(read(row).map(|row| {
            good.push(row);
            good.len() - 1
        }));
    }
    let results = engine.score(&good, state, deadline);
    let mut lines = String::new();
    for (index, place) in places.into_iter().enumerate() {
        let failed = |id: Option<&RawValue>, error: &RequestError, input: Option<&Fields>| {
            json(&ErrorRow {
                schema: SCHEMA,
                id,
                error: RowErrorBody { row: start + index + 1, error },
                input,
            })
        };
        let line = match &place {
            Ok(place) => results[*place].clone().or_else(|error| {
                let row = &good[*place];
                failed(row.id.as_deref(), &error, row.input.as_ref())
            }),
            Err(bad) => failed(bad.id.as_deref(), &bad.error, bad.input.as_ref()),
        };
        lines += &line.unwrap_or_default();
        lines.push('\n');
    }
    lines
}

/// Reads a row.
fn read(row: &[u8]) -> Result<ScoreRequest, BadRow> {
    let fields = request::object(row).map_err(|error| BadRow { id: None, error, input: None })?;
    ScoreRequest::read(fields).map_err(|error| {
        let mut input = request::object(row).ok();
        let id = input.as_mut().and_then(|fields| fields.take("id"));
        BadRow { id, error, input }
    })
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
    fn groups_are_sent_in_order() {
        let (to_client, mut parts) = tokio::sync::mpsc::unbounded_channel();
        let ordered = Ordered { to_client, state: Mutex::default() };
        for group in [2, 0, 1, 3] {
            ordered.add(group, group.to_string());
        }
        let order: Vec<Bytes> = std::iter::from_fn(|| parts.try_recv().ok()).collect();
        assert_eq!(order, ["0", "1", "2", "3"]);
    }
}
