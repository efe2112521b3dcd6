//! REALSumm (Bhandari et al., EMNLP 2020): which of a document's key facts people find in the summaries of several
//! systems, fields document, model, summary, keyfacts (list of objects with text), human_completeness (the share of
//! key facts that most people find) and optionally reference. The sentence marks `<t>` and `</t>` of references become
//! line ends. The score is FineSurE's completeness, unless another metric is chosen.

mod protocol;
mod table;

pub use protocol::Figures;

use serde::Deserialize;

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

const KEY_FACTS: &str = "keyfacts";
const COMPLETENESS: &str = "human_completeness";

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct RealSumm;

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The system that wrote it.
    pub(crate) model: String,
    /// The share of key facts that most people find in it.
    pub(crate) completeness: f64,
}

#[derive(Deserialize)]
struct KeyFact {
    text: String,
}

impl Benchmark for RealSumm {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["document", "model", "summary", KEY_FACTS, COMPLETENESS])?;
        let key_facts: Vec<KeyFact> =
            fields::parsed(&fields, KEY_FACTS, "a list of objects with the field text")?;
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty: completeness cannot be measured"));
        }
        let keys = Keys {
            model: fields::name(&fields, "model")?,
            completeness: fields::share(&fields, COMPLETENESS)?,
        };
        let reference = fields::optional_text(&mut fields, "reference")?.as_deref().map(unmarked);
        let key_facts = key_facts.into_iter().map(|fact| fact.text).collect();
        let (document, summary) = (field_text(&mut fields, "document")?, field_text(&mut fields, "summary")?);
        let inputs = MetricInputs { key_facts, reference, ..MetricInputs::default() };
        Ok(RowContent::text(document, summary, keys).with_inputs(inputs))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.completeness > 0.5
    }

    fn stratum(&self, keys: &Keys) -> String {
        keys.model.clone()
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![
            Column::of("Pearson", figures.pearson),
            Column::of("Spearman", figures.spearman),
            Column::of("system rank", figures.system_spearman),
        ]
    }

    fn usual_metric(&self) -> Option<&'static str> {
        Some("finesure:completeness")
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }

    fn published_comparison(&self) -> Option<&'static PublishedTable> {
        table::PUBLISHED.first()
    }
}

/// A text of marked sentences with each on a line of its own.
fn unmarked(text: &str) -> String {
    let sentences = text.split("<t>").flat_map(|part| part.split("</t>")).map(str::trim);
    sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join("\n")
}
