//! FRANK's figures, on the test split and on all rows: correlations of summary scores with human ratings; partial
//! correlations given the system, which are the authors' figure (a regression on the system, a categorical variable,
//! replaces each score and rating by its deviation from the mean of its system, and the residuals are correlated; Spearman's
//! ranks them); Spearman's correlation over the systems' means; and for sentences the balanced accuracy under a given
//! threshold, or one that the validation split tunes for the test split. Other metrics get the same figures over the
//! summaries that they score, and Williams' test of both partial correlations on these. FineSurE's table 2 is the share of
//! right types among the sentences with an agreed error type; an answer of no error, or of another type, counts as wrong.

use super::error_type::{TYPES, answered};
use crate::benchmark::{Case, Label};
use crate::decide::Scored;
use crate::estimate::{Estimate, Sampled};
use crate::figures::{Figures, figures};
use crate::rated::{LEAST_SUMMARIES, Rated};
use crate::read::BenchError;
use crate::split::Split;
use crate::text_level::TextLevel;
use veridic_stats::{Confusion, best_threshold, pearson, roc_auc, spearman, williams};

/// The source of ratings that are FRANK's field `Factuality`; others are shares of sentences, as in FineSurE.
pub(super) const FACTUALITY: &str = "factuality";

/// The threshold for sentences.
#[derive(Clone, Copy)]
enum Threshold {
    Given(f64),
    Tuned(f64),
    None,
}

/// The protocol applied to a run.
struct Run<'c> {
    scored: Scored<'c>,
    /// The names of other metrics.
    others: &'c [String],
    threshold: Threshold,
}

/// Applies the protocol.
pub(super) fn figures(
    scored: Scored,
    others: &[String],
    threshold: Option<f64>,
) -> Result<Figures, BenchError> {
    let mut warnings = Vec::new();
    let threshold = match threshold {
        Some(threshold) => Threshold::Given(threshold),
        None => tuned(&scored, &mut warnings),
    };
    let run = Run { scored, others, threshold };
    let mut parts = Vec::new();
    let is_test = |label: &Label| label.split == Some(Split::Test);
    if scored.rows(is_test).is_empty() {
        warnings.push("there are no test rows: these figures are of all rows".into());
    } else {
        parts.push(run.part("test", is_test, &mut warnings)?);
    }
    parts.push(run.part("all", |_| true, &mut warnings)?);
    let has_sentences = parts.iter().any(|part: &Figures| part["sentences"] != Figures::None);
    let threshold = match threshold {
        Threshold::Given(threshold) | Threshold::Tuned(threshold) if has_sentences => Some(threshold),
        _ => None,
    };
    let by_sentences = scored.cases.iter().any(|case| case.label.sentences.is_some());
    let ratings = if by_sentences { "sentences" } else { FACTUALITY };
    Ok(figures! { "ratings": ratings, "parts": parts, "threshold": threshold, "warnings": warnings })
}

/// Tunes the threshold on the validation split.
fn tuned(scored: &Scored, warnings: &mut Vec<String>) -> Threshold {
    let sentences = scored.rows(|label| label.level == TextLevel::Sentence);
    let is_val = |row: &usize| scored.label(*row).split == Some(Split::Val);
    let (scores, labels) = scored.pairs(&sentences.iter().copied().filter(is_val).collect::<Vec<_>>());
    if let Some(threshold) = best_threshold(&scores, &labels) {
        return Threshold::Tuned(threshold);
    }
    if !sentences.is_empty() {
        warnings.push(
            "no validation sentences, faithful ones and others, tune a threshold: give one with --decide-at"
                .into(),
        );
    }
    Threshold::None
}

