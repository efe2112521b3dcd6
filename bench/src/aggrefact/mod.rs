//! AggreFact (Tang et al., ACL 2023): summaries of CNN/DM and XSum with labels of nine datasets, in the file
//! `aggre_fact_final.csv`. `names` sorts summarizers into categories, `protocol` tunes thresholds in the authors' two ways,
//! `table` and `published` show the figures beside those of the papers.

mod names;
mod protocol;
mod published;
mod table;

pub use names::{Category, Origin};
pub use protocol::{Cell, Combination, Figures, MultiThreshold, Score, SingleThreshold, Skipped};

use self::names::{Model, model};
use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_models::store::quoting::quoted_name;

/// The columns that a row must have; others, such as other systems' scores, are not read.
const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// The benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct AggreFact;

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The dataset of its label.
    pub(crate) dataset: String,
    /// The corpus of its article.
    pub(crate) origin: Origin,
    /// The category of the model that wrote it.
    pub(crate) category: Category,
    pub(crate) cut: Split,
    pub(crate) consistent: bool,
}

impl Benchmark for AggreFact {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &COLUMNS)?;
        let keys = |category| -> Result<Keys, String> {
            Ok(Keys {
                dataset: fields::name(&fields, "dataset")?,
                origin: Origin::named(&fields::name(&fields, "origin")?)?,
                category,
                cut: cut(&fields::name(&fields, "cut")?)?,
                consistent: fields::label(&fields, "label")?,
            })
        };
        let name = fields::name(&fields, "model_name")?;
        let keys = match model(&name) {
            Model::Of(category) => keys(category)?,
            Model::LeftOut => {
                return Ok(RowContent::LeftOut(format!("`{name}`, which the protocol leaves out")));
            }
            Model::Unknown => {
                return Ok(RowContent::LeftOut(format!("unknown model name {}", quoted_name(&name))));
            }
        };
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(RowContent::text(document, summary, keys))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let Keys { dataset, origin, category, cut, consistent } = keys;
        format!("{origin} {category} {dataset} {} {consistent}", cut.name())
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        table::single_threshold_columns(&figures.single_threshold)
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![
            table::multi_threshold(name, &figures.multi_threshold),
            table::single_threshold(name, &figures.single_threshold),
        ]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &published::TABLES
    }

    fn published_comparison(&self) -> Option<&'static PublishedTable> {
        Some(&published::ABLATION)
    }
}

fn cut(name: &str) -> Result<Split, String> {
    match name {
        "val" => Ok(Split::Val),
        "test" => Ok(Split::Test),
        _ => Err("field `cut` must be val or test".into()),
    }
}
