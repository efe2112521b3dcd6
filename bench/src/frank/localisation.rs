//! FineSurE's table 2: of the sentences whose type of error people agree on, the share whose type is answered right, by
//! type. A sentence that is answered to have no error, or another type, counts as wrong.

use serde::Serialize;

use super::error_type::ErrorType;
use super::{Case, Keys};

/// The shares of right types.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Localisation {
    /// By type.
    pub types: Vec<TypeRecall>,
    /// The mean over the types that some sentence has.
    pub mean: Option<f64>,
    /// Sentences with an error on whose type people do not agree, or whose type is none of these: they are left out.
    pub left_out: usize,
}

/// The share of right types among the sentences of one type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TypeRecall {
    /// The type.
    #[serde(rename = "type")]
    pub error_type: ErrorType,
    /// Sentences that people agree have it.
    pub sentences: usize,
    /// The share, from 0 to 1; `None` without sentences.
    pub recall: Option<f64>,
}

impl Localisation {
    /// Those of sentences; `None` where no types were answered.
    pub(super) fn of(cases: &[Case<Keys>], sentences: &[usize]) -> Option<Self> {
        let answered = |row: &&usize| cases[**row].answers.errors.is_some();
        let rows: Vec<&Case<Keys>> = sentences.iter().filter(answered).map(|row| &cases[*row]).collect();
        if rows.is_empty() {
            return None;
        }
        let with_error = rows.iter().filter(|case| case.keys.factuality < 1.0);
        let left_out = with_error.clone().filter(|case| case.keys.error.is_none()).count();
        let recall = |error: ErrorType| {
            let own = with_error.clone().filter(|case| case.keys.error == Some(error));
            let is_right =
                |case: &&&Case<Keys>| case.answers.first_error().and_then(ErrorType::answered) == Some(error);
            let (sentences, right) = (own.clone().count(), own.filter(is_right).count());
            let recall = (sentences > 0).then(|| right as f64 / sentences as f64);
            TypeRecall { error_type: error, sentences, recall }
        };
        let types: Vec<TypeRecall> = ErrorType::ALL.into_iter().map(recall).collect();
        let known: Vec<f64> = types.iter().filter_map(|of| of.recall).collect();
        let mean = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
        Some(Self { types, mean, left_out })
    }
}
