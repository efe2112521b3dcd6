//! AggreFact (Tang et al., ACL 2023): summaries of CNN/DM and XSum with labels of nine datasets, in the file
//! `aggre_fact_final.csv`. `names` sorts summarizers into categories, `protocol` is the authors' two ways of
//! tuning a threshold, `table` and `published` show the figures beside those of the papers.

mod names;
mod protocol;
mod published;
mod table;

pub use names::{Category, Origin};
pub use protocol::{Cell, Combination, Figures, MultiThreshold, Score, SingleThreshold, Skipped};

use self::names::{Model, model};
use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::published::PublishedTable;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

/// The columns that a row must have; its others, such as other systems' scores, are not read.
const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// The benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct AggreFact;

/// What the protocol has to know of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The dataset that its label comes from.
    pub dataset: String,
    /// The articles' corpus.
    pub origin: Origin,
    /// What kind of model wrote it.
    pub category: Category,
    /// Whether it tunes or measures.
    pub cut: Split,
    /// Whether it is consistent.
    pub consistent: bool,
}

impl Benchmark for AggreFact {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
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
            Model::LeftOut => return Ok(Taken::LeftOut(format!("`{name}`, which the protocol leaves out"))),
            Model::Unknown => {
                return Ok(Taken::LeftOut(format!("unknown model name `{}`", fields::short(&name))));
            }
        };
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(Taken::Texts { document, texts: vec![(summary, keys)], aids: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.consistent
    }

    fn stratum(&self, keys: &Keys) -> String {
        let Keys { dataset, origin, category, cut, consistent } = keys;
        format!("{} {} {dataset} {} {consistent}", origin.name(), category.name(), cut.name())
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        table::single_threshold_columns(&figures.single_threshold)
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
        _ => Err(format!("field `cut` is {}: it must be val or test", fields::short(name))),
    }
}
