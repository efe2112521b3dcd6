//! REALSumm's figures as FineSurE (Song et al., ACL 2024, appendix D) has them: correlations of scores with the share
//! of key facts that people find, over all summaries, and Spearman's over the systems' means.

use serde::Serialize;

use super::{Case, Keys};
use crate::rated::Rated;
use crate::read::{BenchError, check_scores};
use crate::sampled::Estimate;
use veridic_stats::{pearson, spearman};

/// What a run comes to. A figure is none where all scores are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Summaries.
    pub summaries: usize,
    /// Distinct documents.
    pub documents: usize,
    /// Systems that wrote the summaries.
    pub systems: usize,
    /// Pearson's correlation over all summaries.
    pub pearson: Option<Estimate>,
    /// Spearman's.
    pub spearman: Option<Estimate>,
    /// Spearman's over the systems, each by the means of its summaries.
    pub system_spearman: Option<Estimate>,
    /// What a reader of the figures should know.
    pub warnings: Vec<String>,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
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
