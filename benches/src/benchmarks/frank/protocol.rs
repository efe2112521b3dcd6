//! FRANK's figures, on the test split and on all rows: correlations of summary scores with human ratings; partial
//! correlations given the system, which are the authors' figure (a regression on the system, a categorical variable,
//! replaces each score and rating by its deviation from the mean of its system, and the residuals are correlated; Spearman's
//! ranks them); Spearman's correlation over the systems' means; and for sentences the balanced accuracy under a given
//! threshold, or one that the validation split tunes for the test split. Other metrics get the same figures over the
//! summaries that they score, and Williams' test of both partial correlations on these. FineSurE's table 2 is the share of
//! right types among the sentences with an agreed error type; an answer of no error, or of another type, counts as wrong.

use veridic_stats::{Confusion, best_threshold, pearson, roc_auc, spearman, williams};

use super::error_type::{TYPES, answered};
use super::summary::Label;
use crate::protocol::{
    BenchError, Case, Estimate, Figures, LEAST_SUMMARIES, Rated, RatedSummary, Sampled, Scored, Split,
    TextLevel, figures,
};

/// The source of ratings that are FRANK's field `Factuality`; others are shares of sentences, as in FineSurE.
pub(super) const FACTUALITY: &str = "factuality";

pub(super) struct Protocol<'c> {
    pub(super) cases: &'c [Case<Label>],
    pub(super) scores: &'c [f64],
    pub(super) others: &'c [String],
    /// A sentence is called faithful above this.
    pub(super) threshold: Option<f64>,
}

#[derive(Clone, Copy)]
enum Threshold {
    Given(f64),
    Tuned(f64),
    None,
}

struct Run<'c> {
    scored: Scored<'c, Label>,
    others: &'c [String],
    threshold: Threshold,
}

impl Protocol<'_> {
    pub(super) fn figures(self) -> Result<Figures, BenchError> {
        let Self { cases, scores, others, threshold } = self;
        let (scored, mut warnings) = (Scored { cases, scores }, Vec::new());
        let threshold = threshold.map_or_else(|| tuned(&scored, &mut warnings), Threshold::Given);
        let run = Run { scored, others, threshold };
        let mut parts = Vec::new();
        if cases.iter().any(|case| case.label.split == Split::Test) {
            parts.push(run.part("test", |label| label.split == Split::Test, &mut warnings)?);
        } else {
            warnings.push("there are no test rows: these figures are of all rows".into());
        }
        parts.push(run.part("all", |_| true, &mut warnings)?);
        let has_sentences = parts.iter().any(|part: &Figures| part["sentences"] != Figures::None);
        let threshold = match threshold {
            Threshold::Given(threshold) | Threshold::Tuned(threshold) if has_sentences => Some(threshold),
            _ => None,
        };
        let by_sentences = cases.iter().any(|case| case.label.sentences.is_some());
        let ratings = if by_sentences { "sentences" } else { FACTUALITY };
        Ok(figures! { "ratings": ratings, "parts": parts, "threshold": threshold, "warnings": warnings })
    }
}

fn tuned(scored: &Scored<Label>, warnings: &mut Vec<String>) -> Threshold {
    let is_sentence = |row: &usize| scored.cases[*row].level == TextLevel::Sentence;
    let mut val = scored.rows(|label| label.split == Split::Val);
    val.retain(is_sentence);
    let (scores, labels) = scored.pairs(&val);
    if let Some(threshold) = best_threshold(&scores, &labels) {
        return Threshold::Tuned(threshold);
    }
    if (0..scored.cases.len()).any(|row| is_sentence(&row)) {
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
        let (summaries, sentences): (Vec<usize>, Vec<usize>) = self
            .scored
            .rows(of)
            .into_iter()
            .partition(|row| self.scored.cases[*row].level == TextLevel::Summary);
        let rated = self.ranked(&summaries, summaries.iter().map(|row| self.summary(*row)));
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
        let score_of = |row: usize| self.scored.label(row).other_scores.get(number).copied().flatten();
        let rows: Vec<usize> = summaries.iter().copied().filter(|row| score_of(*row).is_some()).collect();
        let their_score = |row: usize| score_of(row).unwrap_or_default();
        let ours = rows.iter().map(|&row| self.summary(row));
        let theirs = rows.iter().map(|&row| RatedSummary { score: their_score(row), ..self.summary(row) });
        let both = rows.iter().map(|&row| RatedSummary { rating: their_score(row), ..self.summary(row) });
        let (ours, theirs, both) = (Rated::new(ours), self.ranked(&rows, theirs), Rated::new(both));
        let [of_ours, of_theirs, of_both] =
            [&ours, &theirs, &both].map(|rated| rated.beyond_systems(pearson).map(|found| found.value));
        let test = of_ours.zip(of_theirs).zip(of_both);
        let test = test.and_then(|((ours, theirs), both)| williams(ours, theirs, both, rows.len()).ok());
        figures! { "metric": metric }.and(correlations(&theirs)).and(figures! { "williams_p": test })
    }

    fn summary(&self, row: usize) -> RatedSummary<'_> {
        let case = &self.scored.cases[row];
        RatedSummary::of(case, &case.label.rating, self.scored.scores[row])
    }

    /// Returns the summaries at these rows with human ratings. FineSurE's program ranks the systems that have enough.
    fn ranked<'s>(&self, rows: &[usize], summaries: impl Iterator<Item = RatedSummary<'s>>) -> Rated {
        let is_finesure = rows.iter().any(|&row| self.scored.label(row).sentences.is_some());
        Rated::new(summaries).ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 })
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
fn localisation(cases: &[Case<Label>], sentences: &[usize]) -> Option<Figures> {
    let answered_rows = sentences.iter().map(|row| &cases[*row]).filter(|case| case.answers.errors.is_some());
    let rows: Vec<&Case<Label>> = answered_rows.collect();
    if rows.is_empty() {
        return None;
    }
    let with_error: Vec<&Case<Label>> = rows.into_iter().filter(|case| !case.is_consistent).collect();
    let left_out = with_error.iter().filter(|case| case.label.error.is_none()).count();
    let types = TYPES.map(|(error, _)| {
        let own = with_error.iter().filter(|case| case.label.error.as_deref() == Some(error));
        let is_right = |case: &&&Case<Label>| case.answers.first_error().and_then(answered) == Some(error);
        let (sentences, right) = (own.clone().count(), own.filter(is_right).count());
        let recall = (sentences > 0).then(|| right as f64 / sentences as f64);
        figures! { "type": error, "sentences": sentences, "recall": recall }
    });
    let known: Vec<f64> = types.iter().filter_map(|of| of["recall"].value()).collect();
    let mean = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
    Some(figures! { "types": types.to_vec(), "mean": mean, "left_out": left_out })
}
