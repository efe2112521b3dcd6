//! Tables: Markdown and other lines with bars, columns set by spaces or tabs, CSV with commas or semicolons.
//!
//! A passage is a row, read with the headers said again: "Region Iberia: Q1 5.3, Q2 6.9". Cells are never joined. Refuses
//! lines without a header, with one column, or with another number of cells in every line, such as prose with commas, and
//! lines that a program numbered.

use std::ops::Range;

use super::lines::{lines, trimmed as trimmed_line};
use super::passage::{Form, Passage, Reading};

/// Minimum number of lines: a header and two rows.
const MIN_LINES: usize = 3;

/// Of the lines of a table without bars, one in this many may have another number of cells than its header.
const ONE_RAGGED_OF: usize = 4;

/// Maximum characters of a header's cell.
const MAX_HEADER: usize = 60;

/// A cell, in bytes of the text.
type Cell = Range<usize>;

/// A line of a table.
struct Row {
    /// Its cells with their columns, without those that are empty.
    cells: Vec<(usize, Cell)>,
    line: Range<usize>,
}

/// How the cells of a line are separated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// `|` or a box-drawing bar, which may also begin and end the line.
    Bar,
    /// A comma, semicolon or tab; a cell may be in double quotes.
    Character(char),
    /// Two spaces or more.
    Spaces,
}

/// Finds the tables of a text.
pub(super) fn read(text: &str) -> Vec<Reading> {
    let lines: Vec<Range<usize>> = lines(text);
    let mut found = Vec::new();
    let mut first = 0;
    while first < lines.len() {
        let mut longest = 0;
        match table_at(text, &lines[first..], &mut longest) {
            Some((table, length)) => {
                found.push(table);
                first += length;
            }
            // Half of what was read for nothing, so that the time is linear.
            None => first += (longest / 2).max(1),
        }
    }
    found
}

/// The table that begins at the first of these lines, and how many of them it takes. `longest` becomes how many lines were
/// read.
fn table_at(text: &str, lines: &[Range<usize>], longest: &mut usize) -> Option<(Reading, usize)> {
    let separators = [
        Separator::Bar,
        Separator::Character('\t'),
        Separator::Character(';'),
        Separator::Character(','),
        Separator::Spaces,
    ];
    separators.into_iter().find_map(|separator| {
        let header = separator.split(text, lines.first()?);
        is_header(text, &header, separator).then_some(())?;
        let mut rows = Vec::new();
        let (mut length, mut is_ruled) = (1, false);
        for line in &lines[1..] {
            if is_rule(&text[line.clone()]) {
                is_ruled = true;
            } else {
                let cells = separator.split(text, line);
                if !separator.belongs(&cells, header.len()) {
                    break;
                }
                rows.push(Row::new(text, separator, &header, cells, line.clone()));
            }
            length += 1;
        }
        *longest = length.max(*longest);
        let least = if is_ruled { MIN_LINES - 2 } else { MIN_LINES - 1 };
        let is_numbered = !is_ruled && are_numbered(text, &header, &rows);
        if rows.len() < least || is_numbered || !separator.is_table(text, &header, &rows) {
            return None;
        }
        let place = lines[0].start..lines[length - 1].end;
        Some((reading(text, &header, &rows, place)?, length))
    })
}

/// Whether a line can be a header: short cells with words.
fn is_header(text: &str, cells: &[Cell], separator: Separator) -> bool {
    let cells = cells.iter().map(|cell| &text[cell.clone()]);
    let is_short =
        |cell: &str| cell.chars().count() <= MAX_HEADER && !cell.ends_with(['.', '!', '?', ':', ',']);
    let most_words = if separator == Separator::Character(',') { 4 } else { 8 };
    cells.clone().filter(|cell| !cell.is_empty()).count() >= 2
        && cells.clone().any(|cell| cell.contains(char::is_alphabetic))
        && cells.clone().all(|cell| is_short(cell) && cell.split_whitespace().count() <= most_words)
}

/// Whether these lines are numbered, the first one too, as `cat -n` does.
fn are_numbered(text: &str, header: &[Cell], rows: &[Row]) -> bool {
    let is_number = |cell: &Cell| text[cell.clone()].parse::<u32>().is_ok();
    header.first().is_some_and(is_number)
        && rows
            .iter()
            .all(|row| row.cells.first().is_some_and(|(column, cell)| *column == 0 && is_number(cell)))
}

