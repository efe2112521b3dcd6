//! Story-SummEval (Scirè et al. 2024, FENICE, section 4.4): summaries of stories of some 12,000 tokens, each labelled by
//! an expert, in the authors' files `val.jsonl` and `test.jsonl` (summary, label, text_id, source). They do not hold the
//! stories: [`Stories`] come from the library in `source`, unless a row has its own `document`.

mod protocol;
mod stories;
mod table;

pub use protocol::Figures;
pub use stories::{RequiredStories, Stories};

use self::stories::Story;
use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;

/// The optional field of a row's own story.
const DOCUMENT: &str = "document";

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct StorySummEval {
    /// The documents of the summaries.
    pub stories: Stories,
    /// A summary is called factual above it; with `None` the validation part tunes a threshold.
    pub threshold: Option<f64>,
}

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Its part, if the file has parts.
    pub(crate) split: Option<Split>,
    /// Whether the story supports it.
    pub(crate) factual: bool,
}

impl Benchmark for StorySummEval {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["summary", "label"])?;
        let split = Split::of_row(&fields, &row.origin.file, "val or test")?;
        let keys = Keys { split, factual: fields::label(&fields, "label")? };
        let document = match fields.get(DOCUMENT) {
            Some(_) => field_text(&mut fields, DOCUMENT)?,
            None => self.stories.text(&Story::of(&fields)?)?.to_owned(),
        };
        Ok(RowContent::text(document, field_text(&mut fields, "summary")?, keys))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.factual
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.split.map(Split::name).unwrap_or_default(), keys.factual)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.threshold)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![
            Column::of("ROC AUC", figures.roc_auc),
            Column::of("balanced accuracy", Some(figures.balanced_accuracy)),
        ]
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}
