//! What a report says besides the figures: the data, the source of the scores, and what the figures lack.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde::Serialize;
use veridic::result::{Models, ProfileStamp};
use veridic_program::{files, output};

use super::args::MeasureArgs;
use crate::llm::StepCounts;
use crate::protocol::{MatchedBy, Reading, RunSetUp};

/// The data that were measured.
#[derive(Serialize)]
pub(super) struct DataReport<'r> {
    files: Vec<String>,
    rows: usize,
    texts_measured: usize,
    rows_left_out: &'r BTreeMap<String, usize>,
}

/// The source of scores.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ScoresReport {
    File {
        file: String,
        matched_by: MatchedBy,
        /// The outcomes of the answers given in the data.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        answers: Vec<StepCounts>,
    },
    Scored {
        /// The metric whose first number is the score; absent for FENICE's claims.
        #[serde(skip_serializing_if = "Option::is_none")]
        metric: Option<String>,
        profile: Box<ProfileStamp>,
        models: Box<Models>,
        /// The outcomes of requests to a language model.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        answers: Vec<StepCounts>,
        /// A one-line description for people.
        #[serde(skip)]
        set_up: String,
    },
}

impl<'r> DataReport<'r> {
    pub(super) fn of<Label>(reading: &'r Reading<Label>, args: &MeasureArgs) -> Self {
        Self {
            files: args.data.iter().map(|path| files::name(path)).collect(),
            rows: reading.rows,
            texts_measured: reading.cases.len(),
            rows_left_out: &reading.left_out,
        }
    }
}

impl ScoresReport {
    /// Describes the answers given in the data, with their success ratio.
    pub(super) fn answer_lines(&self) -> Vec<String> {
        match self {
            Self::File { answers, .. } => answers.iter().map(ToString::to_string).collect(),
            Self::Scored { .. } => Vec::new(),
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::File { file, .. } => file.clone(),
            Self::Scored { metric, profile, models, .. } => {
                let judge = format!("{}, {}", profile.rules.profile, models.nli.id);
                // The source of the answers comes first in the stamp, before the wording of each step.
                let answered = || profile.answers.as_deref()?.split(' ').next().map(str::to_owned);
                match metric {
                    Some(metric) => format!("{metric}, {}", answered().unwrap_or(judge)),
                    None => judge,
                }
            }
        }
    }

    /// Describes in one line how they were computed.
    pub(super) fn set_up(&self) -> RunSetUp {
        match self {
            Self::File { file, .. } => {
                RunSetUp::given(format!("the scores of {file}, which were computed elsewhere"))
            }
            Self::Scored { set_up, .. } => RunSetUp::scored(set_up),
        }
    }
}

/// Returns 2 if texts could not be judged, failed or have no answers, since the figures then cover only part of the data; the
/// last line says so.
pub(super) fn exit_code<Label>(reading: &Reading<Label>) -> ExitCode {
    let lacking: Vec<(&str, usize)> = reading.lacking().collect();
    if lacking.is_empty() {
        return ExitCode::SUCCESS;
    }
    let count: usize = lacking.iter().map(|(_, count)| count).sum();
    let reasons: Vec<String> = lacking.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    let (all, reasons) = (reading.texts, reasons.join(", "));
    output::note(&format!("veridic: the figures lack {count} of {all} texts: {reasons}"));
    ExitCode::from(2)
}
