//! Formats cells as lines of text: the first column flush left, the others flush right, two spaces between columns.

use super::figures::Figures;

pub(crate) fn lines(rows: &[Vec<String>]) -> Vec<String> {
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

pub(crate) fn cells<'c>(cells: impl IntoIterator<Item = &'c str>) -> Vec<String> {
    cells.into_iter().map(str::to_owned).collect()
}

/// Returns a header and one row per figure, with the cells of these `fields`.
pub(crate) fn rows(header: &[&str], figures: &[Figures], fields: &[&str]) -> Vec<Vec<String>> {
    let cell = |figures: &Figures, name: &str| match name {
        "threshold" => figures[name].threshold(),
        _ => figures[name].cell(),
    };
    let row = |figures: &Figures| fields.iter().map(|name| cell(figures, name)).collect();
    std::iter::once(cells(header.iter().copied())).chain(figures.iter().map(row)).collect()
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
