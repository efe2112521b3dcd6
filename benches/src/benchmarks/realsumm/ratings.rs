//! The authors' own ratings (github.com/neulab/REALSumm), `SCU_rating_results_{abs,ext}_systems/*.csv`: one row per
//! annotator and summary, with Input.eventId (the document), Input.summaryId (the system), Input.summary_text,
//! Input.statement_1 to 16 (the key facts; BLANK if there are fewer) and Answer.S1Answer to S16Answer (p: present, n: not).
//! Both folders have a system `bart_out`, so a system's name includes its folder.

use std::collections::HashMap;

use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};

use super::label::KeyFact;
use crate::protocol::{BenchError, fields, read_fields};

const EVENT: &str = "Input.eventId";
const SYSTEM: &str = "Input.summaryId";
const SUMMARY: &str = "Input.summary_text";

const STATEMENTS: usize = 16;

const NO_STATEMENT: &str = "BLANK";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings(HashMap<SummaryKey, SummaryVotes>);

/// Which summary a row is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SummaryKey {
    pub(super) system: String,
    pub(super) document: String,
}

/// The annotators' ratings of one summary.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SummaryVotes {
    /// The first row of the summary.
    first: Origin,
    pub(super) summary: String,
    statements: Vec<String>,
    /// Each annotator's votes on the statements.
    votes: Vec<Vec<bool>>,
}

impl SummaryVotes {
    /// Returns the statements with the votes on them.
    pub(super) fn key_facts(&self) -> impl Iterator<Item = KeyFact> {
        self.statements.iter().zip(&self.votes).map(|(text, votes)| {
            let present = votes.iter().filter(|vote| **vote).count();
            KeyFact { text: text.clone(), label: Some(2 * present > votes.len()), votes: votes.clone() }
        })
    }
}

impl SummaryKey {
    /// Reads the key of a row, whose system includes the authors' folder.
    pub(super) fn of(origin: &Origin, fields: &Fields) -> Result<Self, String> {
        fields::require(fields, &[EVENT, SYSTEM, SUMMARY])?;
        let system = fields::name(fields, SYSTEM)?;
        let folder = ["abs", "ext"].into_iter().find(|kind| origin.file.contains(&format!("{kind}_systems")));
        let system = folder.map_or_else(|| system.clone(), |folder| format!("{folder}/{system}"));
        Ok(Self { system, document: fields::name(fields, EVENT)? })
    }
}

impl Ratings {
    /// Reads the tables; rows of other formats are skipped. Refuses the first row of a table that is not a rating, or
    /// whose texts differ from another row of its summary.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut ratings = Self::default();
        read_fields(
            rows,
            |origin, fields| if is_row(&fields) { ratings.add(origin, &fields) } else { Ok(()) },
        )?;
        Ok(ratings)
    }

    /// Returns the summary of a row, if it is the first of several.
    pub(super) fn of_first_row(&self, key: &SummaryKey, origin: &Origin) -> Option<&SummaryVotes> {
        self.0.get(key).filter(|rated| rated.first == *origin)
    }

    fn add(&mut self, origin: &Origin, fields: &Fields) -> Result<(), String> {
        let (key, summary) = (SummaryKey::of(origin, fields)?, fields::name(fields, SUMMARY)?);
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
        let rated = self.0.entry(key).or_insert_with(|| SummaryVotes {
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

pub(super) fn is_row(fields: &Fields) -> bool {
    fields.get(EVENT).is_some()
}

fn answer(fields: &Fields, number: usize) -> Result<bool, String> {
    let field = format!("Answer.S{number}Answer");
    match fields::name(fields, &field)?.as_str() {
        "p" => Ok(true),
        "n" => Ok(false),
        _ => Err(format!("field `{field}` must be p or n")),
    }
}
