//! Reads rows from JSON objects, with the field names of `veridic run`, and judges them.

use std::sync::Arc;

use pyo3::IntoPyObject;
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, Place, RawRow, Row, RowNames};
use veridic::schedule::OnEvent;
use veridic::{Error, Pair, Scorer};

use crate::errors::{class, message};

/// The outcome of a row.
///
/// The class of the exception, or `None` if it was judged; the result as JSON, or the reason; the names of the fields that
/// pass through.
#[derive(IntoPyObject)]
pub(crate) struct Judged(Option<&'static str>, String, Vec<String>);

/// Judges rows together; outcomes are in the same order.
pub(crate) fn judge(
    scorer: &Scorer,
    names: &RowNames,
    rows: &[String],
    on_event: &OnEvent<'_>,
) -> Vec<Judged> {
    let read: Vec<Result<Row, Judged>> = rows.iter().map(|row| read(names, row)).collect();
    let pairs: Vec<Pair<'_>> = read.iter().flatten().map(Row::pair).collect();
    let mut results = scorer.score_batch(&pairs, on_event).into_iter();
    let judged = |row: Result<Row, Judged>| match row {
        Err(failed) => failed,
        Ok(row) => {
            let kept = row.rest.names().into_iter().map(str::to_owned).collect();
            match results.next().unwrap_or(Err(Error::Stopped)) {
                Ok(result) => {
                    let text = serde_json::to_string(&result).expect("texts and numbers are valid JSON");
                    Judged(None, text, kept)
                }
                Err(error) => Judged(Some(class(&error)), message(&error), kept),
            }
        }
    };
    drop(pairs);
    read.into_iter().map(judged).collect()
}

fn read(names: &RowNames, json: &str) -> Result<Row, Judged> {
    let failed = |reason: &str, kept| Judged(Some("TextError"), reason.to_owned(), kept);
    let fields: Fields =
        serde_json::from_str(json).map_err(|error| failed(&error.to_string(), Vec::new()))?;
    let origin = Origin { file: Arc::from(""), place: Place::File };
    names.read(RawRow { origin, fields }).map_err(|bad| {
        let kept = bad.rest.names().into_iter().map(str::to_owned).collect();
        failed(&bad.fault.reason, kept)
    })
}
