//! The result of a row by the chosen metrics.

use serde::Serialize;
use veridic::corpus::{Fields, JudgedRow};
use veridic::result::{Models, PairResult, ProfileStamp, SCHEMA};

use super::measures::Measures;

/// The result of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The score of the claims; if no claims are judged, the first measure.
    pub score: f32,
    /// The judgement of the claims, if they are judged.
    pub judged: Option<PairResult>,
    /// The numbers of the metrics, and the facts behind them.
    pub measures: Measures,
    /// The settings that determined it.
    pub profile: ProfileStamp,
    /// The models that computed it.
    pub models: Models,
}

impl From<Evaluation> for JudgedRow {
    fn from(evaluation: Evaluation) -> Self {
        let measures =
            serde_json::to_string(&evaluation.measures).expect("texts and finite numbers are valid JSON");
        let members: Fields = serde_json::from_str(&measures).expect("measures are an object");
        Self { score: evaluation.score, judged: evaluation.judged, members }
    }
}

impl Serialize for Evaluation {
    /// Writes the judgement of the claims, if there is one, and the measures.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'e> {
            #[serde(flatten)]
            judged: &'e PairResult,
            #[serde(flatten)]
            measures: &'e Measures,
        }
        #[derive(Serialize)]
        struct Numbers<'e> {
            schema: u32,
            score: f32,
            #[serde(flatten)]
            measures: &'e Measures,
            profile: &'e ProfileStamp,
            models: &'e Models,
        }
        let Self { score, measures, profile, models, .. } = self;
        match &self.judged {
            Some(judged) => Whole { judged, measures }.serialize(serializer),
            None => {
                Numbers { schema: SCHEMA, score: *score, measures, profile, models }.serialize(serializer)
            }
        }
    }
}
