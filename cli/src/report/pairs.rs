//! Joins judged rows with their texts. `run` omits the texts unless `--keep` names them, so they come from the source rows,
//! which are read in step with the scores: a judged row with an id belongs to the next source row with that id. Without ids,
//! the source must be exactly the judged rows. Refuses texts that the spans do not fit. Scores may be a table that `run`
//! wrote; ids are then compared as text, since a cell does not show whether it was a number.

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::error::{ReportError, Result};
use super::labels;
use super::row::Claim;
use super::scored::{FailedRow, JudgedRow, ScoredRow};
use veridic::corpus::Fields;
use veridic::corpus::read::{Lost, Origin, RawRow, Row, RowFault, RowNames, Rows};
use veridic::corpus::write::{TableFault, is_of_table, row_of_table};
use veridic::text::TextIndex;
use veridic_models::store::quoting::without_values;

/// A row of a report.
#[derive(Debug)]
pub(crate) enum ReportRow {
    /// A row that was judged.
    Judged(Box<JudgedPair>),
    /// A row that could not be judged.
    Failed(FailedRow),
}

/// A judged row with its texts.
#[derive(Debug)]
pub(crate) struct JudgedPair {
    pub(super) row: JudgedRow,
    /// The fields that passed through, as text for display.
    pub(super) fields: Vec<(String, String)>,
    pub(super) label: Option<bool>,
    /// The field by which rows are grouped.
    pub(super) group: Option<Box<RawValue>>,
    pub(super) document: String,
    pub(super) summary: String,
}

impl JudgedPair {
    /// Returns the pair of one result, as `score --format json` writes it.
    ///
    /// # Errors
    /// If the JSON is not a result, or not the result of these texts.
    pub(crate) fn of_result(
        json: &str,
        document: String,
        summary: String,
    ) -> std::result::Result<Self, String> {
        let fields: Fields = serde_json::from_str(json).map_err(|error| without_values(&error))?;
        let ScoredRow::Judged(row) = ScoredRow::read(fields)? else {
            return Err("is not a result".into());
        };
        Self::new(*row, document, summary)
    }

    fn new(mut row: JudgedRow, document: String, summary: String) -> std::result::Result<Self, String> {
        let other = |reason| format!("{reason}: the row's texts are not those that were judged");
        let judged = row.about.document_digest.as_deref();
        if row.claims().any(Claim::is_of_talk) && judged.is_some_and(|judged| judged != digest(&document)) {
            return Err(other("has the digest of another document".into()));
        }
        let index = TextIndex::new(&document);
        let summary_characters = summary.chars().count();
        for (number, part) in (1..).zip(&mut row.parts) {
            let fit = part.fit(&index, summary_characters);
            fit.map_err(|reason| other(format!("claim {number} {reason}")))?;
        }
        let fields = display_texts(&row.input);
        Ok(Self { row, fields, label: None, group: None, document, summary })
    }
}

/// Returns the digest of a document, as stored in ledgers.
fn digest(document: &str) -> String {
    Sha256::digest(document).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The user's own fields, taken from the fields that passed through or from the source rows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnFields<'f> {
    /// The field of human labels.
    pub(crate) label: Option<&'f str>,
    /// The field by which rates are grouped.
    pub(crate) group_by: Option<&'f str>,
}

/// The rows of a report. Ends after the first error.
pub(crate) struct Pairs<'l> {
    scores: Rows,
    sources: Option<Sources>,
    names: RowNames,
    own: OwnFields<'l>,
    ended: bool,
}

/// The source rows.
struct Sources {
    rows: Rows,
    /// The number of failed rows without ids since the last judged row.
    skipped: usize,
    /// Whether rows without ids are matched by order.
    by_order: bool,
    /// Whether ids are compared as text.
    ids_are_texts: bool,
}

impl<'l> Pairs<'l> {
    /// Joins `scores` with the source rows; `names` holds the names of the text fields. Without source rows, the scores must
    /// contain the texts (`run --keep`).
    #[must_use]
    pub(crate) fn new(scores: Rows, sources: Option<Rows>, names: RowNames, own: OwnFields<'l>) -> Self {
        let sources = sources.map(|rows| Sources { rows, skipped: 0, by_order: false, ids_are_texts: false });
        Self { scores, sources, names, own, ended: false }
    }