/// Whether a line only draws: "|---|:-:|", "+----+", "=====  ====".
fn is_rule(line: &str) -> bool {
    let strokes = line.chars().filter(|c| matches!(c, '-' | '=' | '─' | '━' | '═' | '_')).count();
    strokes >= 2 && line.chars().all(|c| c.is_whitespace() || "-=_+|:─━═│┃║┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╪╞╡".contains(c))
}

impl Separator {
    /// The cells of a line, among them empty ones.
    fn split(self, text: &str, line: &Range<usize>) -> Vec<Cell> {
        let inside = &text[line.clone()];
        let mut cells = match self {
            Self::Bar => {
                let bars = |c: char| matches!(c, '|' | '│' | '┃' | '║');
                let mut parts: Vec<&str> = inside.split(bars).collect();
                if parts.len() < 2 {
                    return Vec::new();
                }
                if parts.last().is_some_and(|part| part.trim().is_empty()) {
                    parts.pop();
                }
                if parts.first().is_some_and(|part| part.trim().is_empty()) {
                    parts.remove(0);
                }
                parts
            }
            Self::Character(separator) => quoted_cells(inside, separator),
            Self::Spaces => inside.split("  ").filter(|part| !part.trim().is_empty()).collect(),
        };
        if self == Self::Spaces && inside.contains('\t') {
            cells.clear();
        }
        cells.into_iter().map(|cell| trimmed(text, cell)).collect()
    }

    /// Whether cells can be a row below a header of this many.
    fn belongs(self, cells: &[Cell], columns: usize) -> bool {
        match self {
            Self::Bar => !cells.is_empty(),
            Self::Character(_) => cells.len() == columns,
            Self::Spaces => !cells.is_empty() && cells.len() <= columns + 1,
        }
    }

    /// Whether lines that could be a table are one.
    fn is_table(self, text: &str, header: &[Cell], rows: &[Row]) -> bool {
        let cells = || rows.iter().flat_map(|row| &row.cells).map(|(_, cell)| &text[cell.clone()]);
        let is_value = |cell: &str| cell.contains(|c: char| c.is_ascii_digit());
        let ragged = rows.iter().filter(|row| row.cells.len() != header.len()).count();
        let sentences = cells().filter(|cell| cell.ends_with(['.', '!', '?'])).count();
        match self {
            Self::Bar | Self::Character('\t') => true,
            Self::Character(';') => header.len() > 2 || cells().any(is_value),
            Self::Character(_) => {
                // Lines of prose may have as many commas each; rows of values have a column of numbers or capitals.
                let is_value = |cell: &str| is_value(cell) || cell.starts_with(char::is_uppercase);
                let column = |column| {
                    let mut below =
                        rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.0 == column).peekable();
                    below.peek().is_some() && below.all(|(_, cell)| is_value(&text[cell.clone()]))
                };
                sentences * 4 <= cells().count() && (1..header.len()).any(column)
            }
            Self::Spaces => {
                sentences * 4 <= cells().count() && ragged * ONE_RAGGED_OF <= rows.len() * (ONE_RAGGED_OF - 1)
            }
        }
    }
}

