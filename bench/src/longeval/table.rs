//! LongEval's tables: each corpus with its intervals, and a line for each list of scores beside the paper's.

use super::grid::{Choice, Grid};
use super::{Dataset, DatasetFigures, Dimension, Figures, tables};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, PublishedTable};

/// The rows of a grid that the paper's table 2 has.
const PICKED: [&str; 3] = ["whole documents", "best extract of each", "best within 1,024 tokens"];

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
    lines.extend(beside(&tables(figures.dimension)[0], [(name, figures)]).lines());
    lines.extend(figures.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines
}

/// The settings of a grid beside the paper's, what the paper would pick of them, and the costs of that.
#[must_use]
pub fn grid_lines(grid: &Grid) -> Vec<String> {
    let mut lines = vec![title(grid.dimension)];
    for table in beside_grid(grid) {
        lines.extend(table.lines());
        lines.push(String::new());
    }
    for Choice { dataset, best, within_1024 } in &grid.choices {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "none".to_owned());
        let (best, within) = (name(best), name(within_1024));
        lines.push(format!("{}: best extract {best}, within 1,024 tokens {within}", dataset.name()));
    }
    for setting in &grid.settings {
        let name = &setting.name;
        lines.extend(setting.figures.warnings.iter().map(|warning| format!("warning: {name}: {warning}")));
    }
    lines
}

/// The settings of a grid in the columns of table 3, those that the paper would pick in the columns of table 2, and their
/// costs.
#[must_use]
pub fn beside_grid(grid: &Grid) -> Vec<Beside> {
    let [table_2, costs, table_3] = tables(grid.dimension) else { return Vec::new() };
    let settings = grid.settings.iter().map(|setting| (setting.name.as_str(), &setting.figures));
    let whole =
        grid.settings.iter().find(|setting| setting.budget.is_none()).map(|whole| whole.name.as_str());
    let picked = |row: usize, dataset: Dataset| {
        let choice = grid.choices.iter().find(|choice| choice.dataset == dataset);
        let names = [
            whole,
            choice.and_then(|choice| choice.best.as_deref()),
            choice.and_then(|choice| choice.within_1024.as_deref()),
        ];
        grid.setting(names[row]?)
    };
    let rows = || PICKED.into_iter().enumerate();
    let correlations = rows().map(|(row, name)| {
        let of = |dataset: &Dataset| {
            correlations(picked(row, *dataset).and_then(|setting| of_dataset(&setting.figures, *dataset)))
        };
        (name.to_owned(), datasets(table_2, 2).iter().flat_map(of).collect::<Vec<_>>())
    });
    let cents = rows().map(|(row, name)| {
        let of = |dataset: &Dataset| {
            let costs = picked(row, *dataset).map(|setting| setting.costs.as_slice()).unwrap_or_default();
            let cost = costs.iter().find(|cost| cost.dataset == *dataset);
            cost.map_or_else(|| "-".into(), |cost| format!("{:.1}", cost.cents))
        };
        (name.to_owned(), datasets(costs, 1).iter().map(of).collect::<Vec<_>>())
    });
    vec![beside(table_3, settings), table_2.beside(correlations), costs.beside(cents)]
}

fn title(dimension: Dimension) -> String {
    format!("LongEval: correlation with people's {dimension}, times 100")
}

/// Figures without intervals in the paper's columns; a dash for a corpus without rows.
pub(super) fn beside<'f>(
    published: &PublishedTable,
    lists: impl IntoIterator<Item = (&'f str, &'f Figures)>,
) -> Beside {
    published.beside(lists.into_iter().map(|(name, figures)| {
        let of = |dataset: &Dataset| correlations(of_dataset(figures, *dataset));
        (name.to_owned(), datasets(published, 2).iter().flat_map(of).collect::<Vec<_>>())
    }))
}

/// The corpora of a table with so many columns for each.
fn datasets(published: &PublishedTable, columns: usize) -> &'static [Dataset] {
    &Dataset::ALL[..published.columns.len() / columns]
}

fn of_dataset(figures: &Figures, dataset: Dataset) -> Option<&DatasetFigures> {
    figures.datasets.iter().find(|found| found.dataset == dataset)
}

fn correlations(found: Option<&DatasetFigures>) -> [String; 2] {
    [found.and_then(|found| found.pearson), found.and_then(|found| found.spearman)]
        .map(|found| crate::figures::Figures::from(found).brief())
}
