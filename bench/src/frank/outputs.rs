//! What other metrics say of FRANK's summaries: rows with hash and model_name, and a field a metric, as in
//! `baseline_factuality_metrics_outputs.json` and in outputs for the authors' own evaluation. Every field that holds a
//! number is a metric; a summary may lack some.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{HASH, SYSTEM};
use crate::fields;
use crate::read::BenchError;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};

/// What other metrics say of summaries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetricOutputs {
    names: Vec<String>,
    values: HashMap<(String, String), Vec<Option<f64>>>,
}

impl MetricOutputs {
    /// Reads rows of the authors' file.
    ///
    /// # Errors
    /// The first row that is none, or is of the same summary as another; and files without a metric.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut outputs = Self::default();
        for row in rows {
            let RawRow { origin, fields } = row?;
            outputs.add(&fields).map_err(|reason| BenchError::Row { origin, reason })?;
        }
        if outputs.names.is_empty() {
            let reason = "the metric outputs hold no numbers beside the summaries that they are of";
            return Err(BenchError::Data(reason.into()));
        }
        Ok(outputs)
    }

    /// The metrics, as they come in the file.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What each says of a summary.
    pub(super) fn of(&self, hash: &str, system: &str) -> Vec<Option<f64>> {
        let mut values = self.values.get(&(hash.to_owned(), system.to_owned())).cloned().unwrap_or_default();
        values.resize(self.names.len(), None);
        values
    }

    fn add(&mut self, fields: &Fields) -> Result<(), String> {
        let (hash, system) = (fields::name(fields, HASH)?, fields::name(fields, SYSTEM)?);
        let mut values = vec![None; self.names.len()];
        for field in fields.names().into_iter().filter(|field| ![HASH, SYSTEM].contains(field)) {
            let number = fields.get(field).map(RawValue::get).and_then(|value| value.parse::<f64>().ok());
            let Some(number) = number.filter(|number| number.is_finite()) else { continue };
            match self.names.iter().position(|name| name == field) {
                Some(place) => values[place] = Some(number),
                None => {
                    self.names.push(field.to_owned());
                    values.push(Some(number));
                }
            }
        }
        let twice = format!("summary {hash} of {system} has metric outputs twice");
        match self.values.insert((hash, system), values) {
            None => Ok(()),
            Some(_) => Err(twice),
        }
    }
}
