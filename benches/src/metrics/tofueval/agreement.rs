//! The agreement of runs of the same questions (table 4): Cohen's kappa of two runs over their texts, averaged over all
//! pairs of runs.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use veridic_stats::{Disagreement, cohen_kappa};

use super::Axis;

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
                let said: Vec<bool> = text["is_consistent"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_bool)
                    .collect();
                for (second, first) in
                    (1..said.len()).flat_map(|second| (0..second).map(move |first| (second, first)))
                {
                    let counts = self.counts.entry((axis.name(), first, second)).or_default();
                    counts[usize::from(said[first])][usize::from(said[second])] += 1;
                }
            }
        }
    }

    /// The agreement of each axis that was asked several times.
    pub(crate) fn agreement(&self) -> Vec<SelfAgreement> {
        let of = |axis: Axis| {
            let own: Vec<&Counts> = self
                .counts
                .iter()
                .filter(|((name, ..), _)| *name == axis.name())
                .map(|(_, counts)| counts)
                .collect();
            let texts = own.first()?.iter().flatten().sum();
            let kappas: Option<Vec<f64>> = own.iter().map(|counts| kappa(counts)).collect();
            let kappa = kappas.map(|kappas| kappas.iter().sum::<f64>() / kappas.len() as f64);
            Some(SelfAgreement { axis: axis.name(), kappa, texts })
        };
        Axis::ALL.into_iter().filter_map(of).collect()
    }
}

/// Cohen's kappa of two runs with these counts.
fn kappa(counts: &Counts) -> Option<f64> {
    let answers = |run: usize| -> Vec<usize> {
        let cells = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let of = |(first, second): (usize, usize)| {
            let said = if run == 0 { first } else { second };
            std::iter::repeat_n(said, usize::try_from(counts[first][second]).unwrap_or(usize::MAX))
        };
        cells.into_iter().flat_map(of).collect()
    };
    cohen_kappa(&answers(0), &answers(1), Disagreement::Nominal).ok()
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
