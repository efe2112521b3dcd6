//! AggreFact's tables as in FENICE's paper (tables 3 and 4), and the datasets of the first.

use super::names::{Category, Origin};
use super::protocol::{Combination, Figures, MultiThreshold, Score, SingleThreshold};
use super::published;
use crate::benchmark::Column;
use crate::layout::{self, cells};
use crate::published::Beside;

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["AggreFact, a threshold per dataset: balanced accuracy in percent".to_owned()];
    lines.extend(multi_threshold(name, &figures.multi_threshold).lines());
    lines.push(String::new());
    lines.push("AggreFact-SOTA, one threshold per origin: balanced accuracy in percent".to_owned());
    lines.extend(single_threshold(name, &figures.single_threshold).lines());
    lines.push(String::new());
    lines.push(format!("The datasets of {name}"));
    lines.extend(datasets(&figures.multi_threshold));
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The cells in the columns of table 3.
pub(super) fn multi_threshold(name: &str, figures: &MultiThreshold) -> Beside {
    let (mut header, mut run) = (vec![String::new()], vec![name.to_owned()]);
    for origin in Origin::ALL {
        for category in Category::ALL {
            let cell = figures.cells.iter().find(|cell| (cell.origin, cell.category) == (origin, category));
            header.push(format!("{} {category}", origin.title()));
            run.push(shown(cell.map(|cell| cell.score)));
        }
    }
    header.push("AVG".to_owned());
    run.push(shown(figures.average));
    published::MULTI_THRESHOLD.under(vec![header, run])
}

/// The origins in the columns of table 4.
pub(super) fn single_threshold(name: &str, figures: &SingleThreshold) -> Beside {
    let (mut header, mut run) = (vec![String::new()], vec![name.to_owned()]);
    for column in single_threshold_columns(figures) {
        header.push(column.name);
        run.push(column.shown);
    }
    published::SINGLE_THRESHOLD.under(vec![header, run])
}

/// The origins and their average.
pub(super) fn single_threshold_columns(figures: &SingleThreshold) -> Vec<Column> {
    let of_origin = |origin: Origin| {
        let found = figures.origins.iter().find(|found| found.origin == origin);
        column(origin.title(), found.map(|found| found.score))
    };
    let average = column("AVG", figures.average);
    Origin::ALL.into_iter().map(of_origin).chain([average]).collect()
}

fn column(name: &str, score: Option<Score>) -> Column {
    let value = score.map(|score| score.balanced_accuracy);
    Column { name: name.to_owned(), value, shown: shown(score) }
}

fn shown(score: Option<Score>) -> String {
    let Some(score) = score else { return "-".into() };
    let half_width = score.half_width.map(|width| format!(" ±{:.1}", 100.0 * width)).unwrap_or_default();
    format!("{:.1}{half_width}", 100.0 * score.balanced_accuracy)
}

fn datasets(figures: &MultiThreshold) -> Vec<String> {
    let mut rows = vec![cells(["", "val rows", "test rows", "threshold", "balanced accuracy"])];
    for cell in &figures.cells {
        for Combination { dataset, val_rows, test_rows, threshold, score, .. } in &cell.datasets {
            rows.push(vec![
                called(cell.origin, cell.category, dataset.as_deref().unwrap_or_default()),
                val_rows.to_string(),
                test_rows.to_string(),
                format!("{threshold:.4}"),
                shown(Some(*score)),
            ]);
        }
    }
    for skipped in &figures.skipped {
        let name = called(skipped.origin, skipped.category, &skipped.dataset);
        let (val_rows, test_rows) = (skipped.val_rows.to_string(), skipped.test_rows.to_string());
        rows.push(vec![name, val_rows, test_rows, "-".into(), "skipped".into()]);
    }
    layout::lines(&rows)
}

fn called(origin: Origin, category: Category, dataset: &str) -> String {
    format!("{} {category} {dataset}", origin.title())
}
