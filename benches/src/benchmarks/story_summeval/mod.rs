//! Story-SummEval (Scirè et al. 2024, FENICE, section 4.4): summaries of stories of about 12,000 tokens, each labelled by an
//! expert, in the authors' files `val.jsonl` and `test.jsonl` (summary, label, text_id, source). They do not contain the
//! stories: [`Stories`] come from the library in `source`, unless a row has its own `document`.
//!
//! The figure is balanced accuracy on the test split, under a threshold that the validation split tunes as in AggreFact, or
//! a given one. Without splits a fifth of the stories, drawn by a seed, tunes for the others: the paper says 80/20 without
//! specifying the unit. Intervals are bootstrapped over stories.

mod stories;

pub use stories::{RequiredStories, Stories};

use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_stats::{SplitMix64, roc_auc};

use self::stories::{DOCUMENT, Story};
use crate::protocol::{
    About, BenchError, Benchmark, Case, Estimate, Figures, RowContent, Sampled, Scored, Shown, Split, Text,
    by_document, fields, figures, published,
};

const NAME: &str = "Story-SummEval";

/// Without parts, one story in five tunes.
const TUNES: usize = 5;

/// The seed that draws these stories.
const SEED: u64 = 0;

#[derive(Debug, Clone, Default)]
pub struct StorySummEval {
    pub stories: Stories,
    /// A summary is called factual above this; with `None` the validation split tunes a threshold.
    pub threshold: Option<f64>,
}

impl Benchmark for StorySummEval {
    /// The split, if the file has splits.
    type Label = Option<Split>;

    fn about(&self) -> About {
        About { published: published!("story_summeval"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Option<Split>>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["summary", "label"])?;
        let split = Split::of_row(&fields, &row.origin.file, "val or test")?;
        let is_factual = fields::label(&fields, "label")?;
        let stratum = format!("{} {is_factual}", split.map_or("", Split::name));
        let document = match fields.get(DOCUMENT) {
            Some(_) => field_text(&mut fields, DOCUMENT)?,
            None => self.stories.text(&Story::of(&fields)?)?.to_owned(),
        };
        let summary = field_text(&mut fields, "summary")?;
        Ok(RowContent::text(document, Text::new(summary, is_factual, stratum, split)))
    }

    fn measure(&self, cases: &[Case<Option<Split>>], scores: &[f64]) -> Result<Figures, BenchError> {
        let (scored, mut warnings) = (Scored { cases, scores }, Vec::new());
        let Parts { val, test } = match self.threshold {
            Some(_) => Parts { val: Vec::new(), test: measured(&scored, &mut warnings) },
            None => Parts::of(&scored, &mut warnings)?,
        };
        warnings.extend(scored.one_label_warning(&val, NAME, "val"));
        let threshold = self.threshold.map_or_else(|| scored.tuned(&val), Ok)?;
        warnings.extend(scored.one_label_warning(&test, NAME, "test"));
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
        Shown { lines, beside: vec![beside] }
    }
}

/// Returns the rows on which a given threshold is measured: the test split, or all rows without one.
fn measured(scored: &Scored<Option<Split>>, warnings: &mut Vec<String>) -> Vec<usize> {
    let test = scored.rows(|split| *split == Some(Split::Test));
    if !test.is_empty() {
        return test;
    }
    warnings.push("there are no test rows: these figures are of all rows".into());
    scored.rows(|_| true)
}

struct Parts {
    val: Vec<usize>,
    test: Vec<usize>,
}

impl Parts {
    fn of(scored: &Scored<Option<Split>>, warnings: &mut Vec<String>) -> Result<Self, BenchError> {
        let [val, test] = [Split::Val, Split::Test].map(|part| scored.rows(|split| *split == Some(part)));
        if val.is_empty() && test.is_empty() {
            warnings.push("the files do not say which rows tune: a fifth of the stories does".into());
            return Ok(Self::a_fifth_of_the_stories(scored.cases));
        }
        if val.is_empty() {
            let lacks =
                "has no val rows to tune a threshold on: give val.jsonl too, or a threshold in --decide-at";
            return Err(BenchError::Data(lacks.into()));
        }
        if test.is_empty() {
            return Err(BenchError::Data("has no test rows to measure: give test.jsonl too".into()));
        }
        Ok(Self { val, test })
    }

    fn a_fifth_of_the_stories<Label>(cases: &[Case<Label>]) -> Self {
        let rows: Vec<usize> = (0..cases.len()).collect();
        let mut stories = by_document(cases, &rows);
        SplitMix64::new(SEED).shuffle(&mut stories);
        let (tuning, measured) = stories.split_at(stories.len().div_ceil(TUNES));
        let (mut val, mut test) = (tuning.concat(), measured.concat());
        val.sort_unstable();
        test.sort_unstable();
        Self { val, test }
    }
}
