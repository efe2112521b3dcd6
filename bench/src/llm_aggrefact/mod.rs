//! LLM-AggreFact (Tang, Laban, Durrett, EMNLP 2024): claims of eleven datasets against documents, fields dataset,
//! doc, claim, label, as Parquet (`dev-*.parquet`, `test-*.parquet`) or JSONL. Which part a row is of, a field
//! `split` or the name of its file tells; what has neither is test, unless thresholds are to be tuned.

mod protocol;
mod table;

pub use protocol::{Dataset, Figures};

use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::published::PublishedTable;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

/// The field that tells the part, where there is one.
const SPLIT: &str = "split";

/// Where thresholds come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tuning {
    /// One for all datasets.
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

/// What the protocol has to know of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Its dataset.
    pub dataset: String,
    /// Whether it tunes or measures.
    pub split: Split,
    /// Whether the document supports it.
    pub supported: bool,
}

impl Benchmark for LlmAggreFact {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["dataset", "doc", "claim", "label"])?;
        let told = match fields.get(SPLIT) {
            Some(_) => Some(named_split(&fields::name(&fields, SPLIT)?)?),
            None => Split::of_file(&row.origin.file),
        };
        let split = match (told, self.tuning) {
            (Some(split), _) => split,
            (None, Tuning::Fixed(_)) => Split::Test,
            (None, Tuning::Dev) => {
                return Err(
                    "is of dev or of test, but neither a field `split` nor the file's name tells which: name the files dev*.* and test*.*"
                        .into(),
                );
            }
        };
        let dataset = fields::name(&fields, "dataset")?;
        let keys = Keys { dataset, split, supported: fields::label(&fields, "label")? };
        let (document, claim) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "claim")?);
        Ok(Taken::Texts { document, texts: vec![(claim, keys)], aids: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.supported
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {} {}", keys.dataset, keys.split.name(), keys.supported)
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.tuning)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![Column::of("mean", Some(figures.mean))]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

fn named_split(name: &str) -> Result<Split, String> {
    let unknown = || format!("field `{SPLIT}` is {}: it must be dev or test", fields::short(name));
    Split::named(name).ok_or_else(unknown)
}
