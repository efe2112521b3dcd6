//! Extract, then evaluate (Wu et al., EACL 2024): summaries of long documents with people's ratings, in the files that
//! the authors' scripts make (`arxiv_benchmark.json`, `gov_benchmark.json`, `pubmed_benchmark.json`,
//! `squality_benchmark.json`: arrays of objects with doc_id, system_id, source, reference, system_output and scores) or
//! in their files of extracts, whose `source` is the extract. The corpus is a field `dataset` or a word of the path.
//! The ratings of arXiv and GovReport are consistency and relevance (Koh et al. 2022), those of PubMed and SQuALITY
//! faithfulness (Krishna et al. 2023).

mod protocol;
mod table;

pub use protocol::{DatasetFigures, Figures};
pub use table::grid;

use serde::Serialize;
use serde_json::{Map, Value};

use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::published::PublishedTable;
use super::read::BenchError;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::pipeline::MetricInputs;

const RATINGS: &str = "scores";
const REFERENCE: &str = "reference";

/// What stands for a line's end in two of the corpora.
const LINE_END: &str = "<br />";

/// What people rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Whether the document supports the summary: consistency or faithfulness, as the corpus calls it.
    Factuality,
    /// Whether it has what is important.
    Relevance,
}

/// The corpus of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dataset {
    /// Papers.
    Arxiv,
    /// Reports of the government of the United States.
    GovReport,
    /// Papers of medicine.
    PubMed,
    /// Short stories.
    Squality,
}

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct LongEval {
    /// What scores are compared with.
    pub dimension: Dimension,
}

/// What the protocol has to know of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The corpus of its document.
    pub dataset: Dataset,
    /// The system that wrote it.
    pub system: String,
    /// What people say of it.
    pub rating: f64,
}

impl Dimension {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Factuality => "factuality",
            Self::Relevance => "relevance",
        }
    }

    /// What the authors' files call it.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Factuality => &["consistency", "factual_consistency", "faithfulness"],
            Self::Relevance => &["relevance"],
        }
    }
}

impl Dataset {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 4] = [Self::Arxiv, Self::GovReport, Self::PubMed, Self::Squality];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arxiv => "arXiv",
            Self::GovReport => "GovReport",
            Self::PubMed => "PubMed",
            Self::Squality => "SQuALITY",
        }
    }

    /// The corpus of that name, as papers or the authors' files write it.
    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "arxiv" => Some(Self::Arxiv),
            "gov" | "govreport" => Some(Self::GovReport),
            "pubmed" => Some(Self::PubMed),
            "squality" => Some(Self::Squality),
            _ => None,
        }
    }

    /// The corpus that a path tells: its last word that is one.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        path.rsplit(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }
}

impl Benchmark for LongEval {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["system_id", "source", "system_output", RATINGS])?;
        let dataset = dataset(&fields, &row.origin.file)?;
        let Some(rating) = self.rating(&fields)? else {
            return Ok(Taken::LeftOut(format!("{}, which has no {}", dataset.name(), self.dimension.name())));
        };
        let keys = Keys { dataset, system: fields::name(&fields, "system_id")?, rating };
        let reference = match fields.get(REFERENCE).map(|value| value.get()) {
            None | Some("null") => None,
            Some(_) => Some(field_text(&mut fields, REFERENCE)?),
        };
        let document = field_text(&mut fields, "source")?.replace(LINE_END, "\n");
        let summary = field_text(&mut fields, "system_output")?.replace(LINE_END, "\n");
        let aids = MetricInputs { reference, ..MetricInputs::default() };
        Ok(Taken::Texts { document, texts: vec![(summary, keys)], aids })
    }

    /// For pictures, a cut of our own: 4 of 5, and 80 of 100.
    fn label(&self, keys: &Keys) -> bool {
        match keys.dataset {
            Dataset::Arxiv | Dataset::GovReport => keys.rating >= 4.0,
            Dataset::PubMed | Dataset::Squality => keys.rating >= 80.0,
        }
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.dataset.name(), keys.system)
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.dimension)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        let of = |dataset: &DatasetFigures| {
            let name = dataset.dataset.name();
            [
                Column::of(&format!("{name} Pearson"), dataset.pearson),
                Column::of(&format!("{name} Spearman"), dataset.spearman),
            ]
        };
        figures.datasets.iter().flat_map(of).collect()
    }

    fn published(&self) -> &'static [PublishedTable] {
        table::published(self.dimension)
    }
}

impl LongEval {
    /// What people say of the summary; none if they were not asked.
    fn rating(self, fields: &Fields) -> Result<Option<f64>, String> {
        let ratings: Map<String, Value> = fields::parsed(fields, RATINGS, "an object of ratings by name")?;
        let known = [Dimension::Factuality, Dimension::Relevance];
        if !known.iter().flat_map(|known| known.fields()).any(|name| ratings.contains_key(*name)) {
            let names: Vec<&str> = ratings.keys().map(String::as_str).collect();
            let names = names.join(", ");
            return Err(format!(
                "field `{RATINGS}` has none of consistency, faithfulness and relevance (it has: {names})"
            ));
        }
        let Some(name) = self.dimension.fields().iter().find(|name| ratings.contains_key(**name)) else {
            return Ok(None);
        };
        let rating = &ratings[*name];
        let refusal =
            || format!("rating `{name}` is {}: it must be a number", fields::short(&rating.to_string()));
        rating.as_f64().map(Some).ok_or_else(refusal)
    }
}

fn dataset(fields: &Fields, path: &str) -> Result<Dataset, String> {
    let Some(_) = fields.get("dataset") else {
        return Dataset::of_path(path).ok_or_else(|| {
            "is of arxiv, gov, pubmed or squality, but neither a field `dataset` nor the file's name tells which".into()
        });
    };
    let name = fields::name(fields, "dataset")?;
    Dataset::named(&name).ok_or_else(|| {
        format!("field `dataset` is {}: it must be arxiv, gov, pubmed or squality", fields::short(&name))
    })
}
