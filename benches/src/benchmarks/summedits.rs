//! SummEdits (Laban et al., EMNLP 2023): edited summaries of ten domains, a file each (`summedits_NAME.json`, an
//! array of objects with doc, summary, label and edit_types). The domain is a field `domain` or the file's name.
//!
//! The figure is the plain mean of the domains' balanced accuracies. The authors judge with language models that
//! answer yes or no. Scores need a threshold: it is given, or tuned on one half of a domain's documents and measured on
//! the other, over several random halvings. Intervals are bootstrapped over a domain's documents under a given threshold
//! only: halvings share their rows, so resampling one of them does not measure the error of their mean.

use std::collections::BTreeMap;

use veridic::corpus::read::RawRow;
use veridic::corpus::{field_text, field_texts};
use veridic_stats::roc_auc;

use crate::protocol::{
    About, BenchError, Benchmark, Case, Decisions, Figures, RowContent, Sampled, Scored, Shown, Text,
    by_document, by_name, fields, figures, halves, layout, mean_accuracy, published,
};

/// The domains behind the published means.
const DOMAINS: usize = 10;

const FILE_PREFIX: &str = "summedits_";

#[derive(Debug, Clone, Copy, Default)]
pub struct SummEdits {
    /// A summary counts as consistent above this; with `None` one half of the documents tunes for the other.
    pub threshold: Option<f64>,
}

/// Where a summary is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) domain: String,
    /// The types of its edits.
    pub(crate) edits: Vec<String>,
}

impl Benchmark for SummEdits {
    type Label = Label;

    fn about(&self) -> About {
        About { published: published!("summedits"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["doc", "summary", "label"])?;
        let domain = match fields.get("domain") {
            Some(_) => fields::name(&fields, "domain")?,
            None => fields::file_stem(&row.origin.file, FILE_PREFIX),
        };
        let is_consistent = fields::label(&fields, "label")?;
        let edits = match fields.get("edit_types") {
            Some(_) => field_texts(&mut fields, "edit_types")?,
            None => Vec::new(),
        };
        let stratum = format!("{domain} {is_consistent}");
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(RowContent::text(document, Text::new(summary, is_consistent, stratum, Label { domain, edits })))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let scored = Scored { cases, scores };
        let rows_of = by_name(cases.iter().map(|case| case.label.domain.as_str()).zip(0..));
        if rows_of.is_empty() {
            return Err(BenchError::Data("holds no rows to measure".into()));
        }
        let (mut domains, mut sampled, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        let mut edits = Edits::new();
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            warnings.extend(scored.one_label_warning(rows, name, "measured"));
            let decisions = self.decisions(&scored, rows);
            let figure = self.accuracy(&scored, rows, &decisions, seed);
            if figure.is_none() {
                warnings
                    .push(format!("{name}: no half of its documents has both labels, so there is no mean"));
            }
            count_edits(&scored, rows, &decisions, &mut edits);
            domains.push(domain(name, &scored, rows, &decisions, figure.as_ref()));
            sampled.push(figure);
        }
        if domains.len() != DOMAINS {
            let found = domains.len();
            warnings
                .push(format!("the published means are over {DOMAINS} domains, this one is over {found}"));
        }
        let complete: Option<Vec<&Sampled>> = sampled.iter().map(Option::as_ref).collect();
        let mean = complete.and_then(Sampled::plain_mean).map(|mean| mean.estimate());
        let edit_types: Vec<Figures> = edits.iter().map(|(name, counts)| counts.figures(name)).collect();
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
        Shown { lines, beside: vec![beside] }
    }
}

fn domain(
    name: &str,
    scored: &Scored<Label>,
    rows: &[usize],
    decisions: &[Decisions],
    accuracy: Option<&Sampled>,
) -> Figures {
    let (scores, labels) = scored.pairs(rows);
    figures! {
        "domain": name,
        "rows": rows.len(),
        "consistent": scored.consistent(rows),
        "documents": by_document(scored.cases, rows).len(),
        "thresholds": decisions.iter().map(|decisions| decisions.threshold).collect::<Vec<_>>(),
        "balanced_accuracy": accuracy.map(Sampled::estimate),
        "roc_auc": roc_auc(&scores, &labels),
    }
}

/// The inconsistent rows with a type of edit.
#[derive(Default)]
struct Edited {
    rows: usize,
    decided: usize,
    found: usize,
}

type Edits<'c> = BTreeMap<&'c str, Edited>;

fn count_edits<'c>(
    scored: &Scored<'c, Label>,
    rows: &[usize],
    decisions: &[Decisions],
    edits: &mut Edits<'c>,
) {
    for &row in rows.iter().filter(|row| !scored.cases[**row].is_consistent) {
        let called: Vec<bool> = decisions.iter().filter_map(|decisions| decisions.about(row)).collect();
        for name in &scored.label(row).edits {
            let counts = edits.entry(name).or_default();
            counts.rows += 1;
            counts.decided += called.len();
            counts.found += called.iter().filter(|called| !**called).count();
        }
    }
}

impl Edited {
    fn figures(&self, name: &str) -> Figures {
        let found = (self.decided > 0).then(|| self.found as f64 / self.decided as f64);
        figures! { "edit_type": name, "rows": self.rows, "found": found }
    }
}

impl SummEdits {
    fn decisions(&self, scored: &Scored<Label>, rows: &[usize]) -> Vec<Decisions> {
        match self.threshold {
            Some(threshold) => vec![Decisions::new(threshold, scored.scores, |_| true)],
            None => halves(&by_document(scored.cases, rows), scored.scores, &scored.labels()),
        }
    }

    fn accuracy(
        &self,
        scored: &Scored<Label>,
        rows: &[usize],
        decisions: &[Decisions],
        seed: u64,
    ) -> Option<Sampled> {
        let Some(threshold) = self.threshold else {
            return mean_accuracy(decisions, rows, &scored.labels()).map(Sampled::alone);
        };
        let accuracy = |rows: &[usize]| scored.accuracy(rows, threshold);
        Sampled::on_groups(&by_document(scored.cases, rows), seed, accuracy)
    }
}
