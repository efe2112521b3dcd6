//! LLM-AggreFact (Tang, Laban, Durrett, EMNLP 2024): claims of eleven datasets against documents, fields dataset,
//! doc, claim, label, as Parquet (`dev-*.parquet`, `test-*.parquet`) or JSONL. The part of a row is its field `split` or
//! in the name of its file; a row with neither is test, unless thresholds are tuned.

mod protocol;
mod table;

pub use protocol::{Dataset, Figures};

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;

/// Where thresholds come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tuning {
    /// The same for all datasets.
    Fixed(f64),
    /// Each dataset's own, tuned on its dev rows.
    Dev,
}

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct LlmAggreFact {
    /// Where thresholds come from.
    pub tuning: Tuning,
}

/// What the protocol needs of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    pub(crate) dataset: String,
    pub(crate) split: Split,
    /// Whether the document supports it.
    pub(crate) supported: bool,
}

impl Benchmark for LlmAggreFact {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["dataset", "doc", "claim", "label"])?;
        let split = match (Split::of_row(&fields, &row.origin.file, "dev or test")?, self.tuning) {
            (Some(split), _) => split,
            (None, Tuning::Fixed(_)) => Split::Test,
            (None, Tuning::Dev) => {
                let reason = "neither a field `split` nor the file's name gives the split: name the files dev*.* and test*.*";
                return Err(reason.into());
            }
        };
        let dataset = fields::name(&fields, "dataset")?;
        let keys = Keys { dataset, split, supported: fields::label(&fields, "label")? };
        let (document, claim) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "claim")?);
        Ok(RowContent::text(document, claim, keys))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.supported
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {} {}", keys.dataset, keys.split.name(), keys.supported)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::Run { cases, scores, tuning: self.tuning }.figures()
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![Column::of("mean", Some(figures.mean))]
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}
