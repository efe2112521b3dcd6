//! LongEval: extract, then evaluate (Wu et al., EACL 2024). Summaries of long documents with people's ratings, in the files
//! that the authors' scripts make (`arxiv_benchmark.json`, `gov_benchmark.json`, `pubmed_benchmark.json`,
//! `squality_benchmark.json`: arrays of objects with doc_id, system_id, source, reference, system_output and scores) or
//! in their files of extracts, whose `source` is the extract. The corpus is a field `dataset` or a word of the path.
//! The ratings of arXiv and GovReport are consistency and relevance (Koh et al. 2022), those of PubMed and SQuALITY
//! faithfulness (Krishna et al. 2023).
//!
//! The figures (section 3) are Pearson's and Spearman's correlation of scores with ratings over all summaries of a
//! corpus. Corpora are rated on different scales and are never mixed.

mod grid;
mod table;

pub use grid::{Choice, Cost, Grid, Places, ScoredSetting, SettingFigures, TENTHS};
pub use table::{beside_grid, grid_lines};

use serde::Serialize;
use serde_json::{Map, Value};

pub use super::benchmark::Label as Keys;

use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::estimate::Estimate;
use super::fields;
use super::published::{PublishedTable, published};
use super::rated::Rated;
use super::read::BenchError;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::named;
use veridic_models::store::quoting::{kind_of, listed_names};
use veridic_stats::{pearson, spearman};

const RATINGS: &str = "scores";

/// A line end in two of the corpora.
const LINE_END: &str = "<br />";

/// What people rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Consistency (arXiv, GovReport) or faithfulness (PubMed, SQuALITY).
    Factuality,
    /// Whether the summary has what is important (arXiv, GovReport).
    Relevance,
}

named!(Dimension, "dimension", { Factuality = "factuality", Relevance = "relevance" });

/// The corpus of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dataset {
    /// Papers.
    Arxiv,
    /// Reports of the government of the United States.
    GovReport,
    /// Medical papers.
    PubMed,
    /// Short stories.
    Squality,
}

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct LongEval {
    /// The ratings to compare scores with.
    pub dimension: Dimension,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The ratings that scores are compared with.
    pub dimension: Dimension,
    /// The corpora that have rows, in the paper's order.
    pub datasets: Vec<DatasetFigures>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// The figures of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DatasetFigures {
    /// The corpus.
    pub dataset: Dataset,
    /// Number of summaries.
    pub summaries: usize,
    /// Distinct documents; extracts for different summaries count as different.
    pub documents: usize,
    /// Number of systems that wrote the summaries.
    pub systems: usize,
    /// Pearson's r; `None` where all scores are equal.
    pub pearson: Option<Estimate>,
    /// Spearman's rho.
    pub spearman: Option<Estimate>,
}

impl Dimension {
    /// Its names in the authors' files.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Factuality => &["consistency", "factual_consistency", "faithfulness"],
            Self::Relevance => &["relevance"],
        }
    }
}

impl Dataset {
    /// All corpora, in the paper's order.
    pub const ALL: [Self; 4] = [Self::Arxiv, Self::GovReport, Self::PubMed, Self::Squality];

    /// The corpus's name.
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

    /// The corpus that a path names: its last word that names one.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        path.rsplit(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }
}

/// The paper's tables of a dimension: other metrics and the settings that it picks, the costs of those, all settings.
fn tables(dimension: Dimension) -> &'static [PublishedTable] {
    let tables = published!("longeval");
    match dimension {
        Dimension::Factuality => &tables[..3],
        Dimension::Relevance => &tables[3..],
    }
}

impl Benchmark for LongEval {
    type Keys = Label;
    type Figures = Figures;