    fn read(&mut self) -> Result<Option<ReportRow>> {
        let Some(line) = self.scores.next().transpose()? else {
            return self.sources.as_mut().map_or(Ok(()), Sources::end).map(|()| None);
        };
        let origin = line.origin;
        let refused = |reason| fault(&origin, reason);
        let is_of_table = is_of_table(&line.fields);
        if let Some(sources) = &mut self.sources {
            sources.ids_are_texts = is_of_table;
        }
        let fields = if is_of_table { restored(&line.fields, &origin)? } else { line.fields };
        match ScoredRow::read(fields).map_err(refused)? {
            ScoredRow::Failed(row) => {
                if let (None, Some(sources)) = (&row.id, &mut self.sources) {
                    sources.skipped += 1;
                }
                Ok(Some(ReportRow::Failed(row)))
            }
            ScoredRow::Judged(row) => self.join(*row, &origin).map(Some),
        }
    }

    fn join(&mut self, mut row: JudgedRow, origin: &Origin) -> Result<ReportRow> {
        let refused = |reason| fault(origin, reason);
        let source = match &mut self.sources {
            None => own_texts(&self.names, &mut row.input, origin)?,
            Some(sources) => sources.find(&self.names, row.id.as_deref())?.ok_or_else(|| {
                refused("has no row in --source: give the rows that were judged, in order".into())
            })?,
        };
        let value = |name: &str| row.input.get(name).or_else(|| source.rest.get(name));
        let label = |name: &str| labels::read(value(name).map(RawValue::get), name);
        let label = self.own.label.map_or(Ok(None), label).map_err(refused)?;
        let group = self.own.group_by.and_then(value).map(ToOwned::to_owned);
        let pair = JudgedPair::new(row, source.document, source.summary).map_err(refused)?;
        Ok(ReportRow::Judged(Box::new(JudgedPair { label, group, ..pair })))
    }
}

impl Iterator for Pairs<'_> {
    type Item = Result<ReportRow>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let row = self.read();
        self.ended = !matches!(row, Ok(Some(_)));
        row.transpose()
    }
}

impl Sources {
    /// Finds the source of a judged row: the next row with its id, or the next row if it has no id.
    fn find(&mut self, names: &RowNames, id: Option<&RawValue>) -> Result<Option<Row>> {
        let Some(id) = id else {
            self.by_order = true;
            self.skip()?;
            let row = self.rows.next().transpose()?;
            return Ok(row.map(|row| names.read(row)).transpose().map_err(|bad| bad.fault)?);
        };
        self.skipped = 0;
        for row in &mut self.rows {
            let row = match row {
                Ok(row) => row,
                Err(fault) if fault.lost == Lost::Row => continue,
                Err(fault) => return Err(fault.into()),
            };
            let is_same = |other: &RawValue| {
                if self.ids_are_texts {
                    display_text(other) == display_text(id)
                } else {
                    other.get() == id.get()
                }
            };
            if row.fields.get("id").is_some_and(is_same) {
                return Ok(Some(names.read(row).map_err(|bad| bad.fault)?));
            }
        }
        Ok(None)
    }

    /// Skips the rows that could not be judged.
    fn skip(&mut self) -> Result<()> {
        for _ in 0..std::mem::take(&mut self.skipped) {
            match self.rows.next() {
                Some(Err(fault)) if fault.lost != Lost::Row => return Err(fault.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that no source row is left if rows are matched by order.
    fn end(&mut self) -> Result<()> {
        if !self.by_order {
            return Ok(());
        }
        self.skip()?;
        match self.rows.next() {
            None => Ok(()),
            Some(Ok(RawRow { origin, .. }) | Err(RowFault { origin, .. })) => {
                Err(ReportError::MoreSources(origin.file.to_string()))
            }
        }
    }
}

/// Takes the texts from the fields that passed through.
fn own_texts(names: &RowNames, input: &mut Fields, origin: &Origin) -> Result<Row> {
    let fields = std::mem::take(input);
    let lacks_texts = names.document_of(&fields).is_none() || names.summary_of(&fields).is_none();
    if lacks_texts {
        let reason = "does not have its texts: give the file that was judged in --source";
        return Err(fault(origin, reason.into()));
    }
    let row = names.read(RawRow { origin: origin.clone(), fields }).map_err(|bad| bad.fault)?;
    *input = row.rest.clone();
    Ok(row)
}

/// Restores the row of a table.
fn restored(cells: &Fields, origin: &Origin) -> Result<Fields> {
    row_of_table(cells).map_err(|TableFault { reason, argument }| {
        RowFault { origin: origin.clone(), reason, argument, lost: Lost::Row }.into()
    })
}

fn fault(origin: &Origin, reason: String) -> ReportError {
    RowFault { origin: origin.clone(), reason, argument: None, lost: Lost::Row }.into()
}

/// Returns a value for display: the content of a string, anything else as JSON.
pub(super) fn display_text(value: &RawValue) -> String {
    serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned())
}

fn display_texts(fields: &Fields) -> Vec<(String, String)> {
    let names = fields.names().into_iter();
    names.filter_map(|name| Some((name.to_owned(), display_text(fields.get(name)?)))).collect()
}
