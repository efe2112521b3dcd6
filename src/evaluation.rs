//! The result of a row of a corpus, and the trait of what computes it: a [`Scorer`] judges claims; an evaluator in
//! another crate may add measures.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::corpus::read::RowNames;
use crate::error::Result;
use crate::input::Pair;
use crate::measures::Measures;
use crate::result::{Models, PairResult, ProfileStamp, SCHEMA};
use crate::schedule::OnEvent;
use crate::scorer::Scorer;

/// The result of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The score of the claims; if no claims are judged, the first measure.
    pub score: f32,
    /// The judgement of the claims, if they are judged.
    pub judged: Option<PairResult>,
    /// Other numbers, and the facts behind them.
    pub measures: Measures,
    /// The settings that determined it.
    pub profile: ProfileStamp,
    /// The models that computed it.
    pub models: Models,
}

/// Computes the results of rows.
pub trait Evaluate: Sync {
    /// Evaluates rows together and returns their results in order. Each result is the same as if its row were evaluated
    /// alone. When `on_event` stops the work, the remaining results are [`Error::Stopped`](crate::Error::Stopped).
    fn evaluate(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>>;

    /// The scorer that judges claims.
    fn scorer(&self) -> &Scorer;

    /// The settings that every result records.
    fn profile_stamp(&self) -> ProfileStamp;

    /// Identifies what determines results besides the scorer and the texts.
    fn stamp(&self) -> String {
        String::new()
    }

    /// Whether claims are judged.
    fn judges(&self) -> bool {
        true
    }

    /// The fields of a row that results depend on, beside document and summary.
    fn row_names(&self, names: RowNames) -> RowNames {
        names
    }

    /// What there is to tell a person about the work so far, each one line.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a collector of statistics over the rows of a run, in addition to the rates of claims.
    fn tally(&self) -> Option<Box<dyn Tally>> {
        None
    }
}

/// Collects an evaluator's statistics over rows in constant memory.
pub trait Tally: Send + Sync {
    /// Adds a row. `fields`: the members of its result's JSON object, as computed or from a journal.
    fn add(&mut self, fields: &str);

    /// The statistics so far: fields of the run's summary, and lines for the terminal.
    fn report(&self) -> (Map<String, Value>, Vec<String>);
}

impl Evaluate for Scorer {
    fn evaluate(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let judged = self.score_batch(pairs, on_event);
        judged.into_iter().map(|judged| Ok(Evaluation::from(judged?))).collect()
    }

    fn scorer(&self) -> &Scorer {
        self
    }

    fn profile_stamp(&self) -> ProfileStamp {
        self.stamp()
    }
}

impl From<PairResult> for Evaluation {
    /// A judgement without measures.
    fn from(judged: PairResult) -> Self {
        let (score, profile, models) = (judged.score, judged.profile.clone(), judged.models.clone());
        Self { score, judged: Some(judged), measures: Measures::default(), profile, models }
    }
}

impl Serialize for Evaluation {
    /// Writes the judgement of the claims, if there is one, and the measures.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
