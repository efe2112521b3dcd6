//! Keyword arguments, as a JSON object, to settings of the library.

use std::num::NonZeroUsize;

use serde_json::{Map, Value};
use veridic::corpus::read::RowNames;
use veridic::metrics::Evaluator;
use veridic::plan::EvaluatorPlan;
use veridic::{Error, Result};

/// What `Scorer(...)` was called with.
pub(crate) struct Options {
    plan: EvaluatorPlan,
    pub(crate) threads: Option<NonZeroUsize>,
}

impl Options {
    /// Reads them; nothing is loaded.
    pub(crate) fn read(json: &str) -> Result<Self> {
        let mut given: Map<String, Value> = serde_json::from_str(json).map_err(|error| Error::Text {
            role: "settings",
            reason: format!("are not a JSON object: {error}"),
        })?;
        let threads = given.remove("threads").map(threads).transpose()?;
        Ok(Self { plan: EvaluatorPlan::from_json(&given)?, threads })
    }

    /// How rows are read.
    pub(crate) fn names(&self) -> RowNames {
        let mut names = RowNames::default();
        if self.plan.has_given_claims() {
            names = names.with_claims();
        }
        if self.plan.has_metrics() {
            names = names.with_metric_inputs();
        }
        names
    }

    /// Whether there is a score cache.
    pub(crate) fn has_cache(&self) -> bool {
        self.plan.has_cache()
    }

    /// Loads the models; with notes for a person.
    pub(crate) fn load(self) -> Result<(Evaluator, Vec<String>)> {
        let mut notes = Vec::new();
        let evaluator = self.plan.build_noting(&mut |note| notes.push(note))?;
        Ok((evaluator, notes))
    }
}

fn threads(value: Value) -> Result<NonZeroUsize> {
    serde_json::from_value(value.clone()).map_err(|error| Error::Setting {
        setting: "threads",
        value: value.to_string(),
        expected: error.to_string(),
    })
}
