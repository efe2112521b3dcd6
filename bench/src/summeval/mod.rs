//! SummEval (Fabbri et al., TACL 2021): experts' ratings of summaries of several systems, in the authors' file
//! `model_annotations.aligned.paired.jsonl` (text, decoded, model_id, expert_annotations: list of objects with
//! coherence, consistency, fluency, relevance; references). The rating of a summary is the mean of the experts' ratings of
//! one dimension; the crowd's ratings are not read. Metrics that need one reference get the first, those that need
//! several get all.

mod protocol;
mod published;
mod selection;
mod table;

pub use protocol::{Correlations, Figures};
pub use selection::Selection;

use serde::Serialize;
use serde_json::{Map, Value};

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text, field_texts};
use veridic::named;
use veridic::pipeline::MetricInputs;
use veridic_models::store::quoting::kind_of;

const ARTICLE: &str = "text";
const EXPERTS: &str = "expert_annotations";
const REFERENCES: &str = "references";

/// The best rating.
const BEST: f64 = 5.0;

/// What the experts rate. The names are those of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Whether the summary holds together.
    Coherence,
    /// Whether the article supports it.
    Consistency,
    /// Whether its sentences are well written.
    Fluency,
    /// Whether it has what is important.
    Relevance,
}

named!(Dimension, "dimension", { Coherence = "coherence", Consistency = "consistency", Fluency = "fluency", Relevance = "relevance" });

/// The benchmark.
#[derive(Debug, Clone)]
pub struct SummEval {
    /// The ratings to compare scores with.
    pub dimension: Dimension,
    /// The summaries that are measured.
    pub selection: Selection,
}

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The system that wrote it.
    pub(crate) model: String,
    /// The mean of the experts' ratings, 1 to 5.
    pub(crate) rating: f64,
}

impl Benchmark for SummEval {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["decoded", "model_id", EXPERTS])?;
        fields::require(&fields, &[ARTICLE]).map_err(|reason| {
            format!(
                "{reason}: pair the annotations with their articles first, with the authors' pair_data.py"
            )
        })?;
        let keys =
            Keys { model: fields::name(&fields, "model_id")?, rating: self.mean_and_variance(&fields)?.0 };
        if !self.selection.takes(&row.origin) {
            return Ok(RowContent::LeftOut("summaries of an article that experts agree less about".into()));
        }
        let references = match fields.get(REFERENCES) {
            Some(_) => field_texts(&mut fields, REFERENCES)?,
            None => Vec::new(),
        };
        let (document, summary) = (field_text(&mut fields, ARTICLE)?, field_text(&mut fields, "decoded")?);
        let inputs =
            MetricInputs { reference: references.first().cloned(), references, ..MetricInputs::default() };
        Ok(RowContent::text(document, summary, keys).with_inputs(inputs))
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.rating == BEST
    }

    fn stratum(&self, keys: &Keys) -> String {
        keys.model.clone()
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.dimension)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![
            Column::of("Kendall, all summaries", figures.over_summaries.kendall),
            Column::of("Kendall, within documents", figures.within_documents.kendall),
            Column::of("Kendall, systems", figures.over_systems.kendall),
        ]
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        std::slice::from_ref(published::table(self.dimension))
    }
}

impl SummEval {
    /// The mean of the experts' ratings, and their variance.
    fn mean_and_variance(&self, fields: &Fields) -> Result<(f64, f64), String> {
        let name = self.dimension.name();
        let experts: Vec<Map<String, Value>> =
            fields::parsed(fields, EXPERTS, "a list of objects with ratings")?;
        if experts.is_empty() {
            return Err(format!("field `{EXPERTS}` is empty: there is nothing to compare scores with"));
        }
        let mut ratings = Vec::with_capacity(experts.len());
        for (number, expert) in experts.iter().enumerate() {
            let rating = expert.get(name).and_then(Value::as_f64).filter(|r| (1.0..=BEST).contains(r));
            let refusal = || {
                let found = expert.get(name).map_or("nothing", |value| kind_of(&value.to_string()));
                format!("expert {} rates `{name}` with {found}: it must be 1 to 5", number + 1)
            };
            ratings.push(rating.ok_or_else(refusal)?);
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / experts.len() as f64;
        let rating = mean(&mut ratings.iter().copied());
        Ok((rating, mean(&mut ratings.iter().map(|other| (other - rating).powi(2)))))
    }
}
