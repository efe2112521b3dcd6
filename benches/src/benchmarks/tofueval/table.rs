//! TofuEval's tables: sentences and summaries, each beside the paper's balanced accuracies, and the types of error.

use super::names::{DATASETS, TOPICS};
use crate::protocol::layout::{self, cells};
use crate::protocol::{Beside, Figures, PublishedTable, published};

/// The number of tables of factual consistency in the paper; two of its others are of relevance and completeness.
const CONSISTENCY: usize = 10;

/// The paper's tables of factual consistency.
pub(super) fn of_consistency() -> &'static [PublishedTable] {
    &published!("tofueval")[..CONSISTENCY]
}

/// The paper's tables of relevance and completeness.
pub(super) fn of_quality() -> &'static [PublishedTable] {
    &published!("tofueval")[CONSISTENCY..]
}

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["TofuEval: an inconsistent text is what is looked for; in percent".to_owned()];
    for level in figures["levels"].list() {
        lines.extend(of_level(level, figures["against"].text()));
        lines.push(String::new());
    }
    for table in
        of_consistency().iter().filter(|table| ["sentence", "summary"].contains(&table.table.as_str()))
    {
        let Some(beside) = beside_table(table, name, figures) else { continue };
        lines.extend(beside.lines());
        lines.push(String::new());
    }
    lines.extend(figures.warnings());
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn of_level(level: &Figures, against: &str) -> Vec<String> {
    let texts = if level["level"].text() == "sentence" { "sentences" } else { "summaries" };
    let mut lines = of_cells(texts, against, &level["cells"]);
    for found in level["thresholds"].list() {
        lines.push(format!("{}: called consistent above {}", part(found), found["threshold"].threshold()));
    }
    if let errors @ [_, ..] = level["errors"].list() {
        let header = ["errors found, of sentences with one type", "count", "recall"];
        let mut rows = layout::rows(&header, errors, &["error", "sentences", "recall"]);
        for (row, error) in rows.iter_mut().skip(1).zip(errors) {
            if error["topic"] != Figures::None {
                row[0] += &format!(", {}", error["topic"].text());
            }
        }
        lines.push(String::new());
        lines.extend(layout::lines(&rows));
    }
    if !level["summaries"].list().is_empty() {
        lines.push(String::new());
        lines.extend(of_cells("summaries by their sentences", against, &level["summaries"]));
    }
    lines
}

/// The fields of a cell and their headings.
const CELL: [(&str, &str); 5] = [
    ("texts", "count"),
    ("inconsistent", "inconsistent"),
    ("balanced_accuracy", "balanced accuracy"),
    ("false_positive_rate", "FPR"),
    ("false_negative_rate", "FNR"),
];

fn of_cells(title: &str, against: &str, found: &Figures) -> Vec<String> {
    let mut header = cells([title].into_iter().chain(CELL.map(|(_, heading)| heading)));
    if !against.is_empty() {
        header.extend([format!("less {against}"), "p".into()]);
    }
    let row = |cell: &Figures| {
        let mut row: Vec<String> =
            std::iter::once(part(cell)).chain(CELL.map(|(field, _)| cell[field].cell())).collect();
        if !against.is_empty() {
            let found = &cell["difference"];
            let p_value = found["p_value"].value().map_or_else(|| "-".into(), |p| format!("{p:.3}"));
            row.extend([found["difference"].cell(), p_value]);
        }
        row
    };
    layout::lines(&std::iter::once(header).chain(found.list().iter().map(row)).collect::<Vec<_>>())
}

/// Balanced accuracies and error rates in the columns of the paper's tables.
pub(super) fn beside(name: &str, figures: &Figures) -> Vec<Beside> {
    of_consistency().iter().filter_map(|table| beside_table(table, name, figures)).collect()
}

/// The figures that a published table is about; `None` if the run has none.
fn beside_table(table: &PublishedTable, name: &str, figures: &Figures) -> Option<Beside> {
    let field = match table.table.rsplit('_').next() {
        Some("fpr") => "false_positive_rate",
        Some("fnr") => "false_negative_rate",
        _ => "balanced_accuracy",
    };
    let level = |name| figures["levels"].find(&[("level", name)]);
    let of_sentences = (name.to_owned(), &level("sentence")["cells"]);
    let whole = (name.to_owned(), &level("summary")["cells"]);
    let by_sentences = (format!("{name}, by its sentences"), &level("sentence")["summaries"]);
    let rows = match table.table.as_str() {
        "sentence_errors" => return beside_errors(table, "sentence", figures),
        "summary_errors" => return beside_errors(table, "summary", figures),
        "summary_direct" => vec![whole],
        "summary_explained" => vec![by_sentences],
        other if other.starts_with("summary") => vec![whole, by_sentences],
        _ => vec![of_sentences],
    };
    let rows: Vec<(String, Vec<String>)> = rows
        .into_iter()
        .filter(|(_, cells)| **cells != Figures::None)
        .map(|(name, cells)| (name, in_paper(cells, "", |cell| cell[field].brief())))
        .collect();
    (!rows.is_empty()).then(|| table.beside(rows))
}

/// The shares of inconsistent texts of a level in the columns of table 2; `None` without texts.
fn beside_errors(table: &PublishedTable, level: &str, figures: &Figures) -> Option<Beside> {
    let share = |rate: &Figures| {
        let share = rate["inconsistent"].value().zip(rate["texts"].value());
        Figures::from(share.map(|(inconsistent, texts)| inconsistent / texts)).cell()
    };
    let rates = &figures["error_rates"];
    let own = in_paper(rates, level, share);
    let has_texts = rates.list().iter().any(|rate| rate["level"].text() == level);
    has_texts.then(|| table.beside([("all systems of these files".to_owned(), own)]))
}

/// A text for each of the paper's cells, of the figures of that corpus and kind of topic.
fn in_paper(found: &Figures, level: &str, of: impl Fn(&Figures) -> String) -> Vec<String> {
    let cells = DATASETS.iter().flat_map(|(dataset, _)| TOPICS.map(|topic| (*dataset, topic)));
    cells
        .map(|(dataset, topic)| of(found.find(&[("dataset", dataset), ("topic", topic), ("level", level)])))
        .collect()
}

fn part(of: &Figures) -> String {
    let names = [&of["dataset"], &of["topic"]].map(Figures::text);
    match names {
        ["", topic] => format!("all {topic}").trim_end().to_owned(),
        [dataset, topic] => format!("{dataset} {topic}").trim_end().to_owned(),
    }
}
