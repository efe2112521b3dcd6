//! The benchmark: the rows of the authors' file.

use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_models::store::quoting::quoted_name;

use super::label::{Label, ORIGINS, category};
use super::{protocol, table};
use crate::protocol::{About, BenchError, Benchmark, Case, Figures, RowContent, Shown, Split, Text, fields};

/// The required columns; others, such as other systems' scores, are not read.
const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// The article's lead, and the reference.
const LEFT_OUT: [&str; 2] = ["LEAD3", "GOLD"];

#[derive(Debug, Clone, Copy, Default)]
pub struct AggreFact;

impl Benchmark for AggreFact {
    type Label = Label;

    fn about(&self) -> About {
        About { published: table::published(), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &COLUMNS)?;
        let model = fields::name(&fields, "model_name")?;
        let Some(category) = category(&model) else {
            let reason = if LEFT_OUT.contains(&model.as_str()) {
                format!("`{model}`, which the protocol leaves out")
            } else {
                format!("unknown model name {}", quoted_name(&model))
            };
            return Ok(RowContent::LeftOut(reason));
        };
        let (dataset, origin) = (fields::name(&fields, "dataset")?, fields::name(&fields, "origin")?);
        if ORIGINS.iter().all(|(known, _)| *known != origin) {
            return Err("field `origin` must be cnndm or xsum".into());
        }
        let cut = match fields::name(&fields, "cut")?.as_str() {
            "val" => Split::Val,
            "test" => Split::Test,
            _ => return Err("field `cut` must be val or test".into()),
        };
        let is_consistent = fields::label(&fields, "label")?;
        let stratum = format!("{origin} {category} {dataset} {} {is_consistent}", cut.name());
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        let label = Label { dataset, origin, category, cut };
        Ok(RowContent::text(document, Text::new(summary, is_consistent, stratum, label)))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        table::shown(name, figures)
    }
}