    fn about(&self) -> About {
        About { key_fields: &["doc_id", "system_id"], published: tables(self.dimension), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["system_id", "source", "system_output", RATINGS])?;
        let (expected, of_path) = ("arxiv, gov, pubmed or squality", Dataset::of_path(&row.origin.file));
        let dataset = fields::required_choice(&fields, "dataset", expected, Dataset::named, of_path)?;
        let corpus = dataset.name().to_owned();
        let Some(rating) = self.rating(&fields)? else {
            return Ok(RowContent::LeftOut(format!("{corpus}, which has no {}", self.dimension)));
        };
        let system = fields::name(&fields, "system_id")?;
        // Our own limits: 4 of 5, and 80 of 100.
        let consistent = match dataset {
            Dataset::Arxiv | Dataset::GovReport => rating >= 4.0,
            Dataset::PubMed | Dataset::Squality => rating >= 80.0,
        };
        let stratum = format!("{corpus} {system}");
        let label = Label { corpus, system, rating, consistent, stratum, ..Label::default() };
        let reference = fields::optional_text(&mut fields, "reference")?;
        let document = field_text(&mut fields, "source")?.replace(LINE_END, "\n");
        let summary = field_text(&mut fields, "system_output")?.replace(LINE_END, "\n");
        Ok(RowContent::text(document, summary, label).with_reference(reference))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let (mut datasets, mut warnings) = (Vec::new(), Vec::new());
        for dataset in Dataset::ALL {
            let rows: Vec<usize> =
                (0..cases.len()).filter(|&row| cases[row].keys.corpus == dataset.name()).collect();
            if rows.is_empty() {
                continue;
            }
            let (figures, warning) = self.of_dataset(dataset, cases, scores, &rows)?;
            datasets.push(figures);
            warnings.extend(warning);
        }
        Ok(Figures { dimension: self.dimension, datasets, warnings })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let of = |dataset: &DatasetFigures| {
            let name = dataset.dataset.name();
            [
                Column::of(format!("{name} Pearson"), &dataset.pearson.into()),
                Column::of(format!("{name} Spearman"), &dataset.spearman.into()),
            ]
        };
        Shown {
            lines: table::lines(name, figures),
            beside: vec![table::beside(&tables(self.dimension)[0], [(name, figures)])],
            headline: figures.datasets.iter().flat_map(of).collect(),
        }
    }
}

impl LongEval {
    /// The figures of the summaries at `rows`, all of one corpus, and what limits them.
    fn of_dataset(
        self,
        dataset: Dataset,
        cases: &[Case],
        scores: &[f64],
        rows: &[usize],
    ) -> Result<(DatasetFigures, Option<String>), BenchError> {
        let rated = Rated::new(cases, scores, rows);
        let name = dataset.name();
        rated.check(self.dimension.name()).map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        let counts = rated.counts();
        let count = |name: &str| counts[name].value().unwrap_or_default() as usize;
        let figures = DatasetFigures {
            dataset,
            summaries: count("summaries"),
            documents: count("documents"),
            systems: count("systems"),
            pearson: rated.over_summaries(pearson),
            spearman: rated.over_summaries(spearman),
        };
        Ok((figures, rated.warning().map(|warning| format!("{name}: {warning}"))))
    }

    /// People's rating of the summary; `None` if the dimension was not rated.
    fn rating(self, fields: &Fields) -> Result<Option<f64>, String> {
        let ratings: Map<String, Value> = fields::parsed(fields, RATINGS, "an object of ratings by name")?;
        let mut known = Dimension::ALL.iter().flat_map(|dimension| dimension.fields());
        if !known.any(|name| ratings.contains_key(*name)) {
            let names: Vec<&str> = ratings.keys().map(String::as_str).collect();
            let names = listed_names(&names);
            return Err(format!(
                "field `{RATINGS}` has none of consistency, faithfulness and relevance (it has: {names})"
            ));
        }
        let Some(name) = self.dimension.fields().iter().find(|name| ratings.contains_key(**name)) else {
            return Ok(None);
        };
        let rating = &ratings[*name];
        let refusal = || format!("rating `{name}` is {}: it must be a number", kind_of(&rating.to_string()));
        rating.as_f64().map(Some).ok_or_else(refusal)
    }
}
