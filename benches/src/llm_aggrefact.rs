//! LLM-AggreFact (Tang, Laban, Durrett, EMNLP 2024): claims of eleven datasets against documents, with the fields dataset,
//! doc, claim, label, as Parquet (`dev-*.parquet`, `test-*.parquet`) or JSONL. The split of a row is its field `split` or in
//! the name of its file; a row with neither is test, unless thresholds are tuned.
//!
//! The figure is the unweighted mean of the datasets' balanced accuracies, with one given threshold for all, as on the
//! authors' leaderboard, or with one per dataset, tuned on its dev rows as in AggreFact. Without test rows dev is measured,
//! with a warning. Intervals are bootstrapped over a dataset's documents.

use clap::{Args, ValueEnum};

use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::Scored;
use super::documents::{by_document, by_name};
use super::estimate::Sampled;
use super::figures::{Figures, figures};
use super::published::published;
use super::read::BenchError;
use super::split::Split;
use super::{fields, layout};
use crate::program::args::{MeasureArgs, finite};
use crate::program::commands::bench::Options;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;

/// The number of datasets behind the published means.
const DATASETS: usize = 11;

/// The authors' threshold.
const THRESHOLD: f64 = 0.5;

/// The rows that tune thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tuning {
    /// The rows of the split dev
    Dev,
}

/// The benchmark with its options on the command line.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct LlmAggreFact {
    /// Tune each dataset's threshold on its rows of the split dev
    #[arg(long, value_name = "dev", conflicts_with = "decide_at", value_enum)]
    pub tune: Option<Tuning>,
    /// A claim counts as supported above X [default: 0.5]
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub decide_at: Option<f64>,
}

impl Options for LlmAggreFact {
    fn open(&self, _: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        Ok(Box::new(*self))
    }
}

impl Benchmark for LlmAggreFact {
    fn about(&self) -> About {
        About { published: published!("llm_aggrefact"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["dataset", "doc", "claim", "label"])?;
        let split = match (Split::of_row(&fields, &row.origin.file, "dev or test")?, self.tune) {
            (Some(split), _) => split,
            (None, None) => Split::Test,
            (None, Some(Tuning::Dev)) => {
                let reason = "neither a field `split` nor the file's name gives the split: name the files dev*.* and test*.*";
                return Err(reason.into());
            }
        };
        let (set, consistent) = (fields::name(&fields, "dataset")?, fields::label(&fields, "label")?);
        let stratum = format!("{set} {} {consistent}", split.name());
        let label = Label { set, split: Some(split), consistent, stratum, ..Label::default() };
        let (document, claim) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "claim")?);
        Ok(RowContent::text(document, claim, label))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let (scored, mut warnings) = (Scored { cases, scores }, Vec::new());
        let measured = self.measured(&scored, &mut warnings)?;
        let rows = scored.rows(|label| label.split == Some(measured));
        let rows_of = by_name(rows.into_iter().map(|row| (scored.label(row).set.as_str(), row)));
        let (mut datasets, mut sampled) = (Vec::new(), Vec::new());
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            let threshold = self.threshold(&scored, name, &mut warnings)?;
            scored.warn_of_one_label(rows, (name, "measured"), &mut warnings);
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
        let mut lines = vec!["LLM-AggreFact: balanced accuracy in percent".to_owned()];
        lines.extend(layout::lines(&layout::rows(&header, figures["datasets"].list(), &fields)));
        lines.push(String::new());
        lines.extend(beside.lines());
        lines.extend(figures.warnings());
        Shown { lines, beside: vec![beside], headline: vec![Column::of("mean", &figures["mean"])] }
    }
}

impl LlmAggreFact {
    /// Returns the measured split.
    fn measured(&self, scored: &Scored, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
        let has = |split| !scored.rows(|label| label.split == Some(split)).is_empty();
        match (self.tune, has(Split::Val), has(Split::Test)) {
            (Some(Tuning::Dev), false, _) => Err(BenchError::Data("has no dev rows to tune on".into())),
            (Some(Tuning::Dev), _, false) => Err(BenchError::Data("has no test rows to measure".into())),
            (None, true, false) => {
                warnings.push("there are no test rows: these figures are of dev".into());
                Ok(Split::Val)
            }
            _ => Ok(Split::Test),
        }
    }

    fn threshold(&self, scored: &Scored, name: &str, warnings: &mut Vec<String>) -> Result<f64, BenchError> {
        if self.tune.is_none() {
            return Ok(self.decide_at.unwrap_or(THRESHOLD));
        }
        let rows = scored.rows(|label| label.split == Some(Split::Val) && label.set == name);
        if rows.is_empty() {
            return Err(BenchError::Data(format!("dataset {name} has test rows but no dev rows to tune on")));
        }
        Ok(scored.tuned(&rows, (name, "dev"), warnings)?)
    }
}
