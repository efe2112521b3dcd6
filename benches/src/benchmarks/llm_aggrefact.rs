//! LLM-AggreFact (Tang, Laban, Durrett, EMNLP 2024): claims of eleven datasets against documents, with the fields dataset,
//! doc, claim, label, as Parquet (`dev-*.parquet`, `test-*.parquet`) or JSONL. The split of a row is its field `split` or in
//! the name of its file; a row with neither is test, unless thresholds are tuned.
//!
//! The figure is the unweighted mean of the datasets' balanced accuracies, with one given threshold for all, as on the
//! authors' leaderboard, or with one per dataset, tuned on its dev rows as in AggreFact. Without test rows dev is measured,
//! with a warning. Intervals are bootstrapped over a dataset's documents.

use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;

use crate::protocol::{
    About, BenchError, Benchmark, Case, Figures, RowContent, Sampled, Scored, Shown, Split, Text,
    by_document, by_name, fields, figures, layout, published,
};

/// The number of datasets behind the published means.
const DATASETS: usize = 11;

#[derive(Debug, Clone, Copy)]
pub struct LlmAggreFact {
    /// A claim counts as supported above this; with `None` each dataset's rows of the split dev tune a threshold.
    pub threshold: Option<f64>,
}

impl LlmAggreFact {
    /// The authors' threshold.
    pub const THRESHOLD: f64 = 0.5;
}

/// Where a claim is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) dataset: String,
    pub(crate) split: Split,
}

impl Benchmark for LlmAggreFact {
    type Label = Label;

    fn about(&self) -> About {
        About { published: published!("llm_aggrefact"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["dataset", "doc", "claim", "label"])?;
        let split = Split::of_row(&fields, &row.origin.file, "dev or test")?;
        if split.is_none() && self.threshold.is_none() {
            return Err("neither a field `split` nor the file's name gives the split: name the files dev*.* and test*.*".into());
        }
        let (dataset, split) = (fields::name(&fields, "dataset")?, split.unwrap_or(Split::Test));
        let is_consistent = fields::label(&fields, "label")?;
        let stratum = format!("{dataset} {} {is_consistent}", split.name());
        let (document, claim) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "claim")?);
        Ok(RowContent::text(document, Text::new(claim, is_consistent, stratum, Label { dataset, split })))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let (scored, mut warnings) = (Scored { cases, scores }, Vec::new());
        let measured = self.measured(&scored, &mut warnings)?;
        let rows = scored.rows(|label| label.split == measured);
        let rows_of = by_name(rows.into_iter().map(|row| (scored.label(row).dataset.as_str(), row)));
        let (mut datasets, mut sampled) = (Vec::new(), Vec::new());
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            let threshold = self.threshold_of(name, &scored, &mut warnings)?;
            warnings.extend(scored.one_label_warning(rows, name, "measured"));
            let accuracy = |rows: &[usize]| scored.accuracy(rows, threshold);
            let figure = Sampled::on_groups(&by_document(cases, rows), seed, accuracy);
            datasets.push(figures! {
                "dataset": *name,
                "rows": rows.len(),
                "supported": scored.consistent(rows),
                "threshold": threshold,
                "balanced_accuracy": figure.as_ref().map(Sampled::estimate),
            });
            sampled.extend(figure);
        }
        if datasets.len() != DATASETS {
            let found = datasets.len();
            warnings
                .push(format!("the published means are over {DATASETS} datasets, this one is over {found}"));
        }
        let mean = Sampled::plain_mean(&sampled)
            .ok_or_else(|| BenchError::Data("holds no rows to measure".into()))?;
        Ok(figures! { "datasets": datasets, "mean": mean.estimate(), "warnings": warnings })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let header = [name, "rows", "supported", "threshold", "balanced accuracy"];
        let fields = ["dataset", "rows", "supported", "threshold", "balanced_accuracy"];
        let beside = self.about().published[0].beside_figures(name, [&figures["mean"]]);
        let title = "LLM-AggreFact: balanced accuracy in percent".to_owned();
        Shown::table(title, &layout::rows(&header, figures["datasets"].list(), &fields), beside, figures)
    }
}

impl LlmAggreFact {
    fn measured(&self, scored: &Scored<Label>, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
        let has = |split| scored.cases.iter().any(|case| case.label.split == split);
        if self.threshold.is_none() && !has(Split::Val) {
            return Err(BenchError::Data("has no dev rows to tune on".into()));
        }
        if has(Split::Test) {
            return Ok(Split::Test);
        }
        if self.threshold.is_none() {
            return Err(BenchError::Data("has no test rows to measure".into()));
        }
        warnings.push("there are no test rows: these figures are of dev".into());
        Ok(Split::Val)
    }

    fn threshold_of(
        &self,
        dataset: &str,
        scored: &Scored<Label>,
        warnings: &mut Vec<String>,
    ) -> Result<f64, BenchError> {
        if let Some(threshold) = self.threshold {
            return Ok(threshold);
        }
        let rows = scored.rows(|label| label.split == Split::Val && label.dataset == dataset);
        if rows.is_empty() {
            let reason = format!("dataset {dataset} has test rows but no dev rows to tune on");
            return Err(BenchError::Data(reason));
        }
        warnings.extend(scored.one_label_warning(&rows, dataset, "dev"));
        Ok(scored.tuned(&rows)?)
    }
}
