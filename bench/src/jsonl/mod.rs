//! Any labelled file, in every format of corpora: a document, a summary and a label (1 = consistent). One field may say
//! which rows tune the threshold and which are measured, another which group a row belongs to, such as its dataset.

mod protocol;
mod table;

pub use protocol::{Figures, Group, GroupMeans, Intervals};

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowNames};

/// The benchmark with the names of the file's fields.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The fields of the document and the summary.
    pub names: RowNames,
    /// The field of the label.
    pub label: String,
    /// The field that says which rows tune the threshold (`val`, `dev`) and which are measured (`test`); without it halves
    /// of the documents do both in turn.
    pub split: Option<String>,
    /// The field of the group.
    pub group: Option<String>,
}

/// What the protocol needs of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    pub(crate) consistent: bool,
    /// Its part, if the file has parts.
    pub(crate) split: Option<Split>,
    /// Its group, if the file has groups.
    pub(crate) group: Option<String>,
}

impl Default for Labelled {
    fn default() -> Self {
        Self { names: RowNames::default(), label: "label".into(), split: None, group: None }
    }
}

impl Labelled {
    fn keys(&self, fields: &Fields) -> Result<Keys, String> {
        let split = |field: &String| Split::of_field(fields, field, "val or dev, or test");
        Ok(Keys {
            split: self.split.as_ref().map(split).transpose()?,
            consistent: fields::label(fields, &self.label)?,
            group: self.group.as_ref().map(|field| fields::name(fields, field)).transpose()?,
        })
    }
}

impl Benchmark for Labelled {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let keys = self.keys(&row.fields)?;
        // Texts without words are read here and left out, with the reason, before scoring.
        let mut names = self.names.clone();
        names.blank_texts = true;
        let row = names.read(row).map_err(|bad| bad.fault.reason)?;
        Ok(RowContent::text(row.document, row.summary, keys))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let (split, group) = (keys.split.map(Split::name), keys.group.as_deref());
        format!("{} {} {}", group.unwrap_or_default(), split.unwrap_or_default(), keys.consistent)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::Run::new(cases, scores).figures()
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        table::columns(figures).to_vec()
    }
}
