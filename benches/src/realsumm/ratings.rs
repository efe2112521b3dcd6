//! The authors' own ratings (github.com/neulab/REALSumm), `SCU_rating_results_{abs,ext}_systems/*.csv`: one row per
//! annotator and summary, with Input.eventId (the document), Input.summaryId (the system), Input.summary_text,
//! Input.statement_1 to 16 (the key facts; BLANK if there are fewer) and Answer.S1Answer to S16Answer (p: present, n: not).
//! Both folders have a system `bart_out`, so a system's name includes its folder.

use std::collections::HashMap;

use super::{Dimension, NO_SENTENCE_LABELS, RealSumm, label};
use crate::benchmark::{Item, RowContent};
use crate::read::{BenchError, read_fields};
use crate::{fields, votes};
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic_models::store::quoting::quoted_name;

const EVENT: &str = "Input.eventId";
const SYSTEM: &str = "Input.summaryId";
const SUMMARY: &str = "Input.summary_text";

/// The number of statements in a row.
const STATEMENTS: usize = 16;

/// The placeholder for a missing statement.
const NO_STATEMENT: &str = "BLANK";

/// The ratings of summaries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings(HashMap<(String, String), RatedSummary>);

/// The annotators' ratings of one summary.
#[derive(Debug, Clone, PartialEq)]
struct RatedSummary {
    /// The first row of the summary.
    first: Origin,
    summary: String,
    statements: Vec<String>,
    /// Each annotator's votes on the statements.
    votes: Vec<Vec<bool>>,
}

impl Ratings {
    /// Reads the tables; rows of other formats are skipped.
    ///
    /// # Errors
    /// The first row of a table that is not a rating, or whose texts differ from another row of its summary.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut ratings = Self::default();
        read_fields(
            rows,
            |origin, fields| if is_row(&fields) { ratings.add(origin, &fields) } else { Ok(()) },
        )?;
        Ok(ratings)
    }

    fn add(&mut self, origin: &Origin, fields: &Fields) -> Result<(), String> {
        let (key, summary) = (key(origin, fields)?, fields::name(fields, SUMMARY)?);
        let (mut statements, mut answers) = (Vec::new(), Vec::new());
        for number in 1..=STATEMENTS {
            let statement = fields::name(fields, &format!("Input.statement_{number}"))?;
            if statement != NO_STATEMENT {
                statements.push(statement);
                answers.push(answer(fields, number)?);
            }
        }
        if statements.is_empty() {
            return Err("has no statements".into());
        }
        let rated = self.0.entry(key).or_insert_with(|| RatedSummary {
            first: origin.clone(),
            summary: summary.clone(),
            votes: vec![Vec::new(); statements.len()],
            statements: statements.clone(),
        });
        if (&rated.summary, &rated.statements) != (&summary, &statements) {
            return Err(format!("has another summary or other statements than {}", rated.first));
        }
        rated.votes.iter_mut().zip(answers).for_each(|(votes, answer)| votes.push(answer));
        Ok(())
    }
}

/// Whether a row is from one of these tables.
pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(EVENT).is_some()
}

/// Returns the system and the document.
fn key(origin: &Origin, fields: &Fields) -> Result<(String, String), String> {
    fields::require(fields, &[EVENT, SYSTEM, SUMMARY])?;
    let system = fields::name(fields, SYSTEM)?;
    let folder = ["abs", "ext"].into_iter().find(|kind| origin.file.contains(&format!("{kind}_systems")));
    let system = folder.map_or_else(|| system.clone(), |folder| format!("{folder}/{system}"));
    Ok((system, fields::name(fields, EVENT)?))
}

fn answer(fields: &Fields, number: usize) -> Result<bool, String> {
    let field = format!("Answer.S{number}Answer");
    match fields::name(fields, &field)?.as_str() {
        "p" => Ok(true),
        "n" => Ok(false),
        _ => Err(format!("field `{field}` must be p or n")),
    }
}

impl RealSumm {
    /// Returns the text of such a row; further rows of its summary have none.
    pub(super) fn rated_row(&self, origin: &Origin, fields: &Fields) -> Result<RowContent, String> {
        if self.dimension == Dimension::Conciseness {
            return Err(NO_SENTENCE_LABELS.into());
        }
        let (model, event) = key(origin, fields)?;
        let list = self.key_facts.of(&event)?;
        let found = self.ratings.0.get(&(model.clone(), event.clone()));
        let Some(rated) = found.filter(|rated| rated.first == *origin) else {
            return Ok(RowContent::texts(String::new(), Vec::new()));
        };
        let is_present = |votes: &Vec<bool>| 2 * votes.iter().filter(|vote| **vote).count() > votes.len();
        let item = |(text, votes): (&String, &Vec<bool>)| Item {
            text: text.clone(),
            label: Some(is_present(votes)),
            votes: votes.clone(),
            ..Item::default()
        };
        let is_counted = |text: &&String| !self.as_published || list.key_facts.contains(text);
        let labelled = rated.statements.iter().zip(&rated.votes);
        let items = labelled.filter(|(text, _)| is_counted(text)).map(item);
        let items: Vec<Item> = items.collect();
        let labels: Vec<Option<bool>> = items.iter().map(|item| item.label).collect();
        let Some(rating) = votes::share(&labels, true) else {
            return Err(format!(
                "none of its statements is among the key facts of document {}",
                quoted_name(&event)
            ));
        };
        let key_facts = items.iter().map(|item| item.text.clone()).collect();
        let label = label(model, rating, items);
        let inputs = self.inputs(key_facts, list.reference.clone());
        Ok(RowContent::text(list.document.clone(), rated.summary.clone(), label).with_inputs(inputs))
    }
}