/// The cells of a line of CSV. A cell in double quotes may contain the separator.
fn quoted_cells(line: &str, separator: char) -> Vec<&str> {
    let (mut cells, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if c == separator && !is_quoted => {
                cells.push(&line[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    cells.push(&line[start..]);
    cells
}

/// A cell without the white space, quotes and marks of emphasis around it.
fn trimmed(text: &str, cell: &str) -> Cell {
    let cell = cell.trim();
    let quoted = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    let cell = quoted.unwrap_or(cell).trim_matches(['*', '`']).trim();
    let start = cell.as_ptr() as usize - text.as_ptr() as usize;
    start..start + cell.len()
}

impl Row {
    fn new(text: &str, separator: Separator, header: &[Cell], cells: Vec<Cell>, line: Range<usize>) -> Self {
        let column = |place: usize, cell: &Cell| {
            if separator == Separator::Spaces && cells.len() != header.len() {
                column_at(text, header, cell)
            } else {
                place
            }
        };
        let cells = cells.iter().enumerate().map(|(place, cell)| (column(place, cell), cell.clone()));
        Self { cells: cells.filter(|(_, cell)| !cell.is_empty()).collect(), line }
    }
}

/// The column of a header that a cell stands below: the nearest by its middle.
fn column_at(text: &str, header: &[Cell], cell: &Cell) -> usize {
    let middle = |cell: &Cell| {
        let line = text[..cell.start].rfind('\n').map_or(0, |end| end + 1);
        2 * text[line..cell.start].chars().count() + text[cell.clone()].chars().count()
    };
    let place = middle(cell);
    let distance = |(_, above): &(usize, &Cell)| middle(above).abs_diff(place);
    header.iter().enumerate().min_by_key(distance).map_or(0, |(column, _)| column)
}

/// The rows of a table as passages; `None` if its header is too long to be said again. `place`: the lines of the table.
fn reading(text: &str, header: &[Cell], rows: &[Row], place: Range<usize>) -> Option<Reading> {
    let title = |column: usize| {
        let title = header.get(column).map_or("", |cell| &text[cell.clone()]);
        if title.is_empty() { String::new() } else { format!("{title}: ") }
    };
    let mut reading = Reading::default();
    let mut cursor = place.start;
    let first_line = text[place.clone()].lines().next().map_or(0, str::len);
    let head = place.start..place.start + first_line;
    for (number, row) in (1..).zip(rows) {
        let (Some((column, first)), Some((_, last))) = (row.cells.first(), row.cells.last()) else {
            continue;
        };
        let label = title(*column);
        let break_before = if number > 1 { "\n" } else { "" };
        reading.replace(text, cursor..first.start, format!("{break_before}{label}"))?;
        for pair in row.cells.windows(2) {
            let [(_, before), (column, after)] = pair else { continue };
            reading.replace(text, before.end..after.start, format!("; {}", title(*column)))?;
        }
        cursor = last.end;
        reading.passages.push(Passage {
            name: Some(text[first.clone()].to_owned()),
            label,
            header: Some(head.clone()),
            shown: Some(trimmed_line(text, &row.line)),
            ..Passage::whole(Form::Table, number, first.start..last.end)
        });
    }
    reading.replace(text, cursor..place.end, String::new())?;
    Some(reading)
}

#[cfg(test)]
mod tests {
    fn rows(text: &str) -> Vec<String> {
        super::read(text).iter().flat_map(|table| table.read(text)).collect()
    }

    #[test]
    fn a_row_is_read_with_its_headers() {
        let tables = [
            "| Region | Q1 | Q2 |\n|--------|---:|---:|\n| Iberia | 5.3 | **6.9** |\n| Benelux | | 1,204 |\n",
            "Region;Q1;Q2\nIberia;5.3;6.9\nBenelux;;1,204\n",
            "Region,Q1,Q2\r\nIberia,5.3,6.9\r\nBenelux,,\"1,204\"\r\n",
            "Region\tQ1\tQ2\nIberia\t5.3\t6.9\nBenelux\t\t1,204",
            "Region      Q1      Q2\n-------  -----  ------\nIberia     5.3     6.9\nBenelux          1,204\n",
            "+---------+-----+-------+\n| Region  | Q1  | Q2    |\n+---------+-----+-------+\n| Iberia  | 5.3 | 6.9   |\n| Benelux |     | 1,204 |\n+---------+-----+-------+\n",
        ];
        for table in tables {
            let expected = ["Region: Iberia; Q1: 5.3; Q2: 6.9", "Region: Benelux; Q2: 1,204"];
            assert_eq!(rows(table), expected, "{table}");
        }
    }

    #[test]
    fn prose_around_a_table_is_not_of_it() {
        let text = "We had two tides, high and low.\n\n| Day | Tide |\n|---|---|\n| Mon | 3 m |\n\nThat was it, then.\n";
        assert_eq!(rows(text), ["Day: Mon; Tide: 3 m"]);
        let [table] = &super::read(text)[..] else { panic!() };
        assert_eq!(&text[table.passages[0].header.clone().unwrap()], "| Day | Tide |");
    }

    #[test]
    fn lines_with_commas_or_wide_spaces_are_prose() {
        for text in [
            "Roses are red, violets are blue,\nsugar is sweet, and so are you,\nand that, my dear, is true.",
            "Dear Anna,\nI came, I saw,\nyours, Ben",
            "He came.  She left.\nThey met.  It rained.\nThe end.  No more.",
            "One line | with a bar",
            "   41\tfn open() {\n   42\t    wait();\n   43\t}",
        ] {
            assert_eq!(rows(text), [""; 0], "{text}");
        }
    }
}
