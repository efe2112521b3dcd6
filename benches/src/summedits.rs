//! SummEdits (Laban et al., EMNLP 2023): edited summaries of ten domains, a file each (`summedits_NAME.json`, an
//! array of objects with doc, summary, label and edit_types). The domain is a field `domain` or the file's name.
//!
//! The figure is the plain mean of the domains' balanced accuracies. The authors judge with language models that
//! answer yes or no. Scores need a threshold: it is given, or tuned on one half of a domain's documents and measured on
//! the other, over several random halvings. Intervals are bootstrapped over a domain's documents under a given threshold
//! only: halvings share their rows, so resampling one of them does not measure the error of their mean.

use std::collections::BTreeMap;

use clap::Args;

use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::{Decisions, Scored, halves, mean_accuracy};
use super::documents::{by_document, by_name};
use super::estimate::Sampled;
use super::figures::{Figures, figures};
use super::published::published;
use super::read::BenchError;
use super::{fields, layout};
use crate::program::args::{MeasureArgs, finite};
use crate::program::commands::bench::Options;
use veridic::corpus::read::RawRow;
use veridic::corpus::{field_text, field_texts};
use veridic_stats::roc_auc;

/// The domains behind the published means.
const DOMAINS: usize = 10;

/// The beginning of the names of the authors' files.
const FILE_PREFIX: &str = "summedits_";

/// The benchmark with its options on the command line.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct SummEdits {
    /// A summary counts as consistent above X
    ///
    /// Instead of a threshold from the other half of the documents.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub decide_at: Option<f64>,
}

impl Options for SummEdits {
    fn open(&self, _: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        Ok(Box::new(*self))
    }
}

impl Benchmark for SummEdits {
    fn about(&self) -> About {
        About { published: published!("summedits"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["doc", "summary", "label"])?;
        let set = match fields.get("domain") {
            Some(_) => fields::name(&fields, "domain")?,
            None => fields::file_stem(&row.origin.file, FILE_PREFIX),
        };
        let consistent = fields::label(&fields, "label")?;
        let errors = match fields.get("edit_types") {
            Some(_) => field_texts(&mut fields, "edit_types")?,
            None => Vec::new(),
        };
        let label =
            Label { stratum: format!("{set} {consistent}"), set, consistent, errors, ..Label::default() };
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(RowContent::text(document, summary, label))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let scored = Scored { cases, scores };
        let rows_of = by_name(cases.iter().map(|case| case.label.set.as_str()).zip(0..));
        if rows_of.is_empty() {
            return Err(BenchError::Data("holds no rows to measure".into()));
        }
        let (mut domains, mut sampled, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        let mut edits = Edits::new();
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            scored.warn_of_one_label(rows, (name, "measured"), &mut warnings);
            let decisions = self.decisions(&scored, rows);
            let figure = self.accuracy(&scored, rows, &decisions, seed);
            if figure.is_none() {
                warnings
                    .push(format!("{name}: no half of its documents has both labels, so there is no mean"));
            }
            count_edits(&scored, rows, &decisions, &mut edits);
            let (scores, labels) = scored.pairs(rows);
            domains.push(figures! {
                "domain": *name,
                "rows": rows.len(),
                "consistent": scored.consistent(rows),
                "documents": by_document(cases, rows).len(),
                "thresholds": decisions.iter().map(|decisions| decisions.threshold).collect::<Vec<_>>(),
                "balanced_accuracy": figure.as_ref().map(Sampled::estimate),
                "roc_auc": roc_auc(&scores, &labels),
            });
            sampled.push(figure);
        }
        if domains.len() != DOMAINS {
            let found = domains.len();
            warnings
                .push(format!("the published means are over {DOMAINS} domains, this one is over {found}"));
        }
        let complete: Option<Vec<&Sampled>> = sampled.iter().map(Option::as_ref).collect();
        let mean = complete.and_then(Sampled::plain_mean).map(|mean| mean.estimate());
        let edit_types = edits.into_iter().map(|(name, [rows, decided, found])| {
            let found = (decided > 0).then(|| found as f64 / decided as f64);
            figures! { "edit_type": name, "rows": rows, "found": found }
        });
        let edit_types: Vec<Figures> = edit_types.collect();
        Ok(figures! { "domains": domains, "mean": mean, "edit_types": edit_types, "warnings": warnings })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let header = [name, "rows", "consistent", "documents", "balanced accuracy", "ROC AUC"];
        let fields = ["domain", "rows", "consistent", "documents", "balanced_accuracy", "roc_auc"];
        let beside = self.about().published[0].beside_figures(name, [&figures["mean"]]);
        let mut lines = vec!["SummEdits: balanced accuracy in percent".to_owned()];
        lines.extend(layout::lines(&layout::rows(&header, figures["domains"].list(), &fields)));
        lines.push(String::new());
        lines.extend(beside.lines());
        if let edit_types @ [_, ..] = figures["edit_types"].list() {
            let header = ["inconsistent, by edit", "rows", "found %"];
            lines.push(String::new());
            lines.extend(layout::lines(&layout::rows(&header, edit_types, &["edit_type", "rows", "found"])));
        }
        lines.extend(figures.warnings());
        Shown { lines, beside: vec![beside], headline: vec![Column::of("mean", &figures["mean"])] }
    }
}

/// For each edit type: inconsistent rows, decisions about them, and decisions that found the edit.
type Edits<'c> = BTreeMap<&'c str, [usize; 3]>;

fn count_edits<'c>(scored: &Scored<'c>, rows: &[usize], decisions: &[Decisions], edits: &mut Edits<'c>) {
    for &row in rows.iter().filter(|row| !scored.label(**row).consistent) {
        let called: Vec<bool> = decisions.iter().filter_map(|decisions| decisions.about(row)).collect();
        let found = called.iter().filter(|called| !**called).count();
        for name in &scored.label(row).errors {
            let counts = edits.entry(name).or_default();
            *counts = [counts[0] + 1, counts[1] + called.len(), counts[2] + found];
        }
    }
}

impl SummEdits {
    fn decisions(&self, scored: &Scored, rows: &[usize]) -> Vec<Decisions> {
        match self.decide_at {
            Some(threshold) => vec![Decisions::new(threshold, scored.scores, |_| true)],
            None => halves(&by_document(scored.cases, rows), scored.scores, &scored.labels()),
        }
    }

    fn accuracy(
        &self,
        scored: &Scored,
        rows: &[usize],
        decisions: &[Decisions],
        seed: u64,
    ) -> Option<Sampled> {
        match self.decide_at {
            Some(threshold) => {
                let accuracy = |rows: &[usize]| scored.accuracy(rows, threshold);
                Sampled::on_groups(&by_document(scored.cases, rows), seed, accuracy)
            }
            None => mean_accuracy(decisions, rows, &scored.labels()).map(Sampled::alone),
        }
    }
}
