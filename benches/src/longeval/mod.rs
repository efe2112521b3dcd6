//! LongEval: extract, then evaluate (Wu et al., EACL 2024). Summaries of long documents with human ratings, in the files
//! that the authors' scripts create (`arxiv_benchmark.json`, `gov_benchmark.json`, `pubmed_benchmark.json`,
//! `squality_benchmark.json`: arrays of objects with doc_id, system_id, source, reference, system_output and scores) or in
//! their files of extracts, whose `source` is the extract. The corpus is a field `dataset` or a word of the path. The
//! ratings of arXiv and GovReport are consistency and relevance (Koh et al. 2022), those of PubMed and SQuALITY faithfulness
//! (Krishna et al. 2023).
//!
//! The figures (section 3) are Pearson's and Spearman's correlation of scores with ratings over all summaries of a corpus.
//! Corpora are rated on different scales and are never mixed. `grid` handles several lists of scores.

mod grid;

pub use grid::{ScoredSetting, TENTHS, beside_grid, grid_lines};

use clap::ValueEnum;
use serde_json::{Map, Value};

use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::Scored;
use super::figures::{Figures, figures};
use super::published::{Beside, PublishedTable, published};
use super::rated::Rated;
use super::read::BenchError;
use super::{fields, layout};
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::named;
use veridic_models::store::quoting::{kind_of, listed_names};
use veridic_stats::{pearson, spearman};

const RATINGS: &str = "scores";

/// The line end in two of the corpora.
const LINE_END: &str = "<br />";

/// The rated dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Dimension {
    /// Consistency (arXiv, GovReport) or faithfulness (PubMed, SQuALITY)
    Factuality,
    /// Whether the summary has what is important (arXiv, GovReport).
    Relevance,
}

named!(Dimension, "dimension", { Factuality = "factuality", Relevance = "relevance" });

/// A corpus of documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    /// Its name in the paper; figures use lower case.
    pub name: &'static str,
    /// Its name in the authors' files.
    file: &'static str,
    /// The rating from which a summary counts as consistent: our own limits, 4 of 5 and 80 of 100.
    consistent_from: f64,
}

/// arXiv papers, reports of the US government, medical papers, short stories: in the paper's order.
pub const CORPORA: [Corpus; 4] = [
    Corpus { name: "arXiv", file: "arxiv", consistent_from: 4.0 },
    Corpus { name: "GovReport", file: "gov", consistent_from: 4.0 },
    Corpus { name: "PubMed", file: "pubmed", consistent_from: 80.0 },
    Corpus { name: "SQuALITY", file: "squality", consistent_from: 80.0 },
];

impl Corpus {
    /// Returns the corpus of that name, as written in papers or the authors' files.
    fn named(name: &str) -> Option<Self> {
        let is_it =
            |corpus: &Self| name.eq_ignore_ascii_case(corpus.name) || name.eq_ignore_ascii_case(corpus.file);
        CORPORA.into_iter().find(is_it)
    }

    /// Returns the corpus named by a path: by its last word that names one.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        path.rsplit(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }

    /// Returns its name in figures.
    #[must_use]
    pub fn key(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// Returns its figures in a list of figures by corpus.
    #[must_use]
    pub fn of<'f>(&self, figures: &'f Figures) -> &'f Figures {
        figures.find(&[("dataset", &self.key())])
    }
}

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct LongEval {
    /// The ratings to compare scores with.
    pub dimension: Dimension,
}

impl Dimension {
    /// Returns its names in the authors' files.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Factuality => &["consistency", "factual_consistency", "faithfulness"],
            Self::Relevance => &["relevance"],
        }
    }
}

/// Returns the paper's tables of a dimension: other metrics and the picked settings, their costs, all settings.
fn tables(dimension: Dimension) -> &'static [PublishedTable] {
    let tables = published!("longeval");
    match dimension {
        Dimension::Factuality => &tables[..3],
        Dimension::Relevance => &tables[3..],
    }
}

