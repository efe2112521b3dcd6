//! REALSumm (Bhandari et al., EMNLP 2020): which of a document's key facts people find in the summaries of several
//! systems. Rows have one of three forms:
//!
//! - fields document, model, summary, keyfacts (list of objects with text and optionally present, the share of people who
//!   find it), human_completeness (the share of key facts that most people find) and optionally reference;
//! - FineSurE's `realsumm-data.json` (Song et al., ACL 2024), joined with its list of key facts (`finesure`);
//! - the authors' own tables of ratings, one row for each person (`ratings`), joined with the same list for the documents.
//!
//! The sentence marks `<t>` and `</t>` of references become line ends. The score is FineSurE's completeness, or its
//! conciseness, unless another metric is chosen.

mod agreement;
mod finesure;
mod protocol;
mod ratings;
mod table;

pub use agreement::Agreement;
pub use finesure::KeyFactLists;
pub use protocol::Figures;
pub use ratings::Ratings;

use serde::{Deserialize, Serialize};

use super::answers::GivenAnswers;
use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::named;
use veridic::pipeline::MetricInputs;

const KEY_FACTS: &str = "keyfacts";
const COMPLETENESS: &str = "human_completeness";

/// What people rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// The share of key facts that a summary has.
    #[default]
    Completeness,
    /// The share of a summary's sentences that have a key fact, in FineSurE's file.
    Conciseness,
}

named!(Dimension, "dimension", { Completeness = "completeness", Conciseness = "conciseness" });

/// Why a row has no rating of conciseness.
const NO_SENTENCE_LABELS: &str =
    "has no labels of sentences: give FineSurE's realsumm-data.json, or set `dimension` to completeness";

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct RealSumm {
    /// What is measured.
    pub dimension: Dimension,
    /// The documents and their key facts, for FineSurE's file and the authors' tables.
    pub key_facts: KeyFactLists,
    /// The ratings in the authors' tables.
    pub ratings: Ratings,
    /// The answers that rows of FineSurE's files bring are measured.
    pub given_answers: bool,
}

/// What the protocol needs of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The system that wrote it.
    pub(crate) model: String,
    /// People's rating: a share.
    pub(crate) rating: f64,
    /// Whether most people find each key fact in it; `None` where too few people say.
    pub(crate) key_facts: Vec<Option<bool>>,
    /// What each person says of each key fact, where the file has that.
    pub(crate) votes: Vec<Vec<bool>>,
    /// Its sentences, where the file has it in sentences.
    pub(crate) sentences: Option<Vec<String>>,
    /// The answers that the row brings.
    pub(crate) given: Option<GivenAnswers>,
}

#[derive(Deserialize)]
struct KeyFact {
    text: String,
    present: Option<f64>,
}

impl RealSumm {
    fn own_row(&self, fields: &mut Fields) -> Result<RowContent<Keys>, String> {
        fields::require(fields, &["document", "model", "summary", KEY_FACTS, COMPLETENESS])?;
        if self.dimension == Dimension::Conciseness {
            return Err(NO_SENTENCE_LABELS.into());
        }
        let key_facts: Vec<KeyFact> =
            fields::parsed(fields, KEY_FACTS, "a list of objects with the field text")?;
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty: completeness cannot be measured"));
        }
        let keys = Keys {
            model: fields::name(fields, "model")?,
            rating: fields::share(fields, COMPLETENESS)?,
            key_facts: key_facts.iter().map(|fact| fact.present.map(|share| share > 0.5)).collect(),
            votes: Vec::new(),
            sentences: None,
            given: None,
        };
        let reference = fields::optional_text(fields, "reference")?;
        let key_facts = key_facts.into_iter().map(|fact| fact.text).collect();
        let (document, summary) = (field_text(fields, "document")?, field_text(fields, "summary")?);
        Ok(RowContent::text(document, summary, keys).with_inputs(inputs(key_facts, reference.as_deref())))
    }
}

impl Benchmark for RealSumm {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let RawRow { origin, mut fields } = row;
        if finesure::is_row(&fields) {
            return self.finesure_row(&mut fields);
        }
        if ratings::is_row(&fields) {
            return self.rated_row(&origin, &fields);
        }
        self.own_row(&mut fields)
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.rating > 0.5
    }

    fn given_answers<'k>(&self, keys: &'k Keys) -> Option<&'k GivenAnswers> {
        keys.given.as_ref()
    }

    fn sentences<'k>(&self, keys: &'k Keys) -> Option<&'k [String]> {
        keys.sentences.as_deref()
    }

    fn stratum(&self, keys: &Keys) -> String {
        keys.model.clone()
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(self.dimension, cases, scores)
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
        Some(match self.dimension {
            Dimension::Completeness => "finesure:completeness",
            Dimension::Conciseness => "finesure:conciseness",
        })
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        table::published(self.dimension)
    }

    fn published_comparison(&self) -> Option<&'static PublishedTable> {
        table::published(self.dimension).first()
    }
}

/// The inputs of metrics.
fn inputs(key_facts: Vec<String>, reference: Option<&str>) -> MetricInputs {
    MetricInputs { key_facts, reference: reference.map(unmarked), ..MetricInputs::default() }
}

/// A text of marked sentences with each on a line of its own.
fn unmarked(text: &str) -> String {
    let sentences = text.split("<t>").flat_map(|part| part.split("</t>")).map(str::trim);
    sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join("\n")
}
