//! Several lists of scores, such as an ablation: the origins of each under one threshold, and the gain of the average over the
//! list before, as in FENICE's table 5.

use serde::Serialize;

use super::benchmark::AggreFact;
use super::label::Label;
use super::table;
use crate::protocol::{BenchError, Benchmark, Beside, Case, Figures, PublishedTable, layout};

/// The figures of one list of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    pub name: String,
    pub figures: Figures,
    /// The average minus that of the list before.
    pub gain: Option<f64>,
}

/// Applies the protocol to each list of scores. An error names the list.
pub fn compare(cases: &[Case<Label>], lists: &[(String, Vec<f64>)]) -> Result<Vec<Compared>, BenchError> {
    let (mut compared, mut before) = (Vec::with_capacity(lists.len()), None);
    for (name, scores) in lists {
        let figures = AggreFact.figures(cases, scores);
        let figures = figures.map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        let average = figures["single_threshold"]["average"]["balanced_accuracy"].value();
        let gain = before.zip(average).map(|(before, average): (f64, f64)| average - before);
        before = average;
        compared.push(Compared { name: name.clone(), figures, gain });
    }
    Ok(compared)
}

pub fn published_ablation() -> &'static PublishedTable {
    &table::published()[2]
}

/// Returns the lists in the columns of the paper's ablation.
pub fn under_the_ablation(compared: &[Compared]) -> Beside {
    let mut rows = vec![layout::cells(["", "CNN", "XSum", "AVG", "gain"])];
    for Compared { name, figures, gain } in compared {
        let gain = gain.map_or_else(|| "-".into(), |gain| format!("{:+.1}", 100.0 * gain));
        let origins = table::origins(&figures["single_threshold"]);
        rows.push(std::iter::once(name.clone()).chain(origins).chain([gain]).collect());
    }
    published_ablation().under(rows)
}
