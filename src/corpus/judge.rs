//! Who judges the rows of a run: a [`Scorer`], or another crate's judge that computes more on the same engine.

use veridic_models::ComputeDevice;

use super::read::RowNames;
use crate::error::Result;
use crate::input::{Fields, Pair};
use crate::result::{PairResult, ProfileStamp};
use crate::schedule::OnEvent;
use crate::scorer::Scorer;

/// One batch is computed, two are ready, and one is written.
const BATCHES_ON_DEVICE: usize = 4;

/// The result of a row.
#[derive(Debug, Clone, Default)]
pub struct JudgedRow {
    /// The row's score.
    pub score: f32,
    /// The judgement of its claims; `None` if claims are not judged.
    pub judged: Option<PairResult>,
    /// Further members of the row's JSON object, in order.
    pub members: Fields,
}

impl From<PairResult> for JudgedRow {
    fn from(judged: PairResult) -> Self {
        Self { score: judged.score, judged: Some(judged), members: Fields::default() }
    }
}

/// Judges the rows of a run.
pub trait RowJudge: Sync {
    /// Judges rows together and returns their results in order. Each result is the same as if its row were judged alone.
    /// When `on_event` stops the work, the remaining results are [`Error::Stopped`](crate::Error::Stopped).
    fn judge_rows(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<JudgedRow>>;

    /// The scorer that judges claims.
    fn scorer(&self) -> &Scorer;

    /// The number of batches that are judged at once: on a device, some are prepared while it computes others.
    fn batches_at_once(&self) -> usize {
        match self.scorer().model().device() {
            ComputeDevice::Cpu => 1,
            _ => BATCHES_ON_DEVICE,
        }
    }

    /// The settings that every result records.
    fn profile_stamp(&self) -> ProfileStamp {
        self.scorer().stamp()
    }

    /// Identifies what determines results besides the scorer and the texts.
    fn stamp(&self) -> String {
        String::new()
    }

    /// Whether claims are judged.
    fn judges_claims(&self) -> bool {
        true
    }

    /// Adds the fields of a row that results depend on, besides document and summary.
    fn row_names(&self, names: RowNames) -> RowNames {
        names
    }
}

impl RowJudge for Scorer {
    fn judge_rows(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<JudgedRow>> {
        let results = self.score_batch(pairs, on_event).into_iter();
        results.map(|result| result.map(JudgedRow::from)).collect()
    }

    fn scorer(&self) -> &Scorer {
        self
    }
}