impl Run<'_> {
    fn part(
        &self,
        part: &str,
        of: impl Fn(&Label) -> bool,
        warnings: &mut Vec<String>,
    ) -> Result<Figures, BenchError> {
        let [summaries, sentences] = [TextLevel::Summary, TextLevel::Sentence]
            .map(|level| self.scored.rows(|label| label.level == level && of(label)));
        let rated = self.rated(self.scored.scores, &summaries);
        if !summaries.is_empty() {
            rated.check(&format!("{part}: the Factuality"))?;
            warnings.extend(rated.warning().map(|warning| format!("{part}: {warning}")));
        }
        let others = self.others.iter().enumerate().filter(|_| !summaries.is_empty());
        let others = others.map(|(number, metric)| self.other_metric(number, metric, &summaries));
        let of_sentences = (!sentences.is_empty()).then(|| self.sentences(&sentences, part));
        Ok(figures! { "part": part }.and(correlations(&rated)).and(figures! {
            "other_metrics": Figures::unless_empty(others.collect()),
            "sentences": of_sentences,
            "localisation": Figures::or_absent(localisation(self.scored.cases, &sentences)),
        }))
    }

    /// Returns the figures of another metric, on the summaries that it scores; `williams_p` is the p value of Williams'
    /// two-sided test that its partial Pearson correlation differs from that of the measured scores.
    fn other_metric(&self, number: usize, metric: &str, summaries: &[usize]) -> Figures {
        let Scored { cases, scores } = self.scored;
        let score_of = |row: &usize| cases[*row].label.other_scores.get(number).copied().flatten();
        let scored = summaries.iter().filter_map(|row| Some((*row, score_of(row)?)));
        let (rows, theirs): (Vec<usize>, Vec<f64>) = scored.unzip();
        let mut their_scores = scores.to_vec();
        rows.iter().zip(&theirs).for_each(|(row, score)| their_scores[*row] = *score);
        let of_both = Rated::with_ratings(cases, scores, &rows, theirs);
        let (theirs, ours) = (self.rated(&their_scores, &rows), self.rated(scores, &rows));
        let [of_ours, of_theirs, of_both] =
            [&ours, &theirs, &of_both].map(|rated| rated.beyond_systems(pearson).map(|found| found.value));
        let test = of_ours.zip(of_theirs).zip(of_both);
        let test = test.and_then(|((ours, theirs), both)| williams(ours, theirs, both, rows.len()).ok());
        figures! { "metric": metric }
            .and(correlations(&theirs))
            .and(figures! { "williams_p": test.map(|test| test.p_value) })
    }

    /// Returns summaries with human ratings. FineSurE's program ranks the systems that have enough.
    fn rated(&self, scores: &[f64], rows: &[usize]) -> Rated {
        let is_finesure = rows.iter().any(|&row| self.scored.label(row).sentences.is_some());
        let rated = Rated::new(self.scored.cases, scores, rows);
        rated.ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 })
    }

    fn sentences(&self, rows: &[usize], part: &str) -> Figures {
        let threshold = match self.threshold {
            Threshold::Given(threshold) => Some(threshold),
            Threshold::Tuned(threshold) if part == "test" => Some(threshold),
            _ => None,
        };
        let accuracy = |threshold: f64| {
            self.estimate(rows, |scores, labels| {
                let called = scores.iter().map(|score| *score > threshold);
                Confusion::count(called.zip(labels.iter().copied())).balanced_accuracy()
            })
        };
        figures! {
            "sentences": rows.len(),
            "faithful": self.scored.consistent(rows),
            "balanced_accuracy": threshold.and_then(accuracy),
            "roc_auc": self.estimate(rows, roc_auc),
        }
    }

    /// Returns a statistic of the scores and labels of sentences.
    fn estimate(
        &self,
        rows: &[usize],
        statistic: impl Fn(&[f64], &[bool]) -> Option<f64>,
    ) -> Option<Estimate> {
        self.scored.sampled(rows, statistic).as_ref().map(Sampled::estimate)
    }
}

fn correlations(rated: &Rated) -> Figures {
    rated.counts().and(figures! {
        "pearson": rated.over_summaries(pearson),
        "spearman": rated.over_summaries(spearman),
        "partial_pearson": rated.beyond_systems(pearson),
        "partial_spearman": rated.beyond_systems(spearman),
        "system_spearman": rated.over_systems(spearman),
    })
}

/// Returns the shares of right types among sentences; `None` if no types were answered. The mean is over the types that
/// occur; sentences with an error but no agreed type are left out.
fn localisation(cases: &[Case], sentences: &[usize]) -> Option<Figures> {
    let answered_rows = sentences.iter().map(|row| &cases[*row]).filter(|case| case.answers.errors.is_some());
    let rows: Vec<&Case> = answered_rows.collect();
    if rows.is_empty() {
        return None;
    }
    let with_error: Vec<&&Case> = rows.iter().filter(|case| !case.label.consistent).collect();
    let left_out = with_error.iter().filter(|case| case.label.errors.is_empty()).count();
    let types: Vec<Figures> = TYPES
        .iter()
        .map(|(error, _)| {
            let own = with_error.iter().filter(|case| case.label.errors.iter().any(|own| own == error));
            let is_right = |case: &&&&Case| case.answers.first_error().and_then(answered) == Some(*error);
            let (sentences, right) = (own.clone().count(), own.filter(is_right).count());
            let recall = (sentences > 0).then(|| right as f64 / sentences as f64);
            figures! { "type": *error, "sentences": sentences, "recall": recall }
        })
        .collect();
    let known: Vec<f64> = types.iter().filter_map(|of| of["recall"].value()).collect();
    let mean = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
    Some(figures! { "types": types, "mean": mean, "left_out": left_out })
}
