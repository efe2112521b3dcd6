//! REALSumm's figures in FineSurE (Song et al., ACL 2024, appendix D): correlations of scores with people's shares, over
//! all summaries, and Spearman's over the systems' means; and the agreement on single key facts. On FineSurE's file
//! systems with fewer than five summaries leave the rank, as in its authors' program.

use serde::Serialize;

use super::{Agreement, Case, Dimension, Keys};
use crate::estimate::Estimate;
use crate::rated::{LEAST_SUMMARIES, Rated};
use crate::read::BenchError;
use veridic_stats::{pearson, spearman};

/// The result of a run. A correlation is `None` where all scores are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// What people rate.
    pub dimension: Dimension,
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
    /// The agreement of answers about single key facts with most people, where there are such answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_fact_agreement: Option<Agreement>,
    /// The agreement of people with each other, where the data have their single labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement_of_people: Option<Agreement>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// Applies the protocol.
pub(super) fn figures(
    dimension: Dimension,
    cases: &[Case<Keys>],
    scores: &[f64],
) -> Result<Figures, BenchError> {
    let rows: Vec<usize> = (0..cases.len()).collect();
    let is_finesure = cases.iter().any(|case| case.keys.sentences.is_some());
    let rated = Rated::new(cases, scores, &rows, |keys| (keys.model.as_str(), keys.rating));
    let rated = rated.ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 });
    rated.check(match dimension {
        Dimension::Completeness => "the share of key facts",
        Dimension::Conciseness => "the share of sentences with a key fact",
    })?;
    Ok(Figures {
        dimension,
        summaries: rated.summaries(),
        documents: rated.documents(),
        systems: rated.systems(),
        pearson: rated.over_summaries(pearson),
        spearman: rated.over_summaries(spearman),
        system_spearman: rated.over_systems(spearman),
        key_fact_agreement: Agreement::with_people(cases),
        agreement_of_people: Agreement::among_people(cases),
        warnings: rated.warning().into_iter().collect(),
    })
}
