//! TofuEval's tables: sentences and summaries, each beside the paper's balanced accuracies, and the types of error.

use super::names::{Dataset, TopicKind};
use super::protocol::{Cell, ErrorRate, Figures, LevelFigures};
use super::published::TABLES;
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, PublishedTable};
use crate::text_level::TextLevel;

/// The figures of a cell.
const FIGURES: [&str; 3] = ["balanced accuracy", "FPR", "FNR"];

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["TofuEval: an inconsistent text is what is looked for; in percent".to_owned()];
    for level in &figures.levels {
        lines.extend(of_level(level, figures.against.as_deref()));
        lines.push(String::new());
    }
    for table in TABLES.iter().filter(|table| ["sentence", "summary"].contains(&table.table)) {
        let Some(beside) = beside_table(table, name, figures) else { continue };
        lines.extend(beside.lines());
        lines.push(String::new());
    }
    lines.extend(layout::warnings(&figures.warnings));
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn of_level(level: &LevelFigures, against: Option<&str>) -> Vec<String> {
    let texts = match level.level {
        TextLevel::Sentence => "sentences",
        TextLevel::Summary => "summaries",
    };
    let mut header = cells([texts, "count", "inconsistent"]);
    header.extend(FIGURES.map(str::to_owned));
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
    if !level.summaries.is_empty() {
        let mut rows = vec![cells(["summaries by their sentences", "count", "inconsistent"])];
        rows[0].extend(FIGURES.map(str::to_owned));
        rows.extend(level.summaries.iter().map(|cell| of_cell(cell, against.is_some())));
        lines.push(String::new());
        lines.extend(layout::lines(&rows));
    }
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

/// Balanced accuracies and error rates in the columns of the paper's tables.
pub(super) fn beside(name: &str, figures: &Figures) -> Vec<Beside> {
    TABLES.iter().filter_map(|table| beside_table(table, name, figures)).collect()
}

/// The shares of inconsistent texts of a level in the columns of table 2; `None` without texts.
fn beside_errors(table: &'static PublishedTable, level: TextLevel, figures: &Figures) -> Option<Beside> {
    let rates: Vec<&ErrorRate> = figures.error_rates.iter().filter(|rate| rate.level == level).collect();
    let own = in_paper(|dataset, topic| {
        let found = rates.iter().find(|rate| (rate.dataset, rate.topic) == (dataset, topic));
        layout::percent(found.and_then(|rate| rate.share()))
    });
    (!rates.is_empty()).then(|| table.beside([("all systems of these files".to_owned(), own)]))
}

/// The figures that a published table is about; `None` if the run has none.
fn beside_table(table: &'static PublishedTable, name: &str, figures: &Figures) -> Option<Beside> {
    let of: fn(&Cell) -> Option<Estimate> = match table.table.rsplit('_').next() {
        Some("fpr") => |cell| cell.false_positive_rate,
        Some("fnr") => |cell| cell.false_negative_rate,
        _ => |cell| cell.balanced_accuracy,
    };
    let level = |wanted| figures.levels.iter().find(move |level| level.level == wanted);
    let (sentences, summaries) = (level(TextLevel::Sentence), level(TextLevel::Summary));
    let by_sentences = sentences.map(|level| (format!("{name}, by its sentences"), &level.summaries));
    let [of_sentences, whole] =
        [sentences, summaries].map(|level| level.map(|level| (name.to_owned(), &level.cells)));
    let rows: Vec<(String, &Vec<Cell>)> = match table.table {
        "sentence_errors" => return beside_errors(table, TextLevel::Sentence, figures),
        "summary_errors" => return beside_errors(table, TextLevel::Summary, figures),
        "summary_direct" => whole.into_iter().collect(),
        "summary_explained" => by_sentences.into_iter().collect(),
        other if other.starts_with("summary") => whole.into_iter().chain(by_sentences).collect(),
        _ => of_sentences.into_iter().collect(),
    };
    let figures_of = |cells: &[Cell]| {
        in_paper(|dataset, topic| {
            let is_it = |cell: &&Cell| (cell.dataset, cell.topic) == (Some(dataset), Some(topic));
            layout::value(cells.iter().find(is_it).and_then(of))
        })
    };
    (!rows.is_empty()).then(|| table.beside(rows.into_iter().map(|(name, cells)| (name, figures_of(cells)))))
}

/// A text for each of the paper's cells.
fn in_paper(of: impl Fn(Dataset, TopicKind) -> String) -> Vec<String> {
    let cells = Dataset::ALL.into_iter().flat_map(|dataset| TopicKind::ALL.map(|topic| (dataset, topic)));
    cells.map(|(dataset, topic)| of(dataset, topic)).collect()
}

/// The name of a corpus and kind of topic.
fn part(dataset: Option<Dataset>, topic: Option<TopicKind>) -> String {
    let dataset = dataset.map_or("all", Dataset::name);
    topic.map_or_else(|| dataset.to_owned(), |topic| format!("{dataset} {topic}"))
}
