//! What metrics report over many rows, beside the numbers of each row. A run feeds a `RunTally` row by row and reports its
//! [`RunSummary`], without knowing which metrics contribute.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::choice::{Metric, MetricChoice};
use super::citation_counts::CitationCounts;
use super::sumautoeval::{Agreement, AgreementTally, Kappa};
use super::tofueval::{SelfAgreement, SelfAgreementTally};
use crate::corpus::rates::{Rates, RatesTally};
use crate::decide::Verdict;

/// What metrics report over rows; empty where none has anything to report. As JSON, the fields of an object.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunSummary {
    #[serde(skip_serializing_if = "Agreement::is_empty")]
    agreement: Agreement,
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<CitationCounts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    self_agreement: Vec<SelfAgreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<Rates>,
}

/// Collects what metrics report, row by row, in memory that does not grow with the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunTally {
    agreement: Option<AgreementTally>,
    citations: Option<CitationCounts>,
    self_agreement: Option<SelfAgreementTally>,
    rates: Option<RatesTally>,
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
            .chain(self.rates.iter().flat_map(Rates::lines))
            .collect()
    }

    /// The rates of unsupported and contradicted claims, where claims are judged.
    #[doc(hidden)]
    #[must_use]
    pub fn rates(&self) -> Option<&Rates> {
        self.rates.as_ref()
    }
}

impl RunTally {
    /// Of the metrics that report something over rows.
    pub(super) fn of(metrics: &[MetricChoice]) -> Self {
        let has = |metric: Metric| metrics.iter().any(|choice| choice.metric == metric);
        Self {
            agreement: has(Metric::SumAutoEval).then(AgreementTally::default),
            citations: None,
            self_agreement: has(Metric::TofuEval).then(SelfAgreementTally::default),
            rates: has(Metric::Fenice).then(RatesTally::default),
        }
    }

    /// Counts the claims of rows by a field of theirs too.
    pub(crate) fn grouped_by(self, field: Option<String>) -> Self {
        Self { rates: self.rates.map(|_| RatesTally::new(field)), ..self }
    }

    /// Counts citations too.
    pub(crate) fn with_citations(self) -> Self {
        Self { citations: Some(CitationCounts::default()), ..self }
    }

    /// Adds a row. `fields`: the members of its result's JSON object, as computed or from a journal; `group`: the field by
    /// which rows are grouped.
    pub(crate) fn add(&mut self, fields: &str, group: Option<&RawValue>) {
        if let Some(agreement) = &mut self.agreement {
            agreement.add_fields(fields);
        }
        if let Some(citations) = &mut self.citations {
            citations.add_fields(fields);
        }
        if let Some(agreement) = &mut self.self_agreement {
            agreement.add_fields(fields);
        }
        if let Some(rates) = &mut self.rates {
            rates.add(verdicts(fields).into_iter(), group);
        }
    }

    /// The summary of the rows so far.
    pub(crate) fn summary(&self) -> RunSummary {
        let agreement = self.agreement.as_ref().map(AgreementTally::agreement);
        let citations = self.citations;
        let self_agreement =
            self.self_agreement.as_ref().map(SelfAgreementTally::agreement).unwrap_or_default();
        let rates = self.rates.as_ref().map(RatesTally::rates).filter(|rates| rates.all.rows > 0);
        RunSummary {
            citations,
            self_agreement,
            rates,
            ..RunSummary::of_agreement(agreement.unwrap_or_default())
        }
    }
}

/// The verdicts of a row's claims; what is not a claim has none.
fn verdicts(fields: &str) -> Vec<Option<Verdict>> {
    #[derive(Deserialize)]
    struct Row {
        claims: Vec<Claim>,
    }
    #[derive(Deserialize)]
    struct Claim {
        verdict: Option<Verdict>,
    }
    let row = serde_json::from_str::<Row>(&format!("{{{fields}}}"));
    row.map_or_else(|_| Vec::new(), |row| row.claims.iter().map(|claim| claim.verdict).collect())
}

fn agreement_line(axis: &str, Kappa { kappa, entities }: Kappa) -> String {
    let kappa = kappa.map_or("undefined, all answers are the same".to_owned(), |kappa| format!("{kappa:.3}"));
    format!("sumautoeval {axis}: the three checks agree with Fleiss' kappa {kappa} over {entities} entities")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metrics_without_a_summary_report_nothing() {
        let mut tally = RunTally::of(&[MetricChoice::of(Metric::Rouge)]);
        tally.add("\"score\":0.5", None);
        assert_eq!(tally.summary(), RunSummary::default());
        assert!(tally.summary().lines().is_empty());
        assert_eq!(serde_json::to_string(&tally.summary()).unwrap(), "{}");
    }

    #[test]
    fn rates_count_the_claims_that_have_a_verdict() {
        let mut tally = RunTally::of(&[MetricChoice::of(Metric::Fenice)]).grouped_by(Some("model".into()));
        let group = RawValue::from_string("\"a\"".into()).unwrap();
        let fields =
            r#""score":0.1,"claims":[{"verdict":"unsupported"},{"verdict":null,"reason":"not a claim"}]"#;
        tally.add(fields, Some(&group));
        tally.add(r#""score":0.9,"claims":[{"verdict":"supported"}]"#, Some(&group));
        let json = serde_json::to_value(tally.summary()).unwrap();
        let counted = |rates: &serde_json::Value| {
            [&rates["rows"], &rates["claims"], &rates["unsupported"]["share"]].map(Clone::clone)
        };
        assert_eq!(counted(&json["rates"]), [json!(2), json!(2), json!(0.5)]);
        assert_eq!(counted(&json["rates"]["groups"][0]), [json!(2), json!(2), json!(0.5)]);
        assert_eq!(
            (&json["rates"]["group_by"], &json["rates"]["groups"][0]["group"]),
            (&"model".into(), &"a".into())
        );
    }

    #[test]
    fn agreement_of_sumautoeval_is_a_line_an_axis() {
        let mut tally = RunTally::of(&[MetricChoice::of(Metric::SumAutoEval)]);
        tally.add(
            r#""sumautoeval":{"summary":{"entities":[{"correctness":{"answers":{"presence":"yes","coverage":"yes","evidence":"yes"}}}]}}"#,
            None,
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
