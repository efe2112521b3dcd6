//! SummEval's figures, for one dimension. Papers correlate on three levels and do not always say on which: over all
//! summaries at once; within each document among its systems' summaries, averaged over the documents where that has a
//! value; and over the systems, each by the means of its summaries, as the authors do.

use serde::Serialize;

use super::{Case, Dimension, Keys};
use crate::estimate::Estimate;
use crate::rated::{Correlate, Rated};
use crate::read::BenchError;
use veridic_stats::{kendall, pearson, spearman};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The ratings that scores are compared with.
    pub dimension: Dimension,
    /// Number of summaries.
    pub summaries: usize,
    /// Number of distinct documents.
    pub documents: usize,
    /// Number of systems that wrote the summaries.
    pub systems: usize,
    /// Over all summaries at once.
    pub over_summaries: Correlations,
    /// Within each document, averaged.
    pub within_documents: Correlations,
    /// Documents in the average; in the others all scores or all ratings are equal.
    pub documents_averaged: usize,
    /// Over the systems' means.
    pub over_systems: Correlations,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// Correlations on one level; `None` where all scores are equal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Correlations {
    /// Kendall's tau-b.
    pub kendall: Option<Estimate>,
    /// Spearman's rho.
    pub spearman: Option<Estimate>,
    /// Pearson's r.
    pub pearson: Option<Estimate>,
}

impl Correlations {
    fn by(level: impl Fn(Correlate) -> Option<Estimate>) -> Self {
        Self { kendall: level(kendall), spearman: level(spearman), pearson: level(pearson) }
    }
}

/// Applies the protocol.
pub(super) fn figures(
    cases: &[Case<Keys>],
    scores: &[f64],
    dimension: Dimension,
) -> Result<Figures, BenchError> {
    let rows: Vec<usize> = (0..cases.len()).collect();
    let rated = Rated::new(cases, scores, &rows, |keys| (keys.model.as_str(), keys.rating));
    rated.check(dimension.name())?;
    Ok(Figures {
        dimension,
        summaries: rated.summaries(),
        documents: rated.documents(),
        systems: rated.systems(),
        over_summaries: Correlations::by(|correlate| rated.over_summaries(correlate)),
        within_documents: Correlations::by(|correlate| rated.within_documents(correlate).0),
        documents_averaged: rated.within_documents(kendall).1,
        over_systems: Correlations::by(|correlate| rated.over_systems(correlate)),
        warnings: rated.warning().into_iter().collect(),
    })
}
