//! What metrics report over many rows, beside the numbers of each row. A run feeds a `RunTally` row by row and reports its
//! [`RunSummary`], without knowing which metrics contribute.

use serde::Serialize;

use super::choice::{Metric, MetricChoice};
use super::citation_counts::CitationCounts;
use super::sumautoeval::{Agreement, AgreementTally, Kappa};
use super::tofueval::{SelfAgreement, SelfAgreementTally};

/// What metrics report over rows; empty where none has anything to report. As JSON, the fields of an object.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunSummary {
    #[serde(skip_serializing_if = "Agreement::is_empty")]
    agreement: Agreement,
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<CitationCounts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    self_agreement: Vec<SelfAgreement>,
}

/// Collects what metrics report, row by row, in memory that does not grow with the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunTally {
    agreement: Option<AgreementTally>,
    citations: Option<CitationCounts>,
    self_agreement: Option<SelfAgreementTally>,
}

impl RunSummary {
    pub(super) fn of_agreement(agreement: Agreement) -> Self {
        Self { agreement, ..Self::default() }
    }

    /// One line a finding, for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let agreement = self.agreement.axes().map(|(axis, kappa)| agreement_line(axis, kappa));
        agreement
            .chain(self.citations.map(CitationCounts::line))
            .chain(self.self_agreement.iter().map(SelfAgreement::line))
            .collect()
    }
}

impl RunTally {
    /// Of the metrics that report something over rows.
    pub(super) fn of(metrics: &[MetricChoice]) -> Self {
        let has_agreement = metrics.iter().any(|choice| choice.metric == Metric::SumAutoEval);
        Self {
            agreement: has_agreement.then(AgreementTally::default),
            citations: None,
            self_agreement: metrics
                .iter()
                .any(|choice| choice.metric == Metric::TofuEval)
                .then(SelfAgreementTally::default),
        }
    }

    /// Counts citations too.
    pub(crate) fn with_citations(self) -> Self {
        Self { citations: Some(CitationCounts::default()), ..self }
    }

    /// Adds a row. `fields`: the members of its result's JSON object, as computed or from a journal.
    pub(crate) fn add(&mut self, fields: &str) {
        if let Some(agreement) = &mut self.agreement {
            agreement.add_fields(fields);
        }
        if let Some(citations) = &mut self.citations {
            citations.add_fields(fields);
        }
        if let Some(agreement) = &mut self.self_agreement {
            agreement.add_fields(fields);
        }
    }

    /// The summary of the rows so far.
    pub(crate) fn summary(&self) -> RunSummary {
        let agreement = self.agreement.as_ref().map(AgreementTally::agreement);
        let citations = self.citations;
        let self_agreement =
            self.self_agreement.as_ref().map(SelfAgreementTally::agreement).unwrap_or_default();
        RunSummary { citations, self_agreement, ..RunSummary::of_agreement(agreement.unwrap_or_default()) }
    }
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
        let mut tally = RunTally::of(&[MetricChoice::of(Metric::Fenice)]);
        tally.add("\"score\":0.5");
        assert_eq!(tally.summary(), RunSummary::default());
        assert!(tally.summary().lines().is_empty());
        assert_eq!(serde_json::to_string(&tally.summary()).unwrap(), "{}");
    }

    #[test]
    fn agreement_of_sumautoeval_is_a_line_an_axis() {
        let mut tally = RunTally::of(&[MetricChoice::of(Metric::SumAutoEval)]);
        tally.add(
            r#""sumautoeval":{"summary":{"entities":[{"correctness":{"answers":{"presence":"yes","coverage":"yes","evidence":"yes"}}}]}}"#,
        );
        assert_eq!(
            tally.summary().lines(),
            [
                "sumautoeval correctness: the three checks agree with Fleiss' kappa undefined, all answers are the same over 1 entities"
            ]
        );
        let json = serde_json::to_string(&tally.summary()).unwrap();
        assert_eq!(json, r#"{"agreement":{"correctness":{"kappa":null,"entities":1}}}"#);
    }
}
