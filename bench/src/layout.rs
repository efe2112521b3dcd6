//! Cells to lines of text: the first column flush left, the others flush right, two spaces between columns.

use super::estimate::Estimate;

/// The lines of a table.
pub(super) fn lines(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A row of cells.
pub(super) fn cells<'c>(cells: impl IntoIterator<Item = &'c str>) -> Vec<String> {
    cells.into_iter().map(str::to_owned).collect()
}

/// A share in percent, or a dash.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".into(), |share| format!("{:.1}", 100.0 * share))
}

/// An estimate without its interval in percent, or a dash.
pub(super) fn value(estimate: Option<Estimate>) -> String {
    percent(estimate.map(|estimate| estimate.value))
}

/// The warnings of a run as lines.
pub(super) fn warnings(warnings: &[String]) -> impl Iterator<Item = String> {
    warnings.iter().map(|warning| format!("warning: {warning}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [cells(["", "CNN", "XSum"]), cells(["this run", "7.5", "é"]), cells(["x", "70.5"])];
        assert_eq!(lines(&rows), ["           CNN  XSum", "this run   7.5     é", "x         70.5"]);
        assert!(lines(&[]).is_empty());
    }
}
