//! Glyphs to lines: what stands on one baseline, cut into cells where a gap is wider than between words.

use super::geometry::Piece;

/// How far baselines of one line may be apart, in sizes: an exponent is raised by a third.
const SAME_LINE: f32 = 0.45;
/// The least gap between words, in sizes.
const WORD_GAP: f32 = 0.11;
/// The least gap between cells, in sizes; a program that writes the spaces between words may stretch them.
const CELL_GAP: f32 = 1.0;
const CELL_GAP_WITH_SPACE: f32 = 1.8;
/// How much lower than the row the first line of a cell may be, and how high a cell, in sizes.
const SAME_ROW: f32 = 0.8;
const MAX_CELL_HEIGHT: f32 = 6.0;
/// How far lines of a cell are apart at most, in sizes.
const MAX_LINE_DISTANCE: f32 = 1.5;
/// How far apart a glyph and its copy are that makes it bold, in sizes, and how many glyphs before it are compared.
const COPY_GAP: f32 = 0.12;
const COPY_WITHIN: usize = 200;

/// What is on one baseline.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// From left to right; never empty.
    pub(super) cells: Vec<Piece>,
    pub(super) baseline: f32,
    /// The baseline of its last line, if it is a row whose cells have several.
    pub(super) bottom: f32,
    pub(super) size: f32,
}

impl Line {
    pub(super) fn left(&self) -> f32 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    pub(super) fn right(&self) -> f32 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }

    /// Whether it is a line of the cell that a row begins with, whose next cell begins at `top`.
    fn is_cell_above(&self, row: &Self, top: f32) -> bool {
        let size = self.size.max(1.0);
        self.cells.len() == 1
            && self.cells[0].overlaps(&row.cells[0])
            && self.baseline <= top + SAME_ROW * size
            && (0.0..=MAX_LINE_DISTANCE * size).contains(&(self.bottom - row.baseline))
    }

    /// Adds a line whose first cell continues its last one.
    fn with_below(mut self, mut line: Self) -> Self {
        let below = line.cells.remove(0);
        if let Some(last) = self.cells.last_mut() {
            last.text = format!("{} {}", last.text, below.text);
            last.left = last.left.min(below.left);
            last.right = last.right.max(below.right);
        }
        self.cells.extend(line.cells);
        self.bottom = self.bottom.min(line.bottom);
        self
    }

    pub(super) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join("  ")
    }
}

/// Returns the lines of a page's glyphs, in the order of the glyphs.
pub(super) fn lines(glyphs: Vec<Piece>) -> Vec<Line> {
    let mut lines: Vec<Open> = Vec::new();
    for glyph in glyphs {
        match lines.last_mut().filter(|open| open.is_on(&glyph)) {
            Some(open) => open.push(glyph),
            None => {
                let mut open = Open { baseline: glyph.baseline, ..Open::default() };
                open.push(glyph);
                lines.push(open);
            }
        }
    }
    let mut rows = Vec::new();
    for line in lines.into_iter().filter_map(Open::close) {
        push_line(&mut rows, line);
    }
    rows
}

/// Adds a line to those before it. Programs write tables cell by cell: a line further right that is not below the last one, or that
/// continues its last cell, belongs to the same row.
fn push_line(rows: &mut Vec<Line>, line: Line) {
    let Some(mut row) = rows.pop() else { return rows.push(line) };
    let up = (line.baseline - row.bottom) / line.size.max(1.0);
    let is_one_cell = line.cells.len() == 1;
    let is_right = line.left() > row.right();
    if is_one_cell && is_right && (-SAME_ROW..=MAX_CELL_HEIGHT).contains(&up) {
        // The lines of the row's first cell came before it was known to be one.
        while row.cells.len() == 1
            && let Some(above) = rows.pop_if(|above| above.is_cell_above(&row, line.baseline))
        {
            row = above.with_below(row);
        }
        row.baseline = row.baseline.max(line.baseline);
        row.bottom = row.bottom.min(line.baseline);
        row.cells.extend(line.cells);
        rows.push(row);
        return;
    }
    let continues_last = row.cells.len() > 1
        && (0.0..=MAX_LINE_DISTANCE).contains(&-up)
        && line.cells[0].overlaps(&row.cells[row.cells.len() - 1])
        && line.left() > row.cells[row.cells.len() - 2].right;
    if continues_last {
        row = row.with_below(line);
        rows.push(row);
    } else {
        rows.extend([row, line]);
    }
}

/// A line that is being collected.
#[derive(Debug, Default)]
struct Open {
    cells: Vec<Piece>,
    baseline: f32,
    /// Its glyphs, to find copies.
    glyphs: Vec<(String, f32)>,
    /// The sizes of its glyphs, added up, and their baselines: a line is what most of it is, not what its bullet or an exponent is.
    sizes: f32,
    baselines: f32,
    /// Whether a space follows what there is.
    has_space: bool,
}

impl Open {
    fn is_on(&self, glyph: &Piece) -> bool {
        let size = self.cells.last().map_or(glyph.size, |cell| cell.size.max(glyph.size));
        (self.baseline - glyph.baseline).abs() <= SAME_LINE * size
    }

    fn push(&mut self, glyph: Piece) {
        if glyph.text.trim().is_empty() {
            self.has_space = true;
            return;
        }
        let is_copy = |(text, left): &(String, f32)| {
            *text == glyph.text && (left - glyph.left).abs() < COPY_GAP * glyph.size
        };
        if self.glyphs.iter().rev().take(COPY_WITHIN).any(is_copy) {
            return;
        }
        self.glyphs.push((glyph.text.clone(), glyph.left));
        self.sizes += glyph.size;
        self.baselines += glyph.baseline;
        let has_space = std::mem::take(&mut self.has_space);
        let Some(cell) = self.cells.last_mut() else {
            self.baseline = glyph.baseline;
            self.cells.push(glyph);
            return;
        };
        let gap = (glyph.left - cell.right) / cell.size.max(glyph.size).max(1.0);
        let cell_gap = if has_space { CELL_GAP_WITH_SPACE } else { CELL_GAP };
        if !(-cell_gap..cell_gap).contains(&gap) {
            self.cells.push(glyph);
            return;
        }
        if has_space || gap > WORD_GAP {
            cell.text.push(' ');
        }
        cell.text.push_str(&glyph.text);
        cell.right = cell.right.max(glyph.right);
        cell.size = cell.size.max(glyph.size);
    }

    fn close(mut self) -> Option<Line> {
        self.cells.sort_by(|one, other| one.left.total_cmp(&other.left));
        for cell in &mut self.cells {
            cell.text = plain(&cell.text);
        }
        if self.glyphs.is_empty() {
            return None;
        }
        let glyphs = self.glyphs.len() as f32;
        let (size, baseline) = (self.sizes / glyphs, self.baselines / glyphs);
        Some(Line { cells: self.cells, baseline, bottom: baseline, size })
    }
}

/// Returns a text with its ligatures as letters, and without the hyphens that are only shown at the end of a line.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬃ' => plain.push_str("ffi"),
            'ﬄ' => plain.push_str("ffl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            character if character.is_control() => {}
            character => plain.push(character),
        }
    }
    plain
}
