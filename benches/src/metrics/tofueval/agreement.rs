//! The agreement of runs of the same questions (table 4): Cohen's kappa of two runs over their texts, averaged over all
//! pairs of runs.

use std::collections::BTreeMap;
use std::iter;

use serde::Serialize;
use serde_json::Value;
use veridic_stats::cohen_kappa;

use super::axis::Axis;

/// The number of texts by the answers of two runs: `[first][second]`, 1 for yes.
type Counts = [[u64; 2]; 2];

/// Counts the answers of the runs of many rows, in memory that does not grow with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SelfAgreementTally {
    /// By axis, and the numbers of two runs.
    counts: BTreeMap<(&'static str, usize, usize), Counts>,
}

/// Agreement of the runs of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct SelfAgreement {
    /// The axis of the question.
    pub(crate) axis: &'static str,
    /// -1..=1; `None` if all answers of two runs are the same.
    pub(crate) kappa: Option<f64>,
    /// The number of texts asked about.
    pub(crate) texts: u64,
}

impl SelfAgreementTally {
    /// Adds a row by the members of its result's JSON object.
    pub(crate) fn add_fields(&mut self, fields: &str) {
        let Ok(row) = serde_json::from_str::<Value>(&format!("{{{fields}}}")) else { return };
        for axis in Axis::ALL {
            for text in row[axis.facts_name()].as_array().into_iter().flatten() {
                let said = text["is_consistent"].as_array().into_iter().flatten();
                let said: Vec<usize> = said.filter_map(|said| said.as_bool().map(usize::from)).collect();
                for second in 1..said.len() {
                    for first in 0..second {
                        let counts = self.counts.entry((axis.name(), first, second)).or_default();
                        counts[said[first]][said[second]] += 1;
                    }
                }
            }
        }
    }

    /// The agreement of each axis that was asked several times.
    pub(crate) fn agreement(&self) -> Vec<SelfAgreement> {
        Axis::ALL.into_iter().filter_map(|axis| self.of_axis(axis)).collect()
    }

    fn of_axis(&self, axis: Axis) -> Option<SelfAgreement> {
        let of_axis = self.counts.iter().filter(|((name, ..), _)| *name == axis.name());
        let counts: Vec<&Counts> = of_axis.map(|(_, counts)| counts).collect();
        let texts = counts.first()?.iter().flatten().sum();
        let kappas: Option<Vec<f64>> = counts.iter().map(|counts| kappa(counts)).collect();
        let kappa = kappas.map(|kappas| kappas.iter().sum::<f64>() / kappas.len() as f64);
        Some(SelfAgreement { axis: axis.name(), kappa, texts })
    }
}

/// Cohen's kappa of two runs with these counts.
fn kappa(counts: &Counts) -> Option<f64> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (said, of_first) in counts.iter().enumerate() {
        for (answered, &count) in of_first.iter().enumerate() {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            first.extend(iter::repeat_n(said, count));
            second.extend(iter::repeat_n(answered, count));
        }
    }
    cohen_kappa(&first, &second).ok()
}

impl SelfAgreement {
    pub(crate) fn line(&self) -> String {
        let Self { axis, kappa, texts } = self;
        let kappa = kappa
            .map_or_else(|| "undefined, all answers are the same".to_owned(), |kappa| format!("{kappa:.3}"));
        format!("self-agreement of tofueval:{axis}: Cohen's kappa {kappa}, over {texts} texts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_the_mean_over_pairs_of_runs() {
        let mut tally = SelfAgreementTally::default();
        // Runs 1 and 2 say the same of four texts; run 3 differs on one.
        let said = ["[true,true,true]", "[true,true,false]", "[false,false,false]", "[false,false,false]"];
        let facts = said.map(|said| format!("{{\"text\":\"a\",\"is_consistent\":{said}}}")).join(",");
        tally.add_fields(&format!("\"tofueval_sentence_facts\":[{facts}]"));
        let agreement = tally.agreement();
        // Kappa is 1 and twice (3/4 - 1/2) / (1 - 1/2).
        assert_eq!(agreement, [SelfAgreement { axis: "sentence", kappa: Some(2.0 / 3.0), texts: 4 }]);
        assert!(agreement[0].line().contains("kappa 0.667, over 4 texts"));
        assert!(SelfAgreementTally::default().agreement().is_empty());
    }
}
