//! Judged rows joined with their texts. `run` leaves the texts out of its lines unless it is told to keep
//! them, so they come from the rows that were judged, read beside the scores in the same order: a judged
//! row with an id belongs to the next one with that id. Rows without ids must be the very rows that were
//! judged, all of them. Refuses texts that the spans do not fit. Scores may be a table that `run` wrote: ids are compared
//! as text then, since a cell does not say whether it was a number.

use serde_json::value::RawValue;

use super::error::{ReportError, Result};
use super::figures::Scores;
use super::labels;
use super::row::Claim;
use super::scored::{About, FailedRow, JudgedRow, ScoredRow};
use veridic::corpus::Fields;
use veridic::corpus::read::{Lost, Origin, RawRow, Row, RowFault, RowNames, Rows};
use veridic::corpus::write::{is_of_table, row_of_table};
use veridic::pipeline::{Reason, Verdict};
use veridic_text::TextIndex;

/// A row of a report.
#[derive(Debug)]
pub enum ReportRow {
    /// One that was judged.
    Judged(Box<JudgedPair>),
    /// One that could not be.
    Failed(FailedRow),
}

/// A judgement with its texts.
#[derive(Debug)]
pub struct JudgedPair {
    pub(super) id: Option<String>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<Reason>,
    pub(super) scores: Scores,
    pub(super) claims: Vec<Claim>,
    pub(super) ledger: Box<RawValue>,
    pub(super) settings: Box<RawValue>,
    pub(super) input: Vec<(String, String)>,
    pub(super) label: Option<bool>,
    pub(super) document: String,
    pub(super) summary: String,
    pub(super) about: About,
}

impl JudgedPair {
    /// The pair of one result, as `score --format json` writes it.
    ///
    /// # Errors
    /// What is no result, or not one of these texts.
    pub fn of_result(json: &str, document: String, summary: String) -> std::result::Result<Self, String> {
        let fields: Fields = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let ScoredRow::Judged(row) = ScoredRow::read(fields)? else {
            return Err("is no result".into());
        };
        Self::new(*row, document, summary, None)
    }

    fn new(
        row: JudgedRow,
        document: String,
        summary: String,
        label: Option<bool>,
    ) -> std::result::Result<Self, String> {
        let index = TextIndex::new(&document);
        let summary_characters = summary.chars().count();
        for (number, claim) in (1..).zip(&row.claims) {
            claim.fits(&index, summary_characters).map_err(|reason| {
                format!("claim {number} {reason}: its row's texts are not those that were judged")
            })?;
        }
        Ok(Self {
            id: row.id.as_deref().map(shown),
            score: row.score,
            verdict: row.verdict,
            reason: row.reason,
            scores: row.scores,
            claims: row.claims,
            ledger: row.ledger,
            settings: row.settings,
            input: all_shown(&row.input),
            label,
            document,
            summary,
            about: row.about,
        })
    }
}

/// The rows of a report. Ends behind the first error.
pub struct Pairs<'l> {
    scores: Rows,
    sources: Option<Sources>,
    names: RowNames,
    label: Option<&'l str>,
    ended: bool,
}

/// The rows that were judged.
struct Sources {
    rows: Rows,
    /// Rows without ids that could not be judged since the last one that was.
    passed: usize,
    /// Whether rows are found by their order alone.
    by_order: bool,
    /// Whether ids are compared by what people read.
    ids_are_texts: bool,
}

impl<'l> Pairs<'l> {
    /// Joins `scores` with the rows that were judged, in which `names` tells what the texts are called;
    /// without them, the scores must hold the texts (`run --keep`). `label` is the field of people's labels,
    /// among the fields that passed through or in the rows that were judged.
    #[must_use]
    pub fn new(scores: Rows, sources: Option<Rows>, names: RowNames, label: Option<&'l str>) -> Self {
        let sources = sources.map(|rows| Sources { rows, passed: 0, by_order: false, ids_are_texts: false });
        Self { scores, sources, names, label, ended: false }
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
        let fields = if is_of_table { row_of_table(&line.fields).map_err(refused)? } else { line.fields };
        match ScoredRow::read(fields).map_err(refused)? {
            ScoredRow::Failed(row) => {
                if let (None, Some(sources)) = (&row.id, &mut self.sources) {
                    sources.passed += 1;
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
                refused("has no row among those of --source: give the rows that were judged, in order".into())
            })?,
        };
        let value = |name: &str| row.input.get(name).or_else(|| source.rest.get(name)).map(RawValue::get);
        let label = self.label.map_or(Ok(None), |name| labels::read(value(name), name)).map_err(refused)?;
        let pair = JudgedPair::new(row, source.document, source.summary, label).map_err(refused)?;
        Ok(ReportRow::Judged(Box::new(pair)))
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
    /// The row that was judged: the next one with this id, or without ids the next one.
    fn find(&mut self, names: &RowNames, id: Option<&RawValue>) -> Result<Option<Row>> {
        let Some(id) = id else {
            self.by_order = true;
            self.pass()?;
            let row = self.rows.next().transpose()?;
            return Ok(row.map(|row| names.read(row)).transpose().map_err(|bad| bad.fault)?);
        };
        self.passed = 0;
        for row in &mut self.rows {
            let row = match row {
                Ok(row) => row,
                Err(fault) if fault.lost == Lost::Row => continue,
                Err(fault) => return Err(fault.into()),
            };
            let is_same = |other: &RawValue| match self.ids_are_texts {
                true => shown(other) == shown(id),
                false => other.get() == id.get(),
            };
            if row.fields.get("id").is_some_and(is_same) {
                return Ok(Some(names.read(row).map_err(|bad| bad.fault)?));
            }
        }
        Ok(None)
    }

    /// Leaves out the rows that could not be judged.
    fn pass(&mut self) -> Result<()> {
        for _ in 0..std::mem::take(&mut self.passed) {
            match self.rows.next() {
                Some(Err(fault)) if fault.lost != Lost::Row => return Err(fault.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Where order alone tells which row is which, none may be left.
    fn end(&mut self) -> Result<()> {
        if !self.by_order {
            return Ok(());
        }
        self.pass()?;
        match self.rows.next() {
            None => Ok(()),
            Some(Ok(RawRow { origin, .. }) | Err(RowFault { origin, .. })) => {
                Err(ReportError::MoreSources(origin.file.to_string()))
            }
        }
    }
}

/// The texts among the fields that passed through, which become the others.
fn own_texts(names: &RowNames, input: &mut Fields, origin: &Origin) -> Result<Row> {
    let fields = std::mem::take(input);
    let lacks_texts = names.document_of(&fields).is_none() || names.summary_of(&fields).is_none();
    if lacks_texts {
        let reason = "does not hold its texts: name the file of rows that was judged with --source";
        return Err(fault(origin, reason.into()));
    }
    let row = names.read(RawRow { origin: origin.clone(), fields }).map_err(|bad| bad.fault)?;
    *input = row.rest.clone();
    Ok(row)
}

fn fault(origin: &Origin, reason: String) -> ReportError {
    RowFault { origin: origin.clone(), reason, lost: Lost::Row }.into()
}

/// A value as people read it: a string's text, anything else as its JSON.
pub(super) fn shown(value: &RawValue) -> String {
    serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned())
}

fn all_shown(fields: &Fields) -> Vec<(String, String)> {
    let names = fields.names().into_iter();
    names.filter_map(|name| Some((name.to_owned(), shown(fields.get(name)?)))).collect()
}
