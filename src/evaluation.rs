//! What a row of a corpus gets, and who computes it: a [`Scorer`] judges claims; an evaluator of another package may add
//! numbers and facts of its own.

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
    /// The score of the claims; where none are judged, the first number.
    pub score: f32,
    /// The judgement of the claims, where they are judged.
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
    /// The results of rows that are computed together, in their order, each equal to that of its row alone. When `on_event`
    /// ends the work, the remaining results are [`Error::Stopped`](crate::Error::Stopped).
    fn evaluate(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>>;

    /// The scorer that judges claims.
    fn scorer(&self) -> &Scorer;

    /// The settings that every result records.
    fn profile_stamp(&self) -> ProfileStamp;

    /// What determines results beside the scorer and the texts, as text.
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

    /// Collects what is reported over the rows of a run, beside the rates of claims.
    fn tally(&self) -> Option<Box<dyn Tally>> {
        None
    }
}

/// Collects what an evaluator reports over rows, in memory that does not grow with them.
pub trait Tally: Send + Sync {
    /// Adds a row. `fields`: the members of its result's JSON object, as computed or from a journal.
    fn add(&mut self, fields: &str);

    /// What was found so far: fields of the run's summary, and lines for a person.
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
    /// A judgement alone.
    fn from(judged: PairResult) -> Self {
        let (score, profile, models) = (judged.score, judged.profile.clone(), judged.models.clone());
        Self { score, judged: Some(judged), measures: Measures::default(), profile, models }
    }
}

impl Serialize for Evaluation {
    /// The judgement of the claims, if there is one, with numbers and facts beside it.
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
