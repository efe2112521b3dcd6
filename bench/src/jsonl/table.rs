//! The figures of a labelled file in percent, as all tables of benchmarks and comparisons have them: a line each, and its
//! groups.

use super::SPLITS;
use super::protocol::{Figures, Group, Interval};
use crate::benchmark::Column;
use crate::layout::{self, cells};
use crate::sampled::Estimate;

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let [roc_auc, average_precision, balanced_accuracy] = columns(figures).map(|column| column.shown);
    let accuracy = format!("{balanced_accuracy} ({})", tuned_by(figures));
    let mut lines = vec![
        format!("scores             {name}"),
        format!("rows               {} ({} consistent)", figures.rows, figures.consistent),
        format!("documents          {}", figures.documents),
        format!("ROC AUC            {roc_auc}"),
        format!("average precision  {average_precision}"),
        format!("balanced accuracy  {accuracy}"),
    ];
    if !figures.groups.is_empty() {
        lines.push(String::new());
        lines.extend(groups(figures));
    }
    lines.extend([String::new(), "In percent, with 95% intervals.".to_owned()]);
    lines
}

/// What a comparison shows.
pub(super) fn columns(figures: &Figures) -> [Column; 3] {
    let column = |name: &str, value: f64, interval: Option<Interval>| {
        let [low, high] = interval.map_or([None; 2], |ends| ends.map(Some));
        Column { name: name.to_owned(), value: Some(value), shown: Estimate { value, low, high }.percent() }
    };
    let intervals = &figures.intervals;
    [
        column("ROC AUC", figures.roc_auc, intervals.roc_auc),
        column("average precision", figures.average_precision, intervals.average_precision),
        column("balanced accuracy", figures.balanced_accuracy, intervals.balanced_accuracy),
    ]
}

fn tuned_by(figures: &Figures) -> String {
    if let Some(threshold) = figures.threshold {
        return format!("threshold {threshold:.4} from {} val rows", figures.val_rows);
    }
    let splits: Vec<String> = figures.splits.iter().map(|split| percent(*split)).collect();
    format!(
        "threshold from the other half of the documents, {} of {SPLITS} splits: {}",
        splits.len(),
        splits.join(", ")
    )
}

fn groups(figures: &Figures) -> Vec<String> {
    let mut rows =
        vec![cells(["group", "rows", "consistent", "ROC AUC", "average precision", "balanced accuracy"])];
    for Group { group, rows: count, consistent, roc_auc, average_precision, balanced_accuracy } in
        &figures.groups
    {
        rows.push(vec![
            group.clone(),
            count.to_string(),
            consistent.to_string(),
            shown(*roc_auc),
            shown(*average_precision),
            shown(*balanced_accuracy),
        ]);
    }
    if let Some(means) = figures.group_means {
        let accuracy = shown(means.balanced_accuracy);
        rows.push(vec![
            "mean".into(),
            String::new(),
            String::new(),
            shown(means.roc_auc),
            String::new(),
            accuracy,
        ]);
    }
    layout::lines(&rows)
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".into(), percent)
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
