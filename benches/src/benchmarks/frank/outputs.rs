//! The scores of other metrics for FRANK's summaries: rows with hash, model_name and one field per metric, as in
//! `baseline_factuality_metrics_outputs.json` and in outputs for the authors' own evaluation. Every field that holds a
//! number is a metric; a summary may lack some.

use std::collections::HashMap;

use serde_json::value::RawValue;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_models::store::quoting::quoted_name;

use super::annotations::{HASH, SYSTEM};
use crate::protocol::{BenchError, fields, read_fields};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetricOutputs {
    names: Vec<String>,
    values: HashMap<(String, String), Vec<Option<f64>>>,
}

impl MetricOutputs {
    /// Reads rows of the authors' file. Refuses the first row that is not such an output, or repeats a summary; files
    /// without a metric.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut outputs = Self::default();
        read_fields(rows, |_, fields| outputs.add(&fields))?;
        if outputs.names.is_empty() {
            let reason = "the metric outputs hold no numbers";
            return Err(BenchError::Data(reason.into()));
        }
        Ok(outputs)
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the score of each metric for a summary.
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
        let twice =
            format!("summary {} of {} has metric outputs twice", quoted_name(&hash), quoted_name(&system));
        match self.values.insert((hash, system), values) {
            None => Ok(()),
            Some(_) => Err(twice),
        }
    }
}
