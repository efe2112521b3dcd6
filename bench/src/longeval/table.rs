//! LongEval's tables: each corpus with its intervals, and a line for each list of scores beside the paper's.

use super::{Dataset, Dimension, Figures};
use crate::compare::Compared;
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

const SOURCE: &str = "Wu et al. 2024, tables 2 and 3: correlations times 100 over 204, 204, 40 and 40 summaries; GPT-4 \
                      rates the summary beside an extract of so many tokens";

static FACTUALITY: [PublishedTable; 1] = [PublishedTable {
    table: "factuality",
    source: SOURCE,
    columns: &[
        "arXiv r",
        "arXiv rho",
        "GovReport r",
        "GovReport rho",
        "PubMed r",
        "PubMed rho",
        "SQuALITY r",
        "SQuALITY rho",
    ],
    rows: &[
        PublishedRow::new("FactCC", some![22.0, 19.0, 28.0, 27.0, -9.0, -14.0, 13.0, 14.0]),
        PublishedRow::new("SummaC", some![32.0, 32.0, 39.0, 38.0, 51.0, 55.0, 18.0, 24.0]),
        PublishedRow::new("GPT-4, whole document", some![61.0, 46.0, 33.0, 34.0, 64.0, 70.0, 51.0, 38.0]),
        PublishedRow::new(
            "GPT-4, best extract of each",
            some![71.0, 50.0, 62.0, 60.0, 76.0, 80.0, 85.0, 81.0],
        ),
        PublishedRow::new("GPT-4, lead 1024", some![56.5, 44.2, 29.4, 28.8, 52.0, 54.8, 35.1, 37.2]),
        PublishedRow::new("GPT-4, rouge-1 1024", some![71.3, 49.6, 59.4, 57.9, 60.4, 65.6, 81.7, 69.4]),
        PublishedRow::new("GPT-4, rouge-2 1024", some![69.8, 44.8, 59.6, 61.2, 67.1, 70.3, 76.2, 67.6]),
        PublishedRow::new("GPT-4, rouge-1+2 1024", some![65.8, 44.4, 60.9, 59.2, 70.9, 74.8, 82.2, 72.8]),
        PublishedRow::new("GPT-4, bertscore 1024", some![64.5, 41.1, 51.5, 51.0, 69.9, 72.3, 51.2, 53.1]),
        PublishedRow::new("GPT-4, nli 1024", some![50.8, 30.1, 28.6, 28.5, 75.0, 74.8, 61.8, 39.9]),
    ],
    set_up: SET_UP,
    differs: DIFFERS,
}];

static RELEVANCE: [PublishedTable; 1] = [PublishedTable {
    table: "relevance",
    source: SOURCE,
    columns: &["arXiv r", "arXiv rho", "GovReport r", "GovReport rho"],
    rows: &[
        PublishedRow::new("FactCC", some![13.0, 13.0, 5.0, 4.0]),
        PublishedRow::new("SummaC", some![9.0, 8.0, 5.0, 4.0]),
        PublishedRow::new("GPT-4, whole document", some![58.0, 52.0, 12.0, 11.0]),
        PublishedRow::new("GPT-4, best extract of each", some![63.0, 58.0, 36.0, 40.0]),
        PublishedRow::new("GPT-4, lead 1024", some![46.6, 38.5, 8.9, 9.4]),
        PublishedRow::new("GPT-4, rouge-1 1024", some![46.4, 35.4, 26.5, 29.6]),
        PublishedRow::new("GPT-4, rouge-2 1024", some![47.1, 36.5, 26.7, 31.0]),
        PublishedRow::new("GPT-4, rouge-1+2 1024", some![47.0, 36.6, 36.7, 37.1]),
        PublishedRow::new("GPT-4, bertscore 1024", some![50.5, 41.3, 29.2, 23.3]),
        PublishedRow::new("GPT-4, nli 1024", some![54.8, 48.2, 25.3, 29.4]),
    ],
    set_up: SET_UP,
    differs: DIFFERS,
}];

const SET_UP: &str =
    "GPT-4 rates the summary beside the whole document, cut at 8,000 tokens, or beside an extract of it";

const DIFFERS: &[Deviation] = &[
    Deviation::of_all(
        "a metric of this program rates, on the scale of its scores, unless the scores are given",
    ),
    Deviation::of_all(
        "documents are not cut at GPT-4's limit, and its tokens are those of --budget-tokenizer",
    ),
    Deviation::of_all("sentences are cut by rules, not by NLTK"),
];

/// The paper's figures for a dimension.
pub(super) fn published(dimension: Dimension) -> &'static [PublishedTable] {
    match dimension {
        Dimension::Factuality => &FACTUALITY,
        Dimension::Relevance => &RELEVANCE,
    }
}

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut rows = vec![cells([name, "summaries", "documents", "systems", "Pearson", "Spearman"])];
    for found in &figures.datasets {
        let mut row = vec![found.dataset.name().to_owned()];
        row.extend([found.summaries, found.documents, found.systems].map(|count| count.to_string()));
        row.extend([found.pearson, found.spearman].map(Estimate::shown));
        rows.push(row);
    }
    let mut lines = vec![title(figures.dimension)];
    lines.extend(layout::lines(&rows));
    lines.push(String::new());
    lines.extend(beside(figures.dimension, [(name, figures)]).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// A line for each list of scores, such as one for each method and budget of extraction.
#[must_use]
pub fn grid(compared: &[Compared<Figures>]) -> Vec<String> {
    let Some(beside) = beside_grid(compared) else { return Vec::new() };
    let mut lines: Vec<String> = compared.iter().take(1).map(|list| title(list.figures.dimension)).collect();
    lines.extend(beside.lines());
    for Compared { name, figures, .. } in compared {
        let warnings: Vec<String> =
            figures.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        lines.extend(layout::warnings(&warnings));
    }
    lines
}

/// The lists in the columns of the published table; `None` without lists.
#[must_use]
pub fn beside_grid(compared: &[Compared<Figures>]) -> Option<Beside> {
    let dimension = compared.first()?.figures.dimension;
    Some(beside(dimension, compared.iter().map(|list| (list.name.as_str(), &list.figures))))
}

fn title(dimension: Dimension) -> String {
    format!("LongEval: correlation with people's {dimension}, times 100")
}

/// Figures without intervals in the paper's columns; a dash for a corpus without rows.
pub(super) fn beside<'f>(
    dimension: Dimension,
    lists: impl IntoIterator<Item = (&'f str, &'f Figures)>,
) -> Beside {
    let published = &published(dimension)[0];
    // Each corpus has two columns.
    let datasets = &Dataset::ALL[..published.columns.len() / 2];
    published.beside(lists.into_iter().map(|(name, figures)| {
        let of = |dataset: &Dataset| {
            let found = figures.datasets.iter().find(|found| found.dataset == *dataset);
            [found.and_then(|found| found.pearson), found.and_then(|found| found.spearman)].map(layout::value)
        };
        (name.to_owned(), datasets.iter().flat_map(of).collect::<Vec<_>>())
    }))
}
