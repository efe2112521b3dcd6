//! REALSumm's figures in FineSurE (Song et al., ACL 2024, appendix D): correlations of scores with the share of key facts
//! that people find, over all summaries, and Spearman's over the systems' means.

use serde::Serialize;

use super::{Case, Keys};
use crate::estimate::Estimate;
use crate::rated::Rated;
use crate::read::BenchError;
use veridic_stats::{pearson, spearman};

/// The result of a run. A correlation is `None` where all scores are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Number of summaries.
    pub summaries: usize,
    /// Number of distinct documents.
    pub documents: usize,
    /// Number of systems that wrote the summaries.
    pub systems: usize,
    /// Pearson's correlation over all summaries.
    pub pearson: Option<Estimate>,
    /// Spearman's correlation over all summaries.
    pub spearman: Option<Estimate>,
    /// Spearman's correlation over the systems, each by the means of its summaries.
    pub system_spearman: Option<Estimate>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    let rows: Vec<usize> = (0..cases.len()).collect();
    let rated = Rated::new(cases, scores, &rows, |keys| (keys.model.as_str(), keys.completeness));
    rated.check("the share of key facts")?;
    Ok(Figures {
        summaries: rated.summaries(),
        documents: rated.documents(),
        systems: rated.systems(),
        pearson: rated.over_summaries(pearson),
        spearman: rated.over_summaries(spearman),
        system_spearman: rated.over_systems(spearman),
        warnings: rated.warning().into_iter().collect(),
    })
}
