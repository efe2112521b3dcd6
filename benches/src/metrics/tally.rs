//! The metrics' report over many rows, besides the numbers of each row: the agreement of checks and of runs.

use serde_json::{Map, Value, json};

use super::choice::{Metric, MetricChoice};
use super::measures::Measures;
use super::sumautoeval::{AgreementTally, FACTS, Kappa};
use super::tofueval::{SelfAgreement, SelfAgreementTally};

/// Collects the metrics' report, row by row, in constant memory.
#[derive(Debug, Default)]
pub struct MetricTally {
    agreement: Option<AgreementTally>,
    self_agreement: Option<SelfAgreementTally>,
}

impl MetricTally {
    /// Creates a tally of the metrics that report over rows.
    pub(super) fn of(metrics: &[MetricChoice]) -> Self {
        let has = |metric: Metric| metrics.iter().any(|choice| choice.metric == metric);
        Self {
            agreement: has(Metric::SumAutoEval).then(AgreementTally::default),
            self_agreement: has(Metric::TofuEval).then(SelfAgreementTally::default),
        }
    }

    /// Adds a row: the members of its result's JSON object.
    pub fn add(&mut self, fields: &str) {
        if let Some(agreement) = &mut self.agreement {
            agreement.add_fields(fields);
        }
        if let Some(agreement) = &mut self.self_agreement {
            agreement.add_fields(fields);
        }
    }

    /// Returns the statistics so far: fields of a run's summary, and lines for people.
    #[must_use]
    pub fn report(&self) -> (Map<String, Value>, Vec<String>) {
        let (mut fields, mut lines) = (Map::new(), Vec::new());
        let agreement = self.agreement.as_ref().map(AgreementTally::agreement).unwrap_or_default();
        if !agreement.is_empty() {
            fields.insert("agreement".to_owned(), json!(agreement));
            lines.extend(agreement.axes().map(|(axis, kappa)| agreement_line(axis, kappa)));
        }
        let runs = self.self_agreement.as_ref().map(SelfAgreementTally::agreement).unwrap_or_default();
        if !runs.is_empty() {
            fields.insert("self_agreement".to_owned(), json!(runs));
            lines.extend(runs.iter().map(SelfAgreement::line));
        }
        (fields, lines)
    }
}

/// Returns the metrics' findings about one row besides its numbers, one per line.
pub fn lines_of(measures: &Measures) -> Vec<String> {
    let mut tally = AgreementTally::default();
    measures.facts(FACTS).iter().for_each(|facts| tally.add(facts));
    tally.agreement().axes().map(|(axis, kappa)| agreement_line(axis, kappa)).collect()
}

fn agreement_line(axis: &str, Kappa { kappa, entities }: Kappa) -> String {
    let kappa = kappa.map_or("undefined, all answers are the same".to_owned(), |kappa| format!("{kappa:.3}"));
    format!("sumautoeval {axis}: the three checks agree with Fleiss' kappa {kappa} over {entities} entities")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_without_a_summary_report_nothing() {
        let mut tally = MetricTally::of(&[MetricChoice::of(Metric::Rouge)]);
        tally.add("\"score\":0.5");
        assert_eq!(tally.report(), (Map::new(), Vec::new()));
    }

    #[test]
    fn agreement_of_sumautoeval_is_a_line_an_axis() {
        let mut tally = MetricTally::of(&[MetricChoice::of(Metric::SumAutoEval)]);
        tally.add(
            r#""sumautoeval":{"summary":{"entities":[{"correctness":{"answers":{"presence":"yes","coverage":"yes","evidence":"yes"}}}]}}"#,
        );
        let (fields, lines) = tally.report();
        assert_eq!(
            lines,
            [
                "sumautoeval correctness: the three checks agree with Fleiss' kappa undefined, all answers are the same over 1 entities"
            ]
        );
        assert_eq!(json!(fields).to_string(), r#"{"agreement":{"correctness":{"entities":1,"kappa":null}}}"#);
    }
}
