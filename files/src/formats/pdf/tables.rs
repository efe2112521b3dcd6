//! Rows of cells under each other, as a table of Markdown.

use super::layout::Line;

/// How far rows of a table are apart at most, in sizes.
const ROW_DISTANCE: f32 = 4.0;

/// Returns how many lines at the start of `lines` are rows of one table.
pub(super) fn rows_at(lines: &[Line]) -> usize {
    let mut rows = 0;
    for (number, line) in lines.iter().enumerate() {
        let down = number.checked_sub(1).map_or(0.0, |before| lines[before].bottom - line.baseline);
        if line.cells.len() < 2 || !(0.0..=ROW_DISTANCE * line.size).contains(&down) {
            break;
        }
        rows += 1;
    }
    rows
}

/// Returns rows as a table; `None` if there are too few, or if their cells are not under each other.
pub(super) fn table(rows: &[Line]) -> Option<String> {
    if rows.len() < 2 {
        return None;
    }
    let columns = columns(rows);
    let width = columns.len();
    if width < 2 {
        return None;
    }
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for row in rows {
        let mut texts = vec![String::new(); width];
        for cell in &row.cells {
            let column =
                columns.iter().position(|column| cell.left < column.right && cell.right > column.left);
            let text = &mut texts[column.unwrap_or(width - 1)];
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&cell.text.replace('|', r"\|"));
        }
        lines.push(format!("| {} |", texts.join(" | ")));
    }
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    Some(lines.join("\n"))
}

/// Where a column is.
struct Column {
    left: f32,
    right: f32,
}

/// Returns the columns: what overlaps from left to right is one.
fn columns(rows: &[Line]) -> Vec<Column> {
    let mut cells: Vec<Column> = rows
        .iter()
        .flat_map(|row| &row.cells)
        .map(|cell| Column { left: cell.left, right: cell.right.max(cell.left + 1.0) })
        .collect();
    cells.sort_by(|one, other| one.left.total_cmp(&other.left));
    let mut columns: Vec<Column> = Vec::new();
    for cell in cells {
        match columns.last_mut().filter(|column| cell.left < column.right) {
            Some(column) => column.right = column.right.max(cell.right),
            None => columns.push(cell),
        }
    }
    columns
}
