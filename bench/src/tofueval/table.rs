//! TofuEval's tables: sentences and summaries, each beside the paper's balanced accuracies and false rates, and the
//! types of error.

use super::names::{Dataset, TopicKind};
use super::protocol::{Cell, Figures, LevelFigures};
use crate::layout::{self, cells};
use crate::level::Level;
use crate::published::{PublishedRow, PublishedTable};
use crate::sampled::Estimate;

/// The cells of the paper's tables.
const COLUMNS: &[&str] = &["MediaSum main", "MediaSum marginal", "MeetingBank main", "MeetingBank marginal"];

/// The paper's figures on test.
pub(super) static PUBLISHED: [PublishedTable; 2] = [SENTENCES, SUMMARIES];

const SENTENCES: PublishedTable = PublishedTable {
    table: "sentence",
    source: "Tang et al. 2024, tables 3, 7 and 8: sentences of test, thresholds tuned on dev",
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("SummaC-ZS", &[Some(66.1), Some(73.9), Some(63.9), Some(80.6)]),
        PublishedRow::new("SummaC-CV", &[Some(67.6), Some(73.0), Some(62.6), Some(77.3)]),
        PublishedRow::new("QAFactEval", &[Some(53.9), Some(74.0), Some(58.0), Some(75.8)]),
        PublishedRow::new("AlignScore", &[Some(69.2), Some(76.2), Some(61.2), Some(78.6)]),
        PublishedRow::new("GPT-3.5-Turbo", &[Some(61.6), Some(68.9), Some(56.0), Some(65.0)]),
        PublishedRow::new("GPT-4", &[Some(64.9), Some(80.2), Some(67.5), Some(90.3)]),
        PublishedRow::new("AlignScore, FPR", &[Some(23.9), Some(26.0), Some(14.9), Some(25.4)]),
        PublishedRow::new("AlignScore, FNR", &[Some(37.9), Some(21.6), Some(62.7), Some(17.5)]),
        PublishedRow::new("GPT-4, FPR", &[Some(1.4), Some(5.7), Some(3.5), Some(6.7)]),
        PublishedRow::new("GPT-4, FNR", &[Some(68.8), Some(33.9), Some(46.1), Some(12.6)]),
    ],
};

const SUMMARIES: PublishedTable = PublishedTable {
    table: "summary",
    source: "Tang et al. 2024, tables 3, 7 and 8: summaries of test, thresholds tuned on dev; language models by their \
             answers about sentences",
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("SummaC-ZS", &[Some(62.7), Some(64.1), Some(58.1), Some(72.4)]),
        PublishedRow::new("SummaC-CV", &[Some(61.2), Some(66.5), Some(52.4), Some(72.9)]),
        PublishedRow::new("QAFactEval", &[Some(61.4), Some(74.2), Some(55.1), Some(68.2)]),
        PublishedRow::new("AlignScore", &[Some(65.5), Some(72.1), Some(63.4), Some(71.8)]),
        PublishedRow::new("GPT-3.5-Turbo", &[Some(59.6), Some(65.8), Some(63.2), Some(65.7)]),
        PublishedRow::new("GPT-4", &[Some(63.7), Some(78.9), Some(74.7), Some(83.1)]),
        PublishedRow::new("AlignScore, FPR", &[Some(41.6), Some(35.8), Some(36.6), Some(47.1)]),
        PublishedRow::new("AlignScore, FNR", &[Some(27.4), Some(20.1), Some(36.6), Some(17.5)]),
    ],
};

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
        Level::Sentence => "sentences",
        Level::Summary => "summaries",
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
    lines.extend(beside_published(name, level));
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
        let topic = error.topic.map(|topic| format!(", {}", topic.name())).unwrap_or_default();
        let name = format!("{}{topic}", error.error);
        rows.push(vec![name, error.sentences.to_string(), Estimate::shown(error.recall)]);
    }
    layout::lines(&rows)
}

/// Balanced accuracy in the paper's four cells, with the paper's below.
fn beside_published(name: &str, level: &LevelFigures) -> Vec<String> {
    let in_paper = Dataset::ALL.into_iter().flat_map(|of| TopicKind::ALL.map(|topic| (of, topic)));
    let figure = |(dataset, topic): (Dataset, TopicKind)| {
        let is_it = |cell: &&Cell| (cell.dataset, cell.topic) == (Some(dataset), Some(topic));
        let accuracy = level.cells.iter().find(is_it).and_then(|cell| cell.balanced_accuracy);
        layout::percent(accuracy.map(|estimate| estimate.value))
    };
    let header = format!("{}, balanced accuracy", level.level.name());
    let header = std::iter::once(header).chain(COLUMNS.iter().map(|column| (*column).to_owned()));
    let rows = vec![header.collect(), std::iter::once(name.to_owned()).chain(in_paper.map(figure)).collect()];
    match level.level {
        Level::Sentence => SENTENCES.under(rows),
        Level::Summary => SUMMARIES.under(rows),
    }
}

/// What texts are called.
fn part(dataset: Option<Dataset>, topic: Option<TopicKind>) -> String {
    let dataset = dataset.map_or("all", Dataset::name);
    topic.map_or_else(|| dataset.to_owned(), |topic| format!("{dataset} {}", topic.name()))
}
