//! A report's file: rows as they come, then what the list and the figures need of all of them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::data::{Gathering, PartCounter, Place, write_element};
use super::error::{ReportError, Result};
use super::figures::{Figures, Point};
use super::index::{FailedIndexRow, IndexRow, sort_by_risk};
use super::page;
use super::pairs::{JudgedPair, ReportRow};
use super::row::Claim;
use veridic::notes;
use veridic::pipeline::Reason;

/// What a report came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Judged rows.
    pub rows: usize,
    /// Judged rows with a label.
    pub labelled: usize,
    /// Rows that could not be judged.
    pub failed: usize,
}

/// What is read when a row is opened.
#[derive(Serialize)]
struct Detail<'p> {
    claims: &'p [Claim],
    ledger: &'p RawValue,
    /// Its settings among the report's.
    settings: usize,
    notes: &'p [String],
    input: &'p [(String, String)],
}

/// What is read when the report is opened.
#[derive(Serialize)]
struct Index<'n> {
    name: &'n str,
    label: Option<&'n str>,
    settings: Vec<Box<RawValue>>,
    /// Who judged, for each of the settings.
    judged_by: Vec<String>,
    notes: Vec<String>,
    figures: Figures,
    rows: Vec<IndexRow>,
    failed: Vec<FailedIndexRow>,
}

/// What was seen of the rows so far.
#[derive(Default)]
struct Seen {
    rows: Vec<IndexRow>,
    failed: Vec<FailedIndexRow>,
    settings: Vec<Box<RawValue>>,
    judged_by: Vec<String>,
    /// Rows that could not be read, by the model and the languages of its card.
    unread: BTreeMap<(String, Vec<String>), u64>,
    documents: HashMap<[u8; 32], Place>,
    counter: PartCounter,
    details: Gathering,
    texts: Gathering,
}

/// Writes a report of `rows`, which come from the file that people call `name`; `label` is the field
/// of the labels, as the rows were told it.
///
/// # Errors
/// The first row that is an error, no judged row, no label where some were asked for, or an output
/// that cannot be written.
pub fn write(
    out: &mut dyn Write,
    name: &str,
    label: Option<&str>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<Told> {
    page::write(&format!("{name} - Veridic report"), out, |out| write_data(out, name, label, rows))
}

/// Writes a report into a file that appears only when it is complete; see [`write()`].
///
/// # Errors
/// As [`write()`], and when there is a file of this name.
pub fn write_file(
    path: &Path,
    name: &str,
    label: Option<&str>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<Told> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(ReportError::Exists(path.to_owned()));
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let told = write_whole(&partial, path, name, label, rows);
    if told.is_err() {
        // What cannot be removed is incomplete still, as its name says.
        let _ = fs::remove_file(&partial);
    }
    told
}

fn write_whole(
    partial: &Path,
    path: &Path,
    name: &str,
    label: Option<&str>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<Told> {
    let cannot = |source| ReportError::WriteFile { path: path.to_owned(), source };
    let mut out = BufWriter::new(File::create(partial).map_err(cannot)?);
    let told = write(&mut out, name, label, rows).map_err(|error| match error {
        ReportError::Write(source) => cannot(source),
        other => other,
    })?;
    let file = out.into_inner().map_err(|error| cannot(error.into_error()))?;
    file.sync_all().and_then(|()| fs::rename(partial, path)).map_err(cannot)?;
    Ok(told)
}

fn write_data(
    out: &mut dyn Write,
    name: &str,
    label: Option<&str>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<Told> {
    let mut seen = Seen::default();
    for (number, row) in (1..).zip(rows) {
        match row? {
            ReportRow::Judged(pair) => seen.add(number, &pair, out)?,
            ReportRow::Failed(row) => seen.failed.push(FailedIndexRow::new(number, row)),
        }
    }
    seen.details.finish(out)?;
    seen.texts.finish(out)?;
    let labelled = seen.rows.iter().filter(|row| row.label.is_some()).count();
    let told = Told { rows: seen.rows.len(), labelled, failed: seen.failed.len() };
    match label {
        _ if told.rows == 0 => return Err(ReportError::NoRows(name.to_owned())),
        Some(field) if labelled == 0 => {
            return Err(ReportError::NoLabels { file: name.to_owned(), field: field.to_owned() });
        }
        _ => {}
    }
    let index = seen.into_index(name, label);
    write_element("index", &serde_json::to_vec(&index).map_err(io::Error::from)?, out)?;
    Ok(told)
}

impl Seen {
    fn add(&mut self, number: usize, pair: &JudgedPair, out: &mut dyn Write) -> io::Result<()> {
        let document = match self.documents.entry(Sha256::digest(pair.document.as_bytes()).into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.texts.add(&pair.document, &mut self.counter, out)?),
        };
        let known = self.settings.iter().position(|settings| settings.get() == pair.settings.get());
        let settings = known.unwrap_or_else(|| {
            self.settings.push(pair.settings.clone());
            self.judged_by.push(notes::judged_by(&pair.about.model));
            self.settings.len() - 1
        });
        if pair.reason == Some(Reason::Language) {
            let of = (pair.about.model.clone(), pair.about.listed.clone());
            *self.unread.entry(of).or_default() += 1;
        }
        let (claims, notes) = (&pair.claims, &pair.about.notes);
        let detail = Detail { claims, ledger: &pair.ledger, settings, notes, input: &pair.input };
        let row = self.details.add(&detail, &mut self.counter, out)?;
        self.rows.push(IndexRow::new(number, pair, row, document));
        Ok(())
    }

    fn into_index<'n>(mut self, name: &'n str, label: Option<&'n str>) -> Index<'n> {
        let point = |row: &IndexRow| Point {
            score: row.score,
            scores: row.scores,
            verdict: row.verdict,
            label: row.label,
        };
        let points: Vec<Point> = self.rows.iter().map(point).collect();
        sort_by_risk(&mut self.rows);
        let rows = self.rows.len() as u64;
        let unread = self.unread.iter();
        let unread = unread.map(|((model, listed), unread)| notes::unread_rows(model, listed, *unread, rows));
        Index {
            name,
            label,
            notes: unread.collect(),
            settings: self.settings,
            judged_by: self.judged_by,
            figures: Figures::of(&points),
            rows: self.rows,
            failed: self.failed,
        }
    }
}
