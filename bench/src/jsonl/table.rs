//! The figures of a labelled file in percent, a line each, and its groups.

use super::protocol::{Figures, Group};
use crate::benchmark::Column;
use crate::decide::SPLITS;
use crate::estimate::{Estimate, Interval};
use crate::layout::{self, cells, percent};

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

/// The columns of a comparison.
pub(super) fn columns(figures: &Figures) -> [Column; 3] {
    let column = |name: &str, value: f64, interval: Option<Interval>| {
        Column::of(name, Some(Estimate::within(value, interval)))
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
    let splits: Vec<String> = figures.splits.iter().map(|split| percent(Some(*split))).collect();
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
            percent(*roc_auc),
            percent(*average_precision),
            percent(*balanced_accuracy),
        ]);
    }
    if let Some(means) = figures.group_means {
        let (auc, accuracy) = (percent(means.roc_auc), percent(means.balanced_accuracy));
        rows.push(cells(["mean", "", "", &auc, "", &accuracy]));
    }
    layout::lines(&rows)
}
