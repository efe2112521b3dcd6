//! Any labelled file, in every format that corpora have: a document, a summary and a label (1 = consistent). A
//! field may say which rows tune the threshold and which measure it, another which group a row belongs to, such
//! as its dataset.

mod protocol;
mod table;

pub use super::decide::SPLITS;
pub use protocol::{Figures, Group, Interval, Intervals};

use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowNames};
use veridic::pipeline::MetricInputs;

/// The benchmark, and what the file's fields are called.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The document and the summary.
    pub names: RowNames,
    /// The label.
    pub label: String,
    /// Which rows tune the threshold (`val`, `dev`) and which measure it (`test`); without it halves of the
    /// documents do both in turn.
    pub split: Option<String>,
    /// Which group a row belongs to.
    pub group: Option<String>,
}

/// What the protocol has to know of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Whether it is consistent.
    pub consistent: bool,
    /// Whether it tunes or measures, if the file says so.
    pub split: Option<Split>,
    /// Its group, if there are groups.
    pub group: Option<String>,
}

impl Default for Labelled {
    fn default() -> Self {
        Self { names: RowNames::default(), label: "label".into(), split: None, group: None }
    }
}

impl Labelled {
    fn keys(&self, fields: &Fields) -> Result<Keys, String> {
        let named =
            |field: &Option<String>| field.as_ref().map(|field| fields::name(fields, field)).transpose();
        let split = named(&self.split)?.map(|name| {
            Split::named(&name).ok_or_else(|| {
                let field = self.split.as_deref().unwrap_or_default();
                format!("field `{field}` is {}: it must be val or dev, or test", fields::short(&name))
            })
        });
        Ok(Keys {
            consistent: fields::label(fields, &self.label)?,
            split: split.transpose()?,
            group: named(&self.group)?,
        })
    }
}

impl Benchmark for Labelled {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let keys = self.keys(&row.fields)?;
        // What nobody can judge is left out with its reason, by who asks for scores.
        let names = self.names.clone().with_blank_texts();
        let row = names.read(row).map_err(|bad| bad.fault.reason)?;
        Ok(Taken::Texts {
            document: row.document,
            texts: vec![(row.summary, keys)],
            aids: MetricInputs::default(),
        })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let (split, group) = (keys.split.map(Split::name), keys.group.as_deref());
        format!("{} {} {}", group.unwrap_or_default(), split.unwrap_or_default(), keys.consistent)
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        table::columns(figures).to_vec()
    }
}
