//! TofuEval's tables: sentences and summaries, each beside the paper's balanced accuracies and error rates, and the types
//! of error.

use super::names::{Dataset, TopicKind};
use super::protocol::{Cell, Figures, LevelFigures};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};
use crate::text_level::TextLevel;

/// The cells of the paper's tables.
const COLUMNS: &[&str] = &["MediaSum main", "MediaSum marginal", "MeetingBank main", "MeetingBank marginal"];

/// The paper's figures on test.
pub(super) static PUBLISHED: [PublishedTable; 2] = [SENTENCES, SUMMARIES];

static SENTENCES: PublishedTable = PublishedTable {
    table: "sentence",
    source: "Tang et al. 2024, tables 3, 7 and 8: sentences of test, thresholds tuned on dev",
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("SummaC-ZS", some![66.1, 73.9, 63.9, 80.6]),
        PublishedRow::new("SummaC-CV", some![67.6, 73.0, 62.6, 77.3]),
        PublishedRow::new("QAFactEval", some![53.9, 74.0, 58.0, 75.8]),
        PublishedRow::new("AlignScore", some![69.2, 76.2, 61.2, 78.6]),
        PublishedRow::new("GPT-3.5-Turbo", some![61.6, 68.9, 56.0, 65.0]),
        PublishedRow::new("GPT-4", some![64.9, 80.2, 67.5, 90.3]),
        PublishedRow::new("AlignScore, FPR", some![23.9, 26.0, 14.9, 25.4]),
        PublishedRow::new("AlignScore, FNR", some![37.9, 21.6, 62.7, 17.5]),
        PublishedRow::new("GPT-4, FPR", some![1.4, 5.7, 3.5, 6.7]),
        PublishedRow::new("GPT-4, FNR", some![68.8, 33.9, 46.1, 12.6]),
    ],
    set_up: "each evaluator judges a sentence beside the whole transcript; language models answer yes or no",
    differs: THRESHOLDS,
};

static SUMMARIES: PublishedTable = PublishedTable {
    table: "summary",
    source: "Tang et al. 2024, tables 3, 7 and 8: summaries of test, thresholds tuned on dev; language models by their \
             answers about sentences",
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("SummaC-ZS", some![62.7, 64.1, 58.1, 72.4]),
        PublishedRow::new("SummaC-CV", some![61.2, 66.5, 52.4, 72.9]),
        PublishedRow::new("QAFactEval", some![61.4, 74.2, 55.1, 68.2]),
        PublishedRow::new("AlignScore", some![65.5, 72.1, 63.4, 71.8]),
        PublishedRow::new("GPT-3.5-Turbo", some![59.6, 65.8, 63.2, 65.7]),
        PublishedRow::new("GPT-4", some![63.7, 78.9, 74.7, 83.1]),
        PublishedRow::new("AlignScore, FPR", some![41.6, 35.8, 36.6, 47.1]),
        PublishedRow::new("AlignScore, FNR", some![27.4, 20.1, 36.6, 17.5]),
    ],
    set_up: "SummaC, QAFactEval and AlignScore judge whole summaries; language models their sentences one by one",
    differs: THRESHOLDS,
};

const THRESHOLDS: &[Deviation] = &[Deviation::of_all(
    "a threshold is the midpoint between two dev scores, shared by all cells unless --scope; the paper does not say how \
     its own are chosen or shared",
)];

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["TofuEval: an inconsistent text is what is looked for; in percent".to_owned()];
    for level in &figures.levels {
        lines.extend(of_level(name, level, figures.against.as_deref()));
        lines.push(String::new());
    }
    lines.extend(layout::warnings(&figures.warnings));
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn of_level(name: &str, level: &LevelFigures, against: Option<&str>) -> Vec<String> {
    let texts = match level.level {
        TextLevel::Sentence => "sentences",
        TextLevel::Summary => "summaries",
    };
    let mut header = cells([texts, "count", "inconsistent", "balanced accuracy", "FPR", "FNR"]);
    if let Some(against) = against {
        header.extend([format!("less {against}"), "p".into()]);
    }
    let mut rows = vec![header];
    rows.extend(level.cells.iter().map(|cell| of_cell(cell, against.is_some())));
    let mut lines = layout::lines(&rows);
    for found in &level.thresholds {
        let part = part(found.dataset, found.topic);
        lines.push(format!("{part}: called consistent above {:.4}", found.threshold));
    }
    if !level.errors.is_empty() {
        lines.push(String::new());
        lines.extend(errors(level));
    }
    lines.push(String::new());
    lines.extend(beside(name, level).lines());
    lines
}

fn of_cell(cell: &Cell, has_other: bool) -> Vec<String> {
    let mut row = vec![part(cell.dataset, cell.topic), cell.texts.to_string(), cell.inconsistent.to_string()];
    let figures = [cell.balanced_accuracy, cell.false_positive_rate, cell.false_negative_rate];
    row.extend(figures.map(Estimate::shown));
    if has_other {
        row.push(Estimate::shown(cell.difference.map(|found| found.difference)));
        row.push(cell.difference.map_or_else(|| "-".into(), |found| format!("{:.3}", found.p_value)));
    }
    row
}

fn errors(level: &LevelFigures) -> Vec<String> {
    let mut rows = vec![cells(["errors found, of sentences with one type", "count", "recall"])];
    for error in &level.errors {
        let topic = error.topic.map(|topic| format!(", {topic}")).unwrap_or_default();
        let name = format!("{}{topic}", error.error);
        rows.push(vec![name, error.sentences.to_string(), Estimate::shown(error.recall)]);
    }
    layout::lines(&rows)
}

/// Balanced accuracy in the paper's four cells.
pub(super) fn beside(name: &str, level: &LevelFigures) -> Beside {
    let in_paper = Dataset::ALL.into_iter().flat_map(|of| TopicKind::ALL.map(|topic| (of, topic)));
    let figure = |(dataset, topic): (Dataset, TopicKind)| {
        let is_it = |cell: &&Cell| (cell.dataset, cell.topic) == (Some(dataset), Some(topic));
        let accuracy = level.cells.iter().find(is_it).and_then(|cell| cell.balanced_accuracy);
        layout::value(accuracy)
    };
    let header = format!("{}, balanced accuracy", level.level);
    let header = std::iter::once(header).chain(COLUMNS.iter().map(|column| (*column).to_owned()));
    let rows = vec![header.collect(), std::iter::once(name.to_owned()).chain(in_paper.map(figure)).collect()];
    match level.level {
        TextLevel::Sentence => SENTENCES.under(rows),
        TextLevel::Summary => SUMMARIES.under(rows),
    }
}

/// The name of a corpus and kind of topic.
fn part(dataset: Option<Dataset>, topic: Option<TopicKind>) -> String {
    let dataset = dataset.map_or("all", Dataset::name);
    topic.map_or_else(|| dataset.to_owned(), |topic| format!("{dataset} {topic}"))
}
