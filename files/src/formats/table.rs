//! A table of a document, as Markdown. Every row says everything that holds for it: a cell that spans rows is repeated in each, and
//! one that spans columns in each of them, unless it is the first of its row, which is a label.

use crate::formats::block::Block;
use crate::limits::MAX_CHARACTERS;

/// The most columns of a table; cells that would span more are cut.
const MAX_COLUMNS: usize = 256;
/// How long the text of a table gets. No document may be as long, so what exceeds it is refused later.
const MAX_BYTES: usize = 5 * MAX_CHARACTERS;

/// A cell of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) blocks: Vec<Block>,
    /// How many further columns it spans.
    pub(crate) further_columns: usize,
    /// How many further rows it spans.
    pub(crate) further_rows: usize,
    /// Whether it continues the cell above it.
    pub(crate) continues: bool,
}

/// Rows of cells, in order.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
}

/// What a column holds from the rows above.
#[derive(Debug, Clone, Default)]
struct Above {
    text: String,
    further_rows: usize,
}

impl Table {
    pub(crate) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(crate) fn begin_cell(&mut self, cell: Cell) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        self.rows.last_mut().expect("a row was begun").push(cell);
    }

    /// The cell that text goes to; there is none before the first row, where a caption is.
    pub(crate) fn open_cell(&mut self) -> Option<&mut Cell> {
        self.rows.last_mut()?.last_mut()
    }

    /// Whether it only places blocks on a page: it has one row, or one column.
    pub(crate) fn is_layout(&self) -> bool {
        let filled = |row: &&Vec<Cell>| row.iter().any(|cell| !cell.blocks.is_empty());
        self.rows.iter().filter(filled).count() < 2 || self.rows.iter().all(|row| row.len() < 2)
    }

    pub(crate) fn into_blocks(self) -> impl Iterator<Item = Block> {
        self.rows.into_iter().flatten().flat_map(|cell| cell.blocks)
    }

    /// Returns the table as Markdown, whose first row is its head.
    pub(crate) fn markdown(&self) -> String {
        let mut above = Vec::new();
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut bytes = 0;
        for row in &self.rows {
            let texts = filled(row, &mut above);
            bytes += texts.iter().map(|text| text.len() + 3).sum::<usize>();
            if texts.iter().any(|text| !text.is_empty()) {
                rows.push(texts);
            }
            if bytes > MAX_BYTES {
                break;
            }
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut lines = Vec::with_capacity(rows.len() + 1);
        for row in &mut rows {
            row.resize(width, String::new());
            lines.push(format!("| {} |", row.join(" | ")));
        }
        lines.insert(1.min(lines.len()), format!("|{}", " --- |".repeat(width)));
        lines.join("\n")
    }
}

/// Returns the texts of a row's columns; `above` is what its columns have from the rows before.
fn filled(row: &[Cell], above: &mut Vec<Above>) -> Vec<String> {
    let mut texts = Vec::new();
    let mut cells = row.iter().enumerate();
    while texts.len() < MAX_COLUMNS {
        let column = texts.len();
        if let Some(spanning) = above.get_mut(column).filter(|spanning| spanning.further_rows > 0) {
            spanning.further_rows -= 1;
            texts.push(spanning.text.clone());
            continue;
        }
        let Some((number, cell)) = cells.next() else {
            // Cells of rows above may still span this one further right.
            let Some(later) = above.iter().skip(column).position(|spanning| spanning.further_rows > 0) else {
                break;
            };
            texts.resize(column + later, String::new());
            continue;
        };
        let text = match above.get(column).filter(|_| cell.continues) {
            Some(spanning) => spanning.text.clone(),
            None => cell.text(),
        };
        for further in 0..=cell.further_columns.min(MAX_COLUMNS - column - 1) {
            let is_rest_of_label = number == 0 && further > 0;
            let text = if is_rest_of_label { String::new() } else { text.clone() };
            if above.len() <= column + further {
                above.resize_with(column + further + 1, Above::default);
            }
            above[column + further] = Above { text: text.clone(), further_rows: cell.further_rows };
            texts.push(text);
        }
    }
    texts
}

impl Cell {
    /// Its text in one line.
    fn text(&self) -> String {
        let texts = self.blocks.iter().map(|block| block.text.replace('|', r"\|").replace('\n', " "));
        texts.collect::<Vec<_>>().join(" ")
    }
}