impl Benchmark for LongEval {
    fn about(&self) -> About {
        let key_fields = &["doc_id", "system_id"];
        About { key_fields, published: tables(self.dimension), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["system_id", "source", "system_output", RATINGS])?;
        let (expected, of_path) = ("arxiv, gov, pubmed or squality", Corpus::of_path(&row.origin.file));
        let corpus = fields::required_choice(&fields, "dataset", expected, Corpus::named, of_path)?;
        let Some(rating) = self.rating(&fields)? else {
            return Ok(RowContent::LeftOut(format!("{}, which has no {}", corpus.name, self.dimension)));
        };
        let system = fields::name(&fields, "system_id")?;
        let label = Label {
            stratum: format!("{} {system}", corpus.name),
            corpus: corpus.name.to_owned(),
            system,
            rating,
            consistent: rating >= corpus.consistent_from,
            ..Label::default()
        };
        let reference = fields::optional_text(&mut fields, "reference")?;
        let document = field_text(&mut fields, "source")?.replace(LINE_END, "\n");
        let summary = field_text(&mut fields, "system_output")?.replace(LINE_END, "\n");
        Ok(RowContent::text(document, summary, label).with_reference(reference))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let (mut datasets, mut warnings) = (Vec::new(), Vec::new());
        for corpus in CORPORA {
            let rows = Scored { cases, scores }.rows(|label| label.corpus == corpus.name);
            if rows.is_empty() {
                continue;
            }
            let (figures, warning) = self.of_corpus(&corpus, cases, scores, &rows)?;
            datasets.push(figures);
            warnings.extend(warning);
        }
        Ok(self.figures_of(datasets, warnings))
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let found = CORPORA.map(|corpus| (corpus.name, corpus.of(&figures["datasets"])));
        let found = || found.iter().filter(|(_, of)| **of != Figures::None);
        let header = [name, "summaries", "documents", "systems", "Pearson", "Spearman"];
        let mut rows = vec![layout::cells(header)];
        rows.extend(found().map(|(name, of)| {
            let cells =
                ["summaries", "documents", "systems", "pearson", "spearman"].map(|field| of[field].cell());
            std::iter::once((*name).to_owned()).chain(cells).collect()
        }));
        let beside = beside(&tables(self.dimension)[0], [(name, figures)]);
        let mut lines = vec![title(self.dimension)];
        lines.extend(layout::lines(&rows));
        lines.push(String::new());
        lines.extend(beside.lines());
        lines.extend(figures.warnings());
        let columns = |(name, of): &(&str, &Figures)| {
            [("Pearson", "pearson"), ("Spearman", "spearman")]
                .map(|(heading, field)| Column::of(format!("{name} {heading}"), &of[field]))
        };
        Shown { lines, beside: vec![beside], headline: found().flat_map(columns).collect() }
    }
}

fn title(dimension: Dimension) -> String {
    format!("LongEval: correlation with people's {dimension}, times 100")
}

/// Returns figures without intervals in the paper's columns; a dash for a corpus without rows.
fn beside<'f>(published: &PublishedTable, lists: impl IntoIterator<Item = (&'f str, &'f Figures)>) -> Beside {
    published.beside(lists.into_iter().map(|(name, figures)| {
        let of = |corpus: &Corpus| correlations(corpus.of(&figures["datasets"]));
        (name.to_owned(), corpora(published, 2).iter().flat_map(of).collect::<Vec<_>>())
    }))
}

/// Returns the corpora of a table with this many columns per corpus.
fn corpora(published: &PublishedTable, columns: usize) -> &'static [Corpus] {
    &CORPORA[..published.columns.len() / columns]
}

fn correlations(of: &Figures) -> [String; 2] {
    [of["pearson"].brief(), of["spearman"].brief()]
}

impl LongEval {
    fn figures_of(self, datasets: Vec<Figures>, warnings: Vec<String>) -> Figures {
        figures! { "dimension": self.dimension.name(), "datasets": datasets, "warnings": warnings }
    }

    /// Returns the figures of the summaries at `rows`, all of one corpus, and their limitations.
    fn of_corpus(
        self,
        corpus: &Corpus,
        cases: &[Case],
        scores: &[f64],
        rows: &[usize],
    ) -> Result<(Figures, Option<String>), BenchError> {
        let (rated, name) = (Rated::new(cases, scores, rows), corpus.name);
        rated.check(self.dimension.name()).map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        let figures = figures! { "dataset": corpus.key() }.and(rated.counts()).and(figures! {
            "pearson": rated.over_summaries(pearson),
            "spearman": rated.over_summaries(spearman),
        });
        Ok((figures, rated.warning().map(|warning| format!("{name}: {warning}"))))
    }

    /// Returns the human rating of the summary; `None` if the dimension was not rated.
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
