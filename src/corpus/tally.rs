//! The report of a run over its rows: the rates of claims, the citations, and the evaluator's additions.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::citation_counts::CitationCounts;
use super::found::Found;
use super::rates::{Rates, RatesTally};
use crate::evaluation::{Evaluate, Tally};

/// The report over rows; empty if there is nothing to report. Serializes as the fields of an object.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunSummary {
    #[serde(flatten)]
    others: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<CitationCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<Rates>,
    #[serde(skip)]
    other_lines: Vec<String>,
}

/// Collects the report row by row, in memory that does not grow with the rows.
pub(super) struct RunTally {
    others: Option<Box<dyn Tally>>,
    citations: Option<CitationCounts>,
    rates: Option<RatesTally>,
}

impl RunSummary {
    /// Returns one line per finding, for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let others = self.other_lines.iter().cloned();
        let citations = self.citations.map(CitationCounts::line);
        others.chain(citations).chain(self.rates.iter().flat_map(Rates::lines)).collect()
    }

    /// Returns the rates of unsupported and contradicted claims, if claims are judged.
    #[must_use]
    pub fn rates(&self) -> Option<&Rates> {
        self.rates.as_ref()
    }
}

impl RunTally {
    /// `group_by` is a field by whose values claims are also counted; `cites` tells whether citations are counted.
    pub(super) fn new(evaluator: &dyn Evaluate, group_by: Option<String>, cites: bool) -> Self {
        Self {
            others: evaluator.tally(),
            citations: cites.then(CitationCounts::default),
            rates: evaluator.judges().then(|| RatesTally::new(group_by)),
        }
    }

    /// Adds a row. `fields` holds the members of its result's JSON object, as computed or from a journal; `found` its
    /// findings; `group` the field by which rows are grouped.
    pub(super) fn add(&mut self, fields: &str, found: &Found, group: Option<&RawValue>) {
        if let Some(others) = &mut self.others {
            others.add(fields);
        }
        if let Some(citations) = &mut self.citations {
            citations.add(found);
        }
        if let Some(rates) = &mut self.rates {
            rates.add(found.verdicts(), group);
        }
    }

    /// Returns the summary of the rows added.
    pub(super) fn summary(&self) -> RunSummary {
        let (others, other_lines) = self.others.as_ref().map(|others| others.report()).unwrap_or_default();
        let rates = self.rates.as_ref().map(RatesTally::rates).filter(|rates| rates.all.rows > 0);
        RunSummary { others, citations: self.citations, rates, other_lines }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rates_count_the_claims_that_have_a_verdict() {
        let rates = Some(RatesTally::new(Some("model".into())));
        let mut tally = RunTally { others: None, citations: None, rates };
        let group = RawValue::from_string("\"a\"".into()).unwrap();
        let fields =
            r#""score":0.1,"claims":[{"verdict":"unsupported"},{"verdict":null,"reason":"not a claim"}]"#;
        for fields in [fields, r#""score":0.9,"claims":[{"verdict":"supported"}]"#] {
            tally.add(fields, &Found::read(fields), Some(&group));
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
        let tally = RunTally { others: None, citations: None, rates: Some(RatesTally::default()) };
        assert!(tally.summary().lines().is_empty());
        assert_eq!(serde_json::to_string(&tally.summary()).unwrap(), "{}");
    }
}
