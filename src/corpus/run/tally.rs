//! The report of a run over its rows: the rates of claims, and the citations.

use serde::Serialize;
use serde_json::value::RawValue;

use super::plan::RunPlan;
use crate::corpus::citation_counts::CitationCounts;
use crate::corpus::found::Found;
use crate::corpus::rates::{CountedRow, Rates, RatesTally};
use crate::decide::Verdict;

/// The report over rows; empty if there is nothing to report. Serializes as the fields of an object.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunSummary {
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<CitationCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<Rates>,
}

/// Collects the report row by row, in memory that does not grow with the rows.
pub(super) struct RunTally {
    citations: Option<CitationCounts>,
    rates: Option<RatesTally>,
}

impl RunSummary {
    /// Returns one line per finding, for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let citations = self.citations.map(CitationCounts::line).into_iter();
        citations.chain(self.rates.iter().flat_map(Rates::lines)).collect()
    }

    /// Returns the rates of unsupported and contradicted claims, if claims are judged.
    #[must_use]
    pub fn rates(&self) -> Option<&Rates> {
        self.rates.as_ref()
    }
}

impl RunTally {
    /// What the plan asks for; rates only if the run judges claims.
    pub(super) fn new(plan: &RunPlan, judges_claims: bool) -> Self {
        Self {
            citations: plan.names.citations.then(CitationCounts::default),
            rates: judges_claims.then(|| RatesTally::new(plan.group_by.clone())),
        }
    }

    /// Adds a row: its findings, and the value of the field by which rows are grouped.
    pub(super) fn add(&mut self, found: &Found, group: Option<&RawValue>) {
        if let Some(citations) = &mut self.citations {
            citations.add(found);
        }
        if let Some(rates) = &mut self.rates {
            let verdicts: Vec<Option<Verdict>> = found.verdicts().collect();
            let (verdict, unjudged) = (found.verdict, found.unjudged());
            rates.add(&CountedRow { verdicts: &verdicts, verdict, unjudged }, group);
        }
    }

    /// Returns the summary of the rows added.
    pub(super) fn summary(&self) -> RunSummary {
        let rates = self.rates.as_ref().map(RatesTally::rates).filter(|rates| rates.all.rows > 0);
        RunSummary { citations: self.citations, rates }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn rates_count_the_claims_that_have_a_verdict() {
        let rates = Some(RatesTally::new(Some("model".into())));
        let mut tally = RunTally { citations: None, rates };
        let group = RawValue::from_string("\"a\"".into()).unwrap();
        let fields =
            r#""score":0.1,"claims":[{"verdict":"unsupported"},{"verdict":null,"reason":"not a claim"}]"#;
        for fields in [fields, r#""score":0.9,"claims":[{"verdict":"supported"}]"#] {
            tally.add(&Found::read(fields), Some(&group));
        }
        let json = serde_json::to_value(tally.summary()).unwrap();
        let counted = |rates: &Value| {
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
    fn without_rows_nothing_is_reported() {
        let tally = RunTally { citations: None, rates: Some(RatesTally::default()) };
        assert!(tally.summary().lines().is_empty());
        assert_eq!(serde_json::to_string(&tally.summary()).unwrap(), "{}");
    }
}
