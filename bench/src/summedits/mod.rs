//! SummEdits (Laban et al., EMNLP 2023): edited summaries of ten domains, a file each (`summedits_NAME.json`, an
//! array of objects with doc, summary, label and edit_types). The domain is a field `domain` or the file's name.

mod protocol;
mod table;

pub use super::decide::Threshold;
pub use protocol::{Domain, EditType, Figures};

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use veridic::corpus::read::RawRow;
use veridic::corpus::{field_text, field_texts};

/// The beginning of the names of the authors' files.
const FILE_PREFIX: &str = "summedits_";

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct SummEdits {
    /// Where thresholds come from.
    pub threshold: Threshold,
}

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    pub(crate) domain: String,
    pub(crate) consistent: bool,
    /// The types of its edits, where they are known.
    pub(crate) edit_types: Vec<String>,
}

impl Benchmark for SummEdits {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["doc", "summary", "label"])?;
        let keys = Keys {
            domain: match fields.get("domain") {
                Some(_) => fields::name(&fields, "domain")?,
                None => fields::file_stem(&row.origin.file, FILE_PREFIX),
            },
            consistent: fields::label(&fields, "label")?,
            edit_types: match fields.get("edit_types") {
                Some(_) => field_texts(&mut fields, "edit_types")?,
                None => Vec::new(),
            },
        };
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(RowContent::text(document, summary, keys))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.domain, keys.consistent)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::Run::new(cases, scores, self.threshold).figures()
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![Column::of("mean", figures.mean)]
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}
