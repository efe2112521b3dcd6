//! Story-SummEval (Scirè et al. 2024, FENICE, section 4.4): summaries of stories of about 12,000 tokens, each labelled by an
//! expert, in the authors' files `val.jsonl` and `test.jsonl` (summary, label, text_id, source). They do not contain the
//! stories: [`Stories`] come from the library in `source`, unless a row has its own `document`.
//!
//! The figure is balanced accuracy on the test split, under a threshold that the validation split tunes as in AggreFact, or
//! a given one. Without splits a fifth of the stories, drawn by a seed, tunes for the others: the paper says 80/20 without
//! specifying the unit. Intervals are bootstrapped over stories.

mod stories;

pub use stories::{RequiredStories, Stories};

use std::path::PathBuf;

use clap::Args;

use self::stories::Story;
use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::Scored;
use super::documents::by_document;
use super::estimate::{Estimate, Sampled};
use super::fields;
use super::figures::{Figures, figures};
use super::published::published;
use super::read::BenchError;
use super::split::Split;
use crate::program::args::{MeasureArgs, finite};
use crate::program::commands::bench::{self, Options};
use veridic::corpus::field_text;
use veridic::corpus::read::{RawRow, Source};
use veridic_stats::{SplitMix64, roc_auc};

/// The optional field of a row's own story.
const DOCUMENT: &str = "document";

/// Without parts, one story in five tunes.
const TUNES: usize = 5;

/// The seed that draws these stories.
const SEED: u64 = 0;

/// The options on the command line.
#[derive(Debug, Args)]
pub(crate) struct StoryOptions {
    /// The stories
    ///
    /// Rows with id or title, and text, as manu/project_gutenberg and wikimedia/wikisource on the Hugging Face hub; not
    /// needed if the rows have a document.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    stories: Vec<PathBuf>,
    /// A summary counts as factual above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for StoryOptions {
    fn open(&self, measure: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        let required = bench::read_twice(measure, RequiredStories::read)?;
        let paths = if self.stories.is_empty() { &measure.data } else { &self.stories };
        let rows = Source::find(&self.stories, None)?.rows();
        let stories = Stories::read(rows, &required).map_err(|error| bench::named(error, paths))?;
        Ok(Box::new(StorySummEval { stories, threshold: self.decide_at }))
    }
}

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct StorySummEval {
    /// The documents of the summaries.
    pub stories: Stories,
    /// A summary is called factual above this; with `None` the validation split tunes a threshold.
    pub threshold: Option<f64>,
}

impl Benchmark for StorySummEval {
    fn about(&self) -> About {
        About { published: published!("story_summeval"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["summary", "label"])?;
        let split = Split::of_row(&fields, &row.origin.file, "val or test")?;
        let consistent = fields::label(&fields, "label")?;
        let stratum = format!("{} {consistent}", split.map(Split::name).unwrap_or_default());
        let document = match fields.get(DOCUMENT) {
            Some(_) => field_text(&mut fields, DOCUMENT)?,
            None => self.stories.text(&Story::of(&fields)?)?.to_owned(),
        };
        let label = Label { split, consistent, stratum, ..Label::default() };
        Ok(RowContent::text(document, field_text(&mut fields, "summary")?, label))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let (scored, mut warnings) = (Scored { cases, scores }, Vec::new());
        let (val, test, threshold) = match self.threshold {
            Some(threshold) => (Vec::new(), measured(&scored, &mut warnings), threshold),
            None => {
                let (val, test) = parts(&scored, &mut warnings)?;
                let threshold = scored.tuned(&val, ("Story-SummEval", "val"), &mut warnings)?;
                (val, test, threshold)
            }
        };
        scored.warn_of_one_label(&test, ("Story-SummEval", "test"), &mut warnings);
        let stories = by_document(cases, &test);
        let balanced_accuracy = Estimate::on_groups(&stories, |rows| scored.accuracy(rows, threshold))
            .ok_or_else(|| BenchError::Data("has no test rows to measure".into()))?;
        Ok(figures! {
            "summaries": test.len(),
            "factual": scored.consistent(&test),
            "stories": stories.len(),
            "val": val.len(),
            "threshold": threshold,
            "balanced_accuracy": balanced_accuracy,
            "roc_auc": scored.sampled(&test, roc_auc).as_ref().map(Sampled::estimate),
            "warnings": warnings,
        })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let cell = |name: &str| figures[name].cell();
        let tuned_by = match figures["val"] {
            Figures::Count(0) => "is given".to_owned(),
            _ => format!("{} other summaries tuned", cell("val")),
        };
        let beside = self.about().published[0].beside_figures(name, [&figures["balanced_accuracy"]]);
        let mut lines = vec![
            "Story-SummEval: balanced accuracy in percent".to_owned(),
            format!(
                "{} summaries of {} stories, {} factual; ROC AUC {}",
                cell("summaries"),
                cell("stories"),
                cell("factual"),
                cell("roc_auc")
            ),
            format!("called factual above {}, which {tuned_by}", figures["threshold"].threshold()),
        ];
        lines.extend(beside.lines());
        lines.extend(figures.warnings());
        let headline = vec![
            Column::of("ROC AUC", &figures["roc_auc"]),
            Column::of("balanced accuracy", &figures["balanced_accuracy"]),
        ];
        Shown { lines, beside: vec![beside], headline }
    }
}

/// Returns the rows on which a given threshold is measured: the test split, or all rows without one.
fn measured(scored: &Scored, warnings: &mut Vec<String>) -> Vec<usize> {
    match scored.rows(|label| label.split == Some(Split::Test)) {
        test if test.is_empty() => {
            warnings.push("there are no test rows: these figures are of all rows".into());
            scored.rows(|_| true)
        }
        test => test,
    }
}

/// The rows that tune and the rows that are measured.
fn parts(scored: &Scored, warnings: &mut Vec<String>) -> Result<(Vec<usize>, Vec<usize>), BenchError> {
    let [val, test] = [Split::Val, Split::Test].map(|split| scored.rows(|label| label.split == Some(split)));
    match (val.is_empty(), test.is_empty()) {
        (false, false) => Ok((val, test)),
        (true, false) => Err(BenchError::Data(
            "has no val rows to tune a threshold on: give val.jsonl too, or a threshold in --decide-at"
                .into(),
        )),
        (false, true) => Err(BenchError::Data("has no test rows to measure: give test.jsonl too".into())),
        (true, true) => {
            warnings.push("the files do not say which rows tune: a fifth of the stories does".into());
            Ok(fifth(scored.cases))
        }
    }
}

fn fifth(cases: &[Case]) -> (Vec<usize>, Vec<usize>) {
    let rows: Vec<usize> = (0..cases.len()).collect();
    let mut stories = by_document(cases, &rows);
    SplitMix64::new(SEED).shuffle(&mut stories);
    let tuning = stories.len().div_ceil(TUNES);
    let sorted = |stories: &[Vec<usize>]| {
        let mut rows = stories.concat();
        rows.sort_unstable();
        rows
    };
    (sorted(&stories[..tuning]), sorted(&stories[tuning..]))
}
