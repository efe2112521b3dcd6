//! Tables of long documents: each corpus with its intervals, and a line for each way of extracting, beside the paper's.

use super::protocol::{DatasetFigures, Figures};
use super::{Dataset, Dimension};
use crate::compare::Compared;
use crate::layout::{self, cells};
use crate::published::{PublishedRow, PublishedTable};
use crate::sampled::Estimate;

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
        PublishedRow::new(
            "FactCC",
            &[
                Some(22.0),
                Some(19.0),
                Some(28.0),
                Some(27.0),
                Some(-9.0),
                Some(-14.0),
                Some(13.0),
                Some(14.0),
            ],
        ),
        PublishedRow::new(
            "SummaC",
            &[Some(32.0), Some(32.0), Some(39.0), Some(38.0), Some(51.0), Some(55.0), Some(18.0), Some(24.0)],
        ),
        PublishedRow::new(
            "GPT-4, whole document",
            &[Some(61.0), Some(46.0), Some(33.0), Some(34.0), Some(64.0), Some(70.0), Some(51.0), Some(38.0)],
        ),
        PublishedRow::new(
            "GPT-4, best extract of each",
            &[Some(71.0), Some(50.0), Some(62.0), Some(60.0), Some(76.0), Some(80.0), Some(85.0), Some(81.0)],
        ),
        PublishedRow::new(
            "GPT-4, lead 1024",
            &[Some(56.5), Some(44.2), Some(29.4), Some(28.8), Some(52.0), Some(54.8), Some(35.1), Some(37.2)],
        ),
        PublishedRow::new(
            "GPT-4, rouge-1 1024",
            &[Some(71.3), Some(49.6), Some(59.4), Some(57.9), Some(60.4), Some(65.6), Some(81.7), Some(69.4)],
        ),
        PublishedRow::new(
            "GPT-4, rouge-2 1024",
            &[Some(69.8), Some(44.8), Some(59.6), Some(61.2), Some(67.1), Some(70.3), Some(76.2), Some(67.6)],
        ),
        PublishedRow::new(
            "GPT-4, rouge-1+2 1024",
            &[Some(65.8), Some(44.4), Some(60.9), Some(59.2), Some(70.9), Some(74.8), Some(82.2), Some(72.8)],
        ),
        PublishedRow::new(
            "GPT-4, bertscore 1024",
            &[Some(64.5), Some(41.1), Some(51.5), Some(51.0), Some(69.9), Some(72.3), Some(51.2), Some(53.1)],
        ),
        PublishedRow::new(
            "GPT-4, nli 1024",
            &[Some(50.8), Some(30.1), Some(28.6), Some(28.5), Some(75.0), Some(74.8), Some(61.8), Some(39.9)],
        ),
    ],
}];

static RELEVANCE: [PublishedTable; 1] = [PublishedTable {
    table: "relevance",
    source: SOURCE,
    columns: &["arXiv r", "arXiv rho", "GovReport r", "GovReport rho"],
    rows: &[
        PublishedRow::new("FactCC", &[Some(13.0), Some(13.0), Some(5.0), Some(4.0)]),
        PublishedRow::new("SummaC", &[Some(9.0), Some(8.0), Some(5.0), Some(4.0)]),
        PublishedRow::new("GPT-4, whole document", &[Some(58.0), Some(52.0), Some(12.0), Some(11.0)]),
        PublishedRow::new("GPT-4, best extract of each", &[Some(63.0), Some(58.0), Some(36.0), Some(40.0)]),
        PublishedRow::new("GPT-4, lead 1024", &[Some(46.6), Some(38.5), Some(8.9), Some(9.4)]),
        PublishedRow::new("GPT-4, rouge-1 1024", &[Some(46.4), Some(35.4), Some(26.5), Some(29.6)]),
        PublishedRow::new("GPT-4, rouge-2 1024", &[Some(47.1), Some(36.5), Some(26.7), Some(31.0)]),
        PublishedRow::new("GPT-4, rouge-1+2 1024", &[Some(47.0), Some(36.6), Some(36.7), Some(37.1)]),
        PublishedRow::new("GPT-4, bertscore 1024", &[Some(50.5), Some(41.3), Some(29.2), Some(23.3)]),
        PublishedRow::new("GPT-4, nli 1024", &[Some(54.8), Some(48.2), Some(25.3), Some(29.4)]),
    ],
}];

/// What the paper has of a dimension.
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
    lines.extend(beside_published(figures.dimension, [(name, figures)]));
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// A line for each list of scores, such as one for each method and budget.
#[must_use]
pub fn grid(compared: &[Compared<Figures>]) -> Vec<String> {
    let Some(first) = compared.first() else { return Vec::new() };
    let dimension = first.figures.dimension;
    let mut lines = vec![title(dimension)];
    lines
        .extend(beside_published(dimension, compared.iter().map(|list| (list.name.as_str(), &list.figures))));
    for list in compared {
        let of_list = list.figures.warnings.iter().map(|warning| format!("{}: {warning}", list.name));
        lines.extend(layout::warnings(&of_list.collect::<Vec<_>>()));
    }
    lines
}

fn title(dimension: Dimension) -> String {
    format!("LongEval: correlation with people's {}, times 100", dimension.name())
}

/// Figures without intervals in the paper's columns; a dash for a corpus that is not there.
fn beside_published<'f>(
    dimension: Dimension,
    lists: impl IntoIterator<Item = (&'f str, &'f Figures)>,
) -> Vec<String> {
    let published = &published(dimension)[0];
    let mut rows = vec![cells(std::iter::once("").chain(published.columns.iter().copied()))];
    // Each corpus has two columns.
    let datasets = &Dataset::ALL[..published.columns.len() / 2];
    for (name, figures) in lists {
        let of = |dataset: &Dataset| {
            let found = figures.datasets.iter().find(|found| found.dataset == *dataset);
            let figure = |of: fn(&DatasetFigures) -> Option<Estimate>| {
                layout::percent(found.and_then(of).map(|estimate| estimate.value))
            };
            [figure(|found| found.pearson), figure(|found| found.spearman)]
        };
        rows.push(std::iter::once(name.to_owned()).chain(datasets.iter().flat_map(of)).collect());
    }
    published.under(rows)
}
