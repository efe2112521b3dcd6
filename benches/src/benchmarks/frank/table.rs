//! FRANK's tables: summaries with the other metrics, sentences, and each split in the columns of the published tables.

use super::error_type::TYPES;
use super::protocol::FACTUALITY;
use crate::protocol::{Beside, Deviation, Figures, PublishedTable, layout, published};

pub(super) fn tables() -> &'static [PublishedTable] {
    published!("frank")
}

pub(super) fn lines(name: &str, figures: &Figures, beside: &[Beside]) -> Vec<String> {
    let mut lines = vec!["FRANK: correlation with what people say of summaries, times 100".to_owned()];
    lines.extend(summaries(name, figures));
    if figures["parts"].list().iter().any(|part| part["sentences"] != Figures::None) {
        lines.push(String::new());
        lines.extend(sentences(figures));
    }
    lines.push(String::new());
    let tables: Vec<Vec<String>> = beside.iter().map(Beside::lines).collect();
    lines.extend(tables.join(&String::new()));
    lines.extend(figures.warnings());
    lines
}

/// Returns each split in the columns of the published tables for which it has figures.
pub(super) fn beside(name: &str, figures: &Figures) -> Vec<Beside> {
    let parts = figures["parts"].list();
    let named = |part: &Figures| format!("{name}, {}", part["part"].text());
    let mut faithfulness = tables()[0].beside(parts.iter().map(|part| {
        let of = ["pearson", "spearman", "system_spearman"].map(|field| &part[field]);
        let accuracy = &part["sentences"]["balanced_accuracy"];
        (named(part), of.into_iter().chain([accuracy]).map(Figures::brief))
    }));
    if figures["ratings"].text() == FACTUALITY {
        let what = "people's ratings are FRANK's `Factuality` of a summary, not the share of its sentences";
        let deviation = Deviation::of(&["Pearson", "Spearman", "system rank"], what);
        faithfulness.published.differs.insert(0, deviation);
    }
    let with_types: Vec<&Figures> =
        parts.iter().filter(|part| part["localisation"]["types"] != Figures::None).collect();
    let localisation = || {
        tables()[1].beside(with_types.iter().map(|part| {
            let found = &part["localisation"];
            let recall = |error: &str| found["types"].find(&[("type", error)])["recall"].cell();
            let recalls = TYPES.map(|(error, _)| recall(error)).into_iter();
            (named(part), recalls.chain([found["mean"].cell()]).collect::<Vec<_>>())
        }))
    };
    std::iter::once(faithfulness).chain((!with_types.is_empty()).then(localisation)).collect()
}

/// The columns for summaries: the heading and the field of each.
const SUMMARIES: [(&str, &str); 8] = [
    ("summaries", "summaries"),
    ("documents", "documents"),
    ("systems", "systems"),
    ("Pearson", "pearson"),
    ("Spearman", "spearman"),
    ("partial Pearson", "partial_pearson"),
    ("partial Spearman", "partial_spearman"),
    ("system rank", "system_spearman"),
];

fn summaries(name: &str, figures: &Figures) -> Vec<String> {
    let row = |name: String, of: &Figures| {
        std::iter::once(name).chain(SUMMARIES.map(|(_, field)| of[field].cell())).collect::<Vec<_>>()
    };
    let mut rows = vec![layout::cells(std::iter::once(name).chain(SUMMARIES.map(|(heading, _)| heading)))];
    let parts = figures["parts"].list();
    rows.extend(parts.iter().map(|part| row(part["part"].text().to_owned(), part)));
    for part in parts {
        for other in part["other_metrics"].list() {
            let mut cells = row(format!("{}: {}", part["part"].text(), other["metric"].text()), other);
            cells.push(other["williams_p"].threshold());
            rows.push(cells);
        }
    }
    if rows.iter().any(|row| row.len() > rows[0].len()) {
        rows[0].push("Williams p".into());
    }
    layout::lines(&rows)
}

fn sentences(figures: &Figures) -> Vec<String> {
    let mut rows = vec![layout::cells(["sentences", "count", "faithful", "balanced accuracy", "ROC AUC"])];
    for part in figures["parts"].list().iter().filter(|part| part["sentences"] != Figures::None) {
        let of = ["sentences", "faithful", "balanced_accuracy", "roc_auc"];
        let cells = of.map(|field| part["sentences"][field].cell());
        rows.push(std::iter::once(part["part"].text().to_owned()).chain(cells).collect());
    }
    let mut lines = layout::lines(&rows);
    if figures["threshold"] != Figures::None {
        lines.push(format!("a sentence is called faithful above {}", figures["threshold"].threshold()));
    }
    lines
}
