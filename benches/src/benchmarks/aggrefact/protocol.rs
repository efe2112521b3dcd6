//! AggreFact's figures under a threshold per dataset, and under one per origin.

use veridic_stats::Undefined;

use super::label::{CATEGORIES, Label, ORIGINS, SOTA};
use crate::protocol::{BenchError, Case, Figures, Sampled, Scored, Split, by_name, figures};

struct Run<'c> {
    scored: Scored<'c, Label>,
    /// The number of combinations processed: the seed of the next subsamples.
    combinations: u64,
    warnings: Vec<String>,
}

/// The rows that tune a threshold and the rows on which it is measured.
struct Rows {
    val: Vec<usize>,
    test: Vec<usize>,
}

/// What one threshold achieves.
struct Combination {
    figures: Figures,
    test_rows: usize,
    accuracy: Option<Sampled>,
}

pub(super) fn figures(cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
    let mut run = Run { scored: Scored { cases, scores }, combinations: 0, warnings: Vec::new() };
    let (multi, single) = (run.multi_threshold()?, run.single_threshold()?);
    if multi["cells"].list().is_empty() && single["origins"].list().is_empty() {
        let reason = "no dataset has rows of both cuts, val and test, for one origin and category";
        return Err(BenchError::Data(reason.into()));
    }
    Ok(figures! { "multi_threshold": multi, "single_threshold": single, "warnings": run.warnings })
}

impl Run<'_> {
    fn multi_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut cells, mut sampled, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            for (category, _) in CATEGORIES {
                let datasets = self.datasets(origin, category, &mut skipped)?;
                let weighted = datasets.iter().filter_map(|of| Some((of.test_rows, of.accuracy.as_ref()?)));
                let Some(cell) = Sampled::mean(&weighted.collect::<Vec<_>>()) else { continue };
                let named = figures! { "origin": origin, "category": category };
                let datasets: Vec<Figures> = datasets.into_iter().map(|of| of.figures).collect();
                cells.push(named.and(score(&cell)).and(figures! { "datasets": datasets }));
                sampled.push(cell);
            }
        }
        let average = self.average(&sampled, ORIGINS.len() * CATEGORIES.len(), "cells");
        Ok(figures! { "cells": cells, "average": average, "skipped": skipped })
    }

    /// Returns the datasets of a cell that have rows of both cuts.
    fn datasets(
        &mut self,
        origin: &str,
        category: &str,
        skipped: &mut Vec<Figures>,
    ) -> Result<Vec<Combination>, Undefined> {
        let cases = self.scored.cases;
        let of_cell = |label: &Label| label.origin == origin && label.category == category;
        let labels = cases.iter().map(|case| &case.label).filter(|label| of_cell(label));
        let mut datasets = Vec::new();
        for dataset in by_name(labels.map(|label| (label.dataset.as_str(), ()))).into_keys() {
            let rows = self.rows(|label| of_cell(label) && label.dataset == dataset);
            if rows.val.is_empty() || rows.test.is_empty() {
                skipped.push(figures! {
                    "origin": origin,
                    "category": category,
                    "dataset": dataset,
                    "val_rows": rows.val.len(),
                    "test_rows": rows.test.len(),
                });
                continue;
            }
            let found = self.combination(origin, &rows, &format!("{origin} {category} {dataset}"))?;
            datasets
                .push(Combination { figures: figures! { "dataset": dataset }.and(found.figures), ..found });
        }
        Ok(datasets)
    }

    fn single_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut origins, mut sampled) = (Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            let rows = self.rows(|label| label.origin == origin && label.category == SOTA);
            if rows.val.is_empty() || rows.test.is_empty() {
                continue;
            }
            let found = self.combination(origin, &rows, &format!("{origin} SOTA, all datasets"))?;
            origins.push(found.figures);
            sampled.extend(found.accuracy);
        }
        let average = self.average(&sampled, ORIGINS.len(), "origins under a single threshold");
        Ok(figures! { "origins": origins, "average": average })
    }

    /// Returns the plain mean of figures, if none is missing.
    fn average(&mut self, figures: &[Sampled], needed: usize, what: &str) -> Option<Figures> {
        if figures.len() < needed {
            let found = figures.len();
            self.warnings.push(format!("only {found} of {needed} {what} have val and test rows: no average"));
            return None;
        }
        Sampled::plain_mean(figures).map(|average| score(&average))
    }

    /// Tunes a threshold on val and measures it on test; both must have rows.
    fn combination(&mut self, origin: &str, rows: &Rows, called: &str) -> Result<Combination, Undefined> {
        let (scored, Rows { val, test }) = (&self.scored, rows);
        self.warnings.extend(scored.one_label_warning(val, called, "val"));
        let threshold = scored.tuned(val)?;
        self.warnings.extend(scored.one_label_warning(test, called, "test"));
        let accuracy = Sampled::on_shares(test.len(), self.combinations, |sample| {
            let rows: Vec<usize> = sample.iter().map(|&place| test[place]).collect();
            scored.accuracy(&rows, threshold)
        });
        self.combinations += 1;
        let found = figures! {
            "origin": origin,
            "val_rows": val.len(),
            "test_rows": test.len(),
            "threshold": threshold,
        };
        let score = accuracy.as_ref().map_or(Figures::None, score);
        Ok(Combination { figures: found.and(score), test_rows: test.len(), accuracy })
    }

    fn rows(&self, takes: impl Fn(&Label) -> bool) -> Rows {
        let of = |cut| self.scored.rows(|label| label.cut == cut && takes(label));
        Rows { val: of(Split::Val), test: of(Split::Test) }
    }
}

fn score(figure: &Sampled) -> Figures {
    figures! { "balanced_accuracy": figure.value, "half_width": figure.half_width() }
}
