//! The cells of a table's row (RFC 4180), read line by line, since a quoted cell may contain line ends. A quote inside an
//! unquoted cell is literal text. Refuses text after a closing quote, which readers of tables interpret differently.

/// The cells of one row.
pub(super) struct Cells {
    delimiter: u8,
    /// All cells, concatenated.
    text: Vec<u8>,
    /// The end of each cell.
    ends: Vec<usize>,
    /// Whether the last line ended inside quotes.
    is_open: bool,
}

/// The state after a cell.
enum Cell<'l> {
    /// Another cell follows, in these bytes.
    Ended(&'l [u8]),
    /// The row has ended.
    Last,
    /// The quotes are still open.
    Open,
}

impl Cells {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, text: Vec::new(), ends: Vec::new(), is_open: false }
    }

    /// Begins a row.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.is_open = false;
    }

    /// Whether the row continues in the next line.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the number of bytes in the cells.
    pub(super) fn byte_count(&self) -> usize {
        self.text.len()
    }

    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut begin, end)..end])
    }

    /// Reads the row's next line, including its line end.
    pub(super) fn read(&mut self, line: &[u8]) -> Result<(), String> {
        let mut cell = if self.is_open { self.quoted(line)? } else { self.cell(line)? };
        while let Cell::Ended(rest) = cell {
            cell = self.cell(rest)?;
        }
        self.is_open = matches!(cell, Cell::Open);
        Ok(())
    }

    fn cell<'l>(&mut self, rest: &'l [u8]) -> Result<Cell<'l>, String> {
        if let Some(rest) = rest.strip_prefix(b"\"") {
            return self.quoted(rest);
        }
        let (cell, next) = match find(self.delimiter, rest) {
            Some(length) => (&rest[..length], Cell::Ended(&rest[length + 1..])),
            None => (without_end(rest), Cell::Last),
        };
        self.text.extend_from_slice(cell);
        self.ends.push(self.text.len());
        Ok(next)
    }

    /// Continues inside quotes.
    fn quoted<'l>(&mut self, mut rest: &'l [u8]) -> Result<Cell<'l>, String> {
        while let Some(length) = find(b'"', rest) {
            self.text.extend_from_slice(&rest[..length]);
            rest = &rest[length + 1..];
            if let Some(after) = rest.strip_prefix(b"\"") {
                self.text.push(b'"');
                rest = after;
                continue;
            }
            self.ends.push(self.text.len());
            return match rest.split_first() {
                Some((byte, after)) if *byte == self.delimiter => Ok(Cell::Ended(after)),
                _ if without_end(rest).is_empty() => Ok(Cell::Last),
                _ => Err(format!(
                    "has text after the closing quote of cell {}: double the quotes inside a quoted cell",
                    self.ends.len()
                )),
            };
        }
        self.text.extend_from_slice(rest);
        Ok(Cell::Open)
    }
}

fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|other| *other == byte)
}

/// Returns a line without its line end.
pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Result<(Vec<String>, bool), String> {
        let mut cells = Cells::new(b',');
        for line in text.split_inclusive('\n') {
            cells.read(line.as_bytes())?;
        }
        let texts = cells.iter().map(|cell| String::from_utf8(cell.to_vec()).unwrap()).collect();
        Ok((texts, cells.is_open()))
    }

    #[test]
    fn rows_are_split_into_cells() {
        for (row, expected) in [
            ("a,b\n", &["a", "b"][..]),
            ("a,b", &["a", "b"]),
            (",\r\n", &["", ""]),
            ("\"\"\n", &[""]),
            ("\"a,\"\"b\"\"\",c", &["a,\"b\"", "c"]),
            ("\"a\r\nb\n\",\"c\"\r\n", &["a\r\nb\n", "c"]),
            ("5\" disk, \"b\" ,'c,d'", &["5\" disk", " \"b\" ", "'c", "d'"]),
            ("é,\"猫\"", &["é", "猫"]),
            ("a\rb", &["a\rb"]),
        ] {
            assert_eq!(cells(row).unwrap(), (expected.iter().map(ToString::to_string).collect(), false));
        }
    }

    #[test]
    fn quotes_must_close_where_cells_end() {
        assert!(cells("a,\"b\"c,d\n").unwrap_err().contains("cell 2"));
        assert!(cells("\"a\" ,b").is_err());
        assert!(cells("\"a\rb\",\"c\"\rd").is_err());
        assert_eq!(cells("a,\"b\n\n").unwrap(), (vec!["a".into()], true));
        assert_eq!(cells("a,\"b\"\"\n").unwrap(), (vec!["a".into()], true));
    }
}
