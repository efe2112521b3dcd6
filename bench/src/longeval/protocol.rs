//! Figures of long documents (Wu et al. 2024, section 3): of each corpus Pearson's and Spearman's correlation of
//! scores with ratings, over all its summaries. Corpora, which are rated on different scales, are never mixed.

use serde::Serialize;

use super::{Case, Dataset, Dimension, Keys};
use crate::rated::Rated;
use crate::read::{BenchError, check_scores};
use crate::sampled::Estimate;
use veridic_stats::{pearson, spearman};

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// What scores are compared with.
    pub dimension: Dimension,
    /// The corpora that are there, in the paper's order.
    pub datasets: Vec<DatasetFigures>,
    /// What a reader of the figures should know.
    pub warnings: Vec<String>,
}

/// The figures of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DatasetFigures {
    /// Which.
    pub dataset: Dataset,
    /// Summaries.
    pub summaries: usize,
    /// Distinct documents; extracts for different summaries count as different.
    pub documents: usize,
    /// Systems that wrote the summaries.
    pub systems: usize,
    /// Pearson's r; none where all scores are equal.
    pub pearson: Option<Estimate>,
    /// Spearman's rho.
    pub spearman: Option<Estimate>,
}

/// Applies the protocol.
pub(super) fn figures(
    cases: &[Case<Keys>],
    scores: &[f64],
    dimension: Dimension,
) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
    let (mut datasets, mut warnings) = (Vec::new(), Vec::new());
    for dataset in Dataset::ALL {
        let rows: Vec<usize> = (0..cases.len()).filter(|&row| cases[row].keys.dataset == dataset).collect();
        if rows.is_empty() {
            continue;
        }
        let rated = Rated::new(cases, scores, &rows, |keys| (keys.system.as_str(), keys.rating));
        let name = dataset.name();
        rated.check(dimension.name()).map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        warnings.extend(rated.warning().map(|warning| format!("{name}: {warning}")));
        datasets.push(DatasetFigures {
            dataset,
            summaries: rated.summaries(),
            documents: rated.documents(),
            systems: rated.systems(),
            pearson: rated.over_summaries(pearson),
            spearman: rated.over_summaries(spearman),
        });
    }
    Ok(Figures { dimension, datasets, warnings })
}
