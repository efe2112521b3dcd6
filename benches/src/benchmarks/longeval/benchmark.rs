//! The benchmark: rows, the figures of one list of scores, and their tables.

use serde_json::{Map, Value};
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic_models::store::quoting::{kind_of, listed_names};
use veridic_stats::{pearson, spearman};

use super::corpus::{CORPORA, Corpus, Dimension};
use crate::protocol::{
    About, BenchError, Benchmark, Beside, Case, Figures, PublishedTable, Rated, RatedSummary, Rating,
    RowContent, Shown, Text, fields, figures, layout, published,
};

const RATINGS: &str = "scores";

/// The line end in two of the corpora.
const LINE_END: &str = "<br />";

#[derive(Debug, Clone, Copy)]
pub struct LongEval {
    pub dimension: Dimension,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub(crate) corpus: Corpus,
    pub(crate) rating: Rating,
}

/// Returns the paper's tables of a dimension: other metrics and the picked settings, their costs, all settings.
pub(super) fn tables(dimension: Dimension) -> &'static [PublishedTable] {
    let tables = published!("longeval");
    match dimension {
        Dimension::Factuality => &tables[..3],
        Dimension::Relevance => &tables[3..],
    }
}

impl Benchmark for LongEval {
    type Label = Label;

    fn about(&self) -> About {
        let key_fields = &["doc_id", "system_id"];
        About { key_fields, published: tables(self.dimension), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["system_id", "source", "system_output", RATINGS])?;
        let (expected, of_path) = ("arxiv, gov, pubmed or squality", Corpus::of_path(&row.origin.file));
        let corpus = fields::required_choice(&fields, "dataset", expected, Corpus::named, of_path)?;
        let Some(rating) = self.rating(&fields)? else {
            return Ok(RowContent::LeftOut(format!("{}, which has no {}", corpus.name, self.dimension)));
        };
        let system = fields::name(&fields, "system_id")?;
        let stratum = format!("{} {system}", corpus.name);
        let reference = fields::optional_text(&mut fields, "reference")?;
        let document = field_text(&mut fields, "source")?.replace(LINE_END, "\n");
        let summary = field_text(&mut fields, "system_output")?.replace(LINE_END, "\n");
        let is_consistent = rating >= corpus.consistent_from;
        let label = Label { corpus, rating: Rating { system, value: rating } };
        Ok(RowContent::text(document, Text::new(summary, is_consistent, stratum, label))
            .with_reference(reference))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let (mut datasets, mut warnings) = (Vec::new(), Vec::new());
        for corpus in CORPORA {
            let of_corpus = cases.iter().zip(scores).filter(|(case, _)| case.label.corpus == corpus);
            let summaries: Vec<RatedSummary> =
                of_corpus.map(|(case, score)| RatedSummary::of(case, &case.label.rating, *score)).collect();
            if !summaries.is_empty() {
                datasets.push(self.of_corpus(&corpus, summaries, &mut warnings)?);
            }
        }
        Ok(self.figures_of(datasets, warnings))
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let header = [name, "summaries", "documents", "systems", "Pearson", "Spearman"];
        let fields = ["dataset", "summaries", "documents", "systems", "pearson", "spearman"];
        let datasets = figures["datasets"].list();
        let mut rows = layout::rows(&header, datasets, &fields);
        for (row, of) in rows.iter_mut().skip(1).zip(datasets) {
            row[0] =
                Corpus::named(of["dataset"].text()).map_or_else(String::new, |corpus| corpus.name.to_owned());
        }
        let beside = beside(&tables(self.dimension)[0], [(name, figures)]);
        Shown::table(title(self.dimension), &rows, beside, figures)
    }
}

pub(super) fn title(dimension: Dimension) -> String {
    format!("LongEval: correlation with people's {dimension}, times 100")
}

/// Returns figures without intervals in the paper's columns; a dash for a corpus without rows.
pub(super) fn beside<'f>(
    published: &PublishedTable,
    lists: impl IntoIterator<Item = (&'f str, &'f Figures)>,
) -> Beside {
    published.beside(lists.into_iter().map(|(name, figures)| {
        let of = |corpus: &Corpus| correlations(corpus.of(&figures["datasets"]));
        (name.to_owned(), corpora(published, 2).iter().flat_map(of).collect::<Vec<_>>())
    }))
}

/// Returns the corpora of a table with this many columns per corpus.
pub(super) fn corpora(published: &PublishedTable, columns: usize) -> &'static [Corpus] {
    &CORPORA[..published.columns.len() / columns]
}

pub(super) fn correlations(of: &Figures) -> [String; 2] {
    [of["pearson"].brief(), of["spearman"].brief()]
}

impl LongEval {
    pub(super) fn figures_of(self, datasets: Vec<Figures>, warnings: Vec<String>) -> Figures {
        figures! { "dimension": self.dimension.name(), "datasets": datasets, "warnings": warnings }
    }

    /// Returns the figures of summaries, all of one corpus.
    pub(super) fn of_corpus(
        self,
        corpus: &Corpus,
        summaries: Vec<RatedSummary>,
        warnings: &mut Vec<String>,
    ) -> Result<Figures, BenchError> {
        let (rated, name) = (Rated::new(summaries), corpus.name);
        rated.check(self.dimension.name()).map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        warnings.extend(rated.warning().map(|warning| format!("{name}: {warning}")));
        Ok(figures! { "dataset": corpus.key() }.and(rated.counts()).and(figures! {
            "pearson": rated.over_summaries(pearson),
            "spearman": rated.over_summaries(spearman),
        }))
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
