//! Writes a report: the rows as they are read, then the index with the list.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::agreement::Agreement;
use super::data::{PartCounter, PartWriter, Place, write_element};
use super::error::{ReportError, Result};
use super::index::{FailedIndexRow, IndexRow, sort_by_risk};
use super::page;
use super::pairs::{JudgedPair, OwnFields, ReportRow};
use super::row::SummaryPart;
use veridic::corpus::rates::{CountedRow, Rates, RatesTally};
use veridic::corpus::run::Target;
use veridic::notes;
use veridic::result::{Reason, Verdict};

/// The row counts of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowCounts {
    /// Judged rows.
    pub(crate) rows: usize,
    /// The judged rows with a label.
    pub(crate) agreement: Agreement,
    /// Rows that could not be judged.
    pub(crate) failed: usize,
}

/// The details of a row, read when it is opened.
#[derive(Serialize)]
struct Detail<'p> {
    claims: &'p [SummaryPart],
    ledger: &'p RawValue,
    notes: &'p [String],
    input: &'p [(String, String)],
}

/// The index, read when the report is opened.
#[derive(Serialize)]
struct Index<'n> {
    name: &'n str,
    label: Option<&'n str>,
    agreement: Option<ShownAgreement>,
    settings: Vec<Box<RawValue>>,
    /// The note on the model, for each of the settings.
    judged_by: Vec<String>,
    notes: Vec<String>,
    rates: Rates,
    rows: Vec<IndexRow>,
    failed: Vec<FailedIndexRow>,
}

/// The counts of verdicts and labels, and what they say.
#[derive(Serialize)]
struct ShownAgreement {
    #[serde(flatten)]
    counts: Agreement,
    sentences: Vec<String>,
}

/// The data collected from the rows for the index.
#[derive(Default)]
struct Collected {
    rows: Vec<IndexRow>,
    failed: Vec<FailedIndexRow>,
    agreement: Agreement,
    rates: RatesTally,
    settings: Vec<Box<RawValue>>,
    judged_by: Vec<String>,
    /// The rows in unlisted languages, counted by model and the languages of its card.
    unread: BTreeMap<(String, Vec<String>), u64>,
    documents: HashMap<[u8; 32], Place>,
    counter: PartCounter,
    details: PartWriter,
    texts: PartWriter,
}

/// Writes a report of `rows`, which come from the file `name`; `own` holds the names of the user's fields.
///
/// # Errors
/// If a row is invalid, no row was judged, no row has the given label or group field, or the output cannot be written.
pub(crate) fn write(
    out: &mut dyn Write,
    name: &str,
    own: OwnFields<'_>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<RowCounts> {
    page::write(&format!("{name} - Veridic report"), out, |out| write_data(out, name, own, rows))
}

/// Writes a report into a file that appears only when it is complete; see [`write()`].
///
/// # Errors
/// Those of [`write()`], and if the file exists.
pub(crate) fn write_file(
    path: &Path,
    name: &str,
    own: OwnFields<'_>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<RowCounts> {
    let cannot = |source| ReportError::WriteFile { path: path.to_owned(), source };
    Target::without_journal(path)?.write(|file| {
        let mut out = BufWriter::new(file);
        let counts = write(&mut out, name, own, rows).map_err(|error| match error {
            ReportError::Write(source) => cannot(source),
            other => other,
        })?;
        out.flush().map_err(cannot)?;
        Ok(counts)
    })
}

fn write_data(
    out: &mut dyn Write,
    name: &str,
    own: OwnFields<'_>,
    rows: impl IntoIterator<Item = Result<ReportRow>>,
) -> Result<RowCounts> {
    let rates = RatesTally::new(own.group_by.map(str::to_owned));
    let mut collected = Collected { rates, ..Collected::default() };
    for (number, row) in (1..).zip(rows) {
        match row? {
            ReportRow::Judged(pair) => collected.add(number, &pair, out)?,
            ReportRow::Failed(row) => collected.failed.push(FailedIndexRow::new(number, row)),
        }
    }
    collected.details.finish(out)?;
    collected.texts.finish(out)?;
    let counts = RowCounts {
        rows: collected.rows.len(),
        agreement: collected.agreement,
        failed: collected.failed.len(),
    };
    let rates = collected.rates.rates();
    let missing = own.label.filter(|_| counts.agreement.labelled() == 0).or(rates.missing_field());
    match missing {
        _ if counts.rows == 0 => return Err(ReportError::NoRows(name.to_owned())),
        Some(field) => {
            return Err(ReportError::NoField { file: name.to_owned(), field: field.to_owned() });
        }
        None => {}
    }
    let index = collected.into_index(name, own.label, rates);
    write_element("index", &serde_json::to_vec(&index).map_err(io::Error::from)?, out)?;
    Ok(counts)
}

impl Collected {
    fn add(&mut self, number: usize, pair: &JudgedPair, out: &mut dyn Write) -> io::Result<()> {
        let document = match self.documents.entry(Sha256::digest(pair.document.as_bytes()).into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.texts.add(&pair.document, &mut self.counter, out)?),
        };
        let row = &pair.row;
        let known = self.settings.iter().position(|settings| settings.get() == row.settings.get());
        let settings = known.unwrap_or_else(|| {
            self.settings.push(row.settings.clone());
            self.judged_by.push(notes::judged_by(&row.about.model, &row.about.sha256));
            self.settings.len() - 1
        });
        if let Some(label) = pair.label {
            self.agreement.add(label, row.verdict);
        }
        if row.reason == Some(Reason::Language) {
            let of = (row.about.model.clone(), row.about.listed.clone());
            *self.unread.entry(of).or_default() += 1;
        }
        let verdicts: Vec<Option<Verdict>> = row.verdicts().collect();
        let counted = CountedRow { verdicts: &verdicts, verdict: Some(row.verdict), unjudged: row.unjudged };
        self.rates.add(&counted, pair.group.as_deref());
        let (claims, notes) = (&row.parts, &row.about.notes);
        let detail = Detail { claims, ledger: &row.ledger, notes, input: &pair.fields };
        let details = self.details.add(&detail, &mut self.counter, out)?;
        self.rows.push(IndexRow::new(number, pair, details, document, settings));
        Ok(())
    }

    fn into_index<'n>(mut self, name: &'n str, label: Option<&'n str>, rates: Rates) -> Index<'n> {
        sort_by_risk(&mut self.rows);
        let rows = self.rows.len() as u64;
        let unread = self.unread.iter();
        let unread = unread.map(|((model, listed), unread)| notes::unread_rows(model, listed, *unread, rows));
        Index {
            name,
            label,
            agreement: label
                .map(|_| ShownAgreement { counts: self.agreement, sentences: self.agreement.sentences() }),
            notes: unread.collect(),
            settings: self.settings,
            judged_by: self.judged_by,
            rates,
            rows: self.rows,
            failed: self.failed,
        }
    }
}
